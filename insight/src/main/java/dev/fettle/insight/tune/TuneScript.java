package dev.fettle.insight.tune;

import dev.fettle.insight.gate.Cautions;
import dev.fettle.insight.gate.Steal;
import dev.fettle.insight.trials.Fate;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A tune's slots in their order: default, search, race, the default and its rival again, duel. */
public final class TuneScript implements TrialSlots.Script {
    /** Fewest pairs of a duel. */
    static final int LEAST_PAIRS = 3;

    /** Fewest trials that can show anything: the default, one other setting, and the pairs. */
    static final int LEAST_TRIALS = 2 + 2 * LEAST_PAIRS;

    /** Search trials that come before pairs of the duel when time is short. */
    private static final int LEAST_SEARCH = 2;

    /** What repeated attempts took comes on top of the budget, up to this share of it. */
    private static final double GRACE = 0.5;

    /** A winner that fails this often in the duel has lost. */
    private static final int FAILURES = 2;

    /** Pairs that a duel may hold on top of those planned when too few of those have figures. */
    private static final int MORE_PAIRS = 2;

    /** Pairs of the default and its best rival before a tune gives up. */
    private static final int MOST_AGAIN = 2;

    private static final String AGAIN = "again";

    static final String BASELINE = "baseline";
    public static final String CANDIDATE = "candidate";

    private final Plan plan;
    private final SettingSearch search;
    private final Scoring scoring;

    TuneScript(Plan plan, SettingSearch search) {
        this.plan = plan;
        this.search = search;
        this.scoring = new Scoring(plan.objective());
    }

    @Override
    public Optional<Slot> next(List<Filled> filled) {
        if (filled.isEmpty()) {
            return Optional.of(slot(Phase.BASELINE, 0, plan.hold(), "the default", "default"));
        }
        if (filled.getFirst().counted().isEmpty()) {
            return Optional.empty();
        }
        boolean raced = filled.stream().anyMatch(f -> phase(f) == Phase.RACE);
        boolean duelled = filled.stream().anyMatch(f -> phase(f) == Phase.DUEL);
        Optional<Slot> next = Optional.empty();
        if (!raced && !duelled) {
            next = search(filled);
        }
        if (next.isEmpty() && !duelled) {
            next = race(filled);
        }
        if (next.isEmpty() && !duelled) {
            next = again(filled);
        }
        return next.isPresent() ? next : duel(filled);
    }

    @Override
    public boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
        var all = new ArrayList<>(attempts(filled));
        all.addAll(attempts);
        if (neverCalm(all)) {
            return false;
        }
        boolean duel = attempts.getLast().spec().phase() == Phase.DUEL;
        long more = attempts.stream().map(t -> t.spec().variant()).distinct().count();
        return seconds(all) + more * mean(all) <= limit(all)
                && (duel
                        || all.stream()
                                                .filter(t -> t.spec().phase() != Phase.DUEL)
                                                .count()
                                        + more
                                <= plan.budget().trials());
    }

    /** Whether it is no use to wait for a calm machine: the last attempts were all disturbed. Then they count as they are. */
    private static boolean neverCalm(List<TrialOutcome> all) {
        return all.size() > TrialSlots.RETRIES
                && all.subList(all.size() - TrialSlots.RETRIES - 1, all.size()).stream()
                        .allMatch(t -> Fate.of(t) == Fate.DISTURBED);
    }

    private Optional<Slot> search(List<Filled> filled) {
        int left = trialsLeft(filled);
        long tried = filled.stream().filter(f -> phase(f) == Phase.SEARCH).count();
        if (left <= raceReserve(plan)
                || !(tried == 0
                        ? hadTimeForOne(filled)
                        : timeFor(
                                filled,
                                tried < LEAST_SEARCH
                                        ? LEAST_PAIRS
                                        : plan.budget().pairs()))) {
            return Optional.empty();
        }
        return search.ask(observations(filled))
                .map(p -> slot(
                        Phase.SEARCH, (int) tried, p.setting(), p.why() + ": " + changes(p.setting()), p.origin()));
    }

    /** Successive halving on fresh JVMs: the best four once more, then the best two once and, if the budget has it, twice. */
    private Optional<Slot> race(List<Filled> filled) {
        if (trialsLeft(filled) <= 0 || !timeFor(filled, plan.budget().pairs())) {
            return Optional.empty();
        }
        List<Filled> before =
                filled.stream().filter(f -> phase(f) != Phase.RACE).toList();
        List<Filled> races = filled.stream()
                .filter(f -> phase(f) == Phase.RACE && !isAgain(f))
                .toList();
        if (races.size() < filled.size() - before.size()) {
            return Optional.empty();
        }
        List<SettingTrials> four = new Posterior(scoring, observations(before))
                .contenders().stream().limit(4).toList();
        if (four.size() < 2) {
            return Optional.empty();
        }
        if (races.size() < four.size()) {
            return Optional.of(race(races.size(), four.get(races.size()).setting(), four.size()));
        }
        var afterFirst = new ArrayList<>(before);
        afterFirst.addAll(races.subList(0, four.size()));
        List<SettingTrials> two = new Posterior(scoring, observations(afterFirst))
                .contenders().stream().limit(2).toList();
        int at = races.size() - four.size();
        return two.size() == 2 && at < 4
                ? Optional.of(race(races.size(), two.get(at % 2).setting(), 2))
                : Optional.empty();
    }

    private Slot race(int block, Setting setting, int of) {
        return slot(Phase.RACE, block, setting, "once more, the best " + of + ": " + changes(setting), "race");
    }

    /**
     * Before a tune gives up: if the default looks no worse than all else, it and what was predicted (or else the next best) are
     * measured once more, side by side, as long as a single trial could have misled. One disturbed trial must not outvote a
     * prediction while there is time.
     */
    private Optional<Slot> again(List<Filled> filled) {
        int done = (int) filled.stream().filter(TuneScript::isAgain).count() / 2;
        if (done >= MOST_AGAIN
                || trialsLeft(filled) < 2
                || !timeFor(filled, LEAST_PAIRS + 1)
                || beaten(filled).isPresent()) {
            return Optional.empty();
        }
        List<SettingTrials> seen = observations(filled);
        Optional<SettingTrials> rival = rival(seen, filled);
        return rival.map(o -> pair(
                Phase.RACE,
                done,
                o.setting(),
                "once more, side by side: the default and " + changes(o.setting()),
                "once more, side by side: the default and " + changes(o.setting()),
                AGAIN));
    }

    private Optional<SettingTrials> rival(List<SettingTrials> seen, List<Filled> filled) {
        SettingTrials baseline = seen.getFirst();
        boolean troubled = attempts(filled).stream().anyMatch(TuneScript::unquiet);
        List<SettingTrials> contenders = new Posterior(scoring, seen).contenders();
        Optional<SettingTrials> predicted = seen.stream()
                .filter(o -> o.origin().equals("prediction")
                        && !o.valid().isEmpty()
                        && o.failure().isEmpty())
                .filter(o -> troubled || contenders.contains(o))
                .findFirst();
        return predicted.or(() -> contenders.stream()
                .filter(o -> !o.setting().equals(baseline.setting()))
                .findFirst());
    }

    static boolean isAgain(Filled f) {
        return f.slot().origin().equals(AGAIN);
    }

    private Optional<Slot> duel(List<Filled> filled) {
        Optional<SettingTrials> winner = challenger(filled);
        if (winner.isEmpty()) {
            return Optional.empty();
        }
        int pairs = pairs(filled);
        List<Filled> duel = filled.stream().filter(f -> phase(f) == Phase.DUEL).toList();
        int block = duel.size() / 2;
        boolean enough = block >= pairs && (Duel.pairs(duel).size() >= LEAST_PAIRS || block >= pairs + MORE_PAIRS);
        if (pairs < LEAST_PAIRS || enough || Duel.failures(duel).size() >= FAILURES) {
            return Optional.empty();
        }
        List<TrialOutcome> all = attempts(filled);
        if (seconds(all) + 2 * mean(all) > (block < LEAST_PAIRS ? atMost() : limit(all))) {
            return Optional.empty();
        }
        String name = "duel pair " + (block + 1) + " of " + Math.max(pairs, block + 1) + ", ";
        return Optional.of(pair(
                Phase.DUEL,
                block,
                winner.get().setting(),
                name + "default",
                name + changes(winner.get().setting()),
                "duel"));
    }

    /** The default and another setting side by side, in the block's order. */
    private Slot pair(Phase phase, int block, Setting other, String ofDefault, String ofOther, String origin) {
        Slot a = slot(phase, block, plan.hold(), ofDefault, origin);
        Slot b = slot(phase, block, other, ofOther, origin);
        return baselineFirst(block) ? a.with(b) : b.with(a);
    }

    /** ABBA or BAAB for every two pairs, by the seed: a steady drift cancels, and no order is always the first one's. */
    private boolean baselineFirst(int block) {
        boolean first = new SplittableRandom(plan.seed() * 31 + block / 2).nextBoolean();
        return (block % 2 == 0) == first;
    }

    /** The setting of the duel, or for it; empty if the default is not beaten or nothing meets the limits. */
    Optional<SettingTrials> winner(List<Filled> filled) {
        boolean held = filled.stream().anyMatch(f -> phase(f) == Phase.DUEL);
        return held ? challenger(filled) : beaten(filled);
    }

    private Optional<SettingTrials> beaten(List<Filled> filled) {
        List<SettingTrials> seen = observations(filled);
        SettingTrials baseline = seen.getFirst();
        return new Posterior(scoring, seen).recommended(baseline).filter(o -> o != baseline);
    }

    /**
     * Who meets the default: what beats it, or on a machine where others were at work what was predicted (or else is next best).
     * Single trials there show little, and pairs can.
     */
    private Optional<SettingTrials> challenger(List<Filled> filled) {
        List<Filled> before =
                filled.stream().filter(f -> phase(f) != Phase.DUEL).toList();
        Optional<SettingTrials> best = beaten(before);
        return best.isPresent() || attempts(before).stream().noneMatch(TuneScript::unquiet)
                ? best
                : rival(observations(before), before);
    }

    /** Whether others took CPU time while it was measured, if only so much that it may still be used. */
    private static boolean unquiet(TrialOutcome t) {
        double share = t.evidence()
                .map(e -> Math.max(
                        e.foreignCpu().orElse(0),
                        Steal.of(t).map(Steal::share).orElse(e.steal().orElse(0))))
                .orElse(0.0);
        return !t.valid() || share > Cautions.BESIDE;
    }

    /** Pairs that the time left at the beginning of the duel allows. */
    int pairs(List<Filled> filled) {
        List<TrialOutcome> before = filled.stream()
                .filter(f -> phase(f) != Phase.DUEL)
                .flatMap(f -> f.attempts().stream())
                .toList();
        double each = 2 * mean(before);
        double affordable =
                each <= 0 ? plan.budget().pairs() : Math.floor((limit(before) - seconds(before)) / each + 1e-9);
        if (affordable < LEAST_PAIRS && seconds(before) + LEAST_PAIRS * each <= atMost()) {
            return LEAST_PAIRS;
        }
        return (int) Math.min(Math.max(plan.budget().pairs(), LEAST_PAIRS), affordable);
    }

    /** Upper bound on the trials to come if none of them is void. */
    int leftAtMost(List<Filled> filled) {
        long duelled = filled.stream().filter(f -> phase(f) == Phase.DUEL).count();
        int pairs = Math.max(plan.budget().pairs(), LEAST_PAIRS);
        return duelled > 0 ? (int) Math.max(1, 2L * pairs - duelled) : Math.max(0, trialsLeft(filled)) + 2 * pairs;
    }

    /** Every setting of baseline, search and race, in the order in which it came up; the duel's data are not among it. */
    List<SettingTrials> observations(List<Filled> filled) {
        Map<Setting, List<Filled>> bySetting = new LinkedHashMap<>();
        for (Filled f : filled) {
            if (phase(f) != Phase.DUEL) {
                bySetting
                        .computeIfAbsent(f.slot().spec().setting(), s -> new ArrayList<>())
                        .add(f);
            }
        }
        List<SettingTrials> all = bySetting.entrySet().stream()
                .map(e -> observation(e.getKey(), e.getValue()))
                .toList();
        return all.stream().map(o -> o.against(all.getFirst())).toList();
    }

    private static SettingTrials observation(Setting setting, List<Filled> slots) {
        List<TrialOutcome> valid =
                slots.stream().map(Filled::valid).flatMap(Optional::stream).toList();
        List<TrialOutcome> counted =
                slots.stream().map(Filled::counted).flatMap(Optional::stream).toList();
        Optional<String> problem =
                slots.stream().map(Filled::problem).flatMap(Optional::stream).findFirst();
        Optional<String> failure = slots.stream()
                .flatMap(f -> f.attempts().stream())
                .map(Fate::failure)
                .flatMap(Optional::stream)
                .findFirst();
        return new SettingTrials(
                setting,
                slots.getFirst().slot().origin(),
                valid.isEmpty() ? counted : valid,
                slots.stream().mapToInt(Filled::voids).sum(),
                problem,
                failure,
                Optional.empty());
    }

    /** Trials set aside for the race: a third of the search, at most four. */
    static int raceReserve(Plan plan) {
        return Math.min(4, plan.budget().trials() / 3);
    }

    private int trialsLeft(List<Filled> filled) {
        long used = filled.stream()
                .filter(f -> phase(f) != Phase.DUEL)
                .mapToLong(f -> f.attempts().size())
                .sum();
        return (int) (plan.budget().trials() - used);
    }

    /**
     * Whether there was time to try one setting and prove it. Where the machine is busy each trial takes longer than was thought
     * when the time was given: waits for calm, a warm-up up to its bound. For the least that can be an answer the time may be half
     * as much again.
     */
    boolean hadTimeForOne(List<Filled> filled) {
        return needed(filled, 1) <= atMost();
    }

    /** What a duel of the fewest pairs would take on top of what is spent, and before it so many trials; seconds. */
    double needed(List<Filled> filled, int trials) {
        List<TrialOutcome> all = attempts(filled);
        return seconds(all) + mean(all) * (trials + 2 * LEAST_PAIRS);
    }

    /** Whether there is time for one more trial and a duel of so many pairs. */
    private boolean timeFor(List<Filled> filled, int pairs) {
        List<TrialOutcome> all = attempts(filled);
        return seconds(all) + mean(all) * (1 + 2 * pairs) <= limit(all);
    }

    /**
     * Seconds that a tune may take which has had these attempts. Time that a disturbance took is not taken from the proof: what
     * void attempts took that were to be repeated is added, up to half of the budget.
     */
    private double limit(List<TrialOutcome> attempts) {
        double budget = plan.budget().time().toNanos() / 1e9;
        double repeated = seconds(attempts.stream()
                .filter(t -> TrialSlots.passing(t) || Fate.of(t) == Fate.DISTURBED)
                .toList());
        return budget + Math.min(repeated, GRACE * budget);
    }

    /** Seconds that the least that can be an answer may take: more than was given only where what was given is usually enough. */
    private double atMost() {
        return (TimeNeeded.of(plan).fits(plan) ? 1 + GRACE : 1)
                * plan.budget().time().toNanos()
                / 1e9;
    }

    private static List<TrialOutcome> attempts(List<Filled> filled) {
        return filled.stream().flatMap(f -> f.attempts().stream()).toList();
    }

    static double seconds(List<TrialOutcome> attempts) {
        return attempts.stream().mapToDouble(t -> t.took().toNanos() / 1e9).sum();
    }

    /** Expected length of a trial: that of the valid ones, for a failed start is short. */
    private static double mean(List<TrialOutcome> attempts) {
        return attempts.stream()
                .filter(t -> Fate.of(t).counts())
                .mapToDouble(t -> t.took().toNanos() / 1e9)
                .average()
                .orElse(attempts.isEmpty() ? 0 : seconds(attempts) / attempts.size());
    }

    static Phase phase(Filled f) {
        return f.slot().spec().phase();
    }

    /** A setting without what is held anyway. */
    String changes(Setting setting) {
        var own = new LinkedHashMap<>(setting.asMap());
        own.entrySet()
                .removeIf(e ->
                        plan.hold().get(e.getKey()).filter(e.getValue()::equals).isPresent());
        return Setting.of(own).toString();
    }

    private Slot slot(Phase phase, int block, Setting setting, String purpose, String origin) {
        String variant = setting.equals(plan.hold()) ? BASELINE : CANDIDATE;
        return new Slot(
                new TrialSpec(phase, variant, Map.of(), block, plan.target(), setting, plan.load()), purpose, origin);
    }
}
