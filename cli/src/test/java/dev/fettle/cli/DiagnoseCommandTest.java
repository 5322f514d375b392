package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import dev.fettle.report.RuleDocs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fettle diagnose} where nothing is measured. */
class DiagnoseCommandTest {
    private static final String PLAN = "name: page\ntarget: {url: \"http://127.0.0.1:9\"}\nload: {connections: 5}\n";

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private Ended diagnose(String... arguments) {
        var all = new ArrayList<>(List.of("diagnose"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--dir", folder.resolve("ws").toString()));
        return Ended.of(all);
    }

    @BeforeEach
    void aPlanAndARun() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), PLAN);
        Plan plan = new PlanReader(2, 4096).read("p.yaml", PLAN);
        try (Journal journal = Journal.open(Workspace.open(folder.resolve("ws")).journalFile())) {
            journal.begin("diagnose", file, "abc", plan, Map.of(), Instant.EPOCH);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:9/ --trial 2|--trial is for a run",
                "--pid 4194303 --trial 2|--trial is for a run",
                "PLAN --trial 2|--trial is for a run",
                "page-1 --no-test|--no-test is for a PLAN or a URL",
                "page-1 --no-profile|--no-profile is for a PLAN",
                "page-1 --pid 17|--pid is for a URL: of a run, only what was measured then is judged",
                "PLAN --pid 17|--pid is for a URL: a plan says it itself, target: {pid: 17}",
                "http://127.0.0.1:9/ --second-opinion|--second-opinion records the server's process",
                "PLAN --second-opinion|a URL does not say which that is: name it with --pid, or in the plan",
                "--rules --pid 17|--rules prints all rules as a page: leave out --pid",
                "--rules page-1|--rules prints all rules as a page: leave out 'page-1'",
                "--rules --json|--rules prints all rules as a page: leave out --json"
            })
    void whatSaysNothingIsRefused(String arguments, String words) {
        Ended e = diagnose(
                arguments.replace("PLAN", folder.resolve("p.yaml").toString()).split(" "));
        assertThat(e.code).as(e.err).isEqualTo(2);
        assertThat(e.err.lines()).singleElement().asString().contains(words);
    }

    /** To write it anew: {@code fettle diagnose --rules > docs/diagnosis-rules.md}. */
    @Test
    void thePageOfRulesIsUpToDate() throws Exception {
        assertThat(Files.readString(Fettle.home().resolve("docs/diagnosis-rules.md")))
                .as("docs/diagnosis-rules.md; write it anew with: fettle diagnose --rules > docs/diagnosis-rules.md")
                .isEqualTo(diagnose("--rules").out);
    }

    @Test
    void theGatesTableIsUpToDate() throws Exception {
        assertThat(Files.readString(Fettle.home().resolve("docs/methodology.md")))
                .as("docs/methodology.md, the table of the validity gate")
                .contains("\n\n" + RuleDocs.gate() + "\n");
    }

    @Test
    void whatIsNothingOfTheThreeIsToldSo() {
        Ended e = diagnose("my.yml");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .isEqualTo("fettle: 'my.yml' is neither a URL, nor a plan that can be read, nor a run in "
                        + folder.resolve("ws") + "; newest runs: page-1\n");
    }

    /** Seconds of a recording of {@code fettle watch}, from 02:00:00 UTC on. */
    private Path recording(int seconds, String values) throws Exception {
        var lines =
                new StringBuilder("{\"fettleWatch\":1,\"about\":\"process 7\",\"started\":\"2026-11-01T02:00:00Z\"}\n");
        for (int i = 1; i <= seconds; i++) {
            lines.append("{\"at\":")
                    .append(i)
                    .append(",\"values\":{")
                    .append(values)
                    .append("},\"sightings\":[],\"notObserved\":{}}\n");
        }
        return Files.writeString(folder.resolve("r.jsonl"), lines);
    }

    @Test
    void aRecordingIsJudgedAndAPartOfIt() throws Exception {
        Path file = recording(
                60,
                "\"workers.busy\":8,\"workers.total\":8,\"workers.queued\":20,\"cpu.total\":0.2,\"cgroup.quota\":2");
        JsonNode all = JSON.readTree(diagnose(file.toString(), "--json").out);
        assertThat(all.at("/about").asText()).isEqualTo("process 7");
        assertThat(all.at("/seconds").asDouble()).isEqualTo(60);
        assertThat(all.at("/conclusion/bottleneck/rule").asText()).isEqualTo("workers-full");
        JsonNode part =
                JSON.readTree(diagnose(file.toString(), "--json", "--at", "2026-11-01T02:00:20Z", "--for", "10s").out);
        assertThat(part.at("/seconds").asDouble()).isEqualTo(10);
        assertThat(part.at("/at").asText()).isEqualTo("2026-11-01T02:00:30Z");
        Path page = folder.resolve("o.html");
        Path markdown = folder.resolve("o.md");
        Ended e = diagnose(file.toString(), "--html", page.toString(), "--markdown", markdown.toString());
        assertThat(e.code).as(e.err).isZero();
        assertThat(e.out).contains("20 requests wait for one").doesNotContain("Laws");
        assertThat(page).content().contains("20 requests wait for one");
        assertThat(markdown).content().contains("20 requests wait for one");
    }

    /** One moment is enough to say what was so in it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void threadDumpsAreJudged(int times) throws Exception {
        var dump = new StringBuilder("Full thread dump OpenJDK 64-Bit Server VM (21.0.4+7 mixed mode):\n");
        for (int i = 1; i <= 6; i++) {
            dump.append("\n\"worker-%d\" #%d [%d] prio=5 cpu=1.00ms elapsed=9.00s tid=0x%x nid=%d waiting  [0x1]\n"
                    .formatted(i, 20 + i, i, i, i));
            dump.append("   java.lang.Thread.State: %s\n"
                    .formatted(i == 1 ? "TIMED_WAITING (sleeping)" : "BLOCKED (on object monitor)"));
            if (i == 1) {
                dump.append("\tat java.lang.Thread.sleep(java.base@21/Native Method)\n");
            }
            dump.append("\tat shop.Cart.total(Cart.java:10)\n\t- %s <0x7d5> (a shop.Cart)\n"
                    .formatted(i == 1 ? "locked" : "waiting to lock"));
            dump.append("\tat shop.Page.serve(Page.java:40)\n");
        }
        Path file = Files.writeString(folder.resolve("dump.txt"), (dump + "\n").repeat(times));
        JsonNode found = JSON.readTree(diagnose(file.toString(), "--json").out);
        assertThat(found.at("/conclusion/bottleneck/rule").asText()).isEqualTo("lock");
        assertThat(found.at("/conclusion/bottleneck/sentence").asText()).contains("shop.Cart.total");
        assertThat(found.at("/conclusion/notObserved").findValuesAsText("rule")).contains("cpu-full", "hung", "died");
    }

    @Test
    void aGcLogIsJudged() throws Exception {
        var log = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            log.append("[%d.000s][info][gc] GC(%d) Pause Full (Allocation Failure) 5180M->5120M(5200M) 3500.000ms\n"
                    .formatted(5 + 6 * i, i));
        }
        Path file = Files.writeString(folder.resolve("gc.log"), log);
        JsonNode found = JSON.readTree(diagnose(file.toString(), "--json").out);
        assertThat(found.at("/conclusion/bottleneck/rule").asText()).isEqualTo("heap-small");
        assertThat(found.at("/conclusion/notObserved").findValuesAsText("rule")).contains("died", "hung");
    }

    private static String histogram(long bytes) {
        return " num     #instances         #bytes  class name\n   1: %d %d shop.Cart\nTotal %d %d\n"
                .formatted(bytes / 16, bytes, bytes / 16, bytes);
    }

    @Test
    void filesOfOneProcessAreJudgedTogether() throws Exception {
        Path incident = Files.createDirectory(folder.resolve("incident"));
        Path before = Files.writeString(incident.resolve("1.txt"), histogram(10_000_000));
        Path after = Files.writeString(incident.resolve("2.txt"), histogram(40_000_000));
        Files.writeString(incident.resolve("todo"), "a list");
        JsonNode two = JSON.readTree(diagnose(before.toString(), after.toString(), "--json").out);
        assertThat(two.at("/conclusion/bottleneck/rule").asText()).isEqualTo("classes-grow");
        Ended all = diagnose(incident.toString(), "--json");
        JsonNode found = JSON.readTree(all.out);
        assertThat(found.at("/conclusion/bottleneck/rule").asText()).isEqualTo("classes-grow");
        assertThat(found.at("/about").asText()).endsWith("2 files, 1 not read");
        assertThat(all.err).contains("Not read: todo: of no kind that is known.");
        JsonNode one = JSON.readTree(diagnose(after.toString(), "--json").out);
        assertThat(one.at("/conclusion/notObserved").findValuesAsText("rule")).contains("classes-grow");
    }

    private static String accessLog(int slowFrom) {
        var log = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            log.append("10.0.0.%d - - [29/Nov/2026:02:%02d:%02d +0000] \"GET /cart/%d HTTP/1.1\" 200 5 %d %n"
                    .formatted(i % 200, i / 60, i % 60, i, i < slowFrom ? 12 : 1500));
        }
        return log.toString();
    }

    @Test
    void anAccessLogIsJudged() throws Exception {
        Path log = Files.writeString(folder.resolve("access.log"), accessLog(300));
        JsonNode found = JSON.readTree(diagnose(log.toString(), "--json").out);
        assertThat(found.at("/conclusion/bottleneck/rule").asText()).isEqualTo("slow-requests");
        assertThat(found.at("/conclusion/bottleneck/sentence").asText()).contains("/cart/*", "600 requests");
        JsonNode before =
                JSON.readTree(diagnose(log.toString(), "--at", "2026-11-29T02:01:00Z", "--for", "3m", "--json").out);
        assertThat(before.at("/conclusion/bottleneck").isMissingNode()
                        || before.at("/conclusion/bottleneck").isNull())
                .isTrue();
        assertThat(before.at("/conclusion/healthy").findValuesAsText("rule")).contains("slow-requests");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FOLDER A|name a folder or files",
                "A NONE|no such file, or it can't be read",
                "A A --pid 7|--pid is for a running process",
                "A A --at 02:15|--at and --for are for recordings and access logs",
                "A A --time-in h|--time-in h is no unit: s, ms or us",
                "A A --trial 2|say nothing with files",
                "PLAN A|Not read: my.yml: of no kind that is known"
            })
    void whatDoesNotFitSeveralFilesIsOneLine(String arguments, String says) throws Exception {
        Path file = Files.writeString(folder.resolve("histogram.txt"), histogram(10_000_000));
        String[] all = arguments
                .replace("FOLDER", folder.toString())
                .replace("NONE", folder.resolve("none").toString())
                .replace(
                        "PLAN",
                        Files.writeString(folder.resolve("my.yml"), "a: 1").toString())
                .replace("A", file.toString())
                .split(" ");
        Ended e = diagnose(all);
        assertThat(e.out + e.err).contains(says);
    }

    /** A JVM that records itself while garbage is collected again and again: one of its own, as other tests run in this one. */
    static final class Collecting {
        private Collecting() {}

        public static void main(String[] file) throws Exception {
            try (var recording = new Recording(Configuration.getConfiguration("default"))) {
                recording.start();
                for (int i = 0; i < 40; i++) {
                    System.gc();
                }
                recording.stop();
                recording.dump(Path.of(file[0]));
            }
        }
    }

    @Test
    void aFlightRecordingIsJudged() throws Exception {
        Path file = folder.resolve("app.jfr");
        assertThat(Fettle.java(Collecting.class.getName(), file.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        JsonNode found = JSON.readTree(diagnose(file.toString(), "--json").out);
        assertThat(found.at("/about").asText())
                .contains("JDK " + Runtime.version().feature());
        assertThat(found.at("/conclusion/bottleneck/rule").asText()).isEqualTo("explicit-gc");
        assertThat(found.at("/conclusion/notObserved").findValuesAsText("rule"))
                .contains("died", "hung", "accept-queue", "backend-wait");
        Ended late = diagnose(file.toString(), "--at", "2020-01-01T00:00:00Z", "--for", "10s");
        assertThat(late.code).isEqualTo(1);
        assertThat(late.err).contains("it has nothing of that time").hasLineCount(1);
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 500));
        Ended cut = diagnose(file.toString());
        assertThat(cut.code).isEqualTo(1);
        assertThat(cut.err).contains("was cut off").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--no-load|name the process to observe with --pid",
                "PLAN --no-load|--no-load is for a running process",
                "--pid 4194303 --no-load|there is no process 4194303",
                "--pid 1 --no-load --for 1s|--for 1.00 s is too short: at least 5.00 s",
                "--pid 1 --no-load --at 02:15|--at is for a recording",
                "--pid 1 --no-load --until-finding|--until-finding needs --watch",
                "--pid 1 --no-load --ramp|say nothing with --no-load",
                "--pid 1 --no-load -c 5|--connections is for a URL",
                "--pid 1 --for 10s|are for --no-load and for recordings",
                "RECORDING --at 25:99|--at 25:99 is no time",
                "RECORDING --at 2026-11-01T03:00:00Z|has 0 seconds of that time",
                "RECORDING --no-load|--no-load is for a running process",
                "RECORDING --pid 7|--pid is for a running process",
                "RECORDING --trial 2|say nothing with a recording"
            })
    void whatDoesNotFitIsOneLine(String arguments, String says) throws Exception {
        Path file = recording(20, "\"cpu.total\":0.2");
        Ended e = diagnose(arguments
                .replace("PLAN", folder.resolve("p.yaml").toString())
                .replace("RECORDING", file.toString())
                .split(" "));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains(says).hasLineCount(1);
    }
}
