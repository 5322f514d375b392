package dev.fettle.insight;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A strategy: given the trials so far, which trial next, or stop with a conclusion?
 *
 * <p>Implementations are pure functions of their construction arguments (plan, seed) and {@code seen}: the same
 * history always gets the same answer. A run therefore resumes by replaying its journal, and a recorded response surface can
 * stand in for a lab.
 */
public interface Experiment {

    /**
     * The next step.
     *
     * @param seen every attempt so far, in order, void and failed ones included
     */
    Step next(List<TrialOutcome> seen);

    /**
     * What would be concluded if nothing more came. Only to be shown, marked as not final: what decides is what {@link #next} stops with.
     *
     * @param seen as for {@link #next}
     * @return empty if nothing can be said yet
     */
    default Optional<Conclusion> soFar(List<TrialOutcome> seen) {
        return Optional.empty();
    }

    /** A strategy's decision. */
    sealed interface Step {

        /**
         * Run this trial.
         *
         * @param purpose one phrase for the progress line: "predicted from holding time", "duel pair 3 of 5"
         * @param leftAtMost upper bound on the trials still to come, this one included, if none is void or ended early; 0 if unknown
         * @param giveUp when it may be ended early; empty: it runs to its end
         */
        record Run(TrialSpec spec, String purpose, int leftAtMost, Optional<GiveUp> giveUp) implements Step {
            /** A trial that runs to its end. */
            public Run(TrialSpec spec, String purpose, int leftAtMost) {
                this(spec, purpose, leftAtMost, Optional.empty());
            }
        }

        /**
         * Run two trials as a pair: if possible with both targets up and loaded in turn, in slices; otherwise one after the
         * other. Gives two outcomes, in this order, journalled together.
         */
        record Pair(Run first, Run second) implements Step {}

        /** Run this trial on the one target that the run keeps for all its trials; the first trial launches it. */
        record Kept(Run run, Probing probing) implements Step {}

        /**
         * Run this trial in the one warm JVM that the search keeps: its knobs are set there while it runs, and read back, and a
         * short settling takes the place of launch and warm-up. The first such trial launches that JVM, and so does one that finds
         * it gone.
         *
         * @param launched the setting that the JVM is launched with
         * @param settle how long a new setting may take to settle
         */
        record Live(Run run, Setting launched, Duration settle) implements Step {}

        /** Stop: enough is known. */
        record Stop(Conclusion conclusion) implements Step {}
    }
}
