package dev.fettle.insight.trials;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.GiveUp;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Adapts a strategy that plans slots, each a place for one valid trial, to a plain history of attempts.
 *
 * <p>The rule for void attempts is fixed in advance, so no result can prompt a re-run:
 *
 * <ul>
 *   <li>An attempt that is void for a temporary reason is repeated at once, up to {@value #RETRIES} times; any other void or
 *       failed attempt ends its slot without a result.
 *   <li>Both slots of a pair are repeated or neither, and only for causes outside the target; what a target did itself (it
 *       drifted, it failed) is its outcome.
 *   <li>In a sweep or comparison so is one whose target did not start: a start is short, and whether it is the setting's doing is told by
 *       the counts.
 *   <li>A warm-up that reaches its bound raises it: all later attempts get {@value #LONGER} times as much. The attempt itself is
 *       repeated, unless the experiment takes it as it is ({@link Script#warmsUpAgain}).
 * </ul>
 */
public final class TrialSlots {
    public static final int RETRIES = 2;

    /** Factor by which the warm-up's bound is raised, once. */
    public static final int LONGER = 2;

    private TrialSlots() {}

    /**
     * A place for one valid trial.
     *
     * @param purpose for the progress line
     * @param origin where its setting came from
     * @param beside the second side of a pair, which has none itself
     * @param warm where it runs in the warm JVM that the search keeps
     * @param giveUp when an attempt may be ended early; never that of a pair, nor one in the warm JVM
     */
    public record Slot(
            TrialSpec spec,
            String purpose,
            Origin origin,
            Optional<Slot> beside,
            Optional<Warm> warm,
            Optional<GiveUp> giveUp) {
        public Slot(TrialSpec spec, String purpose, Origin origin) {
            this(spec, purpose, origin, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** A pair of this slot and another. */
        public Slot with(Slot other) {
            return new Slot(spec, purpose, origin, Optional.of(other), Optional.empty(), Optional.empty());
        }

        /** The same in the warm JVM that the search keeps. */
        public Slot in(Warm jvm) {
            return new Slot(spec, purpose, origin, Optional.empty(), Optional.of(jvm), Optional.empty());
        }

        /** A slot whose attempts may be ended early. */
        public Slot with(Optional<GiveUp> bound) {
            return new Slot(spec, purpose, origin, beside, warm, bound);
        }

        /** The same with another origin. */
        public Slot withOrigin(Origin other) {
            return new Slot(spec, purpose, other, beside, warm, giveUp);
        }

        private Slot alone() {
            return new Slot(spec, purpose, origin);
        }

        private Slot warmedUpLonger() {
            var load = spec.load().withWarmUpAtMost(spec.load().warmUpAtMost().multipliedBy(LONGER));
            return new Slot(spec.withLoad(load), purpose, origin, beside.map(Slot::warmedUpLonger), warm, giveUp);
        }
    }

    /**
     * A warm JVM, see {@link Experiment.Step.Live}.
     *
     * @param launched the setting it is launched with
     * @param settle how long a new setting may take to settle
     */
    public record Warm(Setting launched, Duration settle) {}

    /** A slot with all its attempts; the last one is the result if it is valid. */
    public record Filled(Slot slot, List<TrialOutcome> attempts) {
        public Filled {
            attempts = List.copyOf(attempts);
        }

        public Optional<TrialOutcome> valid() {
            return last().filter(TrialOutcome::valid);
        }

        /** The attempt that was ended early because its setting is surely worse than the best so far. */
        public Optional<TrialOutcome> early() {
            return last().filter(EarlyStopping::is);
        }

        /** The last attempt if it has figures, valid or not; see {@link AttemptStatus#counts()}. */
        public Optional<TrialOutcome> counted() {
            return last().filter(t -> AttemptStatus.of(t).counts());
        }

        /** Whether it has no result for a reason of its target's or its setting's; see {@link AttemptStatus#gaveNothingUsable}. */
        public boolean gaveNothingUsable() {
            return last().filter(AttemptStatus::gaveNothingUsable).isPresent();
        }

        private Optional<TrialOutcome> last() {
            return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
        }

        /** Attempts that came to nothing; one that was ended early did its work. */
        public int voids() {
            return attempts.size() - (valid().isPresent() || early().isPresent() ? 1 : 0);
        }

        /** Why the slot has no result; empty if it has one. */
        public Optional<String> problem() {
            return valid().isPresent() ? Optional.empty() : last().map(TrialSlots::problem);
        }
    }

    /** Chooses the next slot; a pure function of the filled ones. */
    public interface Script {
        /** The next slot, or a pair of them. */
        Optional<Slot> next(List<Filled> filled);

        /** Whether a slot or pair may be retried under the strategy's other constraints (its budget). */
        default boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
            return true;
        }

        /** Whether a slot is tried again because its warm-up reached its bound; a pair is in any case. */
        default boolean warmsUpAgain() {
            return false;
        }

        /** Whether a warm-up that reached its bound raises it for all later attempts. */
        default boolean raisesWarmUps() {
            return true;
        }

        /** Whether a slot whose target did not start is tried again at once. */
        default boolean startsAgain(List<Filled> filled, Slot slot) {
            return false;
        }
    }

    /**
     * A fixed list of slots, and starts without load of what failed to start ({@link GridStarts}). Attempts are repeated, and such starts
     * come, as long as the announced run time is kept, see {@link RunLength}.
     */
    static Script fixed(List<Slot> slots) {
        return new Script() {
            @Override
            public Optional<Slot> next(List<Filled> filled) {
                return filled.size() < slots.size()
                        ? Optional.of(slots.get(filled.size()))
                        : new GridStarts(filled).next().filter(_ -> mayRetry(filled, List.of()));
            }

            @Override
            public boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
                double spent = seconds(attempts) + seconds(attempts(filled));
                // announced before the bound on warm-ups was raised: a later attempt's load has the raised one
                return RunLength.of(slots.size(), slots.getFirst().spec().load())
                        .leavesRoom(spent, Math.max(0, slots.size() - filled.size()));
            }

            @Override
            public boolean warmsUpAgain() {
                return true;
            }

            @Override
            public boolean startsAgain(List<Filled> filled, Slot slot) {
                return slot.spec().phase() != TrialSpec.Phase.START && new GridStarts(filled).mayStartAgain(slot);
            }
        };
    }

    /** All attempts of these slots, in order. */
    public static List<TrialOutcome> attempts(List<Filled> filled) {
        return filled.stream().flatMap(f -> f.attempts().stream()).toList();
    }

    private static double seconds(List<TrialOutcome> attempts) {
        return attempts.stream().mapToDouble(t -> t.took().toNanos() / 1e9).sum();
    }

    /**
     * Where a history stands.
     *
     * @param pending the slot or pair that needs another attempt; empty at the end
     */
    public record Progress(List<Filled> filled, Optional<Slot> pending) {}

    /**
     * Assigns a history to the slots.
     *
     * @throws IllegalArgumentException if the history is another plan's
     */
    public static Progress replay(Script script, List<TrialOutcome> seen) {
        return new Replay(script).of(seen);
    }

    /**
     * Assigns growing histories of one script to its slots: what an earlier one has filled is not assigned again as long as the history
     * begins with the very same outcomes. A new one finds the same as one that was asked before.
     */
    public static final class Replay {
        private final Script script;
        private final List<Filled> filled = new ArrayList<>();
        private final List<TrialOutcome> assigned = new ArrayList<>();

        public Replay(Script script) {
            this.script = script;
        }

        /**
         * Where a history stands.
         *
         * @throws IllegalArgumentException if the history is another plan's
         */
        public synchronized Progress of(List<TrialOutcome> seen) {
            if (!beginsAsBefore(seen)) {
                filled.clear();
                assigned.clear();
            }
            while (true) {
                List<Filled> before = Collections.unmodifiableList(filled);
                Optional<Slot> next = script.next(before);
                if (next.isEmpty()) {
                    return new Progress(List.copyOf(filled), next);
                }
                Optional<Slot> pending = fill(next.get(), before, seen);
                if (pending.isPresent()) {
                    Slot open = pending.get();
                    return new Progress(
                            List.copyOf(filled), Optional.of(script.raisesWarmUps() ? longer(open, seen) : open));
                }
            }
        }

        private boolean startsAgain(Slot slot, List<List<TrialOutcome>> sides, List<Filled> before) {
            List<TrialOutcome> attempts = sides.getFirst();
            return sides.size() == 1
                    && attempts.size() <= RETRIES
                    && StartVerdict.failedToStart(attempts.getLast())
                    && script.startsAgain(before, slot);
        }

        private boolean beginsAsBefore(List<TrialOutcome> seen) {
            return seen.size() >= assigned.size()
                    && IntStream.range(0, assigned.size()).allMatch(i -> seen.get(i) == assigned.get(i));
        }

        /** Takes a slot's attempts from the history; what is pending if there are too few. */
        private Optional<Slot> fill(Slot slot, List<Filled> before, List<TrialOutcome> seen) {
            List<Slot> sides =
                    slot.beside().map(other -> List.of(slot.alone(), other)).orElseGet(() -> List.of(slot));
            List<List<TrialOutcome>> attempts = new ArrayList<>();
            sides.forEach(s -> attempts.add(new ArrayList<>()));
            var all = new ArrayList<TrialOutcome>();
            do {
                for (int side = 0; side < sides.size(); side++) {
                    int at = assigned.size() + all.size();
                    if (at == seen.size()) {
                        // a journal may end with half a pair
                        return Optional.of(side == 0 ? slot : sides.get(side));
                    }
                    TrialOutcome attempt = seen.get(at);
                    check(sides.get(side).spec(), attempt, at + 1);
                    attempts.get(side).add(attempt);
                    all.add(attempt);
                }
            } while ((repeatable(slot, attempts, script.warmsUpAgain()) || startsAgain(slot, attempts, before))
                    && script.mayRetry(before, List.copyOf(all)));
            for (int side = 0; side < sides.size(); side++) {
                filled.add(new Filled(sides.get(side), attempts.get(side)));
            }
            assigned.addAll(all);
            return Optional.empty();
        }
    }

    /** An experiment's slots that are known in advance, and what a growing history has filled of them; see {@link Replay}. */
    public static final class Fixed {
        private final List<Slot> slots;
        private final Replay replay;

        public Fixed(List<Slot> slots) {
            this.slots = List.copyOf(slots);
            this.replay = new Replay(fixed(this.slots));
        }

        /** Their number. */
        public int size() {
            return slots.size();
        }

        /**
         * The next step.
         *
         * @param conclusion drawn once all slots are filled
         * @throws IllegalArgumentException if the history is another plan's
         */
        public Experiment.Step next(List<TrialOutcome> seen, Function<List<Filled>, Conclusion> conclusion) {
            Progress progress = replay.of(seen);
            int filled = progress.filled().size();
            return progress.pending()
                    .map(slot -> step(slot, Math.max(1, slots.size() - filled)))
                    .orElseGet(() -> new Experiment.Step.Stop(conclusion.apply(progress.filled())));
        }

        /** As {@link Experiment#soFar}. */
        public Optional<Conclusion> soFar(List<TrialOutcome> seen, Function<List<Filled>, Conclusion> conclusion) {
            return Optional.of(replay.of(seen).filled())
                    .filter(f -> !f.isEmpty())
                    .map(conclusion);
        }
    }

    /** The step for another attempt at a slot or pair. */
    public static Experiment.Step step(Slot slot, int leftAtMost) {
        var run = new Experiment.Step.Run(slot.spec(), slot.purpose(), leftAtMost, slot.giveUp());
        return slot.beside()
                .<Experiment.Step>map(other -> new Experiment.Step.Pair(
                        run, new Experiment.Step.Run(other.spec(), other.purpose(), Math.max(1, leftAtMost - 1))))
                .or(() -> slot.warm().map(w -> new Experiment.Step.Live(run, w.launched(), w.settle())))
                .orElse(run);
    }

    /** Why an attempt gave no result, in one line. */
    static String problem(TrialOutcome attempt) {
        return attempt.failure()
                .map(TrialOutcome.Failure::message)
                .or(() -> attempt.verdict().reasons().stream().findFirst().map(r -> r.rule() + ": " + r.message()))
                .orElse("no measurement");
    }

    /** Whether an attempt has reached the warm-up's bound, so that later ones have a higher one. */
    public static boolean warmedUpLonger(List<TrialOutcome> seen) {
        return seen.stream().anyMatch(AttemptStatus::coldAtBound);
    }

    private static Slot longer(Slot slot, List<TrialOutcome> seen) {
        return warmedUpLonger(seen) ? slot.warmedUpLonger() : slot;
    }

    private static boolean repeatable(Slot slot, List<List<TrialOutcome>> sides, boolean warmsUpAgain) {
        if (sides.getFirst().size() > RETRIES) {
            return false;
        }
        List<TrialOutcome> last = sides.stream().map(List::getLast).toList();
        List<AttemptStatus> fates = last.stream().map(AttemptStatus::of).toList();
        boolean outside = fates.stream().anyMatch(f -> f == AttemptStatus.OUTSIDE || f == AttemptStatus.DISTURBED);
        boolean cold = last.stream().anyMatch(t -> AttemptStatus.coldAtBound(t) && !longWarmUp(slot, t));
        return last.size() == 1
                ? warmsUpAgain && cold && AttemptStatus.mayPass(last.getFirst())
                        || passing(last.getFirst()) && (outside || !AttemptStatus.coldAtBound(last.getFirst()))
                : (outside || cold)
                        && fates.stream().noneMatch(f -> f == AttemptStatus.FAILED || f == AttemptStatus.VOID);
    }

    private static boolean longWarmUp(Slot slot, TrialOutcome attempt) {
        return attempt.spec().load().warmUpAtMost().compareTo(slot.spec().load().warmUpAtMost()) > 0;
    }

    /** Whether all reasons that void an attempt may be temporary. */
    public static boolean passing(TrialOutcome attempt) {
        return !attempt.valid()
                && attempt.failure().map(f -> f.kind().passing()).orElse(true)
                && !attempt.verdict().reasons().isEmpty()
                && attempt.verdict().reasons().stream().allMatch(Verdict.Reason::passing);
    }

    private static void check(TrialSpec unredacted, TrialOutcome attempt, int ordinal) {
        TrialSpec had = attempt.spec();
        if (same(had, unredacted)) {
            return; // as nearly always: most have no secrets
        }
        TrialSpec wanted = Redaction.of(unredacted); // as in the journal
        if (!same(had, wanted)) {
            throw new IllegalArgumentException("trial " + ordinal + " of the run is " + name(had)
                    + ", but this plan would have run " + name(wanted)
                    + " there: the plan or Fettle has been changed since, so start a new run");
        }
    }

    private static boolean same(TrialSpec had, TrialSpec wanted) {
        return had.phase() == wanted.phase()
                && had.variant().equals(wanted.variant())
                && had.point().equals(wanted.point())
                && had.block() == wanted.block()
                && had.setting().equals(wanted.setting());
    }

    private static String name(TrialSpec s) {
        return (s.phase() + " " + s.variant() + " " + s.point() + " block " + s.block() + ", " + s.setting())
                .replace("  ", " ");
    }
}
