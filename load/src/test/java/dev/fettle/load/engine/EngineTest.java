package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole runs against servers that behave. */
@Isolated("looks at all threads and descriptors of this JVM")
class EngineTest {

    private static final Duration LONG = Duration.ofSeconds(120);

    @ParameterizedTest(name = "{0} requests, {1} connections, {2} threads, keep-alive {3}")
    @CsvSource({
        "1, 1, 1, true",
        "1, 1, 1, false",
        "5, 10, 1, true",
        "5, 10, 3, false",
        "10001, 7, 2, true",
        "3001, 7, 2, false",
        "20000, 300, 1, true",
        "20000, 400, 3, true",
        "3000, 300, 2, false"
    })
    void sendsExactlyTheCount(long requests, int connections, int threads, boolean keepAlive) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address())
                    .maxRequests(requests)
                    .connections(connections)
                    .threads(threads)
                    .keepAlive(keepAlive));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(requests);
            assertThat(server.requests()).isEqualTo(requests);
            assertThat(window.latency().getTotalCount()).isEqualTo(requests);
            assertThat(window.abandoned()).isZero();
            assertThat(window.reconnects()).isZero();
            assertThat(window.connect().getTotalCount()).isEqualTo(keepAlive ? connections : requests);
            assertThat(window.bytesRead() % requests).isZero();
            assertThat(window.bytesWritten() % requests).isZero();
            assertThat(window.threads()).hasSize(threads);
        }
    }

    @Test
    void stopsByItselfAfterItsDurationAndCountsWhatTheServerCounts() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address())
                    .maxDuration(Duration.ofMillis(700))
                    .drain(LONG)
                    .connections(20)
                    .threads(2));
            assertThat(window.responses()).isPositive().isEqualTo(server.requests());
            assertThat(window.failed() + window.abandoned()).isZero();
            assertThat(window.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(700));
        }
    }

    @Test
    void windowsAddUpAndObeyLittlesLaw() throws Exception {
        int connections = 50;
        try (TinyServer server = TinyServer.ok();
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(connections)
                        .threads(2)
                        .maxDuration(Duration.ofSeconds(2))
                        .drain(LONG)
                        .build())) {
            List<Window> windows = new ArrayList<>();
            while (!run.awaitDone(Duration.ofMillis(100))) {
                windows.add(run.takeWindow());
            }
            windows.add(run.takeWindow());
            Window all = Window.merge(windows);
            assertThat(all.responses()).isEqualTo(server.requests());
            assertThat(all.latency().getTotalCount()).isEqualTo(all.responses());
            assertThat(windows.stream().filter(window -> window.responses() > 0))
                    .hasSizeGreaterThan(1);
            // the mean number in flight is the rate times the mean latency, and never more than there are connections
            assertThat((double) all.busyNanos() / all.elapsed().toNanos())
                    .isLessThanOrEqualTo(1.001 * connections)
                    .isCloseTo(all.responsesPerSecond() * all.latency().getMean() / 1e9, Percentage.withPercentage(5));
            assertThat(all.threads())
                    .allSatisfy(use -> assertThat(use.cpuNanos()).isPositive());
            assertThat(run.takeWindow().responses()).as("after the end").isZero();
        }
    }

    @Test
    void nothingIsLostOrDoubledWhenSeveralTakeWindows() throws Exception {
        try (TinyServer server = TinyServer.ok();
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(10)
                        .threads(3)
                        .maxDuration(Duration.ofSeconds(1))
                        .drain(LONG)
                        .build())) {
            AtomicLong taken = new AtomicLong();
            List<Thread> takers = IntStream.range(0, 4)
                    .mapToObj(i -> Thread.ofPlatform().start(() -> {
                        while (!run.isDone()) {
                            taken.addAndGet(run.takeWindow().responses());
                        }
                    }))
                    .toList();
            for (Thread taker : takers) {
                taker.join();
            }
            taken.addAndGet(run.takeWindow().responses());
            assertThat(taken).hasValue(server.requests());
        }
    }

    @Test
    void whatIsStillUnderWayAtTheEndIsAbandoned() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.hang());
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(3)
                        .drain(Duration.ofMillis(50))
                        .build())) {
            until(() -> server.requests() == 3);
            run.endIn(Duration.ZERO);
            assertThat(run.awaitDone(LONG)).isTrue();
            Window window = run.takeWindow();
            assertThat(window.abandoned()).isEqualTo(3);
            assertThat(window.responses() + window.failed()).isZero();
            assertThat(window.busyNanos()).isPositive();
        }
    }

    @Test
    void agreesWithAnotherClientOnTheBody() throws Exception {
        byte[] body = "a body of some length, with ümlauts".repeat(50).getBytes(StandardCharsets.UTF_8);
        AtomicInteger served = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        for (boolean chunked : new boolean[] {true, false}) {
            server.createContext(chunked ? "/chunked" : "/length", exchange -> {
                served.incrementAndGet();
                exchange.sendResponseHeaders(200, chunked ? 0 : body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
        }
        server.start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String path : List.of("/chunked", "/length")) {
                URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
                HttpResponse<String> reference =
                        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                served.set(0);
                Window window = run(LoadSpec.builder(server.getAddress(), RequestTemplate.get(path))
                        .maxDuration(LONG)
                        .maxRequests(500)
                        .connections(4)
                        .expect(Expectation.status(reference.statusCode())
                                .withBodyLength(reference.body().getBytes(StandardCharsets.UTF_8).length)
                                .withBodyContaining(reference.body())));
                assertThat(window.errors()).isEmpty();
                assertThat(window.responses()).isEqualTo(500);
                assertThat(served).hasValue(500);
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void sendsWhatTheTemplateSays() throws Exception {
        List<String> heads = Collections.synchronizedList(new ArrayList<>());
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            heads.add(peer.head());
            peer.write(ScriptedServer.OK);
        })) {
            RequestTemplate request = RequestTemplate.builder("GET", "/a?b=c")
                    .header("Accept", "text/plain")
                    .build();
            run(LoadSpec.builder(server.address(), request).maxRequests(1));
            run(LoadSpec.builder(server.address(), request).maxRequests(1).keepAlive(false));
            String host =
                    server.address().getHostString() + ":" + server.address().getPort();
            String common = "GET /a?b=c HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/plain\r\n";
            assertThat(heads).containsExactly(common + "\r\n", common + "Connection: close\r\n\r\n");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void survivesTheDeathAndReturnOfTheServer(TransportKind transport) throws Exception {
        InetSocketAddress address;
        LoadRun run;
        try (ScriptedServer first = new ScriptedServer((number, peer) -> peer.write(ScriptedServer.OK))) {
            address = first.address();
            run = LoadEngine.start(spec(address)
                    .wire(Wire.PLAIN.withTransport(transport))
                    .connections(5)
                    .maxDuration(LONG)
                    .build());
            until(() -> first.requests() > 100 && run.connectionsOpen() == 5);
        }
        try (run) {
            until(() -> run.takeWindow().errors().containsKey(ErrorKind.REFUSED));
            // the server closes one after the other
            until(() -> run.connectionsOpen() == 0);
            try (ServerSocket second = new ServerSocket()) {
                second.setReuseAddress(true);
                second.bind(address, 100);
                until(() -> run.connectionsOpen() == 5);
            }
        }
        assertThat(run.isDone()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void closingLeavesNoThreadAndNoSocket(TransportKind transport) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            run(spec(server.address())
                    .wire(Wire.PLAIN.withTransport(transport))
                    .maxRequests(10)); // whatever the JDK opens once and keeps
            until(() -> engineThreads() == 0);
            long before = Descriptors.open();
            for (boolean keepAlive : new boolean[] {true, false}) {
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(100)
                        .threads(3)
                        .keepAlive(keepAlive)
                        .wire(Wire.PLAIN.withTransport(transport))
                        .maxDuration(LONG)
                        .build());
                long soFar = server.requests();
                until(() -> server.requests() > soFar + 1000);
                assertThat(engineThreads()).isEqualTo(3);
                run.close();
                assertThat(run.isDone()).isTrue();
                assertThat(run.connectionsOpen()).isZero();
                assertThat(engineThreads()).isZero();
                Descriptors.awaitNoMoreThan(before);
                run.close();
                assertThat(run.takeWindow().responses()).isPositive();
            }
        }
    }

    @Test
    void pinsOrSaysWhyNot() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window pinned = run(spec(server.address()).maxRequests(100).cpus(Set.of(0)));
            assertThat(pinned.responses()).isEqualTo(100);
            try (LoadRun run = LoadEngine.start(
                    spec(server.address()).maxRequests(100).cpus(Set.of(1023)).build())) {
                assertThat(run.awaitDone(LONG)).isTrue();
                assertThat(run.takeWindow().responses()).isEqualTo(100);
                assertThat(run.notes()).hasSize(2).last().asString().contains("not pinned to CPU 1023");
            }
        }
    }

    private static LoadSpecBuilder spec(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.get("/"))
                .expect(Expectation.status(200).withBodyLength(5).withBodyContaining("hello"))
                .maxDuration(LONG);
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    private static long engineThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fettle-load-"))
                .count();
    }
}
