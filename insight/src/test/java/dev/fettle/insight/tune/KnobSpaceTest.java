package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.WarmDrift;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnobSpaceTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final Plan PLAN = SERVER.plan(
            List.of(KnobRange.interval("threads.max", 4, 1024), KnobRange.interval("backlog", 50, 4000)),
            Objective.DEFAULT,
            Budget.DEFAULT);

    private static TrialOutcome trial(Setting s) {
        return SERVER.run(
                1, new TrialSpec(Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, PLAN.target(), s, PLAN.load()));
    }

    private static SettingTrials seen(Setting s, List<TrialOutcome> valid, Optional<String> failure) {
        return new SettingTrials(
                s,
                "spread",
                valid,
                1,
                0,
                Optional.empty(),
                failure,
                Set.of(),
                Optional.empty(),
                WarmDrift.NONE,
                Optional.empty());
    }

    private static SettingTrials measured(Setting s) {
        return seen(s, List.of(trial(s)), Optional.empty());
    }

    /** What the target's own files set counts, too: with virtual threads a pool's size does nothing. */
    @Test
    void aKnobThatTheTargetsOwnConfigurationSwitchesOffHasNoCoordinate() {
        for (boolean virtual : new boolean[] {true, false}) {
            Setting own = virtual ? Setting.of("threads.virtual", "true") : Setting.DEFAULT;
            Plan plan = PLAN.on(
                    new Target.Boot("/srv/app.jar", ServerKind.TOMCAT, "3.5.16", List.of(), Target.Jvm.SAME, own));
            var space = new KnobSpace(plan, measured(Setting.DEFAULT));
            assertThat(Double.isNaN(
                            space.at(Setting.of("threads.max", "100")).at().getFirst()))
                    .isEqualTo(virtual);
        }
    }

    /** A crash leaves no values to read back: the knobs that it did not set were at the default's. */
    @Test
    void aCrashIsLearnedWhereItHappened() {
        SettingTrials base = measured(Setting.DEFAULT);
        Setting large = Setting.of("backlog", "4000");
        SettingTrials crashed = seen(large, List.of(), Optional.of("crashed"));
        var space = new KnobSpace(PLAN, base);
        assertThat(space.at(crashed)).isEqualTo(space.at(large));

        Setting near = Setting.of("backlog", "3900");
        var surface = new TrialSurface(PLAN, new Scoring(PLAN.objective()), List.of(base, crashed));
        assertThat(surface.feasible(near)).isLessThan(surface.feasible(Setting.of("backlog", "60")));
        assertThat(new TrialSurface(PLAN, new Scoring(PLAN.objective()), List.of(base)).feasible(near))
                .isGreaterThan(surface.feasible(near));
    }
}
