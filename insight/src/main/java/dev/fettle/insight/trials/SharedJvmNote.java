package dev.fettle.insight.trials;

import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import java.util.Optional;

/** What has to be said when the trials of a run are not fresh JVMs. */
public final class SharedJvmNote {
    private SharedJvmNote() {}

    /** A note for the conclusion; empty where each trial has a process of its own. */
    public static Optional<String> note(Plan plan) {
        return plan.target() instanceof Target.Running
                ? Optional.of(
                        "All trials ran in one JVM that had been running before and went on: none is fresh. How much"
                                + " JVMs differ from start to start is in no interval here, and what a trial leaves behind (a grown heap,"
                                + " compiled code, full caches) the next one finds.")
                : Optional.empty();
    }
}
