package dev.fettle.insight;

import dev.fettle.model.Secrets;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.TrialSpec;
import dev.fettle.model.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Turns a strategy that thinks in slots, places for one valid trial each, into one that answers a bare history of attempts.
 *
 * <p>The rule for void attempts is fixed beforehand and the same everywhere: an attempt that is void for reasons that may
 * pass is repeated at once, up to {@value #RETRIES} times; any other void or failed attempt ends its slot without a result.
 * So no one can look at a result and then decide to run it again.
 */
final class Slots {
    static final int RETRIES = 2;

    private Slots() {}

    /**
     * A place for one valid trial.
     *
     * @param purpose for the progress line
     * @param origin where its setting comes from, for tables
     */
    record Slot(TrialSpec spec, String purpose, String origin) {}

    /** A slot with all its attempts; the last one is the result if it is valid. */
    record Filled(Slot slot, List<TrialOutcome> attempts) {
        Filled {
            attempts = List.copyOf(attempts);
        }

        Optional<TrialOutcome> valid() {
            return attempts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(attempts.getLast()).filter(TrialOutcome::valid);
        }

        int voids() {
            return attempts.size() - (valid().isPresent() ? 1 : 0);
        }

        /** Why the slot has no result. */
        Optional<String> problem() {
            return valid().isPresent() || attempts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Slots.problem(attempts.getLast()));
        }
    }

    /** Which slot comes next; a pure function of the filled ones. */
    interface Script {
        Optional<Slot> next(List<Filled> filled);

        /** Whether a slot's attempts may go on, by what else the strategy is bound to (its budget). */
        default boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
            return true;
        }
    }

    /** A script that is a list. Attempts are repeated as long as what was announced is kept: see {@link RunLength}. */
    static Script fixed(List<Slot> slots) {
        return new Script() {
            @Override
            public Optional<Slot> next(List<Filled> filled) {
                return filled.size() < slots.size() ? Optional.of(slots.get(filled.size())) : Optional.empty();
            }

            @Override
            public boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
                double spent = seconds(attempts)
                        + filled.stream()
                                .mapToDouble(f -> seconds(f.attempts()))
                                .sum();
                return RunLength.of(slots.size(), attempts.getFirst().spec().load())
                        .leavesRoom(spent, slots.size() - filled.size());
            }
        };
    }

    private static double seconds(List<TrialOutcome> attempts) {
        return attempts.stream().mapToDouble(t -> t.took().toNanos() / 1e9).sum();
    }

    /**
     * Where a history stands.
     *
     * @param pending the slot that wants another attempt; empty at the end
     */
    record Progress(List<Filled> filled, Optional<Slot> pending) {}

    /**
     * Deals a history out to the slots.
     *
     * @throws IllegalArgumentException if the history is another plan's
     */
    static Progress replay(Script script, List<TrialOutcome> seen) {
        var filled = new ArrayList<Filled>();
        int at = 0;
        while (true) {
            List<Filled> before = Collections.unmodifiableList(filled);
            Optional<Slot> slot = script.next(before);
            if (slot.isEmpty()) {
                return new Progress(List.copyOf(filled), slot);
            }
            var attempts = new ArrayList<TrialOutcome>();
            do {
                if (at == seen.size()) {
                    return new Progress(List.copyOf(filled), slot);
                }
                TrialOutcome attempt = seen.get(at++);
                check(slot.get().spec(), attempt, at);
                attempts.add(attempt);
            } while (repeatable(attempts) && script.mayRetry(before, List.copyOf(attempts)));
            filled.add(new Filled(slot.get(), attempts));
        }
    }

    /**
     * The next step of an experiment whose slots are known from the beginning.
     *
     * @param conclusion what the slots say once all are filled
     * @throws IllegalArgumentException if the history is another plan's
     */
    static Experiment.Step next(
            List<Slot> slots, List<TrialOutcome> seen, Function<List<Filled>, Conclusion> conclusion) {
        Progress progress = replay(fixed(slots), seen);
        return progress.pending()
                .<Experiment.Step>map(slot -> new Experiment.Step.Run(
                        slot.spec(),
                        slot.purpose(),
                        slots.size() - progress.filled().size()))
                .orElseGet(() -> new Experiment.Step.Stop(conclusion.apply(progress.filled())));
    }

    /** One line on an attempt that gave no result. */
    static String problem(TrialOutcome attempt) {
        return attempt.failure()
                .map(TrialOutcome.Failure::message)
                .or(() -> attempt.verdict().reasons().stream().findFirst().map(r -> r.rule() + ": " + r.message()))
                .orElse("no measurement");
    }

    private static boolean repeatable(List<TrialOutcome> attempts) {
        return attempts.size() <= RETRIES && passing(attempts.getLast());
    }

    /** Whether an attempt is void for reasons that may be gone the next time, all of them. */
    static boolean passing(TrialOutcome attempt) {
        return !attempt.valid()
                && attempt.failure().map(f -> f.kind().passing()).orElse(true)
                && !attempt.verdict().reasons().isEmpty()
                && attempt.verdict().reasons().stream().allMatch(Verdict.Reason::passing);
    }

    private static void check(TrialSpec unredacted, TrialOutcome attempt, int ordinal) {
        TrialSpec had = attempt.spec();
        TrialSpec wanted = Secrets.redact(unredacted); // as journalled ones are
        boolean same = had.phase() == wanted.phase()
                && had.variant().equals(wanted.variant())
                && had.point().equals(wanted.point())
                && had.block() == wanted.block()
                && had.setting().equals(wanted.setting());
        if (!same) {
            throw new IllegalArgumentException(
                    "trial " + ordinal + " of the run is " + name(had) + ", but this plan would have run "
                            + name(wanted) + " there: the plan has been changed since, so start a new run");
        }
    }

    private static String name(TrialSpec s) {
        return (s.phase() + " " + s.variant() + " " + s.point() + " block " + s.block() + ", " + s.setting())
                .replace("  ", " ");
    }
}
