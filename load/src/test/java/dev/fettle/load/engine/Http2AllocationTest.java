package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** In the steady state HTTP/2 allocates nothing for a request, either. */
@Isolated("looks for the engine's thread by its name")
class Http2AllocationTest {

    private static final int STRETCH = 40_000;

    /** The compilers may need some of them first. */
    private static final int STRETCHES = 10;

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
            long engine = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("fettle-load-0"))
                    .findFirst()
                    .orElseThrow()
                    .threadId();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            double perRequest = Double.POSITIVE_INFINITY;
            for (int stretch = 0; stretch < STRETCHES && perRequest >= 1; stretch++) {
                run.takeWindow();
                long before = threads.getThreadAllocatedBytes(engine);
                await(server, server.requests() + STRETCH);
                Window window = run.takeWindow();
                long allocated = threads.getThreadAllocatedBytes(engine) - before;
                assertThat(window.failed()).isZero();
                perRequest = (double) allocated / window.responses();
            }
            assertThat(perRequest).isLessThan(1);
        }
    }

    private static void await(FrameServer server, int requests) throws InterruptedException {
        while (server.requests() < requests) {
            Thread.sleep(5);
        }
    }
}
