package dev.fettle.config.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.config.ConfigException;
import dev.fettle.config.process.ShellReader;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SetenvTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            CATALINA_OPTS="-Xms1g -Xmx2g -Da=b"               | jvm.heap         | CATALINA_OPTS="-Da=b"
            CATALINA_OPTS="-Da=b -Xmx2g"                      | jvm.heap.percent | CATALINA_OPTS="-Da=b"
            # -Xmx2g~JAVA_OPTS=-Xmx2g~export CATALINA_OPTS=   | jvm.heap         | # -Xmx2g~JAVA_OPTS=~export CATALINA_OPTS=
            JAVA_OPTS="-XX:+UseParallelGC"                    | jvm.gc           | JAVA_OPTS=""
            JAVA_OPTS="-XX:+UseParallelGC -XX:+UseParallelGCx" | jvm.gc          | JAVA_OPTS="-XX:+UseParallelGCx"
            H=-Xmx2g~JAVA_OPTS="$H -Da=b"                     | jvm.heap         | H=~JAVA_OPTS="$H -Da=b"
            OTHER="-Xmx2g"~JAVA_OPTS="-Xmx2g"~export OTHER    | jvm.heap         | !
            JAVA_OPTS="-Da=b"                                 | jvm.heap         | -
            """)
    void flagsThatASettingTakesThePlaceOf(String text, String knob, String expected) {
        String value = Map.of("jvm.heap", "1g", "jvm.heap.percent", "60", "jvm.gc", "z")
                .get(knob);
        String script = text.replace('~', '\n') + "\n";
        List<String> gone = SetenvText.displaced(script, Setting.of(knob, value));
        if (expected.equals("-")) {
            assertThat(gone).isEmpty();
            return;
        }
        assertThat(gone).isNotEmpty();
        assertThat(SetenvText.without(script, gone))
                .isEqualTo(expected.equals("!") ? Optional.empty() : Optional.of(expected.replace('~', '\n') + "\n"));
    }

    private static Setenv read(String text) {
        return Setenv.read("setenv.sh", text, Map.of("CATALINA_BASE", "/base"));
    }

    @Test
    void assignmentsAreReadAndFlagsComeInTheOrderOfCatalina() {
        Setenv env = read("""
                #!/bin/sh
                # memory
                CATALINA_OPTS="-Xms1g -Xmx1g"   # both
                CATALINA_OPTS="$CATALINA_OPTS -XX:+UseZGC \\
                  -Dlog=${CATALINA_BASE}/logs"; export CATALINA_OPTS
                export JAVA_OPTS='-Dname="my app"' DB_URL
                export DB_HOST=db.example
                export PLAIN
                """);

        assertThat(env.flags()).containsExactly("-Xms1g", "-Xmx1g", "-XX:+UseZGC", "-Dlog=/base/logs");
        assertThat(env.environment()).containsOnlyKeys("DB_HOST", "PLAIN").containsEntry("DB_HOST", "db.example");
        assertThat(env.findings()).containsExactly("setenv.sh:6: JAVA_OPTS is not read: it needs a shell");
    }

    @Test
    void quotesInsideAValueCountAsInCatalina() {
        assertThat(read("JAVA_OPTS=\"-Dname='my app' -Dx=\\\"a b\\\"\"").flags())
                .containsExactly("-Dname=my app", "-Dx=a b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "JAVA_OPTS=$(cat /etc/opts)|setenv.sh:1: JAVA_OPTS is not read: it needs a shell",
                "JAVA_OPTS=`id`|setenv.sh:1: JAVA_OPTS is not read: it needs a shell",
                "JAVA_OPTS=\"${X:-y}\"|setenv.sh:1: JAVA_OPTS is not read: it needs a shell",
                "JAVA_OPTS=\"open|setenv.sh:1: JAVA_OPTS is not read: it needs a shell",
                "JAVA_OPTS=-Xmx1g java -version|setenv.sh:1: JAVA_OPTS is not read: it needs a shell",
                ". /etc/default/tomcat|setenv.sh:1: is no plain assignment, and is not read",
                "ulimit -n 1000|setenv.sh:1: is no plain assignment, and is not read",
                "JAVA_OPTS=-Dx=$NOWHERE|setenv.sh:1: JAVA_OPTS uses $NOWHERE, which has no value here",
            })
    void whatNeedsAShellIsSaidAndNeverRun(String line, String finding) {
        Setenv env = read(line);

        assertThat(env.findings()).containsExactly(finding);
        if (!line.contains("NOWHERE")) {
            assertThat(env.flags()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if [ -z \"$X\" ]; then\n JAVA_OPTS=-Xmx1g\nfi\nJAVA_OPTS=-Xmx2g",
                "case \"$X\" in\n a) if true; then JAVA_OPTS=-Xmx1g; fi;;\n esac\nJAVA_OPTS=-Xmx2g",
                "for i in 1 2; do JAVA_OPTS=\"$JAVA_OPTS -D$i\"; done; JAVA_OPTS=-Xmx2g",
                "while read l; do JAVA_OPTS=done; done\nJAVA_OPTS=-Xmx2g"
            })
    void aBlockIsPassedOver(String script) {
        Setenv env = read(script);

        assertThat(env.flags()).containsExactly("-Xmx2g");
        assertThat(env.findings())
                .singleElement()
                .asString()
                .startsWith("setenv.sh:1: '")
                .endsWith("is not read");
    }

    /** What only may run is not read, however many lines it has; what comes after it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ARGS=()",
                "MORE+=( )",
                "(( M = T << 10 ))",
                "[ -f /etc/x ] && \\\n JAVA_OPTS=-Xmx1g",
                "echo a\\\r\nJAVA_OPTS=-Xmx1g",
                "[ -f /etc/x ] &&\n JAVA_OPTS=-Xmx1g",
                "[ -f /etc/x ] || # why\n\n JAVA_OPTS=-Xmx1g",
                "[ -f /etc/x ] && {\n JAVA_OPTS=-Xmx1g\n}",
                "[ -f /etc/x ] && if true; then\n JAVA_OPTS=-Xmx1g\nfi",
                "cat /etc/opts |\n while read l; do\n JAVA_OPTS=$l\n done",
                "opts() {\n JAVA_OPTS=-Xmx1g\n}",
                "opts ( )\n{\n if x; then { JAVA_OPTS=-Xmx1g; } fi\n JAVA_OPTS=-Xmx3g\n}",
                "function opts {\n JAVA_OPTS=-Xmx1g\n}",
                "function opts\n{\n JAVA_OPTS=-Xmx1g\n}",
                "function opts() {\n JAVA_OPTS=-Xmx1g\n}",
                "(\n JAVA_OPTS=-Xmx1g\n)",
                "cat <<EOF >/tmp/x\nJAVA_OPTS=-Xmx1g\nEOF",
                "cat <<-'E' | while read l; do\nJAVA_OPTS=-Xmx1g\n\tE\n JAVA_OPTS=-Xmx1g\ndone",
                "echo \"$(x \"a\nJAVA_OPTS=-Xmx1g\n\")\"",
                "JAVA_OPTS=-Xmx1g \\\n JAVA_OPTS=-Xmx1g java -version",
                "JAVA_OPTS=-Xmx1g &&\n JAVA_OPTS=-Xmx3g",
                "if true; then echo fi is here; done=1; JAVA_OPTS=-Xmx1g; fi",
                "if true; then\n echo done if for\n JAVA_OPTS=-Xmx1g\nfi >/dev/null",
                "case $x in\n done) JAVA_OPTS=-Xmx1g ;;\n if|fi ) JAVA_OPTS=-Xmx1g ;;\nesac",
                "for x in 1; do for y in 2; do JAVA_OPTS=-Xmx1g; done done",
                "select x in a b; do\nJAVA_OPTS=-Xmx1g\ndone",
                "echo 2>&1 \"a#b\" # if while {"
            })
    void whatMayNotRunIsPassedOver(String statement) {
        Setenv env = read(statement + "\nJAVA_OPTS=\"$JAVA_OPTS -Xmx2g\"\n");

        assertThat(env.flags()).containsExactly("-Xmx2g");
        assertThat(env.findings()).hasSize(2);
        assertThat(env.findings().getFirst()).startsWith("setenv.sh:1: ").contains("is not read");
    }

    /** Whatever is in it, a script is read to its end. */
    @ParameterizedTest
    @ValueSource(strings = {"\"$(", "{ ", "( ", "<<", "`", "$((", "\\", "case x in ", "'", "a() "})
    void whatIsNotClosedEnds(String part) {
        assertThat(read(part.repeat(10_000)).flags()).isEmpty();
    }

    @Test
    void aBlockWithoutEndEnds() {
        assertThat(read("if true; then JAVA_OPTS=-Xmx1g").flags()).isEmpty();
    }

    @Test
    void aPrintedCommandIsSplitAsAShellWould() throws Exception {
        assertThat(ShellReader.words("/usr/bin/java \\\n  -Dx='a b' \\\n  jetty.http.port=8080 a='it'\\''s' '$x'\n"))
                .containsExactly("/usr/bin/java", "-Dx=a b", "jetty.http.port=8080", "a=it's", "$x");
        assertThatExceptionOfType(ConfigException.class).isThrownBy(() -> ShellReader.words("java 'open"));
        assertThatExceptionOfType(ConfigException.class).isThrownBy(() -> ShellReader.words("java; rm"));
    }
}
