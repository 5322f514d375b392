package dev.fettle.insight.tune;

import dev.fettle.insight.gate.AdvisoryNotes;
import dev.fettle.insight.gate.Steal;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.StartVerdict;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.WarmDrift;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A tune's slots: how they are told apart, and what they say of each setting. */
final class TuneSlots {
    /** Fewest pairs of a duel. */
    static final int LEAST_PAIRS = 3;

    /** Fewest trials that can show anything: the default, one other setting, and the pairs. */
    static final int LEAST_TRIALS = 2 + 2 * LEAST_PAIRS;

    static final String BASELINE = "baseline";
    static final String CANDIDATE = "candidate";

    private TuneSlots() {}

    static Phase phase(Filled f) {
        return f.slot().spec().phase();
    }

    /** Whether it is a trial of the duel; one of a duel or pair that was left is none, see {@link #settled}. */
    static boolean duel(Filled f) {
        return ofDuel(f) && !left(f) && !repeated(f);
    }

    /** Whether it was a trial of a duel. */
    static boolean ofDuel(Filled f) {
        return phase(f) == Phase.DUEL;
    }

    /** Whether a target was started, without load, to see whether it starts. */
    static boolean isStart(Filled f) {
        return phase(f) == Phase.START;
    }

    /** Whether it is a trial of a pair of the duel that was repeated, as a side did not start and that was not the candidate's doing. */
    static boolean repeated(Filled f) {
        return f.slot().origin() == Origin.REPEATED;
    }

    /** Whether it is a trial of a duel that was left because its candidate broke. */
    static boolean left(Filled f) {
        return f.slot().origin() == Origin.LEFT;
    }

    /** Whether it is a trial of a pair before the duel: of the last comparison before a tune gives up, or of a duel that was left. */
    static boolean isAgain(Filled f) {
        return f.slot().origin() == Origin.AGAIN || left(f) || repeated(f);
    }

    /**
     * The slots with all duels but the last candidate's marked as left, and that as well if something else was tried after it: what was
     * measured there counts as the search's.
     */
    static List<Filled> settled(List<Filled> filled, Setting byDefault) {
        Optional<Setting> last = candidates(filled).reversed().stream().findFirst();
        if (last.isEmpty()) {
            return filled;
        }
        boolean over = filled.reversed().stream().takeWhile(f -> !duel(f)).anyMatch(f -> phase(f) == Phase.SEARCH);
        return over ? leave(filled, Optional.empty()) : withoutFailedStarts(leave(filled, last), last.get(), byDefault);
    }

    /**
     * The slots with each pair of the duel marked as repeated in which the default did not start, or the candidate did not and fails no
     * more often than the default.
     */
    private static List<Filled> withoutFailedStarts(List<Filled> filled, Setting candidate, Setting byDefault) {
        if (filled.stream().noneMatch(f -> duel(f) && notStarted(f))) {
            return filled;
        }
        boolean blameless = StartCheck.of(filled, candidate, byDefault).is(StartCheck.State.CLEARED);
        var all = new ArrayList<>(filled);
        for (int i = 0; i + 1 < all.size(); i++) {
            Filled one = all.get(i);
            if (!duel(one)) {
                continue;
            }
            List<Filled> pair = List.of(one, all.get(i + 1));
            boolean lost = pair.stream().anyMatch(TuneSlots::notStarted)
                    && pair.stream()
                            .filter(TuneSlots::notStarted)
                            .allMatch(
                                    f -> blameless || !f.slot().spec().setting().equals(candidate));
            for (int side = 0; lost && side < 2; side++) {
                Filled f = pair.get(side);
                all.set(i + side, new Filled(f.slot().withOrigin(Origin.REPEATED), f.attempts()));
            }
            i++;
        }
        return all;
    }

    /** Whether its target did not start in the last attempt. */
    static boolean notStarted(Filled f) {
        return !f.attempts().isEmpty()
                && StartVerdict.failedToStart(f.attempts().getLast());
    }

    /** The slots with every duel so far marked as left, but for that of a setting. */
    static List<Filled> leave(List<Filled> filled, Optional<Setting> butThat) {
        List<Setting> candidates = candidates(filled);
        if (candidates.stream().allMatch(s -> butThat.equals(Optional.of(s)))) {
            return filled;
        }
        var all = new ArrayList<Filled>(filled.size());
        int sides = 0;
        for (Filled f : filled) {
            boolean leaves = duel(f) && !butThat.equals(Optional.of(candidates.get(sides++ / 2)));
            all.add(leaves ? new Filled(f.slot().withOrigin(Origin.LEFT), f.attempts()) : f);
        }
        return all;
    }

    /** The candidate of each pair of the duels, in order. */
    private static List<Setting> candidates(List<Filled> filled) {
        return filled.stream()
                .filter(f -> duel(f) && f.slot().spec().variant().equals(CANDIDATE))
                .map(f -> f.slot().spec().setting())
                .toList();
    }

    /**
     * Whether it is one of the default's trials before it had figures, void for reasons that may pass. It is no more a trial of the
     * budget than a repeat is.
     */
    static boolean isLost(Filled f) {
        return phase(f) == Phase.BASELINE
                && !WarmSlots.isAnchor(f)
                && f.counted().isEmpty()
                && !f.attempts().isEmpty()
                && AttemptStatus.mayPass(f.attempts().getLast());
    }

    /** Whether others were at work while it was measured, even if they did little enough for it to be valid. */
    static boolean unquiet(TrialOutcome t) {
        double share = t.evidence()
                .map(e -> Math.max(
                        e.get(Aggregate.FOREIGN_CPU).orElse(0),
                        Steal.of(t)
                                .map(Steal::share)
                                .orElse(e.get(Aggregate.STEAL).orElse(0))))
                .orElse(0.0);
        AttemptStatus fate = AttemptStatus.of(t);
        return fate == AttemptStatus.DISTURBED
                || fate == AttemptStatus.OUTSIDE && t.failure().isEmpty()
                || share > AdvisoryNotes.BESIDE;
    }

    /**
     * Trials set aside for the race: a third of the search, at most four. None if there are several knobs, whose model already shrinks
     * a lucky trial by all others: there another setting tells more than the best once more. What the search leaves over is raced. But of
     * several a sixth if two metrics are traded, since the points of a front are told apart by what repeats differ, or if a latency is
     * limited: how sure a setting is to meet the limit is told by repeats alone.
     */
    static int raceReserve(Plan plan, Set<SearchPart> parts) {
        boolean several = plan.knobs().size() > 1;
        return !parts.contains(SearchPart.RACE)
                        || several
                                && plan.objective().against().isEmpty()
                                && !plan.objective().limitsLatency()
                ? 0
                : Math.min(4, plan.budget().trials() / (several ? 6 : 3));
    }

    /**
     * Trials that the budget leaves for everything before the duel, after this many slots. Repeats of void ones are not
     * counted, as a search on a busy machine would end early with trials left over. Nor are trials of what earlier runs
     * found, nor those that only show how far the warm JVM has moved.
     */
    static int trialsLeft(Plan plan, int slots) {
        return plan.budget().trials() - slots;
    }

    /** What is left for a search that has seen these: without what is set aside for the race. */
    static int searchTrialsLeft(Plan plan, Set<SearchPart> parts, List<SettingTrials> seen) {
        int slots = seen.stream()
                .mapToInt(o -> o.slots() - (o.origin() == Origin.EARLIER ? 1 : 0))
                .sum();
        int spared = spared(
                seen.stream().flatMap(o -> o.valid().stream()).toList(),
                seen.stream()
                        .filter(o -> o.origin() != Origin.EARLIER)
                        .flatMap(o -> o.early().stream())
                        .toList());
        return trialsLeft(plan, slots - spared) - raceReserve(plan, parts);
    }

    /**
     * Trials that the time spared by those that were ended early is enough for. They come on top of the budget's number, so that
     * this time is spent on other settings.
     *
     * @param whole those that ran to their end
     */
    static int spared(List<TrialOutcome> whole, List<TrialOutcome> early) {
        return (int) (sparedSeconds(whole, early) / Math.max(1e-9, usual(whole)) + 1e-9);
    }

    /** Seconds spared by ending trials early, if each had taken as long as the mean of the others. */
    static double sparedSeconds(List<TrialOutcome> whole, List<TrialOutcome> early) {
        double usual = usual(whole);
        return early.stream()
                .mapToDouble(t -> Math.max(0, usual - t.took().toNanos() / 1e9))
                .sum();
    }

    private static double usual(List<TrialOutcome> whole) {
        return whole.stream()
                .mapToDouble(t -> t.took().toNanos() / 1e9)
                .average()
                .orElse(0);
    }

    /** Every setting of baseline, search and race, in the order of first use; without the duel's data. */
    static List<SettingTrials> observations(List<Filled> filled) {
        return observations(filled, f -> !duel(f));
    }

    /** Every setting of the slots that match. */
    static List<SettingTrials> observations(List<Filled> filled, Predicate<Filled> wanted) {
        Map<Setting, List<Filled>> bySetting = new LinkedHashMap<>();
        WarmDrift drift = WarmSlots.drift(filled);
        for (Filled f : filled) {
            if (wanted.test(f) && !WarmSlots.isAnchor(f) && !isStart(f)) {
                bySetting
                        .computeIfAbsent(f.slot().spec().setting(), s -> new ArrayList<>())
                        .add(f);
            }
        }
        List<SettingTrials> all = bySetting.entrySet().stream()
                .map(e -> observation(e.getKey(), e.getValue(), drift))
                .toList();
        return all.stream().map(o -> o.against(all.getFirst())).toList();
    }

    private static SettingTrials observation(Setting setting, List<Filled> slots, WarmDrift drift) {
        List<TrialOutcome> valid =
                slots.stream().map(Filled::valid).flatMap(Optional::stream).toList();
        List<TrialOutcome> counted =
                slots.stream().map(Filled::counted).flatMap(Optional::stream).toList();
        Optional<String> problem =
                slots.stream().map(Filled::problem).flatMap(Optional::stream).findFirst();
        // what came up in another trial may fail to start now and then, whatever its setting
        Optional<String> failure = slots.stream()
                .filter(f -> counted.isEmpty() || left(f) || !notStarted(f))
                .flatMap(f -> f.attempts().stream())
                .map(AttemptStatus::failure)
                .flatMap(Optional::stream)
                .findFirst();
        return new SettingTrials(
                setting,
                slots.getFirst().slot().origin(),
                valid.isEmpty() ? counted : valid,
                (int) slots.stream().filter(f -> !isLost(f)).count(),
                slots.stream().mapToInt(Filled::voids).sum(),
                problem,
                failure,
                slots.stream()
                        .filter(_ -> counted.isEmpty())
                        .flatMap(f -> f.attempts().stream())
                        .flatMap(t -> AttemptStatus.ignored(t).stream())
                        .collect(Collectors.toSet()),
                Optional.empty(),
                drift,
                slots.stream().map(Filled::early).flatMap(Optional::stream).findFirst());
    }
}
