package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that need no trial, in this process. */
class CommandTest {
    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    private record Ended(int code, String out, String err) {}

    private Ended fettle(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var line = Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int code = line.execute(arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    private static HttpServer server(int status, String body, AtomicLong count) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", x -> {
            count.incrementAndGet();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(status, bytes.length);
            x.getResponseBody().write(bytes);
            x.close();
        });
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/page";
    }

    @Test
    void noCommandIsAMistakeAndSaysWhatToDo() {
        Ended e = fettle();
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("fettle tune");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tune", "sweep", "compare", "bench", "runs", "show", "report", "resume", "completion"})
    void everyCommandHasHelpWithExamplesAndAPage(String command) throws Exception {
        Ended e = fettle("help", command);
        assertThat(e.code).isZero();
        assertThat(e.out)
                .contains("Usage: fettle " + command)
                .contains("Examples:")
                .contains("fettle " + command);
        // the page of a command holds its help as it is
        String page = Files.readString(Fettle.home().resolve("docs/commands/" + command + ".md"));
        assertThat(page)
                .contains(e.out.lines()
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n"))
                        .strip());
    }

    @Test
    void completionNamesTheCommands() {
        assertThat(fettle("completion").out).contains("tune").contains("--own-host");
    }

    @Test
    void benchCountsExactlyWhatTheServerCounted() throws Exception {
        var count = new AtomicLong();
        var server = server(200, "hello there\n", count);
        try {
            Path log = folder.resolve("latency.hlog");
            Ended e = fettle(
                    "bench",
                    url(server),
                    "-c",
                    "7",
                    "-n",
                    "3000",
                    "--json",
                    "--contains",
                    "hello",
                    "--hlog",
                    log.toString());
            assertThat(e.code).as(e.err).isZero();
            var tree = json.readTree(e.out);
            assertThat(tree.findValue("responses").asLong()).isEqualTo(3000);
            assertThat(count).hasValue(3000);
            var reader = new HistogramLogReader(log.toFile());
            long logged = 0;
            for (var h = (Histogram) reader.nextIntervalHistogram();
                    h != null;
                    h = (Histogram) reader.nextIntervalHistogram()) {
                logged += h.getTotalCount();
            }
            assertThat(logged).isEqualTo(3000);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void benchOfAnErrorPageIsVoid() throws Exception {
        var server = server(404, "no such page", new AtomicLong());
        try {
            Ended e = fettle("bench", url(server), "-c", "4", "-n", "400");
            assertThat(e.code).isEqualTo(4);
            assertThat(e.out).contains("VOID").contains("404");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void benchOfNobodyIsOneLine() throws Exception {
        int port;
        try (var s = new ServerSocket(0)) {
            port = s.getLocalPort();
        }
        Ended e = fettle("bench", "http://127.0.0.1:" + port + "/", "-c", "2", "-d", "500ms");
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err.lines()).hasSize(1);
        assertThat(e.err)
                .startsWith("fettle: cannot load http://127.0.0.1:" + port)
                .containsIgnoringCase("refused");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://192.0.2.1/|--own-host 192.0.2.1",
                "https://127.0.0.1/|http://HOST",
                "nonsense|http://HOST",
                "http://127.0.0.1:1/ -d 5|unit",
                "http://127.0.0.1:1/ -c 0|1 to 60000",
                "http://127.0.0.1:1/ -c 2 -t 3|threads",
                "http://127.0.0.1:1/ -n 0|at least 1",
                "http://127.0.0.1:1/ -H nocolon|NAME: VALUE",
                "http://no-such-host.invalid/|unknown host",
            })
    void benchMistakesAreOneLineWithWhatWouldBeRight(String arguments, String words) {
        Ended e = fettle(("bench " + arguments).split(" "));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).hasSize(1);
        assertThat(e.err).contains(words).doesNotContain("Exception");
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
        assertThat(e.err).contains("no run 'nope'").contains("newest runs: none");
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
    void runsOfAnEmptyFolderSayHowToStart() {
        assertThat(fettle("runs", "--dir", folder.toString()).out).contains("fettle tune");
        assertThat(fettle("runs", "--json", "--dir", folder.toString()).out.replaceAll("\\s", ""))
                .isEqualTo("[]");
    }
}
