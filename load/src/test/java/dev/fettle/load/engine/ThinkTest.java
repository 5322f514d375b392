package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static dev.fettle.load.engine.FaultsTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients which pause between an answer and their next request. */
class ThinkTest {

    @Test
    void theNextRequestIsDueWhenTheClientHasThought() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address())
                    .arrivals(new Arrivals.Closed(Duration.ofMillis(30)))
                    .connections(3)
                    .maxRequests(12));
            assertThat(window.responses()).isEqualTo(12);
            assertThat(window.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(3 * 30));
            // the first of each client is due at once, so there is no lag to measure
            assertThat(window.sendLag().getTotalCount()).isEqualTo(9);
            // thinking is not being under way
            assertThat(window.busyNanos()).isLessThan(3 * window.elapsed().toNanos());
            assertThat(window.connect().getTotalCount()).isEqualTo(3);
        }
    }

    @Test
    void aConnectionClosedMeanwhileIsOpenedAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            peer.write(ScriptedServer.OK);
            peer.closeInOrder();
        })) {
            Window window = run(spec(server.address())
                    .arrivals(new Arrivals.Closed(Duration.ofMillis(200)))
                    .maxRequests(4));
            assertThat(window.responses() + window.failed()).isEqualTo(4);
            // the close is seen while thinking, or it races with a send: both are right
            assertThat(window.reconnects() + window.failed()).isEqualTo(3);
        }
    }

    @Test
    void whoThinksAtTheEndIsNotWaitedFor() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            LoadSpecBuilder spec = spec(server.address())
                    .arrivals(new Arrivals.Closed(Duration.ofHours(1)))
                    .connections(5);
            assertThat(run(spec.maxRequests(5)).responses()).isEqualTo(5);
            Window window = run(spec.maxRequests(100).maxDuration(Duration.ofSeconds(2)));
            assertThat(window.responses()).isEqualTo(5);
            assertThat(window.abandoned()).isZero();
        }
    }
}
