package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.insight.tune.TrialSurface.ThreadLaw;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A search over the size of the worker pool alone. */
class HoldingTimeSearchTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    /** What a server does that leaves its pool as it is, whatever is set. */
    static TrialOutcome ignored(TrialOutcome o) {
        return o.spec().setting().get("threads.max").isPresent()
                ? Tamper.ignores(o, "threads.max", "threads.max was set, but the running target has 25")
                : o;
    }

    @Test
    void aKnobWhoseValueDidNotTakeEffectIsTriedNoMore() {
        Simulated.Run run = SERVER.drive(new TuneExperiment(SERVER.plan(4, 1024)), HoldingTimeSearchTest::ignored);

        assertThat(run.seen())
                .filteredOn(o -> o.spec().setting().get("threads.max").isPresent())
                .filteredOn(o -> o.spec().phase() != Phase.START)
                .hasSize(1);
        assertThat(run.tune().winner()).isEqualTo(Setting.DEFAULT);
    }

    /** A trial that probes for the capacity offers rates that more threads may bear than its closed load has clients. */
    @Test
    void fewClientsDoNotBoundThePoolWhereCapacityIsTheObjective() {
        Simulated few = Simulated.server(10, 0.020, 0.001, 2, 20);
        KnobRange pool = KnobRange.interval("threads.max", 4, 400);
        KnobRange backlog = KnobRange.interval("backlog", 50, 4000);
        for (List<KnobRange> knobs : List.of(List.of(pool), List.of(pool, backlog))) {
            assertThat(predicted(few, knobs, Metric.THROUGHPUT)).isEqualTo(20);
            assertThat(predicted(few, knobs, Metric.CAPACITY)).isBetween(50, 60);
        }
        var size = Setting.of("threads.max", "40");
        assertThat(law(few, Metric.THROUGHPUT).expected(size)).isCloseTo(Math.log(20 / 0.021), within(0.1));
        assertThat(law(few, Metric.CAPACITY).expected(size)).isCloseTo(Math.log(40 / 0.021), within(0.1));
    }

    /** With a full CPU the sizes around the default's are looked at, as far as the plan has them; all of the plan's where it has none. */
    @ParameterizedTest
    @CsvSource({"8, 1000, 100, 400", "8, 250, 100, 250", "4, 64, 4, 64", "500, 800, 500, 800"})
    void withAFullCpuThePoolStaysNearTheDefaults(int from, int to, int least, int most) {
        Simulated full = Simulated.server(200, 0.002, 0.001, 1, 300);
        Plan plan = plan(full, List.of(KnobRange.interval("threads.max", from, to)), Metric.THROUGHPUT);
        Optional<PoolSizes> sizes = PoolSizes.of(plan, SearchPart.ALL, byDefault(full, plan));
        assertThat(sizes.map(PoolSizes::from).orElse((double) from)).isEqualTo(least);
        assertThat(sizes.map(PoolSizes::to).orElse((double) to)).isEqualTo(most);
    }

    /** The plan's own server is the default itself. */
    @Test
    void theDefaultIsNotTriedAgainstItself() {
        KnobRange server = KnobRange.choices("server", List.of("tomcat", "jetty", "undertow"));
        Plan plan = SERVER.plan(List.of(server), Objective.DEFAULT, Budget.DEFAULT)
                .on(new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME));
        List<SettingTrials> seen = new ArrayList<>(List.of(byDefault(SERVER, plan)));
        for (int i = 0; i < 2; i++) {
            Setting next = SettingSearch.of(plan, SearchPart.ALL)
                    .ask(seen)
                    .orElseThrow()
                    .setting();
            assertThat(next.get("server")).isPresent().get().isNotEqualTo("tomcat");
            seen.add(tried(SERVER, next));
        }
    }

    private static SettingTrials tried(Simulated s, Setting setting) {
        var spec = new TrialSpec(Phase.SEARCH, "", Map.of(), 0, Simulated.target(), setting, Simulated.load(300));
        return TriedSettings.of(setting, Origin.SPREAD, List.of(s.run(1, spec)));
    }

    private static int predicted(Simulated s, List<KnobRange> knobs, Metric metric) {
        Plan plan = plan(s, knobs, metric);
        return s.threadsOf(SettingSearch.of(plan, SearchPart.ALL)
                .ask(List.of(byDefault(s, plan)))
                .orElseThrow()
                .setting());
    }

    private static ThreadLaw law(Simulated s, Metric metric) {
        Plan plan = plan(s, List.of(KnobRange.interval("threads.max", 4, 400)), metric);
        return ThreadLaw.of(plan, byDefault(s, plan)).orElseThrow();
    }

    private static Plan plan(Simulated s, List<KnobRange> knobs, Metric metric) {
        return s.plan(knobs, new Objective(metric, Optional.of(Duration.ofMillis(100)), 0.001), Budget.DEFAULT);
    }

    private static SettingTrials byDefault(Simulated s, Plan plan) {
        var spec = new TrialSpec(
                Phase.BASELINE, TuneSlots.BASELINE, Map.of(), 0, plan.target(), Setting.DEFAULT, plan.load());
        return TriedSettings.of(
                Setting.DEFAULT, Origin.DEFAULT, List.of(s.noise(0).run(1, spec)));
    }

    /** While nothing meets the limit, what is nearest to it ranks first, not what is fastest; what failed comes after both. */
    @Test
    void whatIsNearerToTheLimitRanksFirst() {
        Simulated server = Simulated.server(25, 0.050, 0.000227, 1, 300);
        var scoring =
                new Scoring(new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(500)), 0.001));
        SettingTrials near = tried(server, "50", 1, 600);
        SettingTrials fast = tried(server, "100", 3, 900);
        SettingTrials within = tried(server, "10", 0.5, 400);
        SettingTrials crashed = tried(server, "200", 4, 100).withFailure(Optional.of("crashed"));
        assertThat(Stream.of(fast, crashed, within, near).sorted(scoring.bestFirst()))
                .containsExactly(within, near, fast, crashed);
    }

    private static SettingTrials tried(Simulated server, String threads, double faster, long p99Millis) {
        Setting s = Setting.of("threads.max", threads);
        var spec = new TrialSpec(TrialSpec.Phase.SEARCH, "", Map.of(), 0, Simulated.target(), s, Simulated.load(300));
        TrialOutcome o = Tamper.p99(Tamper.faster(server.run(1, spec), faster), p99Millis * 1_000_000);
        return TriedSettings.of(s, Origin.SPREAD, List.of(o));
    }
}
