package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.config.patch.PatchText;
import dev.fettle.model.read.PlanReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditCommandTest {
    @TempDir
    Path folder;

    private static Ended audit(String... arguments) {
        return Ended.of(Stream.concat(Stream.of("audit"), Stream.of(arguments)).toList());
    }

    private String file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    /** To write it anew: {@code fettle audit --rules > docs/audit-rules.md}. */
    @Test
    void thePageIsUpToDate() throws Exception {
        assertThat(Files.readString(Fettle.home().resolve("docs/audit-rules.md")))
                .as("docs/audit-rules.md; write it anew with: fettle audit --rules > docs/audit-rules.md")
                .isEqualTo(audit("--rules").out);
    }

    /** The JDK that runs this is asked: it does not know the flag. */
    @Test
    void aFlagIsTriedOnTheJdk() throws Exception {
        String f = file("setenv.sh", "CATALINA_OPTS=\"-XX:+UseConcMarkSweepGC -XX:+UseG1GC -XX:+NoFlagOfAnyJdk\"\n");
        Ended e = audit(f, "--fail-on", "error");
        assertThat(e.out)
                .contains("fatal", "-XX:+UseConcMarkSweepGC", "tried here", "-XX:+NoFlagOfAnyJdk", "setenv.sh:1");
        assertThat(e.code).isEqualTo(ExitCodes.CONDITION_MET);
        assertThat(audit(file("b.sh", "X=-XX:+UseG1GC\n"), "--fail-on", "error").code)
                .isZero();
    }

    /** Fettle's own Tomcat has no such attributes, whatever a rule says. */
    @Test
    void attributesAreTriedOnTomcatsClasses() throws Exception {
        file(
                "server.xml",
                "<Server><Service><Connector port=\"8080\" maxThreads=\"300\" thredsMaxIdle=\"5\" maxSpareThreads=\"9\"/>"
                        + "</Service></Server>");
        Fettle.Ended e = new Fettle(folder).run("audit", "server.xml", "--json");
        var verdicts = new java.util.HashMap<String, String>();
        new ObjectMapper()
                .readTree(e.out())
                .get("findings")
                .forEach(f -> verdicts.put(
                        f.get("setting").asText(),
                        f.get("verdict").asText() + " " + f.get("basis").asText()));
        assertThat(verdicts)
                .containsEntry("Connector.thredsMaxIdle", "removed probed")
                .containsEntry("Connector.maxSpareThreads", "removed probed")
                .containsEntry("Connector.maxThreads", "situational sourced");
    }

    @Test
    void anotherJdkThatIsNotThereIsLookedUp() throws Exception {
        Ended e = audit(file("c.sh", "JAVA_OPTS=-XX:MaxPermSize=1m\n"), "--jdk", "7");
        assertThat(e.out).contains("situational", "not tried, only looked up");
    }

    /** Only as texts, and none of a library's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "app.jar BOOT-INF/classes/",
                "app.jar BOOT-INF/classes/config/",
                "app.WAR WEB-INF/classes/",
                "app.war ''"
            })
    void theConfigurationInAnArchiveIsRead(String where) throws Exception {
        Path jar = folder.resolve(where.split(" ")[0]);
        String entry = where.split(" ")[1].replace("'", "") + "application.properties";
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of(
                    entry,
                    "BOOT-INF/lib/application.properties",
                    "../application.properties",
                    "/application.properties")) {
                out.putNextEntry(new ZipEntry(name));
                out.write("server.tomcat.max-threads=5\n".getBytes(StandardCharsets.UTF_8));
            }
        }
        Ended e = audit(jar.toString(), "--no-probe", "--json");
        JsonNode findings = new ObjectMapper().readTree(e.out).get("findings");
        assertThat(findings).singleElement().satisfies(f -> {
            assertThat(f.get("file").asText()).isEqualTo(jar + "!/" + entry);
            assertThat(f.get("verdict").asText()).isEqualTo("removed");
        });
        Ended fix = audit(jar.toString(), "--no-probe", "--fix");
        assertThat(fix.out).isEmpty();
        assertThat(fix.err).contains("By hand: " + jar + "!/" + entry + ":1");
    }

    @Test
    void anArchiveThatIsNoneOrHoldsNothingIsOneLine() throws Exception {
        Path jar = folder.resolve("a.jar");
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("BOOT-INF/classes/A.class"));
        }
        for (String name : List.of(jar.toString(), file("b.jar", "server.tomcat.max-threads=5\n"))) {
            Ended e = audit(name, "--no-probe");
            assertThat(e.code).isNotZero();
            assertThat(e.err.strip()).contains(name).doesNotContain("\n");
        }
    }

    @Test
    void jsonAndSarifAreWellFormed() throws Exception {
        String f = file("99.sysctl.conf", "vm.swappiness = 0\nnet.core.somaxconn = 4096\n");
        JsonNode json = new ObjectMapper().readTree(audit(f, "--json").out);
        assertThat(json.at("/findings/0/setting").asText()).isEqualTo("vm.swappiness");
        assertThat(json.at("/findings/0/line").asInt()).isEqualTo(1);
        JsonNode sarif = new ObjectMapper().readTree(audit(f, "--format", "sarif").out);
        assertThat(sarif.at("/runs/0/results/0/level").asText()).isEqualTo("error");
        assertThat(sarif.at("/runs/0/results/0/locations/0/physicalLocation/region/startLine")
                        .asInt())
                .isEqualTo(1);
        assertThat(audit(f, "--format", "markdown").out)
                .contains("| [dangerous](docs/audit-rules.md#sysctl-vm-swappiness)");
    }

    /** The patch is applied by the reader of patches, and the corrected file has no finding of that kind any more. */
    @Test
    void aFixIsAPatchWithItsReasons() throws Exception {
        String text = "JAVA_OPTS=\"-server -Xmx1g \\\n -XX:PermSize=64m\"\n";
        String f = file("setenv.sh", text);
        String patch = audit(f, "--fix").out;
        String path = f.replaceFirst("^/", "");
        String fixed = PatchText.applied(patch, Map.of(path, text)).get(path);
        assertThat(fixed)
                .contains("-Xmx1g")
                .contains("# fettle: -XX:PermSize=64m: ")
                .doesNotContain("JAVA_OPTS=\"-server");
        assertThat(Files.readString(Path.of(f))).as("nothing is written").isEqualTo(text);
        assertThat(audit(file("fixed.sh", fixed), "--fail-on", "warning").code).isZero();
        String sysctl = "# mine\nnet.ipv4.tcp_tw_recycle = 1\r\nvm.swappiness=0\n";
        String s = file("sysctl.conf", sysctl);
        String spath = s.replaceFirst("^/", "");
        assertThat(PatchText.applied(audit(s, "--fix").out, Map.of(spath, sysctl))
                        .get(spath))
                .contains("# net.ipv4.tcp_tw_recycle = 1\r\n", "vm.swappiness=1\n");
    }

    @Test
    void aFileThatIsNotUtf8GetsNoPatch() throws Exception {
        Path f = folder.resolve("sysctl.conf");
        Files.write(f, "# caf\u00e9\nnet.ipv4.tcp_tw_recycle = 1\n".getBytes(StandardCharsets.ISO_8859_1));
        Ended e = audit(f.toString(), "--fix");
        assertThat(e.out).isEmpty();
        assertThat(e.err).contains("By hand: " + f + " is not UTF-8");
        assertThat(e.code).isEqualTo(ExitCodes.NO_VALID_RESULT);
    }

    /** What a patch leaves as it is, and would keep the JVM from starting, is listed. */
    @Test
    void whatAFixLeavesIsListed() throws Exception {
        String f = file(
                "setenv.sh",
                "CATALINA_OPTS=\"-Xms4g -Xmx2g -XX:+UseG1GC -XX:+UseParallelGC -XX:MaxGCPauseMilis=50 -XX:MaxPermSize=1m\"\n");
        Ended e = audit(f, "--fix");
        assertThat(e.err.lines().filter(l -> l.startsWith("By hand: ")))
                .hasSize(3)
                .anyMatch(l -> l.contains(f + ":1 -Xms4g, fatal: "))
                .anyMatch(l -> l.contains("-XX:+UseParallelGC, fatal: one of them"))
                .anyMatch(l -> l.contains("-XX:MaxGCPauseMilis=50, typo: -XX:MaxGCPauseMillis"));
        assertThat(e.out.lines().filter(l -> l.startsWith("+CATALINA_OPTS")))
                .singleElement()
                .asString()
                .contains("-Xms4g")
                .doesNotContain("PermSize");
        assertThat(e.code).isZero();
        Ended none = audit(file("a.sh", "CATALINA_OPTS=\"-Xms4g -Xmx2g\"\n"), "--fix");
        assertThat(none.err).contains("By hand: ").contains("-Xms4g");
        assertThat(none.code).isEqualTo(ExitCodes.NO_VALID_RESULT);
    }

    @Test
    void whatIsSevereEnoughFailsACaseForACiServer() throws Exception {
        Path f = Files.writeString(folder.resolve("sysctl.conf"), "vm.swappiness=0\nnet.core.somaxconn=4096\n");
        Path junit = folder.resolve("audit.xml");
        assertThat(audit(f.toString(), "--no-probe", "--junit", junit.toString()).code)
                .isZero();
        assertThat(Files.readString(junit)).contains("failures=\"1\"", "vm.swappiness", "type=\"dangerous\"");
        Ended fix = audit(f.toString(), "--fix", "--junit", junit.toString());
        assertThat(fix.code).isEqualTo(2);
        assertThat(fix.err).contains("leave out --fix");
    }

    @Test
    void aServerXmlThatTomcatCannotParseIsFatal() throws Exception {
        Ended e = audit(
                file("server.xml", "<Server><Service><Connector port=\"8080\" maxThreads=\"800\"></Service></Server>"),
                "--fail-on",
                "error");
        assertThat(e.code).isEqualTo(ExitCodes.CONDITION_MET);
        assertThat(e.out).containsPattern("fatal server\\.xml, ").contains("not well-formed");
    }

    /** Both names of Tomcat 4, and old names of pools, become settings of their own. */
    @Test
    void oldNamesBecomeDifferentSettings() throws Exception {
        String text = "<Server><Service><Connector minProcessors=\"5\" maxProcessors=\"75\"/></Service></Server>\n";
        String f = file("server.xml", text);
        String path = f.replaceFirst("^/", "");
        assertThat(PatchText.applied(audit(f, "--fix").out, Map.of(path, text)).get(path))
                .contains("<Connector minSpareThreads=\"5\" maxThreads=\"75\"/>");
    }

    @Test
    void thePlanThatSettlesItCanBeRead() throws Exception {
        Ended e = audit(
                file("server.xml", "<Server><Service><Connector port=\"8080\" maxThreads=\"800\"/></Service></Server>"),
                "--plan");
        assertThat(e.code).isZero();
        var plan = new PlanReader(2, 4096).read("plan.yaml", e.out);
        assertThat(plan.name()).isEqualTo("audit-threads-max");
    }

    @Test
    void mistakesAreOneLine() throws Exception {
        for (String[] arguments : new String[][] {
            {folder.resolve("no.xml").toString()},
            {"--server", "tomcat"},
            {"--tomcat", folder.toString()},
            {"--kernel", "new", file("x.md", "nothing")},
            {file("bad.yml", "a: [b")},
            {"--fix", "--plan"},
            {"--fix", "--fail-on", "error"},
            {"--fix", "--format", "text"},
            {"--plan", "--json"},
            {"--json", "--format", "sarif"}
        }) {
            Ended e = audit(arguments);
            assertThat(e.code).as(String.join(" ", arguments)).isEqualTo(ExitCodes.USAGE);
            assertThat(e.err.lines()).hasSize(1);
        }
        assertThat(audit("--pid", "1", "--kernel", "6.1").code).isNotZero();
        Ended fine = audit("--fail-on", "fine");
        assertThat(fine.code).isEqualTo(ExitCodes.USAGE);
        assertThat(fine.err).contains("--fail-on fine: one of error, warning, note is wanted");
    }

    @Test
    void inAFolderWhatCannotBeReadIsANote() throws Exception {
        file("99.sysctl.conf", "vm.swappiness = 0\n");
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, Set.of());
        try {
            assumeFalse(Files.isReadable(closed), "this user may read everything");
            Ended e = audit(folder.toString());
            assertThat(e.code).as(e.err).isZero();
            assertThat(e.out.replaceAll("\\s+", " "))
                    .contains("vm.swappiness", "cannot read " + closed + ": permission denied");
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aFolderIsReadWithoutWhatIsBuiltOrOfGit() throws Exception {
        for (String sub : List.of("conf", "target", ".git")) {
            Path in = Files.createDirectories(folder.resolve(sub));
            Files.writeString(in.resolve("sysctl.conf"), "vm.swappiness = 0\n");
        }
        assertThat(audit(folder.toString(), "--all", "--json").out)
                .contains("/conf/sysctl.conf")
                .doesNotContain("/target/sysctl.conf", "/.git/sysctl.conf");
    }

    @Test
    void thisHostIsRead() {
        Ended e = audit();
        assertThat(e.code).isZero();
        assertThat(e.out).contains("Judged for Linux", "settings:");
    }

    /** A folder is read as far as a person could follow, and what is left out is said. */
    @Test
    void aFolderWithMoreFilesThanAreReadSaysSo() throws Exception {
        Path many = Files.createDirectory(folder.resolve("many"));
        for (int i = 0; i <= 500; i++) {
            Files.writeString(many.resolve(i + ".properties"), "server.tomcat.threads.max=" + (i + 1) + "\n");
        }
        assertThat(audit(many.toString(), "--no-probe").out).contains("501 configuration files", "the first 500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999999999", "folder", "nothing"})
    void aJdkThatIsNoneIsSaidInOneLine(String jdk) throws Exception {
        Path bin = Files.createDirectories(folder.resolve("folder/bin"));
        Files.writeString(bin.resolve("java"), "#!/bin/sh\ntouch " + folder.resolve("started") + "\n")
                .toFile()
                .setExecutable(true);
        Ended e = audit(
                file("o.sh", "JAVA_OPTS=-XX:+UseG1GC\n"),
                "--jdk",
                jdk.startsWith("9") ? jdk : folder.resolve(jdk).toString());
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err.lines()).singleElement().asString().startsWith("fettle: no JDK");
        assertThat(folder.resolve("started")).doesNotExist();
    }
}
