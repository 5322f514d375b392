package dev.fettle.insight.tune;

import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.StartVerdict;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;

/** How much room a tune's budget leaves, after the trials so far. */
final class TuneTime {
    /** Time spent on repeated attempts is added to the budget, up to this share of it. */
    private static final double GRACE = 0.5;

    /** Starts without load may take this share of the budget. */
    private static final double STARTS = 0.4;

    /** Those of a default that has not started yet, this. */
    private static final double STARTS_OF_DEFAULT = 0.05;

    private final Plan plan;
    private final WarmSlots warm;

    TuneTime(Plan plan) {
        this.plan = plan;
        this.warm = new WarmSlots(plan);
    }

    /** See {@link TrialSlots.Script#mayRetry}. */
    boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
        var all = new ArrayList<>(TrialSlots.attempts(filled));
        all.addAll(attempts);
        if (neverCalm(all)) {
            return false;
        }
        boolean duel = attempts.getLast().spec().phase() == Phase.DUEL;
        long more = attempts.stream().map(t -> t.spec().variant()).distinct().count();
        return seconds(all) + more * (duel ? mean(all) : next(filled, all)) <= limit(all)
                && (duel || repeats(filled) + attempts.size() - 1 + more <= mostRepeats());
    }

    /** Attempts before the duel that did not fill a slot. */
    private static long repeats(List<Filled> filled) {
        return filled.stream()
                .filter(f -> !TuneSlots.ofDuel(f))
                .mapToLong(f -> f.attempts().size() - 1)
                .sum();
    }

    /**
     * Repeats come on top of the plan's trials, half as many: a busy machine must not use up the trials for new
     * settings.
     */
    private long mostRepeats() {
        return Math.max(TrialSlots.RETRIES, plan.budget().trials() / 2);
    }

    /**
     * Whether waiting for a calm machine is useless: the last attempts were all disturbed. Then they count as they are.
     */
    private static boolean neverCalm(List<TrialOutcome> all) {
        return all.size() > TrialSlots.RETRIES
                && all.subList(all.size() - TrialSlots.RETRIES - 1, all.size()).stream()
                        .allMatch(t -> AttemptStatus.of(t) == AttemptStatus.DISTURBED);
    }

    /** Pairs that fit into the time left at the beginning of the duel. */
    int pairs(List<Filled> filled) {
        List<TrialOutcome> before = filled.stream()
                .filter(f -> !TuneSlots.duel(f))
                .flatMap(f -> f.attempts().stream())
                .toList();
        double each = 2 * mean(before);
        double affordable =
                each <= 0 ? plan.budget().pairs() : Math.floor((limit(before) - seconds(before)) / each + 1e-9);
        if (affordable < TuneSlots.LEAST_PAIRS && seconds(before) + TuneSlots.LEAST_PAIRS * each <= atMost()) {
            return TuneSlots.LEAST_PAIRS;
        }
        return (int) Math.min(Math.max(plan.budget().pairs(), TuneSlots.LEAST_PAIRS), affordable);
    }

    /** Whether there is time for another pair of the duel. */
    boolean forPair(List<Filled> filled, int block) {
        List<TrialOutcome> all = TrialSlots.attempts(filled);
        return seconds(all) + 2 * mean(all) <= (block < TuneSlots.LEAST_PAIRS ? atMost() : limit(all));
    }

    /** Whether there is time for this many more pairs of the duel. */
    boolean forPairs(List<Filled> filled, int more) {
        List<TrialOutcome> all = TrialSlots.attempts(filled);
        return seconds(all) + 2 * more * mean(all) <= limit(all);
    }

    /** Whether there is time for another start without load: they may take a share of the budget, on top of it. */
    boolean forStart(List<Filled> filled) {
        return forStart(filled, STARTS);
    }

    /** Whether there is time for another start of a default that has not started yet. */
    boolean forStartOfDefault(List<Filled> filled) {
        return forStart(filled, STARTS_OF_DEFAULT);
    }

    private boolean forStart(List<Filled> filled, double share) {
        List<TrialOutcome> starts =
                TrialSlots.attempts(filled.stream().filter(TuneSlots::isStart).toList());
        return seconds(starts) <= share * plan.budget().time().toNanos() / 1e9;
    }

    /** See {@link TuneSlots#trialsLeft}. */
    int trialsLeft(List<Filled> filled) {
        List<Filled> before = filled.stream()
                .filter(f -> !TuneSlots.duel(f) && !TuneSlots.isStart(f))
                .toList();
        List<Filled> own = before.stream()
                .filter(f -> !WarmSlots.isAnchor(f)
                        && !TuneSlots.isLost(f)
                        && f.slot().origin() != Origin.EARLIER)
                .toList();
        int spared = TuneSlots.spared(
                before.stream().flatMap(f -> f.counted().stream()).toList(),
                own.stream().flatMap(f -> f.early().stream()).toList());
        return TuneSlots.trialsLeft(plan, own.size() - spared);
    }

    /**
     * Whether there was time to try one setting and prove it. On a busy machine each trial takes longer than the budget
     * assumed: it waits for calm, and a warm-up may run to its bound. So the minimum that can give an answer may take
     * half as long again.
     */
    boolean hadTimeForOne(List<Filled> filled) {
        return hadTimeFor(filled, 1);
    }

    /** Whether there was time for this many trials and a duel of the fewest pairs. */
    boolean hadTimeFor(List<Filled> filled, int trials) {
        return needed(filled, trials) <= atMost();
    }

    /** Seconds spent, plus what this many trials and a duel of the fewest pairs would take. */
    double needed(List<Filled> filled, int trials) {
        List<TrialOutcome> all = TrialSlots.attempts(filled);
        return seconds(all) + next(filled, all) * trials + mean(all) * 2 * TuneSlots.LEAST_PAIRS;
    }

    /** Whether there is time for one more trial and a duel of this many pairs. */
    boolean timeFor(List<Filled> filled, int pairs) {
        List<TrialOutcome> all = TrialSlots.attempts(filled);
        return seconds(all) + next(filled, all) + mean(all) * 2 * pairs <= limit(all);
    }

    /**
     * Seconds that a tune with these attempts may take. Time lost to a disturbance is not taken from the proof: what
     * void attempts took that were to be repeated is added, up to half of the budget.
     */
    private double limit(List<TrialOutcome> attempts) {
        double budget = plan.budget().time().toNanos() / 1e9;
        double repeated = seconds(attempts.stream()
                .filter(t -> TrialSlots.passing(t)
                        || AttemptStatus.of(t) == AttemptStatus.DISTURBED
                        || t.spec().phase() == Phase.START
                        || StartVerdict.failedToStart(t))
                .toList());
        return budget + Math.min(repeated, GRACE * budget);
    }

    /**
     * Most seconds for the minimum that can give an answer. It exceeds the budget only if the budget is normally
     * enough.
     */
    private double atMost() {
        return (TimeNeeded.of(plan).fits(plan) ? 1 + GRACE : 1)
                * plan.budget().time().toNanos()
                / 1e9;
    }

    static double seconds(List<TrialOutcome> attempts) {
        return attempts.stream().mapToDouble(t -> t.took().toNanos() / 1e9).sum();
    }

    /** Expected length of a trial on a fresh JVM: the mean of those that count, as a failed start is short. */
    private static double mean(List<TrialOutcome> attempts) {
        return attempts.stream()
                .filter(t -> AttemptStatus.of(t).counts() && !WarmJvm.kept(t))
                .mapToDouble(t -> t.took().toNanos() / 1e9)
                .average()
                .orElse(attempts.isEmpty() ? 0 : seconds(attempts) / attempts.size());
    }

    /** Expected length of the next trial of the search; in the warm JVM with its share of the default's trials there. */
    private double next(List<Filled> filled, List<TrialOutcome> all) {
        if (!warm.on(filled)) {
            return mean(all);
        }
        return all.stream()
                        .filter(t -> AttemptStatus.of(t).counts() && WarmJvm.kept(t))
                        .mapToDouble(t -> t.took().toNanos() / 1e9)
                        .average()
                        .orElse(Math.min(
                                mean(all), WarmSlots.length(plan.load()).toNanos() / 1e9))
                * (1 + 1.0 / WarmSlots.EVERY);
    }
}
