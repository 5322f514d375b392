package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals.Open;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.schedule.LoadClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server that dies in an open load, so that its address refuses at once: on a simulated network. */
class DyingServerTest {

    private static final int OVERDUE = 100_000;
    private static final long MILLI = 1_000_000;
    private static final Duration LONG = Duration.ofHours(1);

    /** All are due at once, on one connection; so many calls within each other no stack would hold. */
    @Test
    void whatIsOverdueIsRefusedOneByOne() {
        SimulatedServer server = new SimulatedServer(10 * MILLI);
        server.dies(15 * MILLI);
        Open arrivals = new Open(List.of(new Stage(1, 1, LONG, OVERDUE)), false, 1);
        EngineLoop loop = CourseTest.loop(
                server,
                LoadClock.until(LONG.toNanos()),
                load -> load.arrivals(arrivals).maxRequests(OVERDUE).maxDuration(LONG));
        Window window = CourseTest.windowOf(loop);
        assertThat(window.responses()).isEqualTo(1);
        assertThat(window.errors().get(ErrorKind.CLOSED_EARLY).count()).isEqualTo(1);
        assertThat(window.errors().get(ErrorKind.REFUSED).count()).isEqualTo(OVERDUE - 2);
        assertThat(window.unsent()).isZero();
        assertThat(window.elapsed()).isEqualTo(Duration.ofMillis(15));
    }

    /** A client that failed is free long before its next request is due: that the engine is late with that is the engine's own doing. */
    @Test
    void anEngineThatIsLateAfterAFailureIsSaidToBe() {
        SimulatedServer server = new SimulatedServer(10 * MILLI);
        server.dies(5 * MILLI);
        server.stop(120 * MILLI, 500 * MILLI);
        Open arrivals = new Open(List.of(new Stage(10, 10, LONG, 1)), false, 1);
        EngineLoop loop = CourseTest.loop(
                server,
                LoadClock.until(LONG.toNanos()),
                load -> load.arrivals(arrivals).maxRequests(4).maxDuration(LONG));
        Window window = CourseTest.windowOf(loop);
        assertThat(window.failed()).isEqualTo(4);
        // due at 200 and 300, sent at 620; only the second waited for the one client
        assertThat(window.sendLag().getMaxValue()).isBetween(420 * MILLI, 421 * MILLI);
    }
}
