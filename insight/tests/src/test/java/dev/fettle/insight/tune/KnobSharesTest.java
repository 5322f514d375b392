package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of each knob of a winner is what was measured of it. */
class KnobSharesTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final Plan PLAN = SERVER.plan(
            List.of(
                    KnobRange.interval("threads.max", 4, 1024),
                    KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
                    KnobRange.interval("backlog", 50, 4000)),
            Objective.DEFAULT,
            Budget.DEFAULT);
    private static final Scoring SCORING = new Scoring(PLAN.objective());
    private static final Setting WINNER =
            Setting.of("threads.max", "300").with("jvm.gc", "parallel").with("backlog", "2000");

    private static SettingTrials seen(Setting s, int trials, Optional<String> failure, UnaryOperator<TrialOutcome> as) {
        var spec = new TrialSpec(Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, PLAN.target(), s, PLAN.load());
        double gives = s.get("jvm.gc").filter("parallel"::equals).isPresent() ? 1.2 : 1;
        return TriedSettings.of(
                        s,
                        Origin.SPREAD,
                        IntStream.rangeClosed(1, trials)
                                .mapToObj(i -> as.apply(Tamper.faster(SERVER.run(7 * s.hashCode() + i, spec), gives)))
                                .toList())
                .withFailure(failure);
    }

    private static List<KnobShare> shares(SettingTrials withoutCollector) {
        List<SettingTrials> all = List.of(
                seen(Setting.DEFAULT, 2, Optional.empty(), o -> o),
                seen(WINNER, 5, Optional.empty(), o -> o),
                withoutCollector,
                seen(
                        Setting.of("jvm.gc", "parallel").with("backlog", "2000"),
                        0,
                        Optional.of("ran out of memory"),
                        o -> o));
        return KnobShares.of(new TrialSurface(PLAN, SCORING, all, SearchPart.ALL), SCORING, all, WINNER);
    }

    private static final Setting WITHOUT = Setting.of("threads.max", "300").with("backlog", "2000");

    private static KnobShare of(String knob, List<KnobShare> all) {
        return all.stream().filter(s -> s.knob().equals(knob)).findFirst().orElseThrow();
    }

    @Test
    void onlyWhatWasMeasuredHasAnInterval() {
        List<KnobShare> shares = shares(seen(WITHOUT, 2, Optional.empty(), o -> o));
        KnobShare gc = of("jvm.gc", shares);
        assertThat(gc.measured()).isEqualTo(2);
        assertThat(gc.ratio().method()).isEqualTo(Interval.Method.STUDENT);
        assertThat(gc.ratio().contains(1.2)).isTrue();
        assertThat(gc.ratio().level()).as("of three knobs").isCloseTo(1 - 0.05 / 3, within(1e-12));
        KnobShare backlog = of("backlog", shares);
        assertThat(backlog.measured()).isZero();
        assertThat(backlog.ratio().bounded()).isFalse();
        assertThat(of("threads.max", shares).trouble()).contains("the target ran out of memory");
        assertThat(KnobShares.words(shares, SCORING.figure()).orElseThrow())
                .startsWith("What each knob of it gives on top of the others, in throughput: ")
                .contains("threads.max=300 without it the target ran out of memory")
                .contains("backlog=2000 was never measured without it alone (by the model of all trials times 1.0")
                .containsPattern("jvm.gc=parallel times 1\\.[12]\\d* \\(interval 1\\.[0-9]+ to 1\\.[0-9]+, measured"
                        + " without it in 2 trials\\)")
                .doesNotContain("perhaps nothing");
    }

    /** A trial in which requests failed does not tell how fast the winner is without the knob. */
    @Test
    void aTrialThatBreaksALimitMeasuresNothing() {
        KnobShare gc = of("jvm.gc", shares(seen(WITHOUT, 2, Optional.empty(), o -> {
            Measurement m = o.measurement().orElseThrow();
            Map<ErrorKind, Long> errors = Map.of(ErrorKind.READ_TIMEOUT, m.responses() / 50);
            return Tamper.measured(o, Tamper.errors(m, m.responses(), errors), o.verdict());
        })));
        assertThat(gc.measured()).isZero();
        assertThat(gc.ratio().bounded()).isFalse();
        assertThat(gc.trouble().orElseThrow()).startsWith("it breaks the limit on errors (");
    }

    /** Trials of the warm JVM led to the winner: where both sides have trials of their own JVMs, these are compared. */
    @Test
    void freshJvmsAreComparedWhereBothSidesHaveThem() {
        List<SettingTrials> all = List.of(
                seen(Setting.DEFAULT, 2, Optional.empty(), o -> o),
                seen(WINNER, 4, Optional.empty(), firstIsWarm()),
                seen(WITHOUT, 3, Optional.empty(), firstIsWarm()));
        KnobShare gc =
                of("jvm.gc", KnobShares.of(new TrialSurface(PLAN, SCORING, all, SearchPart.ALL), SCORING, all, WINNER));
        assertThat(gc.measured()).isEqualTo(2);
        assertThat(gc.ratio().contains(1.2)).isTrue();
        assertThat(KnobShares.words(List.of(gc), SCORING.figure()).orElseThrow())
                .endsWith(
                        " The intervals hold together at 95 %, but are not corrected for the choice of the winner: trials that"
                                + " led to it are among those they are of.");
    }

    private static UnaryOperator<TrialOutcome> firstIsWarm() {
        var n = new AtomicInteger();
        return o -> n.getAndIncrement() > 0
                ? o
                : Simulated.with(
                        Tamper.faster(o, 1.5),
                        e -> e.withConditions(
                                Conditions.ALONE.withWarm(Optional.of(new Conditions.Warm("a", 2, Set.of())))));
    }
}
