package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

/** {@code fettle capacity}, in this process. */
@Timeout(120)
class CapacityCommandTest {
    private static final String URL = "http://127.0.0.1:9/";

    @TempDir
    Path folder;

    private record Ended(int code, String out, String err) {}

    private static Ended capacity(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = new ArrayList<>(List.of("capacity"));
        all.addAll(List.of(arguments));
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
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
    }

    @Test
    void optionsOfTheLoadAreForUrls() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: x\ntarget: {url: \"" + URL + "\"}\nload: {connections: 5}\nslo: p99<1s\n");
        Ended e = capacity(plan.toString(), "-c", "7");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("--connections is for a URL: the plan says what the load is");
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
                            + "/\"}\nload: {connections: 50, warm-up: 500ms}\nslo: p50<2s,errors<5%\n");
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
            assertThat(e.code).isIn(ExitCodes.NO_VALID_RESULT, ExitCodes.CONDITION_MET);
            JsonNode tree = new ObjectMapper().readTree(e.out);
            assertThat(tree.path("schema").asText()).isEqualTo("fettle.capacity/1");
            assertThat(tree.path("slo").asText()).isEqualTo("p50<2000ms,errors<5%");
            assertThat(tree.path("idleP50Millis").asDouble()).isGreaterThanOrEqualTo(20);
            assertThat(tree.path("capacity").path("probes")).isNotEmpty();
            assertThat(e.err).contains("Capacity of x").contains("p50");
        } finally {
            server.stop(0);
            workers.shutdownNow();
        }
    }
}
