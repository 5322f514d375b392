package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

/** Commands that need no trial, in this process. */
class CommandTest {
    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    private Ended fettle(String... arguments) {
        return Ended.of(arguments);
    }

    @Test
    void noCommandIsAMistakeAndSaysWhatToDo() {
        Ended e = fettle();
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("fettle tune");
    }

    @Test
    void importsACurlCommandAndARecording() throws Exception {
        Ended curl = fettle("import", "curl", "curl -u ada:hunter2 -d a=b http://127.0.0.1:8080/x");
        assertThat(curl.code).isZero();
        assertThat(curl.out).contains("path: /x", "Basic ${basic}").doesNotContain("hunter2");

        Ended piped = fettle("import", "curl", "curl h | sh");
        assertThat(piped.code).isEqualTo(2);
        assertThat(piped.err.lines()).singleElement().asString().startsWith("fettle: '|' outside quotes");

        assertThat(fettle("import", "har", "no-such.har").err.lines())
                .singleElement()
                .isEqualTo("fettle: no such file: no-such.har");
        Path har = Files.writeString(
                folder.resolve("x.har"),
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://h/a\"},\"response\":{\"status\":200}}]}}");
        Path out = folder.resolve("x.yaml");
        assertThat(fettle("import", "har", har.toString(), "--out", out.toString()).code)
                .isZero();
        assertThat(Files.readString(out)).contains("name: GET /a");
        Ended again = fettle("import", "har", har.toString(), "--out", out.toString());
        assertThat(again.code).isEqualTo(2);
        assertThat(again.err).contains("exists already");
    }

    /** What it puts back is the lab's tests' matter. */
    @Test
    void putBackSaysWhatThereIsToDo() {
        Ended none = fettle(
                "put-back", "--pid", Long.toString(ProcessHandle.current().pid()));
        assertThat(none.out.lines())
                .singleElement()
                .asString()
                .contains("process " + ProcessHandle.current().pid());
        Ended gone = fettle("put-back", "--pid", "4194303");
        assertThat(gone.code).isEqualTo(2);
        assertThat(gone.err.lines()).singleElement().isEqualTo("fettle: there is no process 4194303");
        Ended json = fettle("put-back", "--json");
        assertThat(json.code).isZero();
        assertThat(json.out.strip()).startsWith("[").endsWith("]");
        assertThat(fettle("put-back", "12345").code).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tune",
                "sweep",
                "compare",
                "bench",
                "watch",
                "capacity",
                "audit",
                "diagnose",
                "import",
                "runs",
                "show",
                "report",
                "config",
                "resume",
                "put-back",
                "knobs",
                "completion",
                "judge",
                "init",
                "check"
            })
    void everyCommandHasHelpWithExamplesAndAPage(String command) throws Exception {
        Ended e = fettle("help", command);
        assertThat(e.code).isZero();
        assertThat(e.out)
                .contains("Usage: fettle " + command)
                .contains("Examples:")
                .contains("Exit codes: ")
                .contains("fettle " + command);
        assertThat(e.out.lines().dropWhile(l -> !l.startsWith("Exit codes:")).skip(1))
                .as("no line of the exit codes is broken by its width")
                .allMatch(l -> l.isEmpty() || l.startsWith("            "));
        // the page of a command holds its help as it is
        String page = Files.readString(Fettle.home().resolve("docs/commands/" + command + ".md"));
        assertThat(page)
                .contains(e.out.lines()
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n"))
                        .strip());
    }

    /** An option that several commands share says what it does with this one. */
    @Test
    void aHelpSpeaksOfItsOwnCommand() {
        assertThat(words("bench"))
                .contains("in the open model, the maximum. Default: 10; with --rate")
                .doesNotContain("with capacity");
        assertThat(words("capacity"))
                .contains("in the open model, the maximum. Default: as many as it takes, up to 1000 ");
        assertThat(words("diagnose")).contains("in the open model, the maximum. Default: 50 ");
        assertThat(words("tune")).contains("has flame graphs of the first pair. Recording");
        assertThat(words("compare")).contains("has flame graphs of the first block. Recording");
        assertThat(words("sweep")).contains("has flame graphs of each cell, once. Recording");
        for (String command : List.of("bench", "watch")) {
            assertThat(words(command)).contains("has flame graphs. Recording");
        }
        for (String what : List.of("har", "curl")) {
            assertThat(fettle("import", what, "--help").out).contains("Examples:", "fettle import " + what + " ");
        }
    }

    private String words(String command) {
        return fettle("help", command).out.replaceAll("\\s+", " ");
    }

    /** Where help is broken into lines by hand, it is between codes. */
    @Test
    void theCodesOfTheWholeCommandAreOnLinesOfTheirOwn() {
        assertThat(fettle("--help").out.lines().dropWhile(l -> !l.startsWith("Exit codes:")))
                .startsWith(
                        "Exit codes: 0 done, 1 failed, 2 wrong arguments or plan, 3 machine lacks something,",
                        "            4 no valid result,",
                        "            5 failed a check (--fail-if, --fail-on, --at-least; config: it differs; gate: worse),",
                        "            6 no time to try or prove anything (gate: can't tell), 130 interrupted.");
    }

    /** A number without a unit is in seconds: as wrk, hey and k6 have it. */
    @ParameterizedTest
    @CsvSource({"--probe, 0.1", "--budget, 1", "--watch, 1", "--warm-up, 0.1", "--spike, 0.1"})
    void aTimeWithoutAUnitIsInSeconds(String option, String tooShort) {
        var arguments = new ArrayList<>(
                List.of("capacity", "http://127.0.0.1:9/", "--slo", "p99<1s", "--overload", "2x", option, tooShort));
        arguments.addAll(List.of("--dir", folder.resolve("ws").toString()));
        Ended e = fettle(arguments.toArray(String[]::new));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .startsWith("fettle: " + option + " " + tooShort + ": ")
                .contains(" are possible");
    }

    @Test
    void theDurationOfAResultMayLackItsUnit() {
        String[] judge = {"judge", "--clients", "5", "--rate", "1/s", "--mean", "10ms", "--json", "--duration"};
        String with =
                fettle(Stream.concat(Arrays.stream(judge), Stream.of("30s")).toArray(String[]::new)).out;
        assertThat(fettle(Stream.concat(Arrays.stream(judge), Stream.of("30")).toArray(String[]::new)).out)
                .isEqualTo(with)
                .contains("30.0");
    }

    /** A full disk, for one: a script must not take half a result for the whole. */
    @Test
    void aResultThatCannotBeWrittenIsAFailure() throws Exception {
        Process p = new Fettle(folder)
                .process("knobs", "--json")
                .redirectOutput(Path.of("/dev/full").toFile())
                .start();
        try (var err = p.errorReader()) {
            assertThat(err.lines())
                    .containsExactly("fettle: cannot write the standard output: No space left on device");
        }
        assertThat(p.waitFor()).isEqualTo(1);
    }

    @Test
    void completionNamesTheCommands() {
        assertThat(fettle("completion").out)
                .contains("tune", "--own-host", "--stages", "--fail-if", "--cacert", "threads.max", "jvm.gc.pause")
                .as("values of an option")
                .contains("spring-boot", "\"ALLOC\"", "\"JFR\"", "\"IO_URING\"");
    }

    @Test
    void aShellReadsTheCompletion() throws Exception {
        Path script = Files.writeString(folder.resolve("completion.bash"), fettle("completion").out);
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source \"$0\"; COMP_WORDS=(fettle gate --cant); COMP_CWORD=2; COMP_LINE='fettle gate --cant';"
                                + " COMP_POINT=18; _complete_fettle; echo \"${COMPREPLY[*]}\"",
                        script.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = bash.inputReader()) {
            assertThat(out.lines()).singleElement().asString().contains("--cant-tell");
        }
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void aWrongPlanIsToldByFileLineAndColumn() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {server: tomcat, app: hello}\nload: {conections: 5}\nknobs: {threads.mux: [5]}\n");
        Ended e = fettle("tune", plan.toString(), "--dir", folder.resolve("ws").toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .contains("p.yaml:3:8: ")
                .contains("did you mean 'connections'")
                .contains("p.yaml:4:9: ")
                .contains("threads.max")
                .doesNotContain("Exception");
        assertThat(folder.resolve("ws")).doesNotExist();
    }

    @Test
    void aPlanWithoutTheExperimentAskedForSaysWhatToAdd() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"), "name: x\ntarget: {server: tomcat, app: hello}\nload: {connections: 5}\n");
        for (String command : new String[] {"tune", "sweep", "compare"}) {
            Ended e = fettle(
                    command, plan.toString(), "--dir", folder.resolve("ws").toString());
            assertThat(e.code).isEqualTo(2);
            assertThat(e.err.lines()).hasSize(1);
            assertThat(e.err).contains("add '");
        }
    }

    @Test
    void aMissingPlanOrRunIsOneLine() {
        assertThat(fettle("tune", "/no/such/plan.yaml").err).isEqualTo("fettle: there is no plan /no/such/plan.yaml\n");
        Ended e = fettle("show", "nope", "--dir", folder.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).startsWith("fettle: no run has been kept in " + folder + "; ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "report", "config", "resume", "diagnose 3", "runs"})
    void whoeverReadsRunsCreatesNothing(String command) {
        Path typo = folder.resolve("typo");
        Ended e = fettle((command + " --dir " + typo).split(" "));
        assertThat(typo).doesNotExist();
        if (command.equals("runs")) {
            assertThat(e.code).isZero();
            assertThat(e.out).isEqualTo("no runs in " + typo + " yet; start with: fettle tune\n");
        } else {
            assertThat(e.code).isEqualTo(2);
            assertThat(e.err.lines()).singleElement().asString().contains("no run has been kept in " + typo);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "judge DIR|DIR can't be read: it is a folder",
                "import har DIR|DIR can't be read: it is a folder",
                "import har DIR/x.har --out DIR/none/x|DIR/none/x can't be written: there is no folder DIR/none",
                "init --out DIR/none/x|DIR/none/x can't be written: there is no folder DIR/none"
            })
    void whatCannotBeReadOrWrittenIsOneLine(String command, String message) throws Exception {
        Files.writeString(
                folder.resolve("x.har"),
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://h/a\"},\"response\":{\"status\":200}}]}}");
        Ended e = fettle(command.replace("DIR", folder.toString()).split(" "));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).singleElement().isEqualTo("fettle: " + message.replace("DIR", folder.toString()));
    }

    @Command(name = "broken")
    static final class Broken implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("what nobody thought of");
        }
    }

    @Test
    void verboseIsNamedOnlyWhereItIsAnOption() {
        var err = new StringWriter();
        var line = Main.commandLine();
        line.addSubcommand(new Broken());
        assertThat(line.setErr(new PrintWriter(err, true)).execute("broken")).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("fettle: unexpected: java.lang.IllegalStateException: what nobody thought of\n");
    }

    @Test
    void aUrlThatIsSomebodyElsesIsRefusedBeforeAnythingIsWritten() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {url: \"http://192.0.2.9:80\"}\nload: {connections: 5}\n"
                        + "sweep: {grid: {load.connections: [1, 2]}, repeats: 1}\n");
        Ended e = fettle("sweep", plan.toString(), "--dir", folder.resolve("ws").toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("--own-host 192.0.2.9");
        assertThat(folder.resolve("ws")).doesNotExist();
    }

    @Test
    void aProcessIsNamedByItsId() throws Exception {
        assertThat(fettle("tune", "--live").err).isEqualTo("fettle: --live goes with --pid\n");
        String plan = Fettle.home().resolve("examples/running-process.yaml").toString();
        String dir = folder.resolve("ws").toString();
        String other = Files.writeString(
                        folder.resolve("pid.yaml"),
                        "name: x\ntarget: {pid: 1}\nload: {connections: 5}\nknobs: {threads.max: [5, 6]}\n")
                .toString();
        assertThat(fettle("tune", other, "--dir", dir).err).contains("process 1 is only watched");
        assertThat(fettle("tune", other, "--pid", "4194303", "--live", "--dir", dir).err)
                .as("the plan's process is another one")
                .contains("4194303")
                .doesNotContain("only watched");
        Ended gone = fettle("tune", plan, "--pid", "4194303", "--live", "--dir", dir);
        assertThat(gone.code).isEqualTo(2);
        assertThat(gone.err).isEqualTo("fettle: there is no process 4194303\n");
        Ended https = fettle("tune", plan, "--pid", "4194303", "--live", "--url", "https://127.0.0.1/", "--dir", dir);
        assertThat(https.err).isEqualTo("fettle: there is no process 4194303\n"); // https is as good as http
        assertThat(fettle("tune", plan, "--pid", "4194303", "--live", "--url", "ws://127.0.0.1/", "--dir", dir).err)
                .contains("http:// or https:// is wanted");
        Ended variants = fettle(
                "compare", Fettle.home().resolve("examples/servers.yaml").toString(), "--pid", "4194303", "--dir", dir);
        assertThat(variants.code).isEqualTo(2);
        assertThat(variants.err).contains("has a target of its own; on process 4194303 only settings can vary");
        assertThat(fettle("runs", "--json", "--dir", dir).out.replaceAll("\\s", ""))
                .isEqualTo("[]");
    }

    @Test
    void onlyAProcessIsProfiled() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {url: \"http://127.0.0.1:9\"}\nload: {connections: 5}\n"
                        + "sweep: {grid: {load.connections: [1, 2]}, repeats: 1}\n");
        Ended e = fettle(
                "sweep",
                plan.toString(),
                "--profile",
                "cpu",
                "--dir",
                folder.resolve("ws").toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines())
                .singleElement()
                .asString()
                .startsWith("fettle: --profile records the server's process");
        assertThat(folder.resolve("ws")).doesNotExist();
    }

    /** One that is damaged hides no other, neither from whoever looks for runs nor from the list. */
    @Test
    void aRunThatCannotBeReadIsListedAsSuch() throws Exception {
        Path file = Workspace.open(folder).journalFile();
        Plan plan = new PlanReader(2, 4096)
                .read("p.yaml", "name: mine\ntarget: {server: tomcat, app: hello}\nload: {connections: 5}\n");
        try (Journal journal = Journal.open(file)) {
            for (int i = 0; i < 3; i++) {
                journal.begin("tune", Path.of("p.yaml"), "x", plan, Map.of(), Instant.EPOCH);
            }
        }
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + file);
                var s = db.createStatement()) {
            s.execute("UPDATE run SET plan = '{\u001b[2Jbroken' WHERE sequence = 2");
        }
        Ended text = fettle("runs", "--dir", folder.toString());
        assertThat(text.code).as(text.err).isZero();
        assertThat(text.out.lines()).hasSize(3);
        assertThat(text.out)
                .contains("mine-1 ", "mine-3 ")
                .containsPattern("(?m)^mine-2 +can't be read: ")
                .doesNotContain("\u001b");
        assertThat(fettle("runs", "--json", "--dir", folder.toString()).out)
                .contains("\"state\" : \"unreadable\"", "\"headline\" : \"can't be read: ");
        assertThat(fettle("show", "mine-1", "--dir", folder.toString()).code).isZero();
        assertThat(fettle("show", "mine-2", "--dir", folder.toString()).err)
                .startsWith("fettle: cannot read the journal ")
                .contains(": mine-2: ");
        assertThat(fettle("show", "other", "--dir", folder.toString()).err)
                .contains("newest runs: mine-3, mine-2, mine-1");
    }

    /** What others have written is repeated in messages. */
    @Test
    void noMessageMovesTheCursor() throws Exception {
        aRunThatCannotBeReadIsListedAsSuch();
        Ended e = fettle("show", "\u001b]0;title\u0007\u001b[2J", "--dir", folder.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("no run '").doesNotContain("\u001b", "\u0007");
        assertThat(fettle("tune", "--\u001b[2J").err).doesNotContain("\u001b");
    }

    @Test
    void wrongAnswersAreAmongThoseThatFailed() throws Exception {
        String file = Files.writeString(
                        folder.resolve("t.md"),
                        "| clients | requests/s | mean ms | responses | failed |\n|---|---|---|---|---|\n"
                                + "| 50 | 1000 | 50 | 10000 | 300 |\n")
                .toString();
        assertThat(fettle("judge", file, "--non-2xx", "20", "--json").out)
                .contains("\"failed\" : 300.0", "\"wrong\" : 20.0");
        assertThat(fettle("judge", file, "--non-2xx", "400", "--json").out).contains("\"failed\" : 400.0");
        assertThat(fettle("judge", file, "--non-2xx", "400", "--failed", "500", "--json").out)
                .contains("\"failed\" : 500.0");
        assertThat(fettle("judge", "--clients", "5", "--rate", "1/s", "--non-2xx", "7", "--json").out)
                .contains("\"failed\" : 7.0");
        for (String none : new String[] {"NaN", "0", "100", "-5"}) {
            Ended e = fettle("judge", file, "--percentile", none + "=5ms");
            assertThat(e.code).as(none).isEqualTo(2);
            assertThat(e.err).contains("a percentile lies between 0 and 100");
        }
    }

    /** More does not fit into the launcher's heap, together with what is made of it. */
    @Test
    void aRecordingThatIsTooLargeIsToldSo() throws Exception {
        Path large = folder.resolve("large.har");
        try (var file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((64L << 20) + 1);
        }
        Ended e = fettle("import", "har", large.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).isEqualTo("fettle: " + large + " is larger than 64 MiB\n");
    }

    @Test
    void runsOfAnEmptyFolderSayHowToStart() {
        assertThat(fettle("runs", "--dir", folder.toString()).out).contains("fettle tune");
        assertThat(fettle("runs", "--json", "--dir", folder.toString()).out.replaceAll("\\s", ""))
                .isEqualTo("[]");
    }
}
