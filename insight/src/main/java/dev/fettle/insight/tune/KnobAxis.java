package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A knob with numbers for values, as an axis to move along.
 *
 * @param points the only values allowed, ascending; empty for an interval
 */
record KnobAxis(String knob, long from, long to, List<Long> points) {

    /** The axis of a range; empty if its values are not all whole numbers. */
    static Optional<KnobAxis> of(KnobRange range) {
        if (range.isInterval()) {
            return Optional.of(new KnobAxis(range.knob(), range.from(), range.to(), List.of()));
        }
        if (Knobs.find(range.knob()).filter(k -> k.type() == Knob.Type.JDK).isPresent()) {
            return Optional.empty(); // a Java release is a name: 21 is not half-way from 17 to 25
        }
        List<Long> points = range.choices().stream()
                .map(KnobValues::number)
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .sorted()
                .toList();
        return points.size() == range.choices().size()
                ? Optional.of(new KnobAxis(range.knob(), points.getFirst(), points.getLast(), points))
                : Optional.empty();
    }

    /** The axis of the worker pool's size; empty if that is none of a plan's knobs. */
    static Optional<KnobAxis> ofPool(Plan plan) {
        return plan.knobs().stream()
                .filter(k -> k.knob().equals(OperatingPoint.THREADS))
                .findFirst()
                .flatMap(KnobAxis::of);
    }

    /** The values worth a trial each: all choices, or both ends and the geometric middle of an interval. */
    static List<String> values(KnobRange range) {
        if (!range.isInterval()) {
            return range.choices();
        }
        var axis = new KnobAxis(range.knob(), range.from(), range.to(), List.of());
        double middle = range.from() > 0
                ? Math.sqrt((double) range.from() * range.to())
                : ((double) range.from() + range.to()) / 2;
        var values = new LinkedHashSet<String>();
        values.add(axis.text(range.to()));
        values.add(axis.text(Math.round(middle)));
        values.add(axis.text(range.from()));
        return List.copyOf(values);
    }

    /** The allowed value nearest to a figure, on a log scale. */
    long nearest(double v) {
        double wanted = Math.clamp(v, (double) from, (double) to);
        if (points.isEmpty()) {
            return Math.clamp(Math.round(wanted), from, to);
        }
        return points.stream()
                .min(Comparator.comparingDouble(
                        p -> Math.abs(StrictMath.log(Math.max(p, 0.5) / Math.max(wanted, 0.5)))))
                .orElse(from);
    }

    /** The smallest allowed value that is no less than a figure; the largest there is, if all are less. */
    long atLeast(double v) {
        return points.isEmpty()
                ? nearest(Math.ceil(v))
                : points.stream().filter(p -> p >= v).findFirst().orElse(to);
    }

    /** The canonical text of a value. */
    String text(long value) {
        return Knobs.find(knob)
                .filter(Knob::hasInterval)
                .map(k -> k.text(value))
                .orElse(Long.toString(value));
    }

    /** The settings seen that differ from this one only in this knob, by its value. */
    NavigableMap<Long, SettingTrials> line(List<SettingTrials> seen, Setting through) {
        var line = new TreeMap<Long, SettingTrials>();
        for (SettingTrials o : seen) {
            if (others(o.setting()).equals(others(through))) {
                o.inForce(knob)
                        .map(this::number)
                        .filter(OptionalLong::isPresent)
                        .ifPresent(v -> line.putIfAbsent(v.getAsLong(), o));
            }
        }
        return line;
    }

    private Map<String, String> others(Setting s) {
        var copy = new TreeMap<>(s.asMap());
        copy.remove(knob);
        return copy;
    }

    OptionalLong number(String value) {
        return KnobValues.number(value);
    }
}
