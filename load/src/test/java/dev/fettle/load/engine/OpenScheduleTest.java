package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals.Open;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.load.api.ErrorKind;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs of the open model: connections wait for arrivals, and arrivals for connections. */
class OpenScheduleTest {

    private static final int ARRIVALS = 300;
    private static final Duration LONG = Duration.ofMinutes(5);

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void sendsExactlyWhatIsDue(int threads) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address(), stage(1000, LONG, 1))
                    .maxRequests(ARRIVALS)
                    .connections(30)
                    .threads(threads));
            assertThat(window.responses()).isEqualTo(ARRIVALS);
            assertThat(server.requests()).isEqualTo(ARRIVALS);
            assertThat(window.due()).isEqualTo(ARRIVALS);
            assertThat(window.unsent()).isZero();
            assertThat(window.service().getTotalCount()).isEqualTo(ARRIVALS);
            assertThat(window.firstByte().getTotalCount()).isEqualTo(ARRIVALS);
            assertThat(window.sendLag().getTotalCount()).isEqualTo(ARRIVALS);
            assertThat(window.elapsed()).isGreaterThan(Duration.ofMillis(290));
            // as many as were needed at once, and not more
            assertThat(window.connect().getTotalCount()).isBetween(1L, 30L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theCountBoundsArrivalsToo(boolean poisson) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(
                            server.address(),
                            new Open(List.of(new Stage(5000, 5000, Duration.ofDays(7), 1)), poisson, 42))
                    .connections(10)
                    .threads(2)
                    .maxRequests(ARRIVALS + 1));
            assertThat(window.responses()).isEqualTo(ARRIVALS + 1);
            assertThat(window.due()).isEqualTo(ARRIVALS + 1);
            assertThat(window.unsent()).isZero();
        }
    }

    @Test
    void latencyCountsFromTheArrivalNotFromTheSend() throws Exception {
        // all arrive at once; one connection serves them one by one, and the first takes its time
        long serviceMillis = 200;
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            if (number == 1) {
                Thread.sleep(serviceMillis);
            }
            peer.write(ScriptedServer.OK);
        })) {
            Window window = run(spec(server.address(), stage(1, LONG, ARRIVALS))
                    .connections(1)
                    .maxRequests(ARRIVALS));
            assertThat(window.responses()).isEqualTo(ARRIVALS);
            assertThat(window.held()).isEqualTo(ARRIVALS - 1);
            assertThat(window.latency().getMinValue()).isGreaterThan((serviceMillis - 1) * 1_000_000);
            // but only the first one's service took so long, or that of a few on a machine that stalls
            assertThat(window.service()
                            .getCountBetweenValues(
                                    (serviceMillis - 1) * 1_000_000,
                                    window.service().getMaxValue()))
                    .isBetween(1L, ARRIVALS / 10L);
        }
    }

    /**
     * The end is asked for while hundreds of thousands are still to come: they are not unsent, they are not due. Only on a
     * machine that stalls, what was due meanwhile and finds all connections taken at the end is.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEndThatIsMovedLeavesNothingUnsent(boolean poisson) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            LoadSpec spec = spec(
                            server.address(),
                            new Open(List.of(new Stage(2000, 2000, Duration.ofDays(7), 1)), poisson, 42))
                    .connections(20)
                    .threads(2)
                    .maxDuration(LONG)
                    .build();
            try (LoadRun run = LoadEngine.start(spec)) {
                Window before = run.takeWindow();
                run.endIn(Duration.ofMillis(300));
                run.endIn(LONG); // not later again
                assertThat(run.awaitDone(Duration.ofMinutes(1))).isTrue();
                Window window = Window.merge(List.of(before, run.takeWindow()));
                double due = 2000 * window.elapsed().toNanos() / 1e9;
                assertThat((double) window.responses() + window.unsent()).isLessThan(1.5 * due + 100);
                assertThat(window.abandoned()).isZero();
                assertThat(window.responses()).isPositive().isEqualTo(server.requests());
                assertThat(window.due()).isEqualTo(window.responses() + window.unsent());
            }
        }
    }

    /** A server that answers nothing for a while: what falls due meanwhile is due in that window, and answered in another. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsDueCountsInTheWindowInWhichItFallsDue(boolean poisson) throws Exception {
        var answers = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            answers.await();
            peer.write(ScriptedServer.OK);
        })) {
            LoadSpec spec = spec(
                            server.address(),
                            new Open(List.of(new Stage(500, 500, Duration.ofDays(7), 1)), poisson, 42))
                    .connections(4)
                    .threads(2)
                    .maxRequests(ARRIVALS)
                    .build();
            try (LoadRun run = LoadEngine.start(spec)) {
                long due = 0;
                while (due < ARRIVALS) {
                    Window silent = run.takeWindow();
                    assertThat(silent.responses()).isZero();
                    due += silent.due();
                }
                answers.countDown();
                assertThat(run.awaitDone(Duration.ofMinutes(1))).isTrue();
                Window window = run.takeWindow();
                assertThat(window.due()).isZero();
                assertThat(window.responses()).isEqualTo(due).isEqualTo(ARRIVALS);
            }
        }
    }

    @Test
    void aClosedLoadEndsWhenItIsToldTo() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            LoadSpec spec = FaultsTest.spec(server.address())
                    .connections(4)
                    .maxDuration(LONG)
                    .build();
            try (LoadRun run = LoadEngine.start(spec)) {
                run.endIn(Duration.ofMillis(200));
                assertThat(run.awaitDone(Duration.ofMinutes(1))).isTrue();
                Window window = run.takeWindow();
                assertThat(window.abandoned()).isZero();
                assertThat(window.responses()).isPositive().isEqualTo(server.requests());
                assertThat(window.due()).isZero();
            }
        }
    }

    @Test
    void whatNeverFoundAConnectionIsUnsent() throws Exception {
        // far more is due than two connections to a silent server can take; memory does not grow with it
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.hang())) {
            Window window = run(spec(server.address(), stage(100_000, Duration.ofMillis(2500), 1))
                    .connections(2)
                    .drain(Duration.ofMillis(20)));
            assertThat(window.due()).isEqualTo(250_000);
            assertThat(window.unsent()).isEqualTo(250_000 - 2);
            assertThat(window.abandoned()).isEqualTo(2);
            assertThat(window.responses() + window.failed()).isZero();
            assertThat(window.held()).isZero();
        }
    }

    @Test
    void aStallOpensConnectionsUpToTheBound() throws Exception {
        AtomicBoolean stalled = new AtomicBoolean();
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            if (number <= 20) {
                stalled.set(true);
                Thread.sleep(150);
            }
            peer.write(ScriptedServer.OK);
        })) {
            Window window = run(
                    spec(server.address(), stage(500, LONG, 1)).maxRequests(200).connections(20));
            assertThat(stalled).isTrue();
            assertThat(window.responses()).isEqualTo(200);
            assertThat(server.connections()).isEqualTo(20);
            assertThat(window.held()).isPositive();
        }
    }

    @Test
    void aParkedConnectionWhichTheServerClosesIsOpenedAgain() throws Exception {
        AtomicBoolean closedOne = new AtomicBoolean();
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            peer.write(ScriptedServer.OK);
            if (number == 10 && closedOne.compareAndSet(false, true)) {
                peer.closeInOrder();
            }
        })) {
            Window window = run(spec(server.address(), stage(500, LONG, 1)).maxRequests(ARRIVALS));
            assertThat(window.responses() + window.failed()).isEqualTo(ARRIVALS);
            // the close is seen while parked, or it races with a send: both are right
            assertThat(window.reconnects() + window.failed()).isEqualTo(1);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void withoutKeepAliveEachArrivalOpensItsOwn() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address(), stage(1000, LONG, 10))
                    .maxRequests(ARRIVALS)
                    .connections(50)
                    .keepAlive(false));
            assertThat(window.responses()).isEqualTo(ARRIVALS);
            assertThat(window.connect().getTotalCount()).isEqualTo(ARRIVALS);
            assertThat(window.reconnects()).isZero();
        }
    }

    @Test
    void aDeadServerRefusesEachArrivalOnce() throws Exception {
        try (RefusedAddress nobody = new RefusedAddress()) {
            Window window = run(spec(nobody.get(), stage(1000, LONG, 1))
                    .maxRequests(ARRIVALS)
                    .connections(5));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.REFUSED);
            assertThat(window.failed()).isEqualTo(ARRIVALS);
            assertThat(window.errors().get(ErrorKind.REFUSED).example()).startsWith("while connecting: ");
        }
    }

    private static Open stage(double perSecond, Duration length, int burst) {
        return new Open(List.of(new Stage(perSecond, perSecond, length, burst)), false, 1);
    }

    private static LoadSpecBuilder spec(InetSocketAddress address, Open arrivals) {
        return LoadSpec.builder(address, RequestTemplate.get("/"))
                .arrivals(arrivals)
                .drain(Duration.ofSeconds(30))
                .maxDuration(Duration.ofMinutes(2));
    }
}
