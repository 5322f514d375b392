package dev.fettle.model.trial;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of one trial, as journalled.
 *
 * @param ordinal position in the run, from 1
 * @param took wall-clock time of the whole trial
 * @param warmUp length of the warm-up
 * @param evidence what was watched; of a target that failed under load, the figures over time until then
 * @param failure why the trial gave no measurement: one line; empty if it gave one
 * @param verdict valid or void; a trial that failed is void
 * @param hooks outcomes of the plan's hooks, in the order in which they were run; hooks that run once are listed with
 *     the first trial of a run, or the first after an interruption
 */
@RecordBuilder
public record TrialOutcome(
        int ordinal,
        TrialSpec spec,
        Instant started,
        Duration took,
        Duration warmUp,
        Optional<Measurement> measurement,
        Optional<Evidence> evidence,
        Optional<Failure> failure,
        Verdict verdict,
        List<HookOutcome> hooks)
        implements TrialOutcomeBuilder.With {
    public TrialOutcome {
        hooks = List.copyOf(hooks);
    }

    /** A copy with more notes in its evidence, if it has any. */
    public TrialOutcome noted(List<String> notes) {
        return withEvidence(evidence.map(e -> e.noted(notes)));
    }

    /** What was seen, if the trial came to its end. */
    public Optional<Observation> observation() {
        return measurement.flatMap(m -> evidence.map(e -> new Observation(m, e)));
    }

    /** Whether the trial may be used for conclusions. */
    public boolean valid() {
        return verdict.valid() && measurement.isPresent();
    }

    /** Whether its target was to be started without load, and came up. */
    public boolean cameUp() {
        return spec.phase() == TrialSpec.Phase.START && failure.isEmpty() && verdict.valid();
    }

    /**
     * Why a trial gave no measurement.
     *
     * @param kind what went wrong
     * @param message one line for the user, with the target's last output
     * @param seen what the watch saw of it, such as a deadlock in a thread dump
     * @param during the stage in which it went wrong; empty: before the first
     * @param knobs whose values are not in force; empty: it is not about that
     */
    public record Failure(
            Kind kind, String message, List<Sighting> seen, Optional<TrialStage> during, List<String> knobs) {
        public Failure {
            seen = List.copyOf(seen);
            knobs = List.copyOf(knobs);
        }

        /** A failure without sightings. */
        public Failure(Kind kind, String message) {
            this(kind, message, List.of());
        }

        /** A failure before the first stage. */
        public Failure(Kind kind, String message, List<Sighting> seen) {
            this(kind, message, seen, Optional.empty(), List.of());
        }

        /** The same in a stage. */
        public Failure during(TrialStage stage) {
            return new Failure(kind, message, seen, Optional.of(stage), knobs);
        }
    }

    /** What went wrong. */
    public enum Kind {
        /** The setting breaks a constraint; found before launch or refused by the server. */
        IMPOSSIBLE_SETTING,
        /** The target could not be started, or exited before it was ready. */
        DID_NOT_START,
        /** It started but never gave the expected answer. */
        NEVER_READY,
        /** It answered, but not what the plan expects (a 404, an empty body). */
        WRONG_ANSWER,
        /** It died under load. */
        DIED,
        /** It ran out of memory under load. */
        OUT_OF_MEMORY,
        /** It could not create a thread: a limit on processes or memory maps, not the heap. */
        PROCESS_LIMIT,
        /** It stopped answering under load. */
        HUNG,
        /** A value read back from the running target differs from the one that was set. */
        NOT_EFFECTIVE,
        /** A hook of the plan failed, or a background hook ended: that says nothing about the setting. */
        HOOK,
        /** Something on Fettle's side: no port, no disk. */
        LAB;

        /** Whether the cause has nothing to do with the target and its setting, so that a re-run makes sense. */
        public boolean passing() {
            return this == LAB || this == HOOK;
        }
    }
}
