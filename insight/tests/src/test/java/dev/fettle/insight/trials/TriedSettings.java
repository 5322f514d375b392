package dev.fettle.insight.trials;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Settings with their trials, for tests: one slot each, and nothing void. */
public final class TriedSettings {
    private TriedSettings() {}

    public static SettingTrials of(Setting s, Origin origin, List<TrialOutcome> valid) {
        return new SettingTrials(
                s,
                origin,
                valid,
                1,
                0,
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                WarmDrift.NONE,
                Optional.empty());
    }
}
