package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.lab.journal.Journal;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real search, at a server that can answer 100 requests a second and no more; {@link VirtualCapacityTest} has the rest. */
@Timeout(300)
@Order(3)
class CapacityLabTest {
    private static final double MOST = 100;

    @TempDir
    Path folder;

    private final List<Judged> told = new ArrayList<>();

    private CapacityConclusion run(URI url) throws Exception {
        var options = new CapacityOptions(
                Slo.parse("p99<1s,errors<1%"),
                OptionalFigure.of(400),
                Duration.ofSeconds(1),
                0.4,
                1,
                Duration.ofSeconds(6),
                true,
                42,
                true,
                Optional.empty(),
                1,
                Duration.ofSeconds(1));
        var load = new Load(
                200,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2), // in which one answer must come
                Duration.ofSeconds(1),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
        Plan plan = Plan.of("c", new Target.Url(url), load)
                .withCapacity(Optional.of(new CapacityAsked(url.toString(), options, OptionalFigure.empty(), true)));
        var listener = new LabListener() {
            @Override
            public void trialEnded(TrialOutcome outcome) {
                told.addAll(Judged.of(List.of(outcome)));
            }
        };
        try (Journal journal = Journal.open(folder.resolve("journal.db"));
                var runner = Fixtures.runner(
                        Fixtures.environment(folder), Files.createDirectories(folder.resolve("run")), listener)) {
            String id = journal.begin("capacity", Path.of(""), "", plan, Map.of(), Instant.EPOCH)
                    .id();
            return (CapacityConclusion) new Lab(runner, journal, listener).run(id, new CapacityExperiment(plan));
        }
    }

    /** Two threads, 20 ms each: however busy the machine is, it is never more. */
    @Test
    void aRateBeyondWhatTheServerCanDoIsNeverTheAnswer() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        try (var workers = Executors.newFixedThreadPool(2)) {
            server.setExecutor(workers);
            server.createContext("/", x -> {
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                x.sendResponseHeaders(200, 2);
                x.getResponseBody().write(new byte[] {'o', 'k'});
                x.close();
            });
            server.start();
            CapacityConclusion found =
                    run(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
            server.stop(0);
            workers.shutdownNow();
            assertThat(found.idleMillis().orElseThrow()).isGreaterThanOrEqualTo(20);
            // the first rate is four times what the server can do, so after a second a second's work is left
            assertThat(told.getFirst().verdict().result()).isNotEqualTo(ProbeVerdict.Result.MET);
            assertThat(found.result().orElseThrow().rate()).isLessThan(3 * MOST);
            assertThat(told).allSatisfy(j -> assertThat(j.probe().throughput()).isLessThan(2 * MOST));
        }
    }
}
