package dev.fettle.lab.hooks;

import dev.fettle.lab.hooks.RunningHooks.Numbered;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.trial.HookOutcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What became of the hooks around a trial, each once: one that was up and then failed has failed. */
public final class HookRuns {
    private final Map<Numbered, HookOutcome> runs = new LinkedHashMap<>();

    void done(Numbered hook, Duration took) {
        runs.put(hook, new HookOutcome(hook.where(), hook.number(), took, Optional.empty()));
    }

    /** @param took if it was up before, the time that it took to be ready counts */
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

    /** In the order in which they were run. */
    public List<HookOutcome> all() {
        return List.copyOf(runs.values());
    }
}
