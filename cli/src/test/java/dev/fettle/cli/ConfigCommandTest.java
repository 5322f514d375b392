package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.cli.run.ConfigPatch;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.jetty.StartIni;
import dev.fettle.config.patch.PatchText;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigCommandTest {
    @TempDir
    Path folder;

    /** The launcher says where the agent lies. */
    @BeforeAll
    static void home() {
        System.setProperty("fettle.home", Fettle.home().toString());
    }

    @AfterAll
    static void noHome() {
        System.clearProperty("fettle.home");
    }

    /** Without trying it. */
    private Ended config(String... arguments) {
        var all = new java.util.ArrayList<>(List.of(arguments));
        all.add("--no-verify");
        return tried(all.toArray(String[]::new));
    }

    private Ended tried(String... arguments) {
        var all = new String[arguments.length + 3];
        all[0] = "config";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--dir";
        all[arguments.length + 2] = folder.toString();
        return Ended.of(all);
    }

    /** A run in the journal, as a tune leaves it. */
    private void tuned(Result result) throws Exception {
        tuned(result, "{server: tomcat, app: hello}");
    }

    private void tuned(Result result, String target) throws Exception {
        tuned(result, target, "abc");
    }

    private static String plan(String target) {
        return plan(target, "{backlog: 1024}");
    }

    private static String plan(String target, String hold) {
        return """
                name: page
                target: TARGET
                load: {connections: 10}
                hold: HOLD
                knobs: {threads.max: {from: 10, to: 400}}
                """.replace("TARGET", target).replace("HOLD", hold);
    }

    /** @param hash of the plan's file, as the journal has it */
    private void tuned(Result result, String target, String hash) throws Exception {
        tuned(result, target, hash, "{backlog: 1024}");
    }

    private void tuned(Result result, String target, String hash, String hold) throws Exception {
        Plan plan = new PlanReader(2, 4096).read("p.yaml", plan(target, hold));
        Setting winner = result == Result.IMPROVED ? plan.hold().with("threads.max", "300") : plan.hold();
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            String id = journal.begin(
                            "tune", folder.resolve("p.yaml"), hash, Redaction.of(plan), Map.of(), Instant.EPOCH)
                    .id();
            journal.conclude(
                    id,
                    new TuneConclusion(
                            result,
                            "what was found",
                            plan.hold(),
                            winner,
                            Optional.of(new Interval(1.4, 1.3, 1.5, 0.95)),
                            Optional.empty(),
                            1.01,
                            List.of(),
                            List.of(),
                            Optional.empty(),
                            Optional.empty(),
                            List.of(),
                            List.of(),
                            Optional.empty(),
                            List.of(),
                            Optional.empty(),
                            List.of(),
                            List.of()));
        }
    }

    @Test
    void theDefaultPlaceIsTheTargetsOwn() throws Exception {
        tuned(Result.IMPROVED);
        Ended e = config();
        assertThat(e.code).as(e.err).isZero();
        assertThat(e.out)
                .contains("── in conf/server.xml", "maxThreads=\"300\"", "Fettle run page-1: throughput +40.0 %")
                .doesNotContain("acceptCount");
        assertThat(config("page-1", "--all").out).contains("acceptCount=\"1024\"");
    }

    @Test
    void asJson() throws Exception {
        tuned(Result.IMPROVED);
        JsonNode json = new ObjectMapper().readTree(config("1", "--for", "spring-boot", "--json").out);
        assertThat(json.path("for").asText()).isEqualTo("spring-boot");
        assertThat(json.at("/knobs/0/value").asText()).isEqualTo("300");
        assertThat(json.at("/files/0/text").asText()).contains("server.tomcat.threads.max=300");
    }

    @Test
    void filesAreWrittenOnceAndNeverOver() throws Exception {
        tuned(Result.IMPROVED);
        Path out = folder.resolve("out");
        assertThat(config("--out", out.toString()).code).isZero();
        Path file = out.resolve("conf/server.xml");
        assertThat(file).content().contains("maxThreads=\"300\"");
        Files.writeString(file, "mine");
        Ended again = config("--out", out.toString());
        assertThat(again.code).isEqualTo(ExitCodes.USAGE);
        assertThat(again.err).contains("exists already and was left alone");
        assertThat(file).content().isEqualTo("mine");
    }

    /** A value for a place in an XML file of the user's is no XML, and may belong in a file that another piece is for. */
    @Test
    void valuesOfOwnKnobsAreWrittenBesideOtherPiecesForTheirFile() throws Exception {
        tuned(Result.IMPROVED, """
                {standalone: tomcat, version: 11.0.24, war: examples}
                own:
                  pool: {type: int, set: {file: conf/server.xml, xpath: "//Resource[@name='jdbc/shop']/@maxTotal"}}
                  idle: {type: int, set: {file: conf/context.xml, xpath: "//Resource/@minIdle"}}
                  log: {type: int, set: {file: bin/setenv.sh, line: "LOG={value}"}}
                  cache: {type: int, set: {file: conf/app.properties, line: "cache={value}"}}""", "abc", "{own.pool: 40, own.idle: 4, own.log: 1, own.cache: 9, jvm.gc: serial}");
        Path out = folder.resolve("out");
        Ended e = config("--all", "--out", out.toString());
        assertThat(e.code).as(e.err).isZero();
        Map<String, String> texts = Map.of(
                "conf/server.xml", "maxThreads=\"300\"",
                "conf/server.xml.txt", "//Resource[@name='jdbc/shop']/@maxTotal = 40",
                "conf/context.xml.txt", "//Resource/@minIdle = 4",
                "bin/setenv.sh", "-XX:+UseSerialGC",
                "bin/setenv.sh.txt", "LOG=1",
                "conf/app.properties", "cache=9");
        texts.forEach((file, text) -> assertThat(out.resolve(file)).content().contains(text));
        assertThat(e.err + e.out)
                .contains("Wrote what goes into conf/server.xml: " + out.resolve("conf/server.xml.txt"));
    }

    @Test
    void againstAServerXmlOfTheUsersItIsAPatch() throws Exception {
        Path base = folder.resolve("base");
        Files.createDirectories(base.resolve("conf"));
        Path xml = Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="8005">
                  <!-- ours -->
                  <Service name="Catalina">
                    <Connector port="8080" protocol="HTTP/1.1"
                               maxThreads="200"
                               connectionTimeout="20000" />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps" />
                    </Engine>
                  </Service>
                </Server>
                """);
        tuned(Result.IMPROVED, "{standalone: tomcat, version: 11.0.24, base: '" + base + "'}");
        Ended e = config();
        assertThat(e.code).as(e.err).isZero();
        assertThat(e.out)
                .contains(
                        "── fettle.patch",
                        "# Fettle run page-1",
                        "--- a/conf/server.xml\n+++ b/conf/server.xml\n@@ -2,7 +2,7 @@\n",
                        "\n-               maxThreads=\"200\"\n+               maxThreads=\"300\"\n")
                .doesNotContain("acceptCount");
        Path out = folder.resolve("patch");
        assertThat(config("--out", out.toString()).code).isZero();
        Process patch = new ProcessBuilder(
                        "git", "apply", out.resolve("fettle.patch").toString())
                .directory(base.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(patch.getInputStream().readAllBytes())).isEmpty();
        assertThat(xml).content().contains("maxThreads=\"300\"", "<!-- ours -->");
        assertThat(config().out).as("nothing left to patch").doesNotContain("fettle.patch");
        Files.delete(xml);
        assertThat(config().err).startsWith("fettle: cannot read " + xml);
    }

    /** The journal has no secrets, and a file without them would be another one. */
    @Test
    void aCommandsFilesAreWrittenFromThePlanOrNotAtAll() throws Exception {
        String target = "{command: ['{java}', -jar, a.jar, '{port}'], defaults: {threads.max: 25, backlog: 50},"
                + " templates: {conf/server.xml: '<?xml version=\"1.0\"?><Server auth=\"Container\" n=\"{threads.max}\" m=\"{backlog}\"/>'}}";
        String text = plan(target);
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        tuned(Result.IMPROVED, target, hash);
        Ended gone = config();
        assertThat(gone.code).isEqualTo(ExitCodes.FAILED);
        assertThat(gone.err)
                .contains("conf/server.xml: its secrets are not in the journal", "p.yaml")
                .hasLineCount(1);
        Files.writeString(folder.resolve("p.yaml"), text);
        Ended e = config();
        assertThat(e.code).as(e.err).isZero();
        assertThat(e.out)
                .contains(
                        "── conf/server.xml\n<?xml version=\"1.0\"?><Server auth=\"Container\" n=\"300\" m=\"1024\"/>")
                .contains("# Fettle run page-1");
        Files.writeString(folder.resolve("p.yaml"), text + "# changed\n");
        assertThat(config().code).isEqualTo(ExitCodes.FAILED);
    }

    /** Two collectors start no JVM, and flags at the end do not undo all that stand before. */
    @Test
    void flagsInTheUsersFilesGiveWay() throws Exception {
        Path base = Files.createDirectories(folder.resolve("base"));
        Path setenv = Files.writeString(
                Files.createDirectories(base.resolve("bin")).resolve("setenv.sh"),
                "# ours\nCATALINA_OPTS=\"-Da=b -Xmx2g\"\n");
        List<ConfigFile> files = List.of(new ConfigFile(
                ConfigFile.Kind.SETENV, "bin/setenv.sh", "CATALINA_OPTS=\"$CATALINA_OPTS -XX:MaxRAMPercentage=60\"\n"));
        Setting setting = Setting.of("jvm.heap.percent", "60");
        ConfigFile patch = ConfigPatch.patched(files, standalone(ServerKind.TOMCAT, base), setting, "# why\n")
                .getFirst();
        assertThat(PatchText.applied(patch.text(), Map.of("bin/setenv.sh", Files.readString(setenv)))
                        .get("bin/setenv.sh"))
                .isEqualTo(
                        "# ours\nCATALINA_OPTS=\"-Da=b\"\n" + files.getFirst().text());
        Files.writeString(setenv, "OTHER=-Xmx2g\nexport OTHER\nCATALINA_OPTS=\"$OTHER -Da=b\"\n");
        assertThat(ConfigPatch.patched(files, standalone(ServerKind.TOMCAT, base), setting, "# why\n"))
                .extracting(ConfigFile::text)
                .containsExactly("# take out of what is there: -Xmx2g\n"
                        + files.getFirst().text());

        Files.writeString(setenv, "# für uns\nCATALINA_OPTS=\"-Da=b -Xmx2g\"\n", StandardCharsets.ISO_8859_1);
        assertThat(ConfigPatch.patched(files, standalone(ServerKind.TOMCAT, base), setting, "# why\n"))
                .as("a patch of a file that is no UTF-8 would not fit")
                .extracting(ConfigFile::text)
                .containsExactly("# take out of what is there: -Xmx2g\n"
                        + files.getFirst().text());

        Files.writeString(
                Files.createDirectories(base.resolve("start.d")).resolve("jvm.ini"), "--exec\n-Xmx512m\n-Da=b\n");
        List<ConfigFile> inis = ConfigPatch.patched(
                List.of(new ConfigFile(ConfigFile.Kind.JETTY_INI, StartIni.JVM_FILE, "--exec\n-Xms2g\n-Xmx2g\n")),
                standalone(ServerKind.JETTY, base),
                Setting.of("jvm.heap", "2g"),
                "# why\n");
        assertThat(inis).extracting(ConfigFile::path).containsExactly("fettle.patch", StartIni.JVM_FILE);
        assertThat(inis.getFirst().text()).contains("\n--Xmx512m\n", "\n+#fettle# -Xmx512m\n");
    }

    private static Target standalone(ServerKind server, Path base) {
        return new Target.Standalone(
                server,
                Optional.empty(),
                Optional.empty(),
                Optional.of(base.toString()),
                Optional.empty(),
                "/",
                Target.Jvm.SAME,
                Setting.DEFAULT);
    }

    @Test
    void whatIsWrittenIsTriedOnTheRealServer() throws Exception {
        Path base = folder.resolve("base");
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps/ROOT"));
        Path xml = Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="8005">
                  <Service name="Catalina">
                    <Executor name="pool" maxThreads="150"/>
                    <Connector port="8080" executor="pool" />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps" />
                    </Engine>
                  </Service>
                </Server>
                """);
        tuned(Result.IMPROVED, "{standalone: tomcat, version: 11.0.24, base: '" + base + "'}");
        Ended e = tried("--verify", "--all", "--run-kept-plan");
        assertThat(e.code).as(e.out + e.err).isZero();
        assertThat(e.out)
                .contains("+    <Executor name=\"pool\" maxThreads=\"300\"/>")
                .contains("── verified: Apache Tomcat 11.0.24 was started from this, and has these values")
                .containsPattern("threads.max +300 +300 +ok")
                .containsPattern("backlog +1024 +1024 +ok");

        JsonNode json = new ObjectMapper().readTree(tried("--verify", "--json", "--run-kept-plan").out);
        assertThat(json.at("/verified/holds").asBoolean()).isTrue();
        assertThat(json.at("/verified/knobs/0/effective").asText()).isEqualTo("300");

        assertThat(xml).content().contains("maxThreads=\"150\"");
        assertThat(base.resolve("logs")).doesNotExist();
    }

    @Test
    void whatCannotBeTriedIsSaid() throws Exception {
        tuned(Result.IMPROVED, "{server: undertow, app: hello}");
        Ended wildfly = tried("--for", "wildfly");
        assertThat(wildfly.code).isZero();
        assertThat(wildfly.out)
                .contains("/subsystem=io/worker=default:write-attribute(name=task-max-threads,value=300)")
                .contains("── fettle-undo.cli", ":undefine-attribute(name=task-max-threads)")
                .contains("── not verified: Fettle starts no WildFly");
        assertThat(tried("--for", "wildfly", "--verify").code).isEqualTo(ExitCodes.FAILED);
        assertThat(tried("--for", "spring-boot").out).contains("not verified: the run was on no app of Spring Boot");
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    /** Somebody else's journal may name any program: it is run only if the user's own plan file says the same, or if the user asks. */
    @ParameterizedTest
    @CsvSource({
        "no file, , is gone or has changed, false",
        "changed, , is gone or has changed, false",
        "another, , is another one than, false",
        "unchanged, , , true",
        "unchanged, '300; touch x', is no value of the plan's, false",
        "no file, --run-kept-plan, , true",
        "another, --run-kept-plan, , true"
    })
    void aProgramOfTheJournalIsRunOnlyAsThePlanFileNamesIt(String file, String other, String why, boolean run)
            throws Exception {
        Path ran = folder.resolve("ran");
        Path plan = folder.resolve("p.yaml");
        String target = "{command: [sh, -c, 'touch " + ran + "; exit 3', 'x{port}', '{threads.max}']}";
        boolean asked = other != null && other.startsWith("--");
        if (!file.equals("no file")) {
            Files.writeString(
                    plan,
                    plan(file.equals("another") ? "{command: [sleep, '{port}', '{threads.max}']}" : target, "{}"));
        }
        String hash = file.equals("no file") ? "abc" : sha256(plan);
        if (file.equals("changed")) {
            Files.writeString(plan, "\n", StandardOpenOption.APPEND);
        }
        tuned(Result.IMPROVED, target, hash, "{}");
        if (other != null && !asked) {
            try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                    var s = db.prepareStatement("UPDATE run SET conclusion = replace(conclusion, '300', ?)")) {
                s.setString(1, other);
                s.execute();
            }
        }
        Ended e = asked ? tried(other) : tried();
        assertThat(Files.exists(ran)).as(e.out + e.err).isEqualTo(run);
        if (!run) {
            assertThat(e.out).contains("not verified: ", why, "run when asked: --run-kept-plan");
            assertThat(e.code).isZero();
        }
    }

    /** What the journal calls a file of the target may lie anywhere. */
    @Test
    void aFileThatWouldLieElsewhereIsNotWritten() throws Exception {
        Path out = folder.resolve("a/out");
        tuned(Result.IMPROVED, "{command: [sleep, '{port}'], templates: {conf: 'n={threads.max}'}}", "abc", "{}");
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                var s = db.createStatement()) {
            s.execute("UPDATE run SET plan = replace(plan, '\"conf\"', '\"../evil\"')");
        }
        Ended e = config("--out", out.toString());
        assertThat(e.code).as(e.out + e.err).isEqualTo(ExitCodes.USAGE);
        assertThat(e.err).contains("would lie outside " + out);
        assertThat(folder.resolve("a/evil")).doesNotExist();
    }

    @Test
    void whatIsWrittenIsForItsOwnerOnly() throws Exception {
        tuned(Result.IMPROVED);
        Path out = folder.resolve("out");
        assertThat(config("--out", out.toString()).code).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out.resolve("conf/server.xml"))))
                .isEqualTo("rw-------");
    }

    @Test
    void whileAnotherFettleMeasuresNothingIsStarted() throws Exception {
        tuned(Result.IMPROVED, "{server: undertow, app: hello}");
        try (var _ = Workspace.open(folder).lock()) {
            Ended e = tried();
            assertThat(e.code).isZero();
            assertThat(e.out).contains("not verified: another fettle is measuring in");
            assertThat(tried("--verify").code).isEqualTo(ExitCodes.FAILED);
        }
    }

    @Test
    void nothingShownIsNothingToWrite() throws Exception {
        tuned(Result.NO_IMPROVEMENT_SHOWN);
        Ended e = config();
        assertThat(e.code).isZero();
        assertThat(e.out).contains("Nothing to write: what was found");
    }

    /** A comparison in the journal: the ratio is that of the small pool over the large one. */
    private void compared(String second, Interval ratio) throws Exception {
        Plan plan = new PlanReader(2, 4096).read("p.yaml", """
                name: pools
                target: {server: tomcat, app: hello}
                load: {connections: 10}
                compare:
                  pairs: 3
                  variants:
                    small: {set: {threads.max: 8}}
                    large: SECOND
                """.replace("SECOND", second));
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            String id = journal.begin("compare", folder.resolve("p.yaml"), "abc", plan, Map.of(), Instant.EPOCH)
                    .id();
            var contrast = new CompareConclusion.Contrast(
                    "small",
                    "large",
                    3,
                    ratio,
                    ratio.high() < 0.98,
                    OptionalFigure.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty());
            journal.conclude(
                    id,
                    new CompareConclusion(
                            "what was found",
                            Objective.Metric.THROUGHPUT,
                            List.of(new CompareConclusion.Condition(Map.of(), List.of(), List.of(contrast), List.of())),
                            List.of(),
                            Optional.empty(),
                            List.of()));
        }
    }

    @Test
    void ofAComparisonItIsWhatTheFasterVariantHas() throws Exception {
        compared("{set: {threads.max: 64, backlog: 300}}", new Interval(0.8, 0.75, 0.85, 0.95));
        Ended e = config();
        assertThat(e.code).as(e.err).isZero();
        assertThat(e.out)
                .contains(
                        "maxThreads=\"64\"",
                        "acceptCount=\"300\"",
                        "Fettle run pools-1: throughput +25.0 % [17.6, 33.3] against the variant 'small'",
                        "threads.max = 64, was 8");
        JsonNode json = new ObjectMapper().readTree(config("--for", "spring-boot", "--json").out);
        assertThat(json.at("/knobs")).hasSize(2);
        assertThat(json.at("/files/0/text").asText()).contains("server.tomcat.threads.max=64");
    }

    @Test
    void aComparisonWithoutAFasterSettingSaysWhyThereIsNone() throws Exception {
        compared("{set: {threads.max: 64}}", new Interval(1, 0.97, 1.03, 0.95));
        Ended e = config();
        assertThat(e.code).isZero();
        assertThat(e.out).contains("Nothing to write: 'large' was not shown to be better than 'small'");
        compared("{server: jetty}", new Interval(0.8, 0.75, 0.85, 0.95));
        assertThat(config().out)
                .contains("Nothing to write: 'large' was shown to be better than 'small', but not by a setting: it is"
                        + " another target");
    }

    @Test
    void whatCannotBeIsSaidInOneLine() throws Exception {
        tuned(Result.IMPROVED);
        assertThat(config("--for", "nginx").err)
                .startsWith(
                        "fettle: --for is one of tomcat, jetty, undertow, wildfly, spring-boot, systemd, kubernetes, docker");
        assertThat(config("--for", "jetty").err).contains("was measured on tomcat");
        assertThat(config("nosuch").err).contains("no run 'nosuch' in " + folder + "; newest runs: page-1");
        assertThat(config("--for", "jetty").code).isEqualTo(ExitCodes.USAGE);
    }
}
