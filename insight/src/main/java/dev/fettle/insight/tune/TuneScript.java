package dev.fettle.insight.tune;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** A tune's slots in their order: default, search, race, the default and its rival again, duel. */
final class TuneScript implements TrialSlots.Script {
    /** Search trials that take precedence over pairs of the duel when time is short. */
    private static final int LEAST_SEARCH = 2;

    /** A winner that fails this often in the duel has lost. */
    private static final int FAILURES = 2;

    /** Pairs that a duel may add to those planned when too few of those have figures. */
    private static final int MORE_PAIRS = 2;

    /** Pairs that a duel repeats because a side did not start, in times of those planned. */
    private static final int MOST_REPEATED = 4;

    /** Starts without load of a default that has never started, and trials of it. */
    private static final int MOST_STARTS = 4;

    private static final int MOST_LATER = 3;

    /** Starts without load of a setting that did not start in its trial of the search. */
    private static final int LATER_STARTS = 2;

    /** Pairs of the default and its best rival before a tune gives up. */
    private static final int MOST_AGAIN = 2;

    private final Plan plan;
    private final SettingSearch search;
    private final Set<SearchPart> parts;
    private final WarmSlots warm;
    private final TuneTime time;
    private final Scoring scoring;
    private final EarlyEndBound early;

    TuneScript(Plan plan, SettingSearch search, Set<SearchPart> parts) {
        this.plan = plan;
        this.search = search;
        this.parts = parts;
        this.warm = new WarmSlots(plan);
        this.time = new TuneTime(plan);
        this.scoring = new Scoring(plan.objective());
        this.early = new EarlyEndBound(plan, scoring);
    }

    @Override
    public Optional<Slot> next(List<Filled> all) {
        List<Filled> filled = TuneSlots.settled(all, plan.hold());
        if (filled.isEmpty()) {
            return Optional.of(
                    warm.instead(filled, slot(Phase.BASELINE, 0, plan.hold(), "the default", Origin.DEFAULT)));
        }
        if (!isKnown(filled)) {
            return startsOfDefault(filled).or(() -> another(filled)).map(slot -> inWarm(filled, slot));
        }
        boolean raced = filled.stream().anyMatch(f -> TuneSlots.phase(f) == Phase.RACE);
        boolean duelled = filled.stream().anyMatch(TuneSlots::duel);
        Optional<Slot> next = Optional.empty();
        if (!raced && !duelled) {
            next = search(filled);
        }
        if (next.isEmpty() && !duelled) {
            next = race(filled);
        }
        if (next.isPresent()) {
            return next.map(slot -> inWarm(filled, slot));
        }
        if (!duelled) {
            next = warm.last(filled).or(() -> again(filled));
        }
        return next.isPresent() ? next : duel(filled);
    }

    private Slot inWarm(List<Filled> filled, Slot slot) {
        return slot.spec().phase() == Phase.START ? slot : warm.instead(filled, slot);
    }

    /** Whether the default has figures: before that, nothing else is tried. */
    private boolean isKnown(List<Filled> filled) {
        return filled.stream()
                .filter(f -> f.slot().spec().setting().equals(plan.hold()))
                .flatMap(f -> f.counted().stream())
                .anyMatch(scoring::observed);
    }

    /** The default again, where all that its attempts were void for may pass and there is time to show anything after it. */
    private Optional<Slot> another(List<Filled> filled) {
        boolean passes = filled.stream().allMatch(TuneSlots::isLost);
        return passes && filled.size() < plan.budget().trials() && time.hadTimeFor(filled, 2)
                ? Optional.of(slot(Phase.BASELINE, filled.size(), plan.hold(), "the default once more", Origin.DEFAULT))
                : Optional.empty();
    }

    @Override
    public boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
        return time.mayRetry(filled, attempts);
    }

    @Override
    public boolean warmsUpAgain() {
        return true;
    }

    private Optional<Slot> search(List<Filled> filled) {
        int left = time.trialsLeft(filled);
        long tried =
                filled.stream().filter(f -> TuneSlots.phase(f) == Phase.SEARCH).count();
        if (left <= 0
                || !(tried == 0
                        ? time.hadTimeForOne(filled)
                        : time.timeFor(
                                filled,
                                tried < LEAST_SEARCH
                                        ? TuneSlots.LEAST_PAIRS
                                        : plan.budget().pairs()))) {
            return Optional.empty();
        }
        Optional<Slot> checked = checked(filled, (int) tried);
        if (checked.isPresent()) {
            return checked;
        }
        List<SettingTrials> seen = TuneSlots.observations(filled);
        boolean reserved = left <= TuneSlots.raceReserve(plan, parts);
        return search.ask(seen)
                // a race tells little where the limits decide
                .filter(p -> !reserved || p.origin() == Origin.EDGE || LimitEdge.decides(plan, seen))
                .map(p -> slot(
                                Phase.SEARCH,
                                (int) tried,
                                p.setting(),
                                p.why() + ": " + changes(p.setting()),
                                p.origin())
                        .with(early.bound(seen, p.setting(), p.origin())));
    }

    /** Successive halving: the best four once more, then the best two once and, if the budget has it, twice. */
    private Optional<Slot> race(List<Filled> filled) {
        if (!parts.contains(SearchPart.RACE)
                || time.trialsLeft(filled) <= 0
                || !time.timeFor(filled, plan.budget().pairs())
                || filled.stream().anyMatch(TuneSlots::isAgain)) {
            return Optional.empty();
        }
        List<Filled> races =
                filled.stream().filter(f -> TuneSlots.phase(f) == Phase.RACE).toList();
        List<SettingTrials> four = belief(TuneSlots.observations(upTo(filled, races, 0))).contenders().stream()
                .limit(4)
                .toList();
        if (four.size() < 2) {
            return Optional.empty();
        }
        if (races.size() < four.size()) {
            return Optional.of(race(races.size(), four.get(races.size()).setting(), four.size()));
        }
        List<SettingTrials> two = belief(TuneSlots.observations(upTo(filled, races, four.size()))).contenders().stream()
                .limit(2)
                .toList();
        int at = races.size() - four.size();
        return two.size() == 2 && at < 4
                ? Optional.of(race(races.size(), two.get(at % 2).setting(), 2))
                : Optional.empty();
    }

    /** The slots before the n-th of the race, from 0: what was known when it was chosen. */
    private static List<Filled> upTo(List<Filled> filled, List<Filled> races, int n) {
        return n < races.size() ? filled.subList(0, filled.indexOf(races.get(n))) : filled;
    }

    private Slot race(int block, Setting setting, int of) {
        return slot(Phase.RACE, block, setting, "once more, the best " + of + ": " + changes(setting), Origin.RACE);
    }

    /**
     * Before a tune gives up: while nothing looks better than the default, it is measured once more side by side with
     * what was predicted (or else the next best), up to {@code MOST_AGAIN} times. One disturbed trial must not overrule
     * a prediction while there is time. What looks better, but in doubt, is measured in the duel's time if no trials are left.
     */
    private Optional<Slot> again(List<Filled> filled) {
        int done = (int) filled.stream().filter(TuneSlots::isAgain).count() / 2;
        // what may be better next to the objective has its duel after that
        int pairs = trade(filled).isPresent() ? InterimAnalyses.of(plan).first() : TuneSlots.LEAST_PAIRS;
        if (done >= MOST_AGAIN
                || !time.timeFor(filled, pairs + 1)
                || beaten(filled).isPresent()) {
            return Optional.empty();
        }
        List<SettingTrials> seen = TuneSlots.observations(filled);
        Optional<SettingTrials> doubted = belief(seen).doubted(seen.getFirst());
        if (doubted.isEmpty() && time.trialsLeft(filled) < 2) {
            return Optional.empty();
        }
        Optional<SettingTrials> rival = doubted.or(() -> rival(seen, filled));
        return rival.map(o -> pair(
                Phase.RACE,
                done,
                o.setting(),
                "once more, side by side: the default and " + changes(o.setting()),
                "once more, side by side: the default and " + changes(o.setting()),
                Origin.AGAIN));
    }

    private Optional<SettingTrials> rival(List<SettingTrials> seen, List<Filled> filled) {
        SettingTrials baseline = seen.getFirst();
        boolean troubled = TrialSlots.attempts(filled).stream().anyMatch(TuneSlots::unquiet);
        List<SettingTrials> contenders = belief(seen).contenders();
        Optional<SettingTrials> predicted = seen.stream()
                .filter(o -> o.origin() == Origin.PREDICTION
                        && !o.valid().isEmpty()
                        && o.failure().isEmpty())
                .filter(o -> troubled || contenders.contains(o))
                .findFirst();
        return predicted.or(() -> contenders.stream()
                .filter(o -> !o.setting().equals(baseline.setting()))
                .findFirst());
    }

    private Optional<Slot> duel(List<Filled> filled) {
        Optional<SettingTrials> winner = challenger(filled);
        if (winner.isEmpty()) {
            return Optional.empty();
        }
        List<Filled> duel = filled.stream().filter(TuneSlots::duel).toList();
        var check = StartCheck.of(filled, winner.get().setting(), plan.hold());
        if (check.is(StartCheck.State.OPEN) && time.forStart(filled)) {
            Setting next = check.candidateNext() ? winner.get().setting() : plan.hold();
            return Optional.of(startOf(
                    next, (int) filled.stream().filter(TuneSlots::isStart).count()));
        }
        int pairs = pairs(filled);
        int block = duel.size() / 2;
        boolean enough = block >= pairs
                && (Duel.pairs(duel, scoring.figure()).size() >= TuneSlots.LEAST_PAIRS || block >= pairs + MORE_PAIRS);
        if (filled.stream().filter(TuneSlots::repeated).count() / 2
                >= (long) MOST_REPEATED * InterimAnalyses.of(plan).first()) {
            return Optional.empty();
        }
        if (Duel.breaks(plan, duel, enough)) {
            Optional<Slot> lower = nextLower(filled, winner.get());
            if (lower.isPresent()) {
                return lower;
            }
        }
        if (pairs < TuneSlots.LEAST_PAIRS
                || enough
                || Duel.failures(duel).size() >= FAILURES
                || !time.forPair(filled, block)) {
            return Optional.empty();
        }
        return Optional.of(duelPair(winner.get(), block, pairs));
    }

    /** A start without load. */
    private Slot startOf(Setting setting, int n) {
        return slot(
                Phase.START,
                n,
                setting,
                "does it start? without load: " + (setting.equals(plan.hold()) ? "the default" : changes(setting)),
                Origin.START);
    }

    /** A default that did not start is started some more times, and is tried again once it does. */
    private Optional<Slot> startsOfDefault(List<Filled> filled) {
        List<Filled> trials = filled.stream().filter(f -> !TuneSlots.isStart(f)).toList();
        if (!TuneSlots.notStarted(trials.getLast()) || trials.size() > MOST_LATER) {
            return Optional.empty();
        }
        return TuneSlots.isStart(filled.getLast()) && !TuneSlots.notStarted(filled.getLast())
                ? Optional.of(slot(
                        Phase.BASELINE,
                        trials.size(),
                        plan.hold(),
                        "the default once more, as it did start",
                        Origin.DEFAULT))
                : filled.size() - trials.size() < MOST_STARTS && time.forStartOfDefault(filled)
                        ? Optional.of(startOf(plan.hold(), filled.size() - trials.size()))
                        : Optional.empty();
    }

    /** A setting that did not start in the search is started up to twice without load, and if it does start it is tried again, once. */
    private Optional<Slot> checked(List<Filled> filled, int tried) {
        List<Filled> trials = filled.stream().filter(f -> !TuneSlots.isStart(f)).toList();
        Filled last = trials.getLast();
        Setting setting = last.slot().spec().setting();
        boolean first = trials.stream()
                        .filter(f -> f.slot().spec().setting().equals(setting))
                        .count()
                == 1;
        if (TuneSlots.phase(last) != Phase.SEARCH || !TuneSlots.notStarted(last) || !first) {
            return Optional.empty();
        }
        List<Filled> starts = filled.subList(filled.indexOf(last) + 1, filled.size());
        return starts.stream().anyMatch(f -> !TuneSlots.notStarted(f))
                ? Optional.of(slot(
                        Phase.SEARCH,
                        tried,
                        setting,
                        "once more, as it did start: " + changes(setting),
                        last.slot().origin()))
                : starts.size() < LATER_STARTS && time.forStart(filled)
                        ? Optional.of(startOf(setting, filled.size() - trials.size()))
                        : Optional.empty();
    }

    /**
     * What comes after a candidate that broke: a trial of a value a step back from it, or the first pair of a duel with the next best that
     * lies nearer to the default.
     */
    private Optional<Slot> nextLower(List<Filled> filled, SettingTrials broke) {
        if (!time.forPairs(filled, TuneSlots.LEAST_PAIRS)) {
            return Optional.empty();
        }
        Optional<SettingTrials> lower = beaten(TuneSlots.leave(filled, Optional.empty()));
        SettingTrials byDefault = TuneSlots.observations(filled).getFirst();
        Optional<Setting> between = lower.or(() -> Optional.of(byDefault).filter(scoring::feasible))
                .filter(_ -> time.timeFor(filled, TuneSlots.LEAST_PAIRS))
                .flatMap(to -> LimitEdge.stepBack(plan, broke, to));
        return between.map(s -> slot(
                        Phase.SEARCH,
                        (int) filled.stream()
                                .filter(f -> TuneSlots.phase(f) == Phase.SEARCH)
                                .count(),
                        s,
                        "a step back from what broke: " + changes(s),
                        Origin.EDGE))
                .or(() -> lower.map(o -> duelPair(o, 0, TuneSlots.LEAST_PAIRS)));
    }

    private Slot duelPair(SettingTrials winner, int block, int pairs) {
        String name = "duel pair " + (block + 1) + " of " + Math.max(pairs, block + 1) + ", ";
        return pair(
                Phase.DUEL, block, winner.setting(), name + "default", name + changes(winner.setting()), Origin.DUEL);
    }

    /** Pairs to run: fewer than planned if time is short, more if the planned ones are inconclusive. */
    private int pairs(List<Filled> filled) {
        int affordable = time.pairs(filled);
        var looks = InterimAnalyses.of(plan);
        return affordable < looks.first() ? affordable : looks.goal(plan, filled);
    }

    /** The default and another setting side by side, in the block's order. */
    private Slot pair(Phase phase, int block, Setting other, String ofDefault, String ofOther, Origin origin) {
        Slot a = slot(phase, block, plan.hold(), ofDefault, origin);
        Slot b = slot(phase, block, other, ofOther, origin);
        return baselineFirst(block) ? a.with(b) : b.with(a);
    }

    /** ABBA or BAAB for every two pairs, by the seed: a steady drift cancels, and neither side is always first. */
    private boolean baselineFirst(int block) {
        boolean first = new SplittableRandom(plan.seed() * 31 + block / 2).nextBoolean();
        return (block % 2 == 0) == first;
    }

    /** The candidate in the duel, or for it; empty if the default is not beaten or nothing meets the limits. */
    Optional<SettingTrials> winner(List<Filled> filled) {
        boolean held = filled.stream().anyMatch(TuneSlots::duel);
        return held ? challenger(filled) : beaten(filled);
    }

    private Optional<SettingTrials> beaten(List<Filled> filled) {
        List<SettingTrials> seen = LimitEdge.without(plan, TuneSlots.observations(filled), broken(filled));
        SettingTrials baseline = seen.getFirst();
        return belief(seen)
                .clear(baseline, InterimAnalyses.of(plan).first())
                .recommended(baseline)
                .filter(o -> o != baseline);
    }

    /** The candidates of the duels that were left. */
    private List<Setting> broken(List<Filled> filled) {
        return filled.stream()
                .filter(TuneSlots::left)
                .map(f -> f.slot().spec().setting())
                .filter(s -> !s.equals(plan.hold()))
                .distinct()
                .toList();
    }

    /**
     * What would have been put up against the default, were it not too near a limit on latency, and looked better than the candidate;
     * empty if nothing did.
     */
    Optional<SettingTrials> passedOver(List<Filled> filled) {
        List<SettingTrials> seen = TuneSlots.observations(filled);
        Optional<SettingTrials> chosen = beaten(filled);
        Posterior all = belief(seen);
        return chosen.isEmpty()
                ? Optional.empty()
                : all.recommended(seen.getFirst())
                        .filter(o -> !o.setting().equals(chosen.get().setting()))
                        .filter(o -> all.mean(o) > all.mean(chosen.get()));
    }

    /**
     * The default's opponent: what beats it; or, on a machine where others were at work, what was predicted (or else is
     * next best). There single trials show little, but pairs can.
     */
    private Optional<SettingTrials> challenger(List<Filled> filled) {
        List<Filled> before = filled.stream().filter(f -> !TuneSlots.duel(f)).toList();
        Optional<SettingTrials> best = beaten(before);
        if (best.isEmpty()) {
            best = trade(before);
        }
        return best.isPresent() || TrialSlots.attempts(before).stream().noneMatch(TuneSlots::unquiet)
                ? best
                : rival(TuneSlots.observations(before), before);
    }

    /** What is put up against the default for what it gives next to the objective, where nothing looks better by that. */
    private Optional<SettingTrials> trade(List<Filled> filled) {
        return beaten(filled).isPresent()
                ? Optional.empty()
                : new SecondMetric(plan, scoring)
                        .of(LimitEdge.without(plan, TuneSlots.observations(filled), broken(filled)));
    }

    /** What ran in a warm JVM; empty if nothing did. */
    Optional<String> warmNote(List<Filled> filled) {
        return warm.note(filled, scoring.figure());
    }

    Posterior belief(List<SettingTrials> seen) {
        return search.belief(plan.objective(), seen);
    }

    /** What each of a winner's knobs contributes, by all trials. */
    List<KnobShare> shares(List<Filled> filled, Setting winner) {
        return search.shares(TuneSlots.observations(filled, f -> true), winner);
    }

    /** Upper bound on the trials to come if none of them is void or ended early. */
    int leftAtMost(List<Filled> filled) {
        List<Filled> duel = filled.stream().filter(TuneSlots::duel).toList();
        return duel.isEmpty()
                ? Math.max(0, time.trialsLeft(filled))
                        + (warm.on(filled) ? WarmSlots.anchors(time.trialsLeft(filled)) : 0)
                        + (plan.knobs().size() > 1 ? 2 * MOST_AGAIN : 0)
                        + plan.earlier().settings().size()
                        + 2 * mostPairs(filled, 0)
                : Math.max(1, 2 * Math.max(pairs(filled), mostPairs(filled, duel.size() / 2)) - duel.size());
    }

    /** Pairs at the last look for which there may be time. */
    private int mostPairs(List<Filled> filled, int begun) {
        List<Integer> looks = InterimAnalyses.of(plan).all();
        return looks.stream()
                .filter(n -> time.forPairs(filled, n - begun))
                .max(Comparator.naturalOrder())
                .orElse(looks.getFirst());
    }

    /** A setting without the knobs that the plan holds anyway. */
    String changes(Setting setting) {
        var own = new LinkedHashMap<>(setting.asMap());
        own.entrySet()
                .removeIf(e ->
                        plan.hold().get(e.getKey()).filter(e.getValue()::equals).isPresent());
        return Setting.of(own).toString();
    }

    private Slot slot(Phase phase, int block, Setting setting, String purpose, Origin origin) {
        String variant = setting.equals(plan.hold()) ? TuneSlots.BASELINE : TuneSlots.CANDIDATE;
        return new Slot(
                new TrialSpec(phase, variant, Map.of(), block, plan.target(), setting, plan.load()), purpose, origin);
    }
}
