package dev.fettle.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In the steady state an engine thread allocates nothing for a request. */
class AllocationTest {

    private static final long WARM_UP = 300_000;
    private static final long MEASURED = 200_000;

    @ParameterizedTest(name = "{0} connections, {1}")
    @CsvSource({"4,LENGTH", "300,LENGTH", "16,CHUNKED"
    }) // 300: beyond the file descriptors whose boxed numbers the JDK caches
    void steadyStateAllocatesNothing(int connections, Framing framing) throws Exception {
        try (TinyServer server = new TinyServer(framing.answer);
                LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                        .connections(connections)
                        .maxDuration(Duration.ofMinutes(5))
                        .expect(Expectation.status(200).withBodyLength(5).withBodyContaining("hello"))
                        .build())) {
            long engine = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("fettle-load-0"))
                    .findFirst()
                    .orElseThrow()
                    .threadId();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            await(server, WARM_UP);
            run.takeWindow();
            long before = threads.getThreadAllocatedBytes(engine);
            await(server, server.requests() + MEASURED);
            Window window = run.takeWindow();
            long allocated = threads.getThreadAllocatedBytes(engine) - before;

            assertThat(window.failed()).isZero();
            assertThat(window.responses()).isGreaterThanOrEqualTo(MEASURED - connections);
            assertThat((double) allocated / window.responses()).isLessThan(1.0);
        }
    }

    private static void await(TinyServer server, long requests) throws InterruptedException {
        while (server.requests() < requests) {
            Thread.sleep(5);
        }
    }

    private enum Framing {
        LENGTH("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"),
        CHUNKED(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: t\r\n\r\n");

        private final String answer;

        Framing(String answer) {
            this.answer = answer;
        }
    }
}
