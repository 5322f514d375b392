package dev.fettle.insight;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import java.util.List;

/**
 * What one metric costs in another: the settings of a search by both. It is what the search measured; the duel proves its winner alone.
 *
 * @param metric the objective's
 * @param against the other one
 * @param points every setting within the limits of which both were observed, the best by {@code metric} first
 * @param apart settings whose figures lie within this factor of each other can't be told apart by one trial each (95 %); of
 *     {@code metric}; {@link #NOT_MEASURED} where no setting was measured twice
 * @param againstApart the same of {@code against}
 */
public record TradeOff(
        Objective.Metric metric, Objective.Metric against, List<Point> points, double apart, double againstApart) {
    /** For how far apart settings have to lie, where that was not measured. */
    public static final double NOT_MEASURED = 0;

    public TradeOff {
        points = List.copyOf(points);
    }

    /** The points of the front alone, the best by {@link #metric} first. */
    public List<Point> front() {
        return points.stream().filter(Point::onFront).toList();
    }

    /**
     * A setting by both metrics.
     *
     * @param figure of the objective's metric in its unit, geometric mean of its trials, without what the warm JVM that they ran in
     *     had moved by then
     * @param against of the other metric
     * @param trials that count
     * @param onFront whether no other setting is at least as good in both and better in one, by these figures
     */
    public record Point(Setting setting, double figure, double against, int trials, boolean onFront) {}
}
