package dev.fettle.config.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.audit.Corrections.Correction;
import dev.fettle.config.audit.Corrections.Patched;
import dev.fettle.config.patch.PatchText;
import dev.fettle.model.audit.FoundSetting;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorrectionsTest {
    /** The file with every setting of these names corrected, without the comments; what is left to the user after a "!". */
    private static String fixed(String file, String text, String... namesAndFixes) throws Exception {
        SettingsText read = SettingsText.read(file, text);
        var corrections = new ArrayList<Correction>();
        for (int i = 0; i < namesAndFixes.length; i += 2) {
            for (FoundSetting s : read.settings()) {
                if (s.name().equals(namesAndFixes[i])) {
                    corrections.add(new Correction(s, namesAndFixes[i + 1], "why."));
                }
            }
        }
        Patched p = Corrections.of(read, corrections);
        String out = p.diff().isEmpty()
                ? text
                : PatchText.applied(p.diff(), Map.of(file, text)).get(file);
        return out.replaceAll("(?m)^\\s*(?:# fettle: .*|<!-- fettle: .* -->)\n", "")
                + (p.byHand().isEmpty()
                        ? ""
                        : "!" + p.byHand().stream().map(FoundSetting::name).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            a.sh        | sysctl -w vm.aa=1                        | vm.aa | delete     | true # sysctl -w vm.aa=1
            a.sh        | if x; then~  sysctl -w vm.aa=1~fi        | vm.aa | delete     | if x; then~  true # sysctl -w vm.aa=1~fi
            a.sh        | sysctl -w vm.aa=1 && sysctl -w vm.cc=2     | vm.aa | delete     | !
            a.sh        | sysctl -w vm.cc=2 ; sysctl -w vm.aa=1      | vm.aa | delete     | !
            a.sh        | x &&~sysctl -w vm.aa=1                   | vm.aa | delete     | !
            a.sh        | [ -e f ] && echo 1 > /proc/sys/vm/aa     | vm.aa | delete     | !
            a.sh        | echo 1 > /proc/sys/vm/aa                 | vm.aa | value 2    | !
            a.sh        | sysctl -w vm.aa=1                        | vm.aa | value 2    | sysctl -w vm.aa=2
            a.sh        | sysctl -w vm.aa="1 2 3"                  | vm.aa | value 4 5  | sysctl -w vm.aa="4 5"
            a.sh        | sysctl -w vm.aa=1                        | vm.aa | name vm.cc   | sysctl -w vm.cc=1
            a.sh        | net.bb.cc = 1                            | net.bb.cc | value 2 | net.bb.cc = 2
            Dockerfile  | RUN sysctl -w vm.aa=1                    | vm.aa | delete     | !
            Dockerfile  | RUN x && \\~  sysctl -w vm.aa=1           | vm.aa | delete     | !
            sysctl.conf | vm.aa = 1                                | vm.aa | delete     | # vm.aa = 1
            sysctl.conf | vm.aa = 1                                | vm.aa | value 2    | vm.aa = 2
            """)
    void commandsOfAScript(String file, String text, String name, String fix, String expected) throws Exception {
        String before = text.replace('~', '\n') + "\n";
        assertThat(fixed(file, before, name, fix))
                .isEqualTo(expected.equals("!") ? before + "![" + name + "]" : expected.replace('~', '\n') + "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            services:~ a:~  environment:~   JAVA_OPTS: "-XX:Aa=31 -Xmx1g"     | -XX:Aa | value 15 | services:~ a:~  environment:~   JAVA_OPTS: "-XX:Aa=15 -Xmx1g"
            services:~ a:~  environment:~   JAVA_OPTS: "-XX:Aa=31"            | -XX:Aa | delete   | !
            services:~ a:~  command: >-~   java~   -XX:Aa=31                  | -XX:Aa | value 15 | services:~ a:~  command: >-~   java~   -XX:Aa=15
            services:~ a:~  sysctls: {vm.aa: 0}                                | vm.aa   | value 1  | !
            services:~ a:~  sysctls:~  - vm.aa=0                               | vm.aa   | value 1  | !
            apiVersion: v1~kind: Pod~sysctls:~- {name: vm.aa, value: "0"}      | vm.aa   | value 1  | !
            spring.jpa.show-sql: true                                        | spring.jpa.show-sql | value false | spring.jpa.show-sql: false
            spring: {jpa: {show-sql: true}}                                  | spring.jpa.show-sql | value false | spring: {jpa: {show-sql: false}}
            """)
    void valuesInYaml(String text, String name, String fix, String expected) throws Exception {
        String before = text.replace('~', '\n') + "\n";
        assertThat(fixed("a.yaml", before, name, fix))
                .isEqualTo(expected.equals("!") ? before + "![" + name + "]" : expected.replace('~', '\n') + "\n");
    }

    @Test
    void aCommentIsNotPutIntoATextOfYaml() throws Exception {
        String text = "services:\n a:\n  command: >-\n   java\n   -XX:Aa=31\n";
        SettingsText read = SettingsText.read("a.yaml", text);
        var c = new Correction(read.settings().getFirst(), "value 15", "why.");
        assertThat(Corrections.of(read, java.util.List.of(c)).diff())
                .contains("+   -XX:Aa=15")
                .doesNotContain("why");
    }

    /** An attribute that is there twice is no XML. */
    @Test
    void aNameThatIsThereAlreadyIsNotGivenAgain() throws Exception {
        String both = "<Server><Connector port=\"1\" old=\"5\" new=\"6\"/></Server>\n";
        assertThat(fixed("server.xml", both, "Connector.old", "name new"))
                .isEqualTo("<Server><Connector port=\"1\" new=\"6\"/></Server>\n");
        String three = "<Server><Connector older=\"4\" old=\"5\"/><Connector new=\"6\"/></Server>\n";
        assertThat(fixed("server.xml", three, "Connector.older", "name new", "Connector.old", "name new"))
                .isEqualTo("<Server><Connector new=\"5\"/><Connector new=\"6\"/></Server>\n");
        assertThat(fixed(
                        "application.properties",
                        "server.old=1\nserver.newName=2\n",
                        "server.old",
                        "name server.new-name"))
                .isEqualTo("# server.old=1\nserver.newName=2\n");
        assertThat(fixed("application.properties", "server.old: a=b\n", "server.old", "name server.new"))
                .isEqualTo("server.new: a=b\n");
    }

    @Test
    void aContinuedLineDoesNotBecomeAComment() throws Exception {
        assertThat(fixed("application.properties", "server.a=1,\\\n2\n", "server.a", "delete"))
                .isEqualTo("server.a=1,\\\n2\n![server.a]");
    }

    @Test
    void optionsKeepTheirForm() throws Exception {
        assertThat(fixed("jvm.options", "-XX:+UseA\n-XX:Bb=1\n", "-XX:UseA", "value false", "-XX:Bb", "value 2"))
                .isEqualTo("-XX:-UseA\n-XX:Bb=2\n");
    }
}
