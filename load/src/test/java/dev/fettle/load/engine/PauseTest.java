package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Scenario;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads that pause and go on, on real sockets. When exactly what is due leaves is in {@link CourseTest}. */
class PauseTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CONNECTIONS = 12;

    /** A server under test, and what it has seen. */
    private record Served(
            AutoCloseable server, InetSocketAddress address, LongSupplier requests, LongSupplier connections)
            implements AutoCloseable {
        @Override
        public void close() throws Exception {
            server.close();
        }
    }

    private interface Opening {
        Served open() throws IOException;
    }

    /** @param how what the load is like */
    private record Case(String name, boolean keptOpen, Opening server, UnaryOperator<LoadSpecBuilder> how) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> loads() {
        return TransportKinds.usable().stream().flatMap(kind -> {
            Wire plain = Wire.PLAIN.withTransport(kind);
            return Stream.of(
                    new Case(kind + ", HTTP/1.1", true, PauseTest::tiny, load -> load.wire(plain)),
                    new Case(
                            kind + ", two threads",
                            true,
                            PauseTest::tiny,
                            load -> load.wire(plain).threads(2)),
                    new Case(
                            kind + ", without keep-alive",
                            false,
                            PauseTest::tiny,
                            load -> load.wire(plain).keepAlive(false)),
                    new Case(
                            kind + ", thinking",
                            true,
                            PauseTest::tiny,
                            load -> load.wire(plain).arrivals(new Arrivals.Closed(Duration.ofMillis(3)))),
                    new Case(
                            kind + ", open",
                            false,
                            PauseTest::tiny,
                            load -> load.wire(plain).arrivals(Arrivals.Open.constant(5000))),
                    new Case(
                            kind + ", open beyond the limit",
                            true,
                            PauseTest::tiny,
                            load -> load.wire(plain).arrivals(Arrivals.Open.constant(5_000_000))),
                    new Case(kind + ", pipelined", true, PauseTest::tiny, load -> load.wire(plain.withInFlight(8))),
                    new Case(
                            kind + ", HTTP/2",
                            true,
                            PauseTest::frames,
                            load -> load.wire(
                                    plain.withProtocol(Protocol.HTTP_2).withInFlight(8))),
                    new Case(
                            kind + ", HTTP/2, open",
                            false,
                            PauseTest::frames,
                            load -> load.wire(
                                            plain.withProtocol(Protocol.HTTP_2).withInFlight(8))
                                    .arrivals(Arrivals.Open.constant(5000))),
                    new Case(
                            kind + ", WebSocket",
                            true,
                            PauseTest::messages,
                            load -> load.wire(plain.withProtocol(Protocol.WEB_SOCKET_TEXT)
                                            .withInFlight(3))
                                    .expect(Expectation.SUCCESS)));
        });
    }

    private static Served tiny() throws IOException {
        TinyServer server = TinyServer.ok();
        return new Served(server, server.address(), server::requests, server::connections);
    }

    private static Served frames() throws IOException {
        FrameServer server = new FrameServer((number, stream, peer) -> peer.ok(stream));
        return new Served(server, server.address(), server::requests, server::connections);
    }

    private static Served messages() throws IOException {
        MessageServer server = new MessageServer(MessageServer.ECHO);
        return new Served(server, server.address(), server::messages, server::connections);
    }

    @ParameterizedTest
    @MethodSource("loads")
    void inAPauseNothingReachesTheServerAndNothingIsLost(Case load) throws Exception {
        try (Served server = load.server.open();
                LoadRun run = start(server, load.how)) {
            long answered = 0;
            for (int i = 0; i < 4; i++) {
                long before = server.requests.getAsLong();
                // on a busy machine, a few connections may have had their answers before the last is opened
                until(() -> server.requests.getAsLong() > before + 300
                        && (!load.keptOpen || server.connections.getAsLong() == CONNECTIONS));
                pause(run);
                Window window = run.takeWindow();
                assertThat(window.errors()).isEmpty();
                answered += window.responses();
                // quiet: all that the server has seen is answered, and nothing is under way
                assertThat(server.requests.getAsLong()).isEqualTo(answered);
                long connections = server.connections.getAsLong();
                Thread.sleep(150);
                Window quiet = run.takeWindow();
                assertThat(server.requests.getAsLong()).isEqualTo(answered);
                assertThat(server.connections.getAsLong()).isEqualTo(connections);
                assertThat(quiet.responses()).isZero();
                assertThat(quiet.busyNanos()).isZero();
                assertThat(quiet.pausedNanos()).isPositive();
                assertThat(quiet.threads()).allMatch(use -> use.wallNanos() == 0);
                if (load.keptOpen) {
                    assertThat(connections).isEqualTo(CONNECTIONS);
                    assertThat(run.connectionsOpen()).isEqualTo(CONNECTIONS);
                }
                run.resume();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("loads")
    void manyQuickPausesLoseNothing(Case load) throws Exception {
        try (Served server = load.server.open();
                LoadRun run = start(server, load.how)) {
            List<Window> windows = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                run.pause();
                if (i % 7 == 0) {
                    assertThat(run.awaitQuiet(PATIENCE)).isTrue();
                }
                if (i % 20 == 0) {
                    windows.add(run.takeWindow());
                }
                run.resume();
                Thread.sleep(0, ThreadLocalRandom.current().nextInt(1_000_000));
            }
            long before = server.requests.getAsLong();
            until(() -> server.requests.getAsLong() > before + 300);
            pause(run);
            windows.add(run.takeWindow());
            Window all = Window.merge(windows);
            assertThat(all.errors()).isEmpty();
            assertThat(all.responses()).isEqualTo(server.requests.getAsLong());
            assertThat(all.latency().getTotalCount()).isEqualTo(all.responses());
        }
    }

    /** What is under way when the server breaks connections is sent again or has failed by the time that all is quiet. */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void connectionsThatBreakInAPauseLoseNothingElse(TransportKind kind) throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
                    switch (number % 5) {
                        case 0 -> peer.reset();
                        case 1 -> {
                            peer.write(ScriptedServer.OK);
                            peer.closeInOrder();
                        }
                        default -> peer.write(ScriptedServer.OK);
                    }
                });
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(CONNECTIONS)
                        .wire(Wire.PLAIN.withTransport(kind))
                        .build())) {
            long ended = 0;
            for (int i = 0; i < 15; i++) {
                int before = server.requests();
                until(() -> server.requests() > before + 20);
                pause(run);
                Window window = run.takeWindow();
                ended += window.responses() + window.failed();
                assertThat(window.errors().keySet()).isSubsetOf(Set.of(ErrorKind.RESET, ErrorKind.CLOSED_EARLY));
                // a request that finds its connection closed fails without a server that has seen it
                int seen = server.requests();
                assertThat((long) seen).isBetween(1L, ended);
                Thread.sleep(20);
                assertThat(server.requests()).isEqualTo(seen);
                assertThat(run.takeWindow().failed()).isZero();
                run.resume();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void aServerThatClosesWhatIsIdleInAPauseMakesNoError(TransportKind kind) throws Exception {
        try (IdleCloser server = new IdleCloser();
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(CONNECTIONS)
                        .wire(Wire.PLAIN.withTransport(kind))
                        .build())) {
            until(() -> server.requests() > 100);
            pause(run);
            assertThat(server.connections()).isEqualTo(CONNECTIONS);
            server.closeAll();
            until(() -> run.connectionsOpen() == 0);
            assertThat(run.takeWindow().errors()).isEmpty();
            assertThat(server.connections())
                    .as("none is opened again before it is needed")
                    .isEqualTo(CONNECTIONS);
            run.resume();
            int before = server.requests();
            until(() -> server.requests() > before + 100);
            pause(run);
            Window window = run.takeWindow();
            assertThat(window.errors()).isEmpty();
            assertThat(window.reconnects()).isEqualTo(CONNECTIONS);
            assertThat(server.connections()).isEqualTo(2 * CONNECTIONS);
        }
    }

    @Test
    void whatHangsIsNotQuietBeforeItsTimeOut() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
                    if (number > 50) {
                        peer.hang();
                    }
                    peer.write(ScriptedServer.OK);
                });
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(3)
                        .responseTimeout(Duration.ofSeconds(5))
                        .build())) {
            until(() -> server.requests() == 53);
            run.pause();
            assertThat(run.awaitQuiet(Duration.ofMillis(100))).isFalse();
            assertThat(run.awaitQuiet(PATIENCE)).isTrue();
            Window window = run.takeWindow();
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.READ_TIMEOUT);
            assertThat(window.failed()).isEqualTo(3);
            assertThat(server.requests()).isEqualTo(53);
        }
    }

    /**
     * 400 requests in 0.4 s of its own time, whatever pauses there are; with a burst after a pause, more would have been sent
     * than were due in the time between the pauses.
     */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void anOpenLoadOffersItsRateOverTheTimeThatItIsNotPaused(TransportKind kind) throws Exception {
        long active = 0;
        long since = System.nanoTime();
        try (TinyServer server = TinyServer.ok();
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(50)
                        .wire(Wire.PLAIN.withTransport(kind))
                        .arrivals(Arrivals.Open.constant(1000))
                        .maxDuration(Duration.ofMillis(400))
                        .build())) {
            for (int i = 0; i < 3; i++) {
                long before = server.requests();
                until(() -> run.isDone() || server.requests() > before + 50);
                run.pause();
                assertThat(run.awaitQuiet(PATIENCE) || run.awaitDone(PATIENCE)).isTrue();
                active += System.nanoTime() - since;
                assertThat(server.requests()).isLessThanOrEqualTo(active / 1_000_000 + 1);
                Thread.sleep(600);
                since = System.nanoTime();
                run.resume();
            }
            assertThat(run.awaitDone(PATIENCE)).isTrue();
            Window window = run.takeWindow();
            assertThat(window.responses() + window.unsent()).isEqualTo(400);
            assertThat(window.due()).isEqualTo(400);
            assertThat(server.requests()).isEqualTo(window.responses());
            assertThat(window.pausedNanos()).isPositive();
        }
    }

    @Test
    void aScenarioStopsBetweenItsSteps() throws Exception {
        Scenario scenario = new Scenario(
                List.of(new Scenario.Flow(
                        "steps",
                        1,
                        IntStream.range(0, 100).mapToObj(PauseTest::step).toList())),
                List.of(),
                Map.of(),
                true,
                1);
        for (Arrivals arrivals : List.of(Arrivals.Closed.BACK_TO_BACK, Arrivals.Open.constant(100))) {
            try (TinyServer server = TinyServer.ok();
                    LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), scenario)
                            .connections(CONNECTIONS)
                            .arrivals(arrivals)
                            .maxDuration(PATIENCE)
                            .build())) {
                long answered = 0;
                for (int i = 0; i < 10; i++) {
                    long before = server.requests();
                    until(() -> server.requests() > before + 250);
                    pause(run);
                    Window window = run.takeWindow();
                    answered += window.responses();
                    assertThat(window.errors()).isEmpty();
                    assertThat(server.requests()).isEqualTo(answered);
                    run.resume();
                }
            }
        }
    }

    private static Scenario.Step step(int number) {
        return new Scenario.Step(
                "step " + number,
                "GET",
                "/",
                List.of(),
                Scenario.Body.NONE,
                Set.of(200),
                List.of(),
                List.of(),
                Scenario.Think.NONE,
                false);
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void closingEndsAPause(TransportKind kind) throws Exception {
        for (boolean quiet : new boolean[] {true, false}) {
            try (TinyServer server = TinyServer.ok()) {
                LoadRun run = LoadEngine.start(spec(server.address())
                        .connections(CONNECTIONS)
                        .threads(2)
                        .wire(Wire.PLAIN.withTransport(kind))
                        .build());
                until(() -> server.requests() > 100);
                run.pause();
                if (quiet) {
                    assertThat(run.awaitQuiet(PATIENCE)).isTrue();
                }
                run.close();
                assertThat(run.isDone()).isTrue();
                assertThat(run.connectionsOpen()).isZero();
                assertThat(run.awaitQuiet(Duration.ZERO))
                        .as("nothing is under way any more")
                        .isTrue();
                Window window = run.takeWindow();
                assertThat(window.failed()).isZero();
                assertThat(window.responses() + window.abandoned()).isGreaterThanOrEqualTo(server.requests());
                if (quiet) {
                    assertThat(window.abandoned()).isZero();
                }
            }
        }
    }

    @Test
    void whoWaitsForQuietHearsOfAResume() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.hang());
                LoadRun run = LoadEngine.start(spec(server.address()).build())) {
            assertThat(run.awaitQuiet(PATIENCE)).as("it does not pause").isFalse();
            until(() -> server.requests() == 1);
            run.pause();
            Thread resumer = Thread.ofVirtual().unstarted(() -> {
                run.resume();
            });
            resumer.start();
            assertThat(run.awaitQuiet(PATIENCE)).isFalse();
            resumer.join();
        }
    }

    /** Answers, and closes all its connections when it is told to. */
    private static final class IdleCloser implements AutoCloseable {
        private final Set<ScriptedServer.Peer> peers = ConcurrentHashMap.newKeySet();
        private final ScriptedServer server = new ScriptedServer((number, peer) -> {
            peers.add(peer);
            peer.write(ScriptedServer.OK);
        });

        IdleCloser() throws IOException {}

        InetSocketAddress address() {
            return server.address();
        }

        int requests() {
            return server.requests();
        }

        int connections() {
            return server.connections();
        }

        void closeAll() throws IOException {
            for (ScriptedServer.Peer peer : peers) {
                peer.closeInOrder();
            }
            peers.clear();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private static LoadRun start(Served server, UnaryOperator<LoadSpecBuilder> how) {
        return LoadEngine.start(
                how.apply(spec(server.address).connections(CONNECTIONS)).build());
    }

    private static LoadSpecBuilder spec(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.builder("GET", "/").build())
                .expect(Expectation.status(200).withBodyLength(5))
                .responseTimeout(PATIENCE)
                .connectTimeout(PATIENCE)
                .drain(PATIENCE)
                .maxDuration(Duration.ofDays(1));
    }

    private static void pause(LoadRun run) throws InterruptedException {
        run.pause();
        assertThat(run.awaitQuiet(PATIENCE)).isTrue();
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE);
            Thread.sleep(1);
        }
    }
}
