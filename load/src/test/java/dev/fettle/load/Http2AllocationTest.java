package dev.fettle.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** In the steady state HTTP/2 allocates nothing for a request, either. */
class Http2AllocationTest {

    private static final int WARM_UP = 150_000;
    private static final int MEASURED = 40_000;

    @Test
    void steadyStateAllocatesNothing() throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> peer.ok(stream));
                LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                        .wire(Wire.PLAIN
                                .withProtocol(Protocol.HTTP_2)
                                .withInFlight(8)
                                .withTransport(TransportKind.NIO))
                        .connections(4)
                        .maxDuration(Duration.ofMinutes(5))
                        .expect(Expectation.status(200).withBodyLength(5).withBodyContaining("hello"))
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
            await(server, server.requests() + MEASURED);
            Window window = run.takeWindow();
            long allocated = threads.getThreadAllocatedBytes(engine) - before;
            assertThat(window.failed()).isZero();
            assertThat((double) allocated / window.responses()).isLessThan(1.0);
        }
    }

    private static void await(FrameServer server, int requests) throws InterruptedException {
        while (server.requests() < requests) {
            Thread.sleep(5);
        }
    }
}
