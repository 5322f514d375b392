package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Arrivals.Open;
import dev.fettle.load.Arrivals.Spacing;
import dev.fettle.load.Arrivals.Stage;
import dev.fettle.load.ErrorKind;
import dev.fettle.load.Window;
import dev.fettle.load.schedule.Course;
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
        Open arrivals = new Open(List.of(new Stage(1, 1, LONG, OVERDUE)), Spacing.EVEN, 1);
        EngineLoop loop = CourseTest.loop(
                server,
                Course.until(LONG.toNanos()),
                load -> load.arrivals(arrivals).maxRequests(OVERDUE).maxDuration(LONG));
        Window window = CourseTest.windowOf(loop);
        assertThat(window.responses()).isEqualTo(1);
        assertThat(window.errors().get(ErrorKind.CLOSED_EARLY).count()).isEqualTo(1);
        assertThat(window.errors().get(ErrorKind.REFUSED).count()).isEqualTo(OVERDUE - 2);
        assertThat(window.unsent()).isZero();
        assertThat(window.elapsed()).isEqualTo(Duration.ofMillis(15));
    }
}
