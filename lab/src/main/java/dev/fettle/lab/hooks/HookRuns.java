package dev.fettle.lab.hooks;

import dev.fettle.lab.hooks.RunningHooks.Numbered;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.trial.HookOutcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the outcomes of a trial's hooks, one each: a hook that was up and then failed counts as failed. */
public final class HookRuns {
    private final Map<Numbered, HookOutcome> runs = new LinkedHashMap<>();

    void done(Numbered hook, Duration took) {
        runs.put(hook, new HookOutcome(hook.where(), hook.number(), took, Optional.empty()));
    }

    /** @param took ignored if it was up before, as then its time to ready counts */
    void failed(Numbered hook, Duration took, TrialFailure why) {
        Duration until =
                Optional.ofNullable(runs.get(hook)).map(HookOutcome::took).orElse(took);
        runs.put(
                hook,
                new HookOutcome(
                        hook.where(),
                        hook.number(),
                        until,
                        Optional.of(why.asFailure().message())));
    }

    /** In the order in which the hooks ran. */
    public List<HookOutcome> all() {
        return List.copyOf(runs.values());
    }
}
