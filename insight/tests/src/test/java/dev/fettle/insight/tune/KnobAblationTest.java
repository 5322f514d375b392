package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.insight.tune.SettingSearch.Proposal;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is tried without some of the best setting's changes. */
class KnobAblationTest {
    private static final Simulated SERVER = Simulated.server(200, 0.100, 0.0002, 2, 800);
    private static final Target TOMCAT =
            new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);

    private static Plan plan(KnobRange... knobs) {
        return SERVER.plan(List.of(knobs), Objective.DEFAULT, new Budget(16, Duration.ofHours(3), 3))
                .on(TOMCAT);
    }

    private static List<String> refused(Setting s) {
        return Constraints.check(TOMCAT, s, SERVER.cores(), Integer.MAX_VALUE);
    }

    private static boolean is(Setting s, String knob, String value) {
        return s.get(knob).filter(value::equals).isPresent();
    }

    /** Some knobs need others: the minimum size needs compression, the size of a region its collector, idle threads a pool. */
    @Test
    void noTrialIsSpentOnASettingThatTheServerRefuses() {
        Plan plan = plan(
                KnobRange.interval("threads.max", 50, 1000),
                KnobRange.choices("threads.min", List.of("250", "400")),
                KnobRange.choices("compression", List.of("true")),
                KnobRange.choices("compression.min", List.of("256", "4096")),
                KnobRange.choices("jvm.gc", List.of("g1", "parallel")),
                KnobRange.choices("jvm.gc.g1.region", List.of("4m", "16m")));
        Setting best = Setting.of("threads.max", "800")
                .with("threads.min", "400")
                .with("compression", "true")
                .with("compression.min", "4096")
                .with("jvm.gc", "g1")
                .with("jvm.gc.g1.region", "16m");
        assertThat(refused(best)).isEmpty();
        var seen = new ArrayList<SettingTrials>();
        seen.add(seen(Origin.DEFAULT, gives(trial(plan, Setting.DEFAULT, 1))));
        seen.add(seen(Origin.SPREAD, gives(trial(plan, best, 2))));
        var why = new ArrayList<String>();
        for (Optional<Proposal> next = taken(plan, seen).next();
                next.isPresent();
                next = taken(plan, seen).next()) {
            Proposal p = next.get();
            assertThat(refused(p.setting())).as(p.why()).isEmpty();
            why.add(p.why());
            seen.add(seen(p.origin(), gives(trial(plan, p.setting(), seen.size() + 1))));
        }
        assertThat(why).contains("the best without compression and compression.min, to see what that gives");
    }

    /** Every knob gives something. */
    private static TrialOutcome gives(TrialOutcome o) {
        Setting s = o.spec().setting();
        return Tamper.faster(
                o,
                (is(s, "jvm.gc", "g1") ? 1.1 : 1)
                        * (is(s, "jvm.gc.g1.region", "16m") ? 1.1 : 1)
                        * (is(s, "compression", "true") ? 1.1 : 1)
                        * (is(s, "compression.min", "4096") ? 1.1 : 1)
                        * (is(s, "threads.min", "400") ? 1.1 : 1));
    }

    /**
     * 50 threads that are held for 50 ms, and CPUs that give 4,000 requests a second: 200 threads by the law, and some to spare. Noise
     * makes fewer look as good now and then.
     */
    @Test
    void noSimplerFormHasFewerThreadsThanTheLawOfThePoolAsksFor() {
        Simulated server = Simulated.server(50, 0.050, 0.0005, 2, 400);
        Plan plan = server.plan(
                List.of(
                        KnobRange.interval("threads.max", 10, 1000),
                        KnobRange.choices("jvm.gc", List.of("g1", "parallel"))),
                Objective.DEFAULT,
                new Budget(16, Duration.ofHours(3), 3));
        int proposed = 0;
        for (int seed = 0; seed < 60; seed++) {
            Simulated noisy = server.noise(0.05).seed(seed);
            var seen = new ArrayList<SettingTrials>();
            for (String threads : List.of("50", "150", "190", "230", "280", "360", "400", "900")) {
                Setting s = threads.equals("50") ? Setting.DEFAULT : Setting.of("threads.max", threads);
                var spec = new TrialSpec(Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, plan.target(), s, plan.load());
                seen.add(seen(Origin.SPREAD, noisy.run(seen.size() + 1, spec)));
            }
            for (Optional<Proposal> p :
                    List.of(taken(plan, seen).next(), taken(plan, seen).smallerPool())) {
                OptionalLong threads = p.stream()
                        .flatMap(x -> x.setting().get("threads.max").stream())
                        .mapToLong(Long::parseLong)
                        .findFirst();
                if (threads.isPresent()) {
                    proposed++;
                    assertThat(threads.getAsLong()).as("seed %s", seed).isGreaterThanOrEqualTo(220);
                }
            }
        }
        assertThat(proposed).isGreaterThan(20);
    }

    private static KnobAblation taken(Plan plan, List<SettingTrials> seen) {
        var surface = new TrialSurface(plan, new Scoring(plan.objective()), seen, SearchPart.ALL);
        Posterior belief = new SurfaceSearch(plan, SearchPart.ALL).belief(plan.objective(), seen);
        return new KnobAblation(seen, surface, belief, new NoveltyFilter(surface.space(), seen));
    }

    /** What can't be set was never launched, so it did not fail to start. */
    @Test
    void whatWasNotLaunchedIsNotSaidToHaveNotStarted() {
        TrialOutcome o = Tamper.failed(trial(plan(), Setting.DEFAULT, 1), Kind.IMPOSSIBLE_SETTING, "no");
        assertThat(AttemptStatus.failure(o)).contains("could not take its setting");
    }

    private static TrialOutcome trial(Plan plan, Setting s, int ordinal) {
        var spec = new TrialSpec(Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, plan.target(), s, plan.load());
        return SERVER.noise(0.002).run(ordinal, spec);
    }

    private static SettingTrials seen(Origin origin, TrialOutcome o) {
        return TriedSettings.of(o.spec().setting(), origin, List.of(o));
    }

    /** Requests fail unless the backlog is long. */
    private static TrialOutcome failing(TrialOutcome o) {
        boolean good = is(o.spec().setting(), "backlog", "4000");
        Measurement m = o.measurement().orElseThrow();
        return good
                ? o
                : Tamper.measured(
                        o,
                        Tamper.errors(m, m.responses(), Map.of(ErrorKind.CONNECT_TIMEOUT, m.responses() / 100)),
                        o.verdict());
    }

    /** A knob that gives nothing goes, though one beside it gives nothing either and has to stay for the limit on errors. */
    @Test
    void whatTheLimitsNeedStaysAndTheRestGoes() {
        Plan plan = plan(
                KnobRange.interval("threads.max", 50, 1000),
                KnobRange.choices("backlog", List.of("200", "4000")),
                KnobRange.choices("tcp.nodelay", List.of("false")));
        Setting threads = Setting.of("threads.max", "800");
        Setting best = threads.with("backlog", "4000").with("tcp.nodelay", "false");
        List<Setting> tried = List.of(
                Setting.DEFAULT,
                best,
                threads,
                Setting.of("threads.max", "400").with("tcp.nodelay", "false"),
                Setting.of("threads.max", "600").with("backlog", "4000"),
                Setting.of("threads.max", "300").with("backlog", "200"),
                Setting.of("threads.max", "500").with("backlog", "4000").with("tcp.nodelay", "false"));
        var seen = new ArrayList<SettingTrials>();
        tried.forEach(s -> seen.add(seen(Origin.SPREAD, failing(trial(plan, s, seen.size() + 1)))));
        assertThat(taken(plan, seen).next()).hasValueSatisfying(p -> {
            assertThat(p.origin()).isEqualTo(Origin.SIMPLER);
            assertThat(p.setting().get("tcp.nodelay")).isEmpty();
            assertThat(p.setting().get("backlog")).contains("4000");
        });
    }
}
