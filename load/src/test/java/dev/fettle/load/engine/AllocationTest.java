package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In the steady state an engine thread allocates nothing for a request. */
@Isolated("looks for the engine's thread by its name")
class AllocationTest {

    /** In so many requests, what a window takes to be handed over is next to nothing. */
    private static final long STRETCH = 40_000;

    /** The compilers may need some of them first. */
    private static final int STRETCHES = 40;

    @ParameterizedTest(name = "{0}: {1} connections, {2}")
    @CsvSource({"NIO,300,LENGTH", "NIO,16,CHUNKED", "IO_URING,4,LENGTH", "IO_URING,300,CHUNKED"
    }) // 300: beyond the file descriptors whose boxed numbers the JDK caches
    void steadyStateAllocatesNothing(TransportKind transport, int connections, Framing framing) throws Exception {
        assumeTrue(TransportKinds.usable().contains(transport), "this host has no io_uring");
        Wire wire = Wire.PLAIN.withTransport(transport);
        allocatesNothing(framing, spec -> spec.connections(connections).wire(wire));
    }

    @Test
    void norDoesAnOpenLoad() throws Exception {
        allocatesNothing(Framing.LENGTH, spec -> spec.connections(50).arrivals(Arrivals.Open.constant(20_000)));
    }

    @Test
    void norDoesAnOpenLoadBeyondTheLimit() throws Exception {
        Arrivals.Stage stage = new Arrivals.Stage(1e6, 1e6, Duration.ofHours(1), 7);
        Arrivals poisson = new Arrivals.Open(List.of(stage), true, 1);
        allocatesNothing(Framing.LENGTH, spec -> spec.connections(8).arrivals(poisson));
    }

    @Test
    void norDoesThinking() throws Exception {
        Arrivals thinking = new Arrivals.Closed(Duration.ofMillis(5));
        allocatesNothing(Framing.LENGTH, spec -> spec.connections(100).arrivals(thinking));
    }

    @Test
    void norDoesPipelining() throws Exception {
        allocatesNothing(Framing.LENGTH, spec -> spec.connections(4).wire(Wire.PLAIN.withInFlight(16)));
    }

    @Test
    void norDoRequestsThatNameThemselves() throws Exception {
        allocatesNothing(Framing.LENGTH, spec -> spec.connections(16).wire(Wire.PLAIN.withTraced(0.5)));
    }

    private static void allocatesNothing(Framing framing, UnaryOperator<LoadSpecBuilder> how) throws Exception {
        try (TinyServer server = new TinyServer(framing.answer);
                LoadRun run = LoadEngine.start(how.apply(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                                .maxDuration(Duration.ofMinutes(5))
                                .expect(Expectation.status(200)
                                        .withBodyLength(5)
                                        .withBodyContaining("hello")))
                        .build())) {
            long engine = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("fettle-load-0"))
                    .findFirst()
                    .orElseThrow()
                    .threadId();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            double perRequest = Double.POSITIVE_INFINITY;
            for (int stretch = 0; stretch < STRETCHES && perRequest >= 4; stretch++) {
                run.takeWindow();
                long before = threads.getThreadAllocatedBytes(engine);
                await(server, server.requests() + STRETCH);
                Window window = run.takeWindow();
                long allocated = threads.getThreadAllocatedBytes(engine) - before;
                assertThat(window.failed()).isZero();
                assertThat(window.responses()).isGreaterThanOrEqualTo(STRETCH / 2);
                perRequest = (double) allocated / window.responses();
            }
            assertThat(perRequest).isLessThan(4);
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
