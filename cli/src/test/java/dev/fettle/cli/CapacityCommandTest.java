package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.fettle.cli.terminal.ExitCodes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fettle capacity}, in this process. */
@Timeout(120)
class CapacityCommandTest {
    private static final String URL = "http://127.0.0.1:9/";

    @TempDir
    Path folder;

    private Ended capacity(String... arguments) {
        var all = new ArrayList<>(List.of("capacity"));
        all.addAll(List.of(arguments));
        return fettle(all);
    }

    /** A command, in a workspace of the test's own. */
    private Ended fettle(List<String> arguments) {
        var all = new ArrayList<>(arguments);
        all.addAll(List.of("--dir", workspace().toString()));
        return Ended.of(all);
    }

    private Path workspace() {
        return folder.resolve("ws");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -c 5                              | an SLO is missing: --slo 'p99<50ms,errors<0.1%'
            --slo p99<50                      | --slo p99<50: duration needs a unit: 50ms, 4s, 2m (at position 1)
            --slo p99>50ms                    | an SLO says what is good, p99<50ms
            --slo p99<1s --from fast          | --from fast: 'fast' is not a rate
            --slo p99<1s --overload 1x        | --overload 1x: a factor over 1 is wanted, such as 2x
            --slo p99<1s --overload twice     | --overload twice: a factor over 1 is wanted, such as 2x
            --slo p99<1s --rate 5/s           | --rate is for a spike: add --overload 2x
            --slo p99<1s --confirm 0          | --confirm 0: 1 to 20 make sense
            --slo p99<1s --precision 99%      | --precision 99%: 0.2% to 50% are possible
            --slo p99<1s --probe 1ms          | --probe 1ms: 500ms to 10m are possible
            --slo p99<1s --at-least -1/s      | --at-least -1/s: '-1/s' is not a rate
            --slo p99<1s --overload 2x --base 0 | --base 0: a load over 0 is needed
            --slo p99<1s --even --seed 5      | --seed is of random arrivals: leave it out, or --even
            --slo p99<1s --spike 5s           | --spike goes with --overload, as in --overload 2x
            --slo p99<1s --watch 30s          | --watch goes with --overload, as in --overload 2x
            --slo p99<1s --base 70%           | --base goes with --overload, as in --overload 2x
            --slo p99<1s --overload 2x --rate 5/s --at-least 9/s | so nothing is searched: leave out --at-least
            --slo p99<1s --overload 2x --rate 5/s --from 9/s     | so nothing is searched: leave out --from
            --slo p99<1s --overload 2x --rate 5/s --probe 5s     | so nothing is searched: leave out --probe
            --slo p99<1s --overload 2x --rate 5/s --precision 3% | so nothing is searched: leave out --precision
            --slo p99<1s --overload 2x --rate 5/s --confirm 3    | so nothing is searched: leave out --confirm
            --slo p99<1s --overload 2x --rate 5/s --budget 5m    | so nothing is searched: leave out --budget
            """)
    void wrongArgumentsAreToldInOneLine(String arguments, String message) {
        var all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addFirst(URL);
        Ended e = capacity(all.toArray(String[]::new));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).hasSize(1);
        assertThat(e.err).contains(message);
    }

    @Test
    void whatIsNeitherUrlNorPlanIsToldToBeNeither() {
        Ended e = capacity("nothing.yaml", "--slo", "p99<1s");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("'nothing.yaml' is neither a URL (http://…) nor a plan that can be read");
    }

    @Test
    void otherHostsAreRefused() {
        Ended e = capacity("http://192.0.2.1/", "--slo", "p99<1s");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("--own-host 192.0.2.1");
        assertThat(workspace()).doesNotExist();
    }

    @Test
    void optionsOfTheLoadAreForUrls() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {url: \"" + URL + "\"}\nload: {connections: 5}\nslo: p99<1s\n");
        Ended e = capacity(plan.toString(), "-c", "7");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("--connections is for a URL: the plan says what the load is");
        Ended warm = capacity(plan.toString(), "--warm-up", "5s");
        assertThat(warm.code).isEqualTo(2);
        assertThat(warm.err).isEqualTo("fettle: --warm-up is for a URL: in a plan it is load.warm-up\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{url: 'http://127.0.0.1:9'}", "{pid: 4194303}"})
    void onlyWhatFettleStartsIsLaunchedSeveralTimes(String target) throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"), "name: x\ntarget: " + target + "\nload: {connections: 5}\nslo: p99<1s\n");
        Ended e = capacity(plan.toString(), "--launches", "3");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines())
                .singleElement()
                .asString()
                .startsWith("fettle: --launches is for a plan whose target Fettle starts: ")
                .endsWith(" is one process");
        assertThat(workspace()).doesNotExist();
    }

    @Test
    void aProcessIsWatchedAtAUrlAndMustBeThere() throws Exception {
        Ended gone = capacity(URL, "--slo", "p99<1s", "--pid", "4194303");
        assertThat(gone.code).isEqualTo(2);
        assertThat(gone.err).isEqualTo("fettle: there is no process 4194303\n");
        assertThat(fettle(List.of("runs")).out).contains("no runs");
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {url: \"" + URL + "\"}\nload: {connections: 5}\nslo: p99<1s\n");
        Ended both = capacity(plan.toString(), "--pid", "17");
        assertThat(both.code).isEqualTo(2);
        assertThat(both.err).isEqualTo("fettle: --pid is for a URL: a plan says it itself, target: {pid: 17}\n");
    }

    @Test
    void whatDoesNotAnswerFails() {
        Ended e = capacity(URL, "--slo", "p99<1s", "--warm-up", "500ms");
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err).contains("no valid answer in the warm-up");
    }

    @Test
    void aShortSearchOfAPlansUrlGivesADocument() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        server.setExecutor(workers);
        server.createContext("/", x -> {
            try {
                Thread.sleep(20); // so at most 50 a second
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            x.sendResponseHeaders(200, 2);
            x.getResponseBody().write(new byte[] {'o', 'k'});
            x.close();
        });
        server.start();
        try {
            Path plan = Files.writeString(
                    folder.resolve("p.yaml"),
                    "name: x\ntarget: {url: \"http://127.0.0.1:"
                            + server.getAddress().getPort()
                            + "/\"}\nload: {connections: 50, warm-up: 2s}\nslo: p50<2s,errors<5%\n");
            Ended e = capacity(
                    plan.toString(),
                    "--json",
                    "--probe",
                    "500ms",
                    "--budget",
                    "5s",
                    "--confirm",
                    "1",
                    "--precision",
                    "50%",
                    "--at-least",
                    "900/s");
            // whether five seconds are enough is up to the machine: VirtualCapacityTest asks for figures
            assertThat(e.code)
                    .as(e.err)
                    .isEqualTo(
                            e.err.contains("MISSED: at least 900/s was asked for")
                                    ? ExitCodes.CONDITION_MET
                                    : ExitCodes.NO_VALID_RESULT);
            JsonNode tree = new ObjectMapper().readTree(e.out);
            assertThat(tree.path("schema").asText()).isEqualTo("fettle.capacity/1");
            assertThat(tree.path("slo").asText()).isEqualTo("p50<2s,errors<5%");
            assertThat(tree.path("idleP50Millis").asDouble()).isGreaterThanOrEqualTo(20);
            assertThat(tree.path("capacity").path("probes")).isNotEmpty();
            assertThat(e.err).contains("Capacity of x").contains("p50");
            isKept(e, tree);
        } finally {
            server.stop(0);
            workers.shutdownNow();
        }
    }

    /** The journal has the run, and every command that reads runs knows what to do with it. */
    private void isKept(Ended e, JsonNode tree) throws Exception {
        assertThat(tree.path("runId").asText()).isEqualTo("x-1");
        assertThat(tree.path("complete").asBoolean()).isTrue();
        assertThat(fettle(List.of("show", "x-1", "--json")).out).isEqualTo(e.out);
        String headline = tree.path("capacity").path("headline").asText();
        Ended shown = fettle(List.of("show", "--trials"));
        assertThat(shown.code).isZero();
        assertThat(shown.out.replaceAll("\\s+", " "))
                .contains("run x-1")
                .contains(headline)
                .contains("Probes, by rate");
        assertThat(fettle(List.of("runs")).out)
                .contains(
                        "x-1", "capacity", tree.path("capacity").path("probes").size() + " probes", headline);
        JsonNode runs = new ObjectMapper().readTree(fettle(List.of("runs", "--json")).out);
        assertThat(runs.path(0).path("probes").asInt())
                .isEqualTo(tree.path("capacity").path("probes").size());
        Path page = folder.resolve("page.html");
        assertThat(fettle(List.of("report", "x-1", "--out", page.toString())).code)
                .isZero();
        assertThat(page).hasSameTextualContentAs(workspace().resolve("runs/x-1/report.html"));
        assertThat(Files.readString(page)).contains("data-chart=\"probes\"");

        Ended resumed = fettle(List.of("resume", "x-1"));
        assertThat(resumed.code).isZero();
        assertThat(resumed.out).contains("x-1 is finished; nothing to resume");
        Ended config = fettle(List.of("config", "x-1"));
        assertThat(config.code).isEqualTo(2);
        assertThat(config.err.lines()).singleElement().asString().contains("x-1 is a capacity search");
    }

    @Test
    void aRunThatFoundNothingToLoadIsThereAndWithoutItsSecretIsNotResumed() throws Exception {
        assertThat(capacity(URL, "--slo", "p99<1s", "--warm-up", "500ms", "-H", "Authorization: Bearer hunter2").code)
                .isEqualTo(1);
        assertThat(fettle(List.of("show", "latest")).out.replaceAll("\\s+", " "))
                .contains("Not finished: no probe has ended yet.")
                .contains("fettle resume capacity-1");
        assertThat(fettle(List.of("report", "latest")).code).isZero();
        Ended resumed = fettle(List.of("resume", "latest"));
        assertThat(resumed.code).isEqualTo(2);
        assertThat(resumed.err.lines()).singleElement().asString().contains("which is not journalled");
        try (var files = Files.walk(workspace())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .doesNotContain("hunter2");
            }
        }
    }
}
