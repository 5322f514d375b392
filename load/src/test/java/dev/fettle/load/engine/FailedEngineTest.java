package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.Transport;
import dev.fettle.load.transport.TransportFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;

/** An engine thread that can't go on, as without memory. */
class FailedEngineTest {

    private static final LoadSpec SPEC = LoadSpec.builder(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), RequestTemplate.get("/"))
            .maxDuration(Duration.ofHours(1))
            .build();

    @Test
    void saysWhyItFailed() throws Exception {
        try (EngineRun run = EngineRun.start(SPEC, new Broken())) {
            assertThat(run.awaitDone(Duration.ofMinutes(1))).isTrue();
            assertThat(run.failure())
                    .hasValueSatisfying(why -> assertThat(why)
                            .startsWith("engine thread 0 ended early: ")
                            .contains("no memory"));
        }
    }

    /** Who takes windows must not wait for it for ever. */
    @Test
    void handsOverItsLastWindowEvenIfItCannotClose() throws Exception {
        try (EngineRun run = EngineRun.start(SPEC, new Broken() {
            @Override
            public void close() {
                throw new IllegalStateException("cannot close");
            }
        })) {
            assertThat(run.awaitDone(Duration.ofMinutes(1))).isTrue();
            ThrowingSupplier<Window> last = run::takeWindow;
            assertThat(assertTimeoutPreemptively(Duration.ofMinutes(1), last).responses())
                    .isZero();
            assertThat(run.failure()).isPresent();
        }
    }

    @Test
    void oneThatIsClosedHasNotFailed() throws Exception {
        EngineRun run;
        try (TinyServer server = TinyServer.ok()) {
            run = EngineRun.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                    .maxDuration(Duration.ofHours(1))
                    .build());
            run.close();
        }
        assertThat(run.failure()).isEmpty();
    }

    private static class Broken implements TransportFactory, Transport {
        private final SimulatedServer server = new SimulatedServer(1_000_000);

        @Override
        public Transport open(Recorder recorder, LoopClock clock, Budget budget) {
            return this;
        }

        @Override
        public String note() {
            return server.note();
        }

        @Override
        public Link newLink(Handler handler) {
            return server.newLink(handler);
        }

        @Override
        public int poll(long maxNanos) throws IOException {
            throw new IOException("no memory");
        }

        @Override
        public void wakeup() {}

        @Override
        public int openLinks() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
