package dev.fettle.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The loop serves a schedule which is not closed: connections wait for arrivals, and arrivals for connections. */
class OpenScheduleTest {

    private static final int ARRIVALS = 300;

    @Test
    void connectionsWaitForArrivals() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address()), 5, new Arrivals(1_000_000));
            assertThat(window.responses()).isEqualTo(ARRIVALS);
            assertThat(server.requests()).isEqualTo(ARRIVALS);
            assertThat(window.connect().getTotalCount()).isEqualTo(5);
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
            Window window = run(spec(server.address()), 1, new Arrivals(0));
            assertThat(window.responses()).isEqualTo(ARRIVALS);
            assertThat(window.latency().getMinValue()).isGreaterThan((serviceMillis - 1) * 1_000_000);
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
            Window window = run(spec(server.address()), 1, new Arrivals(2_000_000));
            assertThat(window.responses() + window.failed()).isEqualTo(ARRIVALS);
            // the close is seen while parked, or it races with a send: both are right
            assertThat(window.reconnects() + window.failed()).isEqualTo(1);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    private static LoadSpec spec(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.get("/"))
                .maxDuration(Duration.ofMinutes(2))
                .build();
    }

    private static Window run(LoadSpec spec, int connections, Schedule schedule) throws Exception {
        EngineLoop loop = new EngineLoop(
                spec,
                ScriptFactory.of(spec),
                TransportFactory.of(spec),
                0,
                connections,
                schedule,
                System::nanoTime,
                System.nanoTime());
        loop.run();
        Tally fresh = new Tally();
        loop.recorder().offer(fresh);
        return Window.of(loop.recorder().take(fresh), 0);
    }

    /** One arrival every so many nanoseconds. */
    private static final class Arrivals implements Schedule {
        private final long gap;
        private int taken;

        Arrivals(long gapNanos) {
            gap = gapNanos;
        }

        @Override
        public long take(long freedAt, long now) {
            if (taken == ARRIVALS) {
                return OVER;
            }
            return nextDue() > now ? WAIT : gap * taken++;
        }

        @Override
        public long nextDue() {
            return taken == ARRIVALS ? Long.MAX_VALUE : gap * taken;
        }

        @Override
        public boolean isOver(long now) {
            return taken == ARRIVALS;
        }
    }
}
