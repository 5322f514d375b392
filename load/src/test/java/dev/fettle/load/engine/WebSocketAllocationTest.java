package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In the steady state a WebSocket allocates nothing for a message, either: not for masking, not for holding it against its echo. */
@Isolated("looks for the engine's thread by its name")
class WebSocketAllocationTest {

    private static final int WARM_UP = 60_000;
    private static final int MEASURED = 30_000;

    @ParameterizedTest
    @CsvSource({"5, 8", "1000, 1"})
    void steadyStateAllocatesNothing(int length, int inFlight) throws Exception {
        try (MessageServer server = new MessageServer(MessageServer.ECHO);
                LoadRun run = LoadEngine.start(WebSocketTest.spec(server, "x".repeat(length))
                        .wire(WebSocketTest.text(inFlight))
                        .connections(4)
                        .expect(Expectation.ECHO)
                        .build())) {
            await(server, WARM_UP);
            long engine = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("fettle-load-0"))
                    .findFirst()
                    .orElseThrow()
                    .threadId();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            run.takeWindow();
            long before = threads.getThreadAllocatedBytes(engine);
            await(server, server.messages() + MEASURED);
            Window window = run.takeWindow();
            long allocated = threads.getThreadAllocatedBytes(engine) - before;
            assertThat(window.failed()).isZero();
            assertThat((double) allocated / window.responses()).isLessThan(1.0);
        }
    }

    private static void await(MessageServer server, int messages) throws InterruptedException {
        while (server.messages() < messages) {
            Thread.sleep(5);
        }
    }
}
