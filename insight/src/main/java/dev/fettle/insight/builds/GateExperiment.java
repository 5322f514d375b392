package dev.fettle.insight.builds;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Measured;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.insight.gate.AdvisoryNotes;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.RunLength;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.trials.SeededOrder;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Is the head slower than the base? Pairs of fresh processes of both, both up and loaded in turn, in ABBA or BAAB order, until the answer is
 * known by every metric that decides, or the time is over. One pair in {@value #ONE_IN} is of base and base: what it shows is no difference.
 *
 * <p>After each pair from the third on it is looked at what is known, with the probability to err shared out beforehand ({@link
 * dev.fettle.insight.stats.GroupSequential}). No pair is repeated: one that gives nothing is followed by another.
 */
public final class GateExperiment implements Experiment {
    /** One pair in so many is of base and base, the second first. */
    public static final int ONE_IN = 5;

    /** After so many pairs without a figure, all of them, there will be none. */
    private static final int HOPELESS = 4;

    /** Of so many pairs the answers are compared before a gate ends because they differ. */
    private static final int ANSWERED = 2;

    /** Pairs that say why take this share of the time that the gate might take, at most. */
    private static final double MOST_EXPLAINING = 0.5;

    private final Plan plan;
    private final GateAsked asked;
    private final Variant base;
    private final Variant head;
    private final TrialSlots.Replay replay = new TrialSlots.Replay(new Pairs());

    /**
     * A gate.
     *
     * @param plan its comparison has two variants, the base and the head
     * @throws IllegalArgumentException if the plan does not ask for a gate
     */
    public GateExperiment(Plan plan) {
        this.plan = plan;
        this.asked = plan.gate().orElseThrow(() -> new IllegalArgumentException("the plan asks for no gate"));
        List<Variant> two = plan.compare().map(Plan.Compare::variants).orElse(List.of());
        if (two.size() != 2) {
            throw new IllegalArgumentException("a gate has two programs, not " + two.size());
        }
        this.base = two.getFirst();
        this.head = two.getLast();
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        var progress = replay.of(seen);
        return progress.pending()
                .map(slot -> TrialSlots.step(slot, left(progress.filled())))
                .orElseGet(() -> new Step.Stop(conclusion(progress.filled())));
    }

    @Override
    public Optional<Conclusion> soFar(List<TrialOutcome> seen) {
        return Optional.of(replay.of(seen).filled()).filter(f -> !f.isEmpty()).map(this::conclusion);
    }

    /** How many pairs fit into the time, if warm-ups take as long as usual. */
    public int usualPairs() {
        Duration pair = RunLength.usual(plan.load()).multipliedBy(2);
        return (int) Math.max(1, asked.time().toMillis() / Math.max(1, pair.toMillis()));
    }

    private int left(List<Filled> filled) {
        GateEvidence e = evidence(GatePair.of(decide(filled)));
        if (filled.size() > decide(filled).size()) {
            return 1;
        }
        int pairs = e.eachPair() > 0 ? (int) Math.max(1, (e.asked() - e.seconds()) / e.eachPair()) : usualPairs();
        return Math.max(1, 2 * pairs);
    }

    private GateEvidence evidence(List<GatePair> pairs) {
        boolean last = !pairs.isEmpty() && isLast(pairs);
        return new GateEvidence(plan, asked, pairs, last);
    }

    /** Whether another pair, as long as those so far, would end too late. */
    private boolean isLast(List<GatePair> pairs) {
        double spent = pairs.getLast().ended();
        return spent + spent / pairs.size() > asked.time().toMillis() / 1e3;
    }

    private final class Pairs implements TrialSlots.Script {
        @Override
        public Optional<Slot> next(List<Filled> filled) {
            List<GatePair> pairs = GatePair.of(decide(filled));
            int explained = (filled.size() - decide(filled).size()) / 2;
            if (explained == 0 && (pairs.isEmpty() || goesOn(pairs))) {
                return Optional.of(pair(pairs.size()));
            }
            return explained < asked.why() && canExplain(pairs, explained)
                    ? Optional.of(recorded(explained))
                    : Optional.empty();
        }

        /** Both sides are warmed up in turn for as long as each other, and another pair tells more than a longer warm-up. */
        @Override
        public boolean raisesWarmUps() {
            return false;
        }

        /** Never: the time is as well spent on the next pair, and what was measured counts. */
        @Override
        public boolean mayRetry(List<Filled> filled, List<TrialOutcome> attempts) {
            return false;
        }
    }

    private boolean goesOn(List<GatePair> pairs) {
        GateEvidence e = evidence(pairs);
        if (isLast(pairs) || pairs.size() >= HOPELESS && e.counted() == 0) {
            return false;
        }
        return asked.aa()
                || !e.headIsToBlame()
                        && (e.pairs().size() < ANSWERED || !answersStop(e))
                        && (e.counted() == 0 || result(e, e.metrics()) == Result.CANT_TELL);
    }

    private boolean answersStop(GateEvidence e) {
        return !asked.answersMayDiffer() && e.otherAnswers().isPresent();
    }

    private Slot pair(int index) {
        boolean same = asked.aa() || index % ONE_IN == 1;
        Variant other = same ? base.withName(GateAsked.AGAIN) : head;
        List<Variant> order = SeededOrder.of(List.of(base, other), plan.seed(), index / 2);
        List<Variant> sides = index % 2 == 0 ? order : order.reversed();
        return slot(index, sides.getFirst(), same).with(slot(index, sides.getLast(), same));
    }

    private Slot slot(int index, Variant variant, boolean same) {
        return slot(Phase.GATE, index, variant, "pair " + (index + 1) + (same ? " (base against base)" : ""));
    }

    private Slot slot(Phase phase, int index, Variant variant, String purpose) {
        var spec = new TrialSpec(
                phase,
                variant.name(),
                Map.of(),
                index,
                variant.target(),
                variant.setting(),
                variant.load().orElse(plan.load()));
        return new Slot(spec, variant.name() + ", " + purpose, Origin.COMPARE);
    }

    // -- why

    /** The trials that the answer is of. */
    private static List<Filled> decide(List<Filled> filled) {
        return of(filled, Phase.GATE);
    }

    private static List<Filled> of(List<Filled> filled, Phase phase) {
        return filled.stream().filter(f -> f.slot().spec().phase() == phase).toList();
    }

    /** Of a head that fails, or a gate without figures, there is nothing to record; and where a pair takes too long, there is no time to. */
    private boolean canExplain(List<GatePair> pairs, int explained) {
        GateEvidence e = evidence(pairs);
        return !asked.aa()
                && !e.headIsToBlame()
                && e.pairs().stream().anyMatch(GatePair::counts)
                && (explained + 1) * e.eachPair() <= MOST_EXPLAINING * e.asked();
    }

    private Slot recorded(int index) {
        List<Variant> sides = index % 2 == 0 ? List.of(base, head) : List.of(head, base);
        String purpose = "recorded to say why, " + (index + 1) + " of " + asked.why();
        return slot(Phase.EXPLAIN, index, sides.getFirst(), purpose)
                .with(slot(Phase.EXPLAIN, index, sides.getLast(), purpose));
    }

    private Result result(GateEvidence e, List<Measured> metrics) {
        if (e.counted() == 0 && !e.headIsToBlame()) {
            return Result.NOT_VALID;
        }
        if (asked.aa()) {
            return Result.MACHINE_ONLY;
        }
        if (e.headIsToBlame()) {
            return Result.WORSE;
        }
        if (answersStop(e)) {
            return Result.CANT_TELL;
        }
        if (metrics.stream().anyMatch(m -> m.answer() == Answer.WORSE)) {
            return Result.WORSE;
        }
        boolean excluded = metrics.stream().filter(Measured::decides).allMatch(m -> m.answer() == Answer.NO_WORSE);
        return excluded && e.head().failed() == 0 ? Result.NO_WORSE : Result.CANT_TELL;
    }

    private GateConclusion conclusion(List<Filled> filled) {
        GateEvidence e = evidence(GatePair.of(decide(filled)));
        List<GatePair> recorded = GatePair.of(of(filled, Phase.EXPLAIN));
        List<Measured> metrics = e.metrics();
        Result result = result(e, metrics);
        var words = new GateWords(asked, e, metrics, result);
        List<String> notes = words.notes();
        notes.addAll(AdvisoryNotes.notes(TrialSlots.attempts(decide(filled))));
        RunNotes.scope(
                        plan,
                        Math.min(
                                e.base().started(),
                                asked.aa() ? Integer.MAX_VALUE : e.head().started()))
                .ifPresent(notes::add);
        return new GateConclusion(
                words.headline(),
                result,
                asked.aa(),
                metrics,
                asked.aa() ? Optional.empty() : e.otherAnswers(),
                e.pairs().size(),
                e.samePairs().size(),
                e.seconds(),
                e.asked(),
                e.base(),
                e.head(),
                e.failure(),
                asked.aa() ? e.reach(5, 10, 20) : List.of(),
                recorded.isEmpty() ? Optional.empty() : Optional.of(new WhyEvidence(e.pairs(), recorded).why()),
                notes);
    }
}
