package dev.fettle.config.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.config.ConfigException;
import dev.fettle.model.audit.FoundSetting;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTextTest {
    private static List<String> found(String name, String text) throws ConfigException {
        return SettingsText.read(name, text).settings().stream()
                .map(s -> s.place().line() + " " + s.written())
                .toList();
    }

    @Test
    void sysctl() throws Exception {
        assertThat(found("/etc/sysctl.d/99.conf", "# a\nnet.core.somaxconn = 128\n-vm/swappiness=0 # why\n"))
                .containsExactly("2 net.core.somaxconn = 128", "3 vm.swappiness = 0");
    }

    @Test
    void limits() throws Exception {
        assertThat(found("/etc/security/limits.conf", "* soft nofile 8192\n@web - nproc unlimited\n# * hard core 0\n"))
                .containsExactly("1 soft nofile 8192", "2 - nproc unlimited");
    }

    @Test
    void unit() throws Exception {
        assertThat(found(
                        "tomcat.service",
                        "[Service]\nEnvironment=\"JAVA_OPTS=-Xmx2g -XX:+UseG1GC\"\nLimitNOFILE=1024\n#TasksMax=5\n"))
                .containsExactly("2 -Xmx2g", "2 -XX:+UseG1GC", "3 LimitNOFILE 1024");
    }

    @Test
    void serverXmlWithCommentsLeftOut() throws Exception {
        assertThat(found("server.xml", """
                        <Server><Service name="c">
                        <!-- <Connector port="1" maxThreads="5"/> -->
                        <Connector port="8080"
                          maxThreads="300" compressableMimeType="a&amp;b"/>
                        <Engine name="c" defaultHost="h"><Host name="h"/></Engine></Service></Server>
                        """))
                .containsExactly(
                        "3 Connector",
                        "3 Connector.port=8080",
                        "4 Connector.maxThreads=300",
                        "4 Connector.compressableMimeType=a&b");
    }

    /** What Tomcat can't parse is told as a setting; what only Fettle does not read, or another XML, is not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <Server><Service><Connector port="1"></Service></Server>  | true
            <Server><Service><Connector port="1" port="2"/></Service></Server> | true
            <Server><Service>                                         | true
            <Server><Service><Connector port="1"/></Service></Server> | false
            <Server><Service/></Server>                               | false
            <!DOCTYPE Server><Server><Service/></Server>              | false
            <ServerSettings>                                          | false
            <Context><Resource>                                       | false
            """)
    void aServerXmlThatCannotBeParsedIsFound(String text, boolean broken) throws Exception {
        assertThat(found("server.xml", "<?xml version=\"1.0\"?>\n" + text).contains("2 server.xml"))
                .isEqualTo(broken);
    }

    @Test
    void jetty() throws Exception {
        assertThat(found("start.d/http.ini", "--module=http\njetty.http.acceptors=4\n# jetty.http.port=1\n-Xmx1g\n"))
                .contains("1 --module=http", "2 jetty.http.acceptors=4", "4 -Xmx1g");
        assertThat(found(
                        "jetty.xml",
                        "<Configure><Set name=\"minThreads\"><Property name=\"x\" default=\"10\"/></Set></Configure>"))
                .containsExactly("1 minThreads=10");
    }

    @Test
    void spring() throws Exception {
        assertThat(found("application.properties", "server.tomcat.max-threads=500\n!x=1\nspring.password: abc\n"))
                .containsExactly("1 server.tomcat.max-threads=500", "3 spring.password=***");
        assertThat(found("application.yml", "server:\n  tomcat:\n    threads: {max: 500}\nspring.jpa.show-sql: true\n"))
                .containsExactly("3 server.tomcat.threads.max=500", "4 spring.jpa.show-sql=true");
    }

    @ParameterizedTest
    @CsvSource({
        "application.yml, 'server.a: 1~---~spring.config.activate.on-profile: prod~server.a: 2~---~server.a: 3'",
        "application.yml, 'server: {a: 1}~---~spring:~  profiles: prod~server: {a: 2}~---~server: {a: 3}'",
        "application.properties, 'server.a=1~#---~spring.config.activate.on-profile=prod~server.a=2~!---~server.a=3'"
    })
    void documentsOfSpringBoot(String file, String text) throws Exception {
        SettingsText read = SettingsText.read(file, text.replace('~', '\n') + "\n");
        assertThat(read.settings().stream()
                        .filter(s -> s.name().equals("server.a"))
                        .map(s -> s.value() + " " + s.scope()))
                .containsExactly("1 ", "2 profile prod", "3 ");
        FoundSetting last = read.settings().getLast();
        assertThat(read.text().substring(last.place().start(), last.place().end()))
                .endsWith("3");
    }

    @Test
    void shellWithContinuedLines() throws Exception {
        SettingsText t = SettingsText.read(
                "setenv.sh", "#!/bin/sh\n# -Xmx9g\nJAVA_OPTS=\"-Xms1g \\\n  -XX:PermSize=64m\"\nulimit -n 4096\n");
        assertThat(t.settings().stream().map(FoundSetting::written))
                .containsExactly("-Xms1g", "-XX:PermSize=64m", "ulimit -n 4096");
        FoundSetting perm = t.settings().get(1);
        assertThat(perm.place().line()).isEqualTo(4);
        assertThat(t.text().substring(perm.place().comment()))
                .as("a comment goes in front of the statement")
                .startsWith("JAVA_OPTS");
    }

    /** What a branch sets is said with its condition; whether something is set, and the command to start, are none. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            if [ "$V" -lt 9 ]; then~O="-XX:PermSize=1m"~fi          | [ "$V" -lt 9 ]
            if [ "$V" -lt 9 ]; then~:~else~O="-XX:PermSize=1m"~fi   | not [ "$V" -lt 9 ]
            if a; then~:~elif [ b = c ]; then~O=-XX:PermSize=1m~fi  | [ b = c ]
            if [ b = c ]~then~O=-XX:PermSize=1m~fi                  | [ b = c ]
            [ "$V" -lt 9 ] && O="-XX:PermSize=1m"                   | [ "$V" -lt 9 ]
            case "$V" in~1.8)~O=-XX:PermSize=1m~;;~esac             | "$V" is 1.8
            if [ b = c ]; then~:~fi~O=-XX:PermSize=1m               | ''
            if [ -z "$O" ]; then~O=-XX:PermSize=1m~fi               | ''
            if [ "x$O" = "x" ]; then~O=-XX:PermSize=1m~fi           | ''
            if [ "$1" = "start" ]; then~O=-XX:PermSize=1m~fi        | ''
            case "$1" in~start)~O=-XX:PermSize=1m~;;~esac           | ''
            """)
    void branchesOfScripts(String lines, String condition) throws Exception {
        assertThat(SettingsText.read("a.sh", lines.replace('~', '\n')).settings().stream()
                        .map(s -> s.onlyIf().orElse("")))
                .containsExactly(condition);
    }

    @Test
    void jumpsOfBatchFiles() throws Exception {
        assertThat(SettingsText.read(
                                "a.bat",
                                "set O=-Xmx1g\n:a\nset O=-Xms1g\nrem -Xmn1g\ngoto end\n:b\nset O=-Xss1m\n:end\n")
                        .settings()
                        .stream()
                        .map(s -> s.written() + s.onlyIf().map(c -> " " + c).orElse("")))
                .containsExactly("-Xmx1g", "-Xms1g", "-Xss1m it jumps to b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A=`echo $JAVA_OPTS | $GREP \"\\-d64\"`",
                "\"$JAVA\" -d64 -version > /dev/null 2>&1 && OK=true",
                "echo \"use -d64 instead\"",
                "  -d64)",
                "  \"-d64\") A=1 ;;"
            })
    void optionsThatAreAskedForAreNotSet(String line) throws Exception {
        assertThat(SettingsText.read("a.sh", line).settings()).isEmpty();
    }

    @Test
    void whatAStartScriptReadsIsShell() throws Exception {
        SettingsText t = SettingsText.read(
                "standalone.conf",
                "## a\nif [ \"x$JAVA_OPTS\" = \"x\" ]; then\n  JAVA_OPTS=\"-Xmx1g\"\nfi\n# JAVA_OPTS=\"-Xms1g\"\n");
        assertThat(t.format()).isEqualTo(SettingsText.Format.SHELL);
        assertThat(t.settings().stream().map(FoundSetting::written)).containsExactly("-Xmx1g");
        assertThat(SettingsText.read("a", "JAVA_OPTS=-Xmx1g\nis what I recommend.")
                        .format())
                .isEqualTo(SettingsText.Format.PROSE);
    }

    @Test
    void aKeysSizeIsNoSecret() throws Exception {
        assertThat(found("jvm.options", "-Djdk.tls.ephemeralDHKeySize=2048\n-Dmy.key=abc\n"))
                .containsExactly("1 -Djdk.tls.ephemeralDHKeySize=2048", "2 -Dmy.key=***");
    }

    @Test
    void containers() throws Exception {
        assertThat(
                        found(
                                "Dockerfile",
                                "FROM openjdk:8\nENV JAVA_OPTS=\"-Xmx512m\"\nCMD [\"java\",\"-XX:+UseG1GC\",\"-jar\",\"a.jar\"]\n"))
                .containsExactly("1 FROM=openjdk:8", "2 -Xmx512m", "3 program=java", "3 -XX:+UseG1GC");
        assertThat(found("docker-compose.yml", """
                        services:
                          web:
                            image: tomcat:9
                            mem_limit: 1g
                            environment: ["JAVA_OPTS=-Xmx1g"]
                            ulimits: {nofile: {soft: 1024, hard: 2048}}
                            sysctls: [net.core.somaxconn=128]
                        """))
                .contains(
                        "3 FROM=tomcat:9",
                        "4 memory=1g",
                        "5 -Xmx1g",
                        "6 hard nofile 2048",
                        "7 net.core.somaxconn = 128");
        assertThat(found("deployment.yaml", """
                        apiVersion: apps/v1
                        kind: Deployment
                        spec:
                          template:
                            spec:
                              containers:
                                - name: web
                                  image: app:1
                                  env: [{name: JAVA_TOOL_OPTIONS, value: "-Xmx2g -Xss256k"}]
                                  resources: {limits: {memory: 2Gi, cpu: 500m}}
                        """)).contains("9 -Xmx2g", "9 -Xss256k", "10 memory=2Gi", "10 cpu=500m");
    }

    @Test
    void nginx() throws Exception {
        assertThat(SettingsText.read(
                                "nginx.conf",
                                "http { upstream app { server a:1; keepalive 32; keepalive_timeout 60s; } # x;\n server { keepalive_timeout 65; } }")
                        .settings()
                        .stream()
                        .map(s -> s.scope() + " | " + s.written()))
                .contains(
                        "http > upstream app | keepalive 32",
                        "http > upstream app | upstream.keepalive_timeout 60s",
                        "http > server | keepalive_timeout 65");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            我建议把 maxThreads 设置为 500（Tomcat）            | Connector.maxThreads=500
            adjust maxThreads to 2048, as on tomcat             | Connector.maxThreads=2048
            sysctl -w net.ipv4.tcp_tw_reuse=1                   | net.ipv4.tcp_tw_reuse = 1
            net.ipv4.tcp_rmem = 4096 87380 16777216             | net.ipv4.tcp_rmem = 4096 87380 16777216
            -XX:+UseParNewGC :缩短minor收集的时间               | -XX:+UseParNewGC
            add '* soft nofile 65536' to it                     | soft nofile 65536
            set server.tomcat.max-threads=400 in the file       | server.tomcat.max-threads=400
            `somaxconn` is too small                            | net.core.somaxconn
            Set `maxThreads` to 500 and `acceptCount` to 1000.  | Connector.maxThreads=500
            """)
    void prose(String text, String setting) throws Exception {
        assertThat(SettingsText.read("a.md", text).settings().stream().map(FoundSetting::written))
                .contains(setting);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import java.util.concurrent.ArrayList; net.sf.json.JSONObject x = y;",
                "The protocol is simple, and compression of ideas is an executor of thought on this server.",
                "https://example.org/kernel.org/vm.html?fs.type=1",
                "server: tomcat\n  protocol: simple\naddress = 5",
                "I have 200 threads and 8080 ports; the default is fine."
            })
    void otherWordsAreNoSettings(String text) throws Exception {
        assertThat(SettingsText.read("a.md", text).settings()).isEmpty();
    }

    @Test
    void aTextThatIsTooLongIsRefused() {
        assertThatThrownBy(() -> SettingsText.read("a.md", "x".repeat(SettingsText.MOST_CHARACTERS + 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("longer than 2 MiB");
    }

    /** Entities, in XML and in YAML, expand to nothing, and files that they name are not read. */
    @Test
    void bombsAndForeignEntitiesDoNothing() throws Exception {
        var bomb = new StringBuilder("<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\">");
        for (char c = 'b'; c < 'k'; c++) {
            bomb.append("<!ENTITY ")
                    .append(c)
                    .append(" \"")
                    .append(("&" + (char) (c - 1) + ";").repeat(10))
                    .append("\">");
        }
        bomb.append(
                "<!ENTITY x SYSTEM \"file:///etc/passwd\">]><Server><Connector port=\"&x;\" maxThreads=\"&j;\"/></Server>");
        SettingsText t = SettingsText.read("server.xml", bomb.toString());
        assertThat(t.settings().toString()).doesNotContain("root:").hasSizeLessThan(2000);
        assertThat(t.notes()).anyMatch(n -> n.contains("document type"));
        var yaml = new StringBuilder("server: &a [x,x,x,x,x,x,x,x,x]\n");
        for (char c = 'b'; c < 'j'; c++) {
            yaml.append("s")
                    .append(c)
                    .append(": &")
                    .append(c)
                    .append(" [")
                    .append(("*" + (char) (c - 1) + ",").repeat(9))
                    .append("]\n");
        }
        try {
            assertThat(SettingsText.read("application.yml", yaml.toString()).settings())
                    .isEmpty();
        } catch (ConfigException e) {
            assertThat(e).hasMessageContaining("YAML");
        }
    }

    /** Found by fuzzing: it was counted as the end of a line in one place, and not in the other. */
    @Test
    void aCarriageReturnAloneEndsNoLine() throws Exception {
        assertThat(found("start.ini", "a=1\rb\r\njetty.http.port=2\r\njetty.x=3"))
                .contains("2 jetty.http.port=2", "3 jetty.x=3");
    }

    /** Texts a format; more with {@code mvn -pl config test -Dtest=SettingsTextTest -Dfettle.fuzz=20000}. */
    private static final int TEXTS = Integer.getInteger("fettle.fuzz", 150);

    /** Fixed seeds: changed, cut and mixed files of every kind are read or refused in one line, and never anything else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sysctl.conf",
                "limits.conf",
                "a.service",
                "server.xml",
                "jetty.xml",
                "start.ini",
                "application.properties",
                "application.yml",
                "setenv.bat",
                "standalone.conf",
                "docker-compose.yml",
                "jvm.options",
                "setenv.sh",
                "Dockerfile",
                "nginx.conf",
                "a.md",
                "unnamed"
            })
    void anythingIsReadOrRefused(String name) {
        var random = new Random(name.hashCode());
        for (int i = 0; i < TEXTS; i++) {
            String text = Mess.of(random);
            try {
                for (FoundSetting s : SettingsText.read(name, text).settings()) {
                    assertThat(s.place().start()).isBetween(-1, text.length());
                    assertThat(s.place().end()).isBetween(-1, text.length());
                    assertThat(s.name()).doesNotContain("\n");
                }
            } catch (ConfigException e) {
                assertThat(e.getMessage()).doesNotContain("\n").isNotBlank();
            }
        }
    }

    /** Pieces of configuration, mixed and damaged. */
    private static final class Mess {
        private static final List<String> PIECES = List.of(
                "net.core.somaxconn = 1\n",
                "server.\\n.x\\u0000=1\n",
                "server.y=\\u12",
                "  <<: *a\n",
                "<Connector port=\"8080\" maxThreads='",
                "\"/>",
                "<Executor name=",
                "<!--",
                "-->",
                "<Set name=\"maxThreads\">",
                "<![CDATA[",
                "&#x0;",
                "server:\n  tomcat: {max-threads: 5}\n",
                "services:\n  a:\n    image: b\n",
                "apiVersion: v1\nkind: Pod\n",
                "- &a [*a]\n",
                "-XX:+UseG1GC ",
                "-Xmx",
                "-Xss 15120 ",
                "JAVA_OPTS=\"",
                "'",
                "\\\n",
                "http {",
                "}",
                ";",
                "upstream a { keepalive 3; ",
                "* soft nofile ",
                "9".repeat(40),
                "sysctl -w a.b = ",
                "maxThreads: 200\n",
                "工作线程是cpu线程数*8",
                "```yaml\n",
                "```\n",
                "FROM x\n",
                "if [ \"$V\" -lt 9 ]; then\n",
                "elif [ a = b ]; then O=-Xmx1g; fi\n",
                "else\n",
                "fi\n",
                "case \"$V\" in\n",
                "1.8) O=-Xms1g ;;\n",
                "esac\n",
                "[ -z \"$O\" ] && O=\"-Xss1m\"\n",
                "rem -Xmx1g\n",
                ":label\n",
                "goto label\n",
                "\u0000",
                "\uD83D\uDE00",
                "\uD83D",
                "\r\n",
                "\t",
                "$".repeat(50),
                "(".repeat(60),
                "a=b:".repeat(80));

        static String of(Random random) {
            var out = new StringBuilder();
            int n = 1 + random.nextInt(60);
            for (int i = 0; i < n; i++) {
                out.append(PIECES.get(random.nextInt(PIECES.size())));
                if (random.nextInt(4) == 0) {
                    out.append((char) random.nextInt(0x3000));
                }
            }
            return random.nextInt(3) == 0 ? out.substring(0, random.nextInt(out.length() + 1)) : out.toString();
        }
    }

    /** Long repetitions of what the patterns look for take no long time: the test ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Connector ",
                "a=\"",
                "-XX:",
                "net.core.a",
                "sysctl -w ",
                "maxThreads ",
                "* soft ",
                "<Set name=\"a\">",
                "{",
                "- a\n",
                "jetty.a.",
                "ab -n "
            })
    void repetitionsEnd(String piece) {
        String text = piece.repeat(40_000 / piece.length());
        for (String name : List.of(
                "server.xml", "jetty.xml", "a.md", "setenv.sh", "sysctl.conf", "nginx.conf", "application.yml")) {
            try {
                assertThat(SettingsText.read(name, text)).isNotNull();
            } catch (ConfigException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    /** If each blank is tried as the last one, this takes minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "# why", ""})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void blanksAreReadOnce(String end) throws Exception {
        assertThat(found("sysctl.conf", "net.core.somaxconn = 128" + " ".repeat(1_000_000) + end))
                .singleElement()
                .asString()
                .startsWith("1 net.core.somaxconn = 128");
    }

    /** A name that says two things is a script, or YAML: {@code tune-sysctl.sh} is no sysctl.conf. */
    @ParameterizedTest
    @CsvSource({
        "sysctl.conf, SYSCTL",
        "60-sysctl, SYSCTL",
        "sysctl-tuning.sh, SHELL",
        "sysctl.d/set.sh, SHELL",
        "limits.conf.sh, SHELL",
        "nginx-start.sh, SHELL",
        "sysctl.yml, YAML",
        "roles/sysctl.d/main.yaml, YAML",
        "nginx.yaml, YAML",
    })
    void theEndingOfANameComesFirst(String name, SettingsText.Format format) throws ConfigException {
        assertThat(SettingsText.read(name, "x: 1\n").format()).isEqualTo(format);
    }

    /** What a script sets under a condition, it sets under that condition, whatever it is. */
    @Test
    void aBranchHoldsForTheKernelAndLimitsToo() throws ConfigException {
        List<FoundSetting> found = SettingsText.read("tune.sh", """
                if [ "$1" = big ]; then
                  JAVA_OPTS="-Xmx9g"
                  ulimit -n 1024
                  sysctl -w net.core.somaxconn=128
                  echo 0 > /proc/sys/vm/swappiness
                  echo never > /sys/kernel/mm/transparent_hugepage/enabled
                  net.ipv4.tcp_syncookies = 0
                  echo "web soft nofile 1024"
                fi
                ulimit -n 65536
                sysctl -w net.core.somaxconn=4096
                echo "web soft nofile 65536"
                """).settings();
        assertThat(found)
                .filteredOn(f -> f.place().line() < 9)
                .hasSize(7)
                .allSatisfy(f -> assertThat(f.onlyIf()).as(f.written()).contains("[ \"$1\" = big ]"));
        assertThat(found)
                .filteredOn(f -> f.place().line() > 9)
                .hasSize(3)
                .allSatisfy(f -> assertThat(f.onlyIf()).as(f.written()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "8:-XX:+UseConcMarkSweepGC, the JDK is 8",
                "8-13:-XX:+UseConcMarkSweepGC, the JDK is 8 to 13",
                "14-:-XX:+UseG1GC, the JDK is 14 or later",
                "-XX:+UseG1GC, -",
                "-Xmx1g, -",
            })
    void anOptionForSomeJdksIsOnlyForThose(String line, String condition) throws ConfigException {
        assertThat(SettingsText.read("jvm.options", line + "\n").settings())
                .singleElement()
                .satisfies(f -> assertThat(f.onlyIf()).isEqualTo(java.util.Optional.ofNullable(condition)))
                .satisfies(f -> assertThat(f.written()).isEqualTo(line.replaceFirst("^[-0-9]+:", "")));
    }

    /** What Fettle does not read, or does not load, Tomcat may well take. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Server><Service name='C'><Connector port='8443' SSLEnabled='true'/></Service></Server>",
                "<Server><Service name='C'><Connector port='8009' protocol='AJP/1.3'/></Service></Server>",
                "<Server port='8005'/>"
            })
    void aServerXmlWithoutPlainHttpIsFine(String text) throws ConfigException {
        assertThat(SettingsText.read("conf/server.xml", text).notes()).isEmpty();
    }

    @Test
    void whatTomcatWouldNotTakeIsOnlyWhatIsNotWellFormed() throws ConfigException {
        String deep = "<Server>" + "<a>".repeat(60) + "</a>".repeat(60) + "</Server>";
        String declared = "<!DOCTYPE Server [<!ENTITY hosts SYSTEM 'hosts.xml'>]><Server><Service/></Server>";
        for (String text : List.of(deep, declared)) {
            assertThat(SettingsText.read("server.xml", text).notes())
                    .singleElement()
                    .satisfies(n -> assertThat(n).doesNotContain("Tomcat would"));
        }
        SettingsText broken = SettingsText.read("server.xml", "<Server><Service></Server>");
        assertThat(broken.notes()).singleElement().satisfies(n -> assertThat(n).contains("Tomcat would not"));
        assertThat(broken.settings()).anyMatch(s -> s.name().equals("server.xml"));
    }
}
