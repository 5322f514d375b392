package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** The real command loads a server that runs in the test's own JVM, on a port that only the test knows. */
class RealCommandTest {
    private static final int REQUESTS = 300;

    @TempDir
    private static Path home;

    private static final ExecutorService WORKERS = Executors.newFixedThreadPool(4);

    private static String url = "";

    private static HttpServer server;

    @BeforeAll
    static void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(WORKERS);
        server.createContext("/", x -> answer(x, 200, "hello"));
        server.createContext("/broken", x -> answer(x, 500, "no"));
        server.createContext("/login", RealCommandTest::login);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path script = Files.writeString(
                home.resolve("fettle"),
                "#!/bin/sh\nexec '%s/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' dev.fettle.cli.Main \"$@\"\n"
                        .formatted(System.getProperty("java.home"), classes));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        System.setProperty("fettle.home", home.toString());
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        WORKERS.shutdownNow();
        System.clearProperty("fettle.home");
    }

    private static void login(HttpExchange x) throws IOException {
        String body = new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean right = body.equals("@name=a&pass=b")
                && "Bearer t".equals(x.getRequestHeaders().getFirst("Authorization"))
                && x.getRequestMethod().equals("POST");
        answer(x, right ? 201 : 401, right ? "in" : "out");
    }

    private static void answer(HttpExchange x, int status, String text) throws IOException {
        try (x) {
            x.getRequestBody().readAllBytes();
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(status, bytes.length);
            x.getResponseBody().write(bytes);
        }
    }

    private static Bench bench(String path) {
        return Fettle.bench(url + path).connections(2).requests(REQUESTS).warmUp(Duration.ZERO);
    }

    @Test
    void passesWithTheFiguresOfALoadThatMeetsItsObjective() {
        BenchResult result = bench("/")
                .contains("hello")
                .slo("max<60s,errors<=0% and throughput>0.01/s")
                .run();
        assertThat(result.responses()).isEqualTo(REQUESTS);
        assertThat(result.latency().max()).isPositive();
        assertThat(result.throughput()).isPositive();
    }

    @Test
    void headersAndBodyReachTheServer() {
        BenchResult result = bench("/login")
                .header("Authorization", "Bearer t")
                .body("@name=a&pass=b")
                .status(201)
                .contains("in")
                .run();
        assertThat(result.responses()).isEqualTo(REQUESTS);
    }

    @Test
    void failsByABrokenObjective() {
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> bench("/").slo("mean<0.0001ms").run())
                .withMessageContaining("mean<100ns");
    }

    @Test
    void wrongAnswersAreVoidAndAbortAlthoughTheObjectiveIsBroken() {
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> bench("/broken").slo("errors<1%").run())
                .withMessageContaining("wrong-answers");
    }

    @Test
    void whereNothingListensItIsAnError() throws IOException {
        int free;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> Fettle.bench("http://127.0.0.1:" + free + "/").run())
                .withMessageContainingAll("exit code 1", "refused");
    }

    @Test
    void aFigureThatIsNoneIsAnErrorThatNamesThoseThereAre() {
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> bench("/").slo("p98<1s").run())
                .withMessageContainingAll("exit code 2", "p98", "p99");
    }

    @Test
    void aPlanWithAMistakeIsAnErrorWithItsPlace() throws IOException {
        Path plan = Files.writeString(home.resolve("shop.yaml"), "name: shop\nlod: {}\n");
        assertThatExceptionOfType(FettleException.class)
                .isThrownBy(() -> Fettle.plan(plan).run())
                .withMessageContaining("exit code 2");
    }
}
