package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.fettle.lab.machine.Ports;
import dev.fettle.report.json.JsonReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fettle bench} on a tiny server, in this process. */
@Order(1)
class BenchTest {
    private static final String SECRET = "hunter2hunter2";

    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();
    private final AtomicLong count = new AtomicLong();
    private final ExecutorService workers = Executors.newFixedThreadPool(8);
    private HttpServer server;
    private volatile int status = 200;
    private volatile String method = "";
    private volatile String client = "";
    private volatile String body = "";
    private volatile Map<String, List<String>> headers = Map.of();

    /** The server of these tests is in this very process, which is no guest; another one is. */
    @Test
    void aProcessIsWatchedBesideTheFigures() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jwebserver")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-b",
                        "127.0.0.1",
                        "-p",
                        "0",
                        "-d",
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        try (var out = jvm.inputReader()) {
            String line = out.readLine();
            while (!line.startsWith("URL ")) {
                line = out.readLine();
            }
            String url = line.substring("URL ".length());
            Files.writeString(folder.resolve("page"), "hello");
            String pid = Long.toString(jvm.pid());
            String dir = folder.resolve("ws").toString();
            String collected = "Garbage collection";
            Ended text = fettle(
                    "bench", url + "page", "-n", "300", "-c", "2", "--warm-up", "0s", "--pid", pid, "--dir", dir);
            assertThat(text.out).contains("Process " + pid, "CPU ", " a request", collected);
            Ended json = fettle(
                    "bench",
                    url + "page",
                    "-n",
                    "300",
                    "-c",
                    "2",
                    "--warm-up",
                    "0s",
                    "--pid",
                    pid,
                    "--dir",
                    dir,
                    "--json");
            JsonNode all = result(json);
            JsonNode process = all.path("process");
            assertThat(process.path("pid").asLong()).isEqualTo(jvm.pid());
            assertThat(all.path("evidence").path("serverCpuSeconds").asDouble(-1))
                    .isNotNegative();
            assertThat(process.path("effective").has("jvm.gc")).isTrue();

            Ended other = fettle("bench", "http://127.0.0.1:1/", "--pid", pid, "--dir", dir);
            assertThat(other.code).isEqualTo(2);
            assertThat(other.err).contains("process " + pid + " does not listen on port 1");
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    @BeforeEach
    void serve() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(workers);
        server.createContext("/", x -> {
            count.incrementAndGet();
            method = x.getRequestMethod();
            client = x.getRemoteAddress().getAddress().getHostAddress();
            headers = new HashMap<>(x.getRequestHeaders());
            body = new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] bytes = "hello there\n".getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(status, bytes.length);
            x.getResponseBody().write(bytes);
            x.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        workers.shutdownNow();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/page";
    }

    private static Ended fettle(String... arguments) {
        return Ended.of(arguments);
    }

    /** Without a warm-up, which is not asked about: it takes as long as this JVM compiles anything, for whatever test. */
    private Ended bench(String... arguments) {
        return benchWarm(Stream.concat(Stream.of("--warm-up", "0s"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    private Ended benchWarm(String... arguments) {
        var all = new ArrayList<>(List.of("bench", url()));
        all.addAll(List.of(arguments));
        return fettle(all.toArray(String[]::new));
    }

    private JsonNode result(Ended e) throws Exception {
        JsonNode tree = json.readTree(e.out);
        var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(JsonReport.class.getResourceAsStream("/dev/fettle/report/bench.schema.json"));
        assertThat(schema.validate(tree)).isEmpty();
        return tree;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void everyOutputCountsExactlyWhatTheServerCounted() throws Exception {
        Ended e = bench(
                "-c",
                "7",
                "-n",
                "3000",
                "--contains",
                "hello",
                "--json",
                "--csv",
                file("a.csv"),
                "--hlog",
                file("a.hlog"),
                "--junit",
                file("a.xml"),
                "--prometheus",
                file("a.prom"),
                "--fail-if",
                "errors>0.1%",
                "--fail-if",
                "p50>1h, throughput<0.001/s");
        assertThat(e.code).as(e.err).isZero();
        JsonNode tree = result(e);
        assertThat(tree.path("responses").asLong()).isEqualTo(3000);
        assertThat(tree.path("connectionsOpen").asInt()).isEqualTo(7);
        assertThat(tree.at("/environment/cpus").asInt()).isPositive();
        assertThat(tree.path("failIf")).hasSize(3);
        assertThat(count).hasValue(3000);
        assertThat(logged(folder.resolve("a.hlog"))).isEqualTo(3000);
        assertThat(Files.readAllLines(folder.resolve("a.csv")).stream()
                        .skip(1)
                        .mapToLong(l -> Long.parseLong(l.split(",")[4]))
                        .sum())
                .isEqualTo(3000);
        assertThat(folder.resolve("a.xml")).content().contains("tests=\"4\" failures=\"0\"");
        assertThat(folder.resolve("a.prom")).content().contains("\nfettle_bench_responses_total 3000\n");
    }

    /** Untagged ones are latency; the others show what lies behind it. */
    private static long logged(Path log) throws Exception {
        long logged = 0;
        try (var reader = new HistogramLogReader(log.toFile())) {
            for (var h = (Histogram) reader.nextIntervalHistogram();
                    h != null;
                    h = (Histogram) reader.nextIntervalHistogram()) {
                logged += h.getTag() == null ? h.getTotalCount() : 0;
            }
        }
        return logged;
    }

    /** The one look that a run of a second gets may come while its connections are being closed. */
    /** By a real receiver's reading: all that the server answered is in one histogram a stage, and the verdict is there. */
    @Test
    void figuresAreSentToAReceiverOfOpenTelemetry() throws Exception {
        var got = new CopyOnWriteArrayList<JsonNode>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/metrics", e -> {
            got.add(json.readTree(e.getRequestBody().readAllBytes()).at("/resourceMetrics/0"));
            e.sendResponseHeaders(200, -1);
            e.close();
        });
        receiver.start();
        try {
            Ended e = bench(
                    "-c",
                    "3",
                    "-n",
                    "300",
                    "--otlp",
                    "http://127.0.0.1:" + receiver.getAddress().getPort());
            assertThat(e.code).isZero();
            assertThat(e.out + e.err).contains("otlp  1 request sent");
        } finally {
            receiver.stop(0);
        }
        JsonNode last = got.getLast();
        var counts = new HashMap<String, Long>();
        for (JsonNode metric : last.at("/scopeMetrics/0/metrics")) {
            for (JsonNode point : metric.at("/exponentialHistogram/dataPoints")) {
                counts.put(
                        point.at("/attributes/0/value/stringValue").asText(),
                        point.path("count").asLong());
            }
        }
        assertThat(counts).containsEntry("measure", 300L);
        assertThat(last.at("/scopeMetrics/0/scope/attributes/0/value/stringValue")
                        .asText())
                .isIn("valid", "void");
        assertThat(last.at("/resource/attributes").toString()).contains("\"service.name\"", "\"bench\"");
    }

    /** The one that the server held up is reported by the id that it came with. */
    @Test
    void theSlowestRequestIsKnownByItsTrace() throws Exception {
        var ids = new CopyOnWriteArrayList<String>();
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.setExecutor(workers);
        site.createContext("/", e -> {
            ids.add(e.getRequestHeaders().getFirst("traceparent"));
            if (ids.size() == 100) {
                try {
                    Thread.sleep(700);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                ids.add("held " + e.getRequestHeaders().getFirst("traceparent"));
            }
            e.sendResponseHeaders(200, -1);
            e.close();
        });
        site.start();
        try {
            Ended e = fettle(
                    "bench",
                    "http://127.0.0.1:" + site.getAddress().getPort() + "/",
                    "-c",
                    "1",
                    "-n",
                    "200",
                    "--warm-up",
                    "0s",
                    "--traceparent",
                    "100%",
                    "--json");
            String held = ids.stream()
                    .filter(i -> i != null && i.startsWith("held "))
                    .findFirst()
                    .orElseThrow();
            assertThat(held).matches("held 00-[0-9a-f]{32}-[0-9a-f]{16}-01");
            JsonNode answers = json.readTree(e.out).findPath("answers").get(0);
            assertThat(answers.path("traced").asLong()).isEqualTo(200);
            assertThat(answers.at("/slowestTraced/0/traceId").asText()).isEqualTo(held.split("-")[1]);
        } finally {
            site.stop(0);
        }
        for (String[] wrong : new String[][] {{"--pipeline", "4"}, {"-H", "TraceParent: 00"}}) {
            Ended refused = fettle("bench", url(), "-n", "1", "--traceparent", "1%", wrong[0], wrong[1]);
            assertThat(refused.code).isEqualTo(2);
            assertThat(refused.err.lines()).hasSize(1);
        }
    }

    @Test
    void connectionsThatAShortRunHadAreCounted() throws Exception {
        Ended shortRun = fettle("bench", url(), "-c", "200", "-d", "1s", "--warm-up", "0s", "--json");
        assertThat(result(shortRun).path("connectionsOpen").asInt()).isEqualTo(200);
    }

    @Test
    void theSummaryIsForPeople() {
        Ended e = bench("-c", "3", "-n", "300");
        assertThat(e.code).as(e.out + e.err).isZero();
        assertThat(e.out)
                .startsWith("Loading http://127.0.0.1:")
                .contains("Complete requests  300", "Throughput", "99.99 %", "Generator")
                .doesNotContain("\u001b");
        assertThat(bench("-c", "3", "-n", "300", "--quiet").out).startsWith("bench http://127.0.0.1:");
    }

    @Test
    void aConditionThatIsMetHasItsOwnExitCode() {
        Ended e = bench("-c", "2", "-n", "100", "--fail-if", "p99>1ns", "--junit", file("a.xml"));
        assertThat(e.code).isEqualTo(5);
        assertThat(e.out).contains("FAILED: p99 was ");
        assertThat(folder.resolve("a.xml")).content().contains("failures=\"1\"");
    }

    @Test
    void aWrongAnswerIsVoid() {
        status = 404;
        Ended e = bench("-c", "4", "-n", "400");
        assertThat(e.code).isEqualTo(4);
        assertThat(e.out).contains("VOID", "404", "(check)", "is the path right");
        assertThat(bench("-c", "4", "-n", "400", "--status", "404").code).isZero();
        assertThat(bench("-c", "4", "-n", "400", "--status", "404", "--contains", "nothing").code)
                .isEqualTo(4);
    }

    @Test
    void theRequestIsAsAskedFor() throws Exception {
        assertThat(bench("-n", "1", "-c", "1", "-X", "PUT", "-H", "X-Shoe: 42", "--body", "text é").code)
                .isZero();
        assertThat(method).isEqualTo("PUT");
        assertThat(body).isEqualTo("text é");
        assertThat(headers).containsEntry("X-shoe", List.of("42"));

        Path content = Files.writeString(folder.resolve("body.json"), "{\"from\": \"a file\"}");
        assertThat(bench("-n", "1", "-c", "1", "--body", "@" + content).code).isZero();
        assertThat(method).isEqualTo("POST");
        assertThat(body).isEqualTo("{\"from\": \"a file\"}");

        assertThat(bench("-n", "1", "-c", "1", "--form", "user=a b", "--form", "password=x&y=z").code)
                .isZero();
        assertThat(body).isEqualTo("user=a+b&password=x%26y%3Dz");
        assertThat(headers).containsEntry("Content-type", List.of("application/x-www-form-urlencoded"));
    }

    @Test
    void theWarmUpIsNotCounted() throws Exception {
        String[] load = {"-c", "2", "-d", "1s", "--warm-up", "1s", "--rate", "200/s", "--json", "--csv", file("a.csv")};
        JsonNode tree = result(benchWarm(load));
        assertThat(tree.path("warmUpSeconds").asDouble()).isEqualTo(1);
        assertThat(tree.path("responses").asLong()).isPositive().isLessThan(count.get());
        assertThat(tree.at("/series/0/measured").asBoolean()).isFalse();
        assertThat(folder.resolve("a.csv")).content().contains(",warm-up,", ",measure,");
    }

    /** What is counted or used up is not warmed up for; else it is, until the compilers are calm, which this JVM's may not be. */
    @Test
    void warmsUpByItselfUnlessThatWouldChangeWhatIsAskedFor() throws Exception {
        // a rate, as clients without a pause would use the CPUs for as long as this JVM compiles
        JsonNode byItself = result(benchWarm("-c", "2", "-d", "1s", "--rate", "200/s", "--json"));
        assertThat(byItself.path("warmUpSeconds").asDouble()).isBetween(1.0, 30.0);
        assertThat(byItself.path("elapsedSeconds").asDouble()).isBetween(0.1, 10.0);
        assertThat(byItself.path("responses").asLong()).isLessThan(count.get());
        assertThat(byItself.at("/series/0/measured").asBoolean()).isFalse();

        for (List<String> asked : List.of(
                List.of("-n", "20"),
                List.of("--stages", "100/s:500ms"),
                List.of("-d", "500ms", "--think", "1m"),
                List.of("-d", "500ms", "--warm-up", "0s"))) {
            count.set(0);
            List<String> args = new ArrayList<>(List.of("-c", "2", "--json"));
            args.addAll(asked);
            JsonNode none = result(benchWarm(args.toArray(String[]::new)));
            assertThat(none.path("warmUpSeconds").asDouble()).as("%s", asked).isZero();
            assertThat(none.path("elapsedSeconds").asDouble()).as("%s", asked).isLessThan(60);
            assertThat(none.path("responses").asLong()).as("%s", asked).isCloseTo(count.get(), within(2L));
            if (asked.contains("-n")) {
                assertThat(count).as("%s", asked).hasValue(20);
            }
        }
    }

    @Test
    void anOpenLoadAccountsForAllThatWasDue() throws Exception {
        JsonNode even = result(bench("-c", "20", "--rate", "200/s", "-d", "1s", "--json"));
        assertThat(even.at("/arrivals/model").asText()).isEqualTo("open");
        // a second is due, whatever the machine does meanwhile; until its end is seen, or before, it may take longer
        assertThat(even.at("/offered/due").asDouble())
                .isBetween(197.0, 200 * even.path("elapsedSeconds").asDouble() + 3);
        assertThat(even.at("/sendLag/count").asLong()).isPositive();
        assertThat(even.has("serviceHistogramHdrV2Base64")).isTrue();

        String stages = "0..100/s:500ms, 100/s:500ms:burst=10";
        JsonNode ramp = result(bench("-c", "20", "--stages", stages, "--poisson", "--seed", "3", "--json"));
        assertThat(ramp.at("/arrivals/spacing").asText()).isEqualTo("poisson");
        assertThat(ramp.at("/arrivals/stages")).hasSize(2);
        assertThat(ramp.at("/offered/due").asLong()).isBetween(20L, 200L);

        String text = bench("-c", "20", "--rate", "100", "-d", "1s").out;
        assertThat(text).contains("open, 100/s", "Offered", "Held back", "latency  service time");
    }

    /** Answers come only once twenty requests are there at once: ten connections would wait for them, and not send the others. */
    @Test
    void aRateOpensAsManyConnectionsAsItTakes() throws Exception {
        var all = new CyclicBarrier(20);
        var many = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            many.setExecutor(each);
            many.createContext("/", x -> {
                try {
                    all.await(30, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                x.sendResponseHeaders(200, 2);
                x.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
                x.close();
            });
            many.start();
            String url = "http://127.0.0.1:" + many.getAddress().getPort() + "/";
            Ended e = fettle("bench", url, "-R", "100/s", "-n", "40", "--warm-up", "0s", "--timeout", "8s", "--json");
            JsonNode seen = result(e);
            assertThat(seen.path("responses").asLong()).isEqualTo(40);
            assertThat(seen.at("/offered/held").asLong()).isZero();
            assertThat(e.err).contains("as many connections as it takes, up to 1000, on a schedule");
            String[] four = {"bench", url, "-R", "100/s", "-n", "40", "-c", "4", "--warm-up", "0s", "--timeout", "500ms"
            };
            String few = fettle(four).out;
            assertThat(few).contains("4 opened, at most 4 allowed: reached, so latency includes waiting for one");
        } finally {
            many.stop(0);
        }
    }

    /** Eight workers of 20 ms take 400 requests a second at most. There are connections for twice as many, so all are sent. */
    @Test
    void whatPilesUpInTheServerIsNotAnswered() throws Exception {
        server.createContext("/slow", x -> {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            x.sendResponseHeaders(200, -1);
            x.close();
        });
        String slow = url().replace("/page", "/slow");
        Ended ended = fettle(
                "bench",
                slow,
                "-c",
                "900",
                "--rate",
                "800/s",
                "-d",
                "1s",
                "--warm-up",
                "0s",
                "--fail-if",
                "errors>10%");
        assertThat(ended.code).as(ended.out).isEqualTo(5);
        assertThat(ended.out.replaceAll("\\s+", " ")).contains("piled up");
    }

    @Test
    void clientsThinkAndBytesGoThroughTheTransportAskedFor() throws Exception {
        JsonNode tree = result(bench("-c", "2", "-n", "6", "--think", "20ms", "--transport", "nio", "--json"));
        assertThat(tree.path("responses").asLong()).isEqualTo(6);
        assertThat(tree.at("/arrivals/thinkMillis").asDouble()).isEqualTo(20);
        assertThat(tree.path("elapsedSeconds").asDouble()).isGreaterThanOrEqualTo(0.04);
        assertThat(tree.path("notes").toString()).containsIgnoringCase("nio");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "auto"})
    void connectionsComeFromTheAddressAskedFor(String transport) {
        assertThat(bench("-c", "2", "-n", "10", "--source", "127.0.0.2", "--transport", transport).code)
                .isZero();
        assertThat(client).isEqualTo("127.0.0.2");
    }

    @Test
    void aCertificateMustBeTrustedOrAccepted() throws Exception {
        Path store = folder.resolve("keys.p12");
        keytool(
                store,
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "tiny",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "7");
        Files.writeString(
                folder.resolve("ca.pem"),
                "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                        .formatted(Base64.getMimeEncoder()
                                .encodeToString(KeyStore.getInstance(store.toFile(), "changeit".toCharArray())
                                        .getCertificate("tiny")
                                        .getEncoded())));
        HttpsServer secure = secure(store);
        secure.start();
        try {
            String https = "https://127.0.0.1:" + secure.getAddress().getPort() + "/page";
            Ended refused = fettle("bench", https, "-c", "2", "-d", "500ms");
            assertThat(refused.code).isEqualTo(1);
            assertThat(refused.err).contains("cannot load https://127.0.0.1").doesNotContain("Exception");
            assertThat(overTls(https, "--insecure").code).isZero();
            Ended trusted = overTls(https, "--cacert", file("ca.pem"), "--json");
            assertThat(result(trusted).path("tls").asBoolean()).isTrue();
            assertThat(result(trusted).path("responses").asLong()).isEqualTo(20);
        } finally {
            secure.stop(0);
        }
    }

    private static Ended overTls(String url, String... options) {
        var all = new ArrayList<>(List.of("bench", url, "-c", "2", "-n", "20", "-d", "60s", "--warm-up", "0s"));
        all.addAll(List.of("--transport", "nio"));
        all.addAll(List.of(options));
        return fettle(all.toArray(String[]::new));
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit", "-storetype", "PKCS12"));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(said).isZero();
    }

    private HttpsServer secure(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        secure.setHttpsConfigurator(new HttpsConfigurator(context));
        secure.setExecutor(workers);
        secure.createContext("/", x -> {
            x.sendResponseHeaders(200, 2);
            x.getResponseBody().write(new byte[] {'o', 'k'});
            x.close();
        });
        return secure;
    }

    @Test
    void noSecretIsInAnyOutput() throws Exception {
        String[] options = {
            "-n",
            "20",
            "-c",
            "2",
            "-H",
            "Authorization: Bearer " + SECRET,
            "-H",
            "Cookie: sid=" + SECRET,
            "--body",
            "password=" + SECRET,
            "--csv",
            file("a.csv"),
            "--hlog",
            file("a.hlog"),
            "--junit",
            file("a.xml"),
            "--prometheus",
            file("a.prom")
        };
        Ended text = bench(options);
        assertThat(headers.get("Authorization")).containsExactly("Bearer " + SECRET);
        assertThat(text.out + text.err).contains("Throughput").doesNotContain(SECRET);
        var all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--warm-up", "0s", "--json"));
        Ended machine = fettle(Stream.concat(Stream.of("bench", url() + "?token=" + SECRET), all.stream())
                .toArray(String[]::new));
        assertThat(machine.out + machine.err).contains("***").doesNotContain(SECRET);
        try (var files = Files.list(folder)) {
            for (Path f : files.toList()) {
                assertThat(f).content(StandardCharsets.ISO_8859_1).doesNotContain(SECRET);
            }
        }
    }

    @Test
    void aRunThatIsStoppedShowsWhatItHas() throws Exception {
        var process = new Fettle(folder);
        Process p = process.start("bench", url(), "-c", "2", "-d", "10m", "--csv", file("a.csv"));
        while (count.get() == 0 && p.isAlive()) {
            p.waitFor(50, TimeUnit.MILLISECONDS);
        }
        new ProcessBuilder("kill", "-TERM", Long.toString(p.pid())).start().waitFor();
        assertThat(p.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.out()).contains("Complete requests", "Throughput", "(interrupted): stopped after", "of 10m");
        assertThat(process.err()).doesNotContain("Exception");
        assertThat(folder.resolve("a.csv")).content().contains(",measure,");
    }

    /** The figures are worth more than the file. */
    @ParameterizedTest
    @ValueSource(strings = {"--csv", "--hlog", "--html"})
    void aFileThatCannotBeWrittenIsToldAndCostsNoFigures(String option) {
        Ended e = bench("-c", "2", "-n", "20", option, "/dev/full", "-q");
        assertThat(e.code).isEqualTo(1);
        assertThat(e.out).contains("Complete requests  20");
        assertThat(e.err).isEqualToIgnoringNewLines("fettle: cannot write /dev/full: No space left on device");
    }

    /** A refused connection is not tried again at once, so few attempts fail; yet nobody was there for most of the time. */
    @Test
    void aServerThatDiesInTheMiddleLeavesNoFigures() {
        server.createContext("/mortal", x -> {
            x.sendResponseHeaders(200, -1);
            x.close();
            if (count.incrementAndGet() == 100) {
                new Thread(() -> server.stop(0)).start();
            }
        });
        String mortal = url().replace("page", "mortal");
        Ended e = fettle("bench", mortal, "-c", "2", "-d", "4s", "--warm-up", "0s", "--fail-if", "p99>10m");
        assertThat(e.code).as(e.out).isEqualTo(4);
        assertThat(e.out.replaceAll("\\s+", " "))
                .contains("VOID (server-gone): no valid response in the last ", "connections were refused");
    }

    /** It is not waited for until the end. */
    @Test
    @Timeout(300)
    void aServerThatIsNotThereIsOneLine() throws Exception {
        int port = Ports.freePort();
        Ended e = fettle("bench", "http://127.0.0.1:" + port + "/", "-c", "2", "-d", "10m");
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err.lines()).hasSize(1);
        assertThat(e.err)
                .startsWith("fettle: cannot load http://127.0.0.1:" + port)
                .containsIgnoringCase("refused");
    }

    /** As where nobody listens: neither is a mistake of the command line. */
    @Test
    void anUnknownHostEndsAsARefusedConnectionDoes() {
        Ended e = fettle("bench", "http://no-such-host.invalid/", "-d", "500ms");
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err).isEqualToIgnoringNewLines("fettle: unknown host 'no-such-host.invalid'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://192.0.2.1/|--own-host 192.0.2.1",
                "ftp://127.0.0.1/|http://HOST",
                "nonsense|http://HOST",
                "127.0.0.1:8080|http://HOST",
                "http://127.0.0.1:99999/|a port is from 1 to 65535, not 99999",
                "http://127.0.0.1:0/|a port is from 1 to 65535, not 0",
                "http://my_shop:8080/|'my_shop:8080' is no HOST[:PORT]",
                "http://me:pw@127.0.0.1/|Authorization",
                "http://127.0.0.1:1/ -d 5x|is not a duration",
                "http://127.0.0.1:1/ -d 8000h|longer than 30 days",
                "http://127.0.0.1:1/ -d 200h|at most 7 days",
                "http://127.0.0.1:1/ -d 0s|over 0",
                "http://127.0.0.1:1/ -c 0|1 to 60000",
                "http://127.0.0.1:1/ -c many|not an int",
                "http://127.0.0.1:1/ -c 2 -t 3|threads",
                "http://127.0.0.1:1/ -n 0|at least 1",
                "http://127.0.0.1:1/ -n 5 --warm-up 1s|-d instead",
                "http://127.0.0.1:1/ -H nocolon|NAME: VALUE",
                "http://127.0.0.1:1/ -H Cookie:a -H cookie:b|-H: 'cookie' is there twice; join the values with",
                "http://127.0.0.1:1/ --profiler jfr|--profiler goes with --profile",
                "http://192.0.2.1/ --profiler xyz|--profiler xyz: one of auto, async, jfr is wanted",
                "http://192.0.2.1/ --warm-up xx|--warm-up xx: 'xx' is not a duration",
                "http://127.0.0.1:1/ --body a --form b=c|either --body or --form",
                "http://127.0.0.1:1/ --body @/no/such|can't be read",
                "http://127.0.0.1:1/ --form b|NAME=VALUE",
                "http://127.0.0.1:1/ --status 99|100 to 599",
                "http://127.0.0.1:1/ --timeout 0s|1ms to 10m",
                "http://127.0.0.1:1/ -X HEAD --contains x|HEAD",
                "http://127.0.0.1:1/ --rate fast|2500/s",
                "http://127.0.0.1:1/ -R 0|over 0",
                "http://127.0.0.1:1/ --rate 5 --stages 5:1s|either --rate or --stages",
                "http://127.0.0.1:1/ --rate 5 --think 1s|closed model",
                "http://127.0.0.1:1/ --stages 5:1s -d 5s|leave out -d",
                "http://127.0.0.1:1/ --stages 5|RATE[..RATE]:TIME",
                "http://127.0.0.1:1/ --poisson|--rate or --stages",
                "http://127.0.0.1:1/ --rate 5 --seed 4|--poisson",
                "http://127.0.0.1:1/ --think 2h|at most 1h",
                "http://127.0.0.1:1/ --pipeline 0|1 to 10000",
                "http://127.0.0.1:1/ --pipeline 2 --no-keep-alive|--no-keep-alive",
                "http://127.0.0.1:1/ --http2 --no-keep-alive|--no-keep-alive",
                "http://127.0.0.1:1/ --http2 --pipeline 2|--streams",
                "http://127.0.0.1:1/ --streams 2|--http2",
                "http://127.0.0.1:1/ --insecure|https://",
                "https://127.0.0.1:1/ --insecure --cacert x|leave it out",
                "https://127.0.0.1:1/ --cacert /no/such|can't be read",
                "http://127.0.0.1:1/ --transport udp|io_uring",
                "http://127.0.0.1:1/ --source 10.0.0.1|loopback",
                "http://127.0.0.1:1/ --source 127.0.0.2,127.0.0.2|twice",
                "http://127.0.0.1:1/ --fail-if p98>1ms|p99",
                "http://127.0.0.1:1/ --csv /no/such/file|no file can be written",
                "http://127.0.0.1:1/ --csv both.txt --html ./both.txt|both.txt is named for two outputs",
                "http://127.0.0.1:1/ --fai p99>1ms|--fail-if",
            })
    void mistakesAreOneLineWithWhatWouldBeRight(String arguments, String words) {
        Ended e = fettle(("bench " + arguments).split(" "));
        assertThat(e.code).as(e.err).isEqualTo(2);
        assertThat(e.err).startsWith("fettle: ").contains(words).doesNotContain("Exception", "\n\n");
        assertThat(e.err.lines().filter(l -> l.startsWith("fettle: "))).hasSize(1);
        assertThat(e.err.lines()).as("no page of usage").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void followsAScenario() throws Exception {
        String base = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        Path file = Files.writeString(folder.resolve("s.yaml"), """
                variables: {name: hunter2hunter2}
                steps:
                  - {name: first, path: "/${name}", extract: {who: {regex: "hello (.*)"}}}
                  - {name: second, path: "/${who}", expect: {contains: "bye, ${name}"}}
                """);

        Ended e = fettle("bench", base, "--scenario", file.toString(), "-c", "2", "-n", "20", "--json");

        assertThat(count.get()).as("twenty iterations of two steps").isEqualTo(40);
        assertThat(result(e).toString())
                .contains("first", "second", "step 'second': the body lacks 'bye, ${name}'")
                .doesNotContain(SECRET);
        assertThat(e.err).doesNotContain(SECRET);
        assertThat(fettle("bench", base + "x", "--scenario", file.toString()).err)
                .contains("--scenario has its own paths");
        assertThat(fettle("bench", base, "--scenario", file.toString(), "-X", "PUT").err)
                .contains("leave out -X");
        Files.writeString(file, "steps: []\n");
        Ended bad = fettle("bench", base, "--scenario", file.toString());
        assertThat(bad.code).isEqualTo(2);
        assertThat(bad.err).contains("s.yaml:1:8: steps is empty");
    }
}
