package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.lab.fake.FakeServer;
import dev.fettle.lab.fake.Phase;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole capacity searches, on a server of two threads and 20 ms: 100 requests a second and no more. */
class VirtualCapacityTest {
    private static final double MOST = 100;

    @TempDir
    Path folder;

    private final List<Judged> told = new ArrayList<>();

    private static FakeServer server() {
        return new FakeServer().threads(2).answersAfter(0.02);
    }

    private static CapacityOptions options(boolean search, Optional<CapacityOptions.Spike> spike) {
        return new CapacityOptions(
                Slo.parse("p99<200ms,errors<1%"),
                OptionalFigure.of(400),
                Duration.ofSeconds(5),
                0.05,
                1,
                Duration.ofMinutes(5),
                false,
                42,
                search,
                spike,
                1,
                Duration.ofSeconds(5));
    }

    private static Plan plan(CapacityOptions options) {
        var load = Fixtures.patient(200, "fine", Duration.ofSeconds(1))
                .withTimeout(Duration.ofSeconds(5))
                .withWarmUpAtMost(Duration.ofSeconds(10))
                .withArrivals(Arrivals.Closed.BACK_TO_BACK)
                .withExpect(Load.Expect.OK);
        var url = URI.create("http://127.0.0.1:1");
        return Plan.of("c", new Target.Url(url), load)
                .withCapacity(Optional.of(new CapacityAsked(url.toString(), options, OptionalFigure.empty(), true)));
    }

    /** Stands for a kill: what comes after it does not happen. */
    private static final class CutOff extends RuntimeException {}

    private CapacityConclusion run(Plan plan, Journal journal, String id, FakeServer server, int most)
            throws Exception {
        try (var run = new VirtualRun(folder, Metric.THROUGHPUT, VirtualRun.each(server))) {
            run.lab.clock().sleep(Duration.ofHours(told.size())); // a run that is resumed begins later
            var listener = new LabListener() {
                @Override
                public void trialEnded(TrialOutcome outcome) {
                    told.addAll(Judged.of(List.of(outcome)));
                    if (told.size() == most) {
                        throw new CutOff();
                    }
                }
            };
            return (CapacityConclusion) new Lab(run.runner, journal, listener).run(id, new CapacityExperiment(plan));
        }
    }

    private static String begin(Journal journal, Plan plan) throws LabException {
        return journal.begin("capacity", Path.of(""), "", plan, Map.of(), Instant.EPOCH)
                .id();
    }

    private CapacityConclusion run(CapacityOptions options, FakeServer server) throws Exception {
        Plan plan = plan(options);
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            return run(plan, journal, begin(journal, plan), server, Integer.MAX_VALUE);
        }
    }

    @Test
    void theCapacityOfAServerIsItsLimit() throws Exception {
        CapacityConclusion found = run(options(true, Optional.empty()), server());
        CapacityResult result = found.result().orElseThrow();
        assertThat(result.rate()).as(told.toString()).isBetween(0.85 * MOST, 1.05 * MOST);
        assertThat(found.idleMillis().orElseThrow()).isBetween(19.0, 21.0);
        // the first rate is four times what the server can do
        Judged first = told.getFirst();
        assertThat(first.verdict().result()).isEqualTo(ProbeVerdict.Result.BROKEN);
        assertThat(first.probe().seconds()).as("ended when it was lost").isLessThan(2);
        assertThat(told).allMatch(j -> j.verdict().result() != ProbeVerdict.Result.VOID);
    }

    @Test
    void aSearchThatWasCutOffGoesOnAfterTheProbesOfTheJournal() throws Exception {
        Plan plan = plan(options(true, Optional.empty()));
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            String id = begin(journal, plan);
            assertThatThrownBy(() -> run(plan, journal, id, server(), 2)).isInstanceOf(CutOff.class);
            assertThat(Judged.of(journal.trials(id))).isEqualTo(told);
            assertThat(journal.conclusion(id)).isEmpty();
            assertThat(journal.find(id).orElseThrow().state()).isEqualTo(RunRecord.State.OPEN);

            CapacityConclusion found = run(plan, journal, id, server(), Integer.MAX_VALUE);
            assertThat(told).hasSizeGreaterThan(2);
            assertThat(Judged.of(journal.trials(id))).isEqualTo(told);
            assertThat(found.notes()).anyMatch(n -> n.contains("resumed after 2 probes"));
            assertThat(found.result().orElseThrow().rate()).isBetween(0.85 * MOST, 1.05 * MOST);
            assertThat(journal.conclusion(id)).contains(found);
            assertThat(journal.find(id).orElseThrow().state()).isEqualTo(RunRecord.State.DONE);
        }
    }

    /** Its process is there, and so is its port: without a look it would be a server whose limit lies below all rates. */
    @Test
    void aServerThatFallsSilentHasNoCapacity() {
        var silent = server().at(Phase.PROBE, 4, FakeServer::fallsSilent);
        assertThatThrownBy(() -> run(options(true, Optional.empty()), silent))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no valid answer to a single client for");
    }

    @Test
    void aTargetThatGivesNoRightAnswerIsNotSearched() {
        var wrong = server().at(Phase.WARM_UP, 1, FakeServer::answersWrong);
        assertThatThrownBy(() -> run(options(true, Optional.empty()), wrong))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no valid answer in the warm-up");
    }

    @Test
    void aSpikeIsOfferedBetweenTwoStretchesOfTheBaseLoad() throws Exception {
        var spike = new CapacityOptions.Spike(
                2, OptionalFigure.of(MOST), 0.3, Duration.ofSeconds(4), Duration.ofSeconds(60));
        var o = run(options(false, Optional.of(spike)), server()).overload().orElseThrow();
        assertThat(o.base()).isEqualTo(30);
        assertThat(o.spike()).isEqualTo(200);
        // 400 requests too many, worked off with 70 a second
        assertThat(o.during().latency().max()).isGreaterThan(1_000_000_000L);
        assertThat(o.recovery().orElseThrow()).isBetween(4.0, 8.0);
        assertThat(o.headline()).contains("Offered 200/s");
    }
}
