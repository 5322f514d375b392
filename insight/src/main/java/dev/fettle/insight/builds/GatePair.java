package dev.fettle.insight.builds;

import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One pair of fresh processes, loaded in turn.
 *
 * @param base the base's trial
 * @param other the head's, or that of the base's second process
 * @param same whether both are of the base
 * @param ended seconds from the beginning of the gate to its end
 */
record GatePair(TrialOutcome base, TrialOutcome other, boolean same, double ended) {

    /** The pairs that are whole, in order. */
    static List<GatePair> of(List<Filled> filled) {
        var pairs = new ArrayList<GatePair>();
        double ended = 0;
        for (int i = 0; i + 1 < filled.size(); i += 2) {
            TrialOutcome first = filled.get(i).attempts().getLast();
            TrialOutcome second = filled.get(i + 1).attempts().getLast();
            ended += (first.took().toNanos() + second.took().toNanos()) / 1e9;
            boolean turned = !first.spec().variant().equals(GateAsked.BASE);
            boolean same = (turned ? first : second).spec().variant().equals(GateAsked.AGAIN);
            pairs.add(new GatePair(turned ? second : first, turned ? first : second, same, ended));
        }
        return pairs;
    }

    /**
     * The loss of the other by a metric; missing unless both sides have figures that count. A pair that others disturbed counts: both sides
     * were loaded in turn all the while, and what it adds to the scatter widens the interval.
     */
    OptionalFigure loss(GateMetric metric) {
        var figure = new GateFigure(metric);
        OptionalFigure a = counted(base, figure);
        OptionalFigure b = counted(other, figure);
        return a.with(b, figure::loss);
    }

    private static OptionalFigure counted(TrialOutcome t, GateFigure figure) {
        return AttemptStatus.of(t).counts() ? figure.of(t) : OptionalFigure.missing("its trial is void or failed");
    }

    /** Whether both sides have figures. */
    boolean counts() {
        return AttemptStatus.of(base).counts() && AttemptStatus.of(other).counts();
    }

    /** Whether others took more CPU time than a valid trial allows. */
    boolean disturbed() {
        return AttemptStatus.of(base) == AttemptStatus.DISTURBED || AttemptStatus.of(other) == AttemptStatus.DISTURBED;
    }

    /** How the other side failed of itself; empty if it did not. What it gave without usable figures, next to a base that gave some, counts. */
    Optional<String> otherFailed() {
        return failed(other, base);
    }

    /** How the base failed of itself; empty if it did not. */
    Optional<String> baseFailed() {
        return failed(base, other);
    }

    private static Optional<String> failed(TrialOutcome one, TrialOutcome partner) {
        return AttemptStatus.failure(one)
                .or(() -> AttemptStatus.gaveNothingUsable(one)
                                && AttemptStatus.of(partner).counts()
                        ? Optional.of(AttemptStatus.GAVE_NOTHING_USABLE)
                        : Optional.empty());
    }

    /** Whether a pair says nothing of whether its sides fail: something of the machine's ended it, and not one of them. */
    boolean saysNothing() {
        boolean outside =
                AttemptStatus.of(base) == AttemptStatus.OUTSIDE || AttemptStatus.of(other) == AttemptStatus.OUTSIDE;
        return outside && baseFailed().isEmpty() && otherFailed().isEmpty();
    }
}
