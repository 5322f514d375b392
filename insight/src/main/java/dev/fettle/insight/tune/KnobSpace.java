package dev.fettle.insight.tune;

import dev.fettle.insight.surface.Axis;
import dev.fettle.insight.surface.Point;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Evidence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The settings that a plan lets a tune try, as points on a surface. The coordinate of a number is its logarithm, that
 * of any other value the index of its choice. A knob that has no effect, given the others, has no coordinate.
 */
final class KnobSpace {
    private static final int REPAIRS = 4;
    /** The coordinates of what lies below a knob's values, and of what lies above them. */
    private static final double BELOW = -0.5;

    private static final double ABOVE = 1.5;
    /** Knobs whose -1 is no amount at all, neither large nor small. */
    private static final Set<String> OTHERWISE = Set.of("compression.level", "tcp.linger");

    private final Plan plan;
    private final SettingTrials base;
    private final int cpus;
    private final List<Dimension> dimensions;

    /** A knob as a coordinate. */
    record Dimension(KnobRange range, Optional<KnobAxis> numbers, Optional<String> byDefault) {
        String knob() {
            return range.knob();
        }

        /** The coordinate of a value, which may be one that the plan does not name. */
        double at(String value) {
            if (numbers.isPresent()) {
                OptionalLong n = KnobValues.number(value);
                return n.isPresent() ? at(n.getAsLong()) : Double.NaN;
            }
            List<String> choices = range.choices();
            for (int i = 0; i < choices.size(); i++) {
                if (KnobValues.same(choices.get(i), value)) {
                    return i;
                }
            }
            return choices.size();
        }

        private double at(long value) {
            KnobAxis axis = numbers.orElseThrow();
            if (value < 0 && Knobs.find(knob()).filter(Knob::hasNoLimit).isPresent()) {
                return OTHERWISE.contains(knob()) ? Double.NaN : ABOVE;
            }
            double from = log(axis.from(), axis);
            double width = log(axis.to(), axis) - from;
            double beyond = log(value, axis) - from;
            return width > 0
                    ? Math.clamp(beyond / width, BELOW, ABOVE)
                    : beyond < 0 ? BELOW : beyond > 0 ? ABOVE : 0; // one value alone
        }

        /** Whether a coordinate stands for a value that may be set, and not for one that only the default has. */
        boolean has(double at) {
            boolean within = numbers.isPresent()
                    ? at >= 0 && at <= 1
                    : at >= 0 && at < range.choices().size();
            return within && byDefault.filter(d -> at(d) == at).isEmpty();
        }

        /** The allowed value nearest to a coordinate that it {@link #has}. */
        String value(double at) {
            if (numbers.isEmpty()) {
                return range.choices().get((int) at);
            }
            KnobAxis axis = numbers.get();
            double from = log(axis.from(), axis);
            double log = from + at * (log(axis.to(), axis) - from);
            return axis.text(axis.nearest(StrictMath.exp(log) - shift(axis)));
        }

        private static double log(long value, KnobAxis axis) {
            return StrictMath.log(Math.max(value, 0) + shift(axis));
        }

        private static double shift(KnobAxis axis) {
            return axis.from() > 0 ? 0 : 1;
        }

        boolean isDefault(String value) {
            return byDefault.filter(d -> KnobValues.same(d, value)).isPresent();
        }
    }

    KnobSpace(Plan plan, SettingTrials base) {
        this.plan = plan;
        this.base = base;
        this.cpus = base.valid().isEmpty()
                ? 1
                : Math.max(
                        1,
                        base.valid()
                                .getFirst()
                                .evidence()
                                .map(Evidence::serverCpus)
                                .orElse(1));
        this.dimensions = plan.knobs().stream()
                .map(k -> new Dimension(
                        // "no limit" is not a number to move towards
                        k, KnobAxis.of(k).filter(a -> a.from() >= 0), byDefault(k.knob())))
                .toList();
    }

    private Optional<String> byDefault(String knob) {
        return knob.equals(ServerKind.CHOICE) ? plan.target().knownServer().map(ServerKind::id) : base.inForce(knob);
    }

    List<Dimension> dimensions() {
        return dimensions;
    }

    List<Axis> axes() {
        return dimensions.stream()
                .map(d -> new Axis(d.knob(), d.numbers().isPresent()))
                .toList();
    }

    /** The point of a setting that was tried, by the values that were read back; where there are none, by what it sets. */
    Point at(SettingTrials o) {
        return at(o.setting(), o);
    }

    Point at(Setting s) {
        return at(s, base);
    }

    private Point at(Setting s, SettingTrials from) {
        var at = new ArrayList<Double>();
        for (Dimension d : dimensions) {
            Optional<String> read = from == base ? Optional.empty() : from.inForce(d.knob());
            Optional<String> value = read.or(() -> s.get(d.knob())).or(d::byDefault);
            at.add(moot(d, s) ? Double.NaN : value.map(d::at).orElse(Double.NaN));
        }
        return new Point(at);
    }

    /** Whether a knob has no effect, given the values of others. */
    private boolean moot(Dimension d, Setting own) {
        Setting s = plan.target().configured().with(own);
        Optional<Knob> knob = Knobs.find(d.knob());
        if (knob.isEmpty()) {
            return false;
        }
        boolean lacks = knob.get().needs().entrySet().stream()
                .anyMatch(e -> s.get(e.getKey())
                        .filter(v -> e.getValue().isEmpty() || v.equals(e.getValue()))
                        .isEmpty());
        boolean overruled = plan.target().under(own).knownServer().stream()
                .flatMap(server -> knob.get().on(server).without().entrySet().stream())
                .anyMatch(e -> s.get(e.getKey()).filter(e.getValue()::equals).isPresent());
        return lacks || overruled;
    }

    /**
     * The setting at a point; knobs at the default's value are not set, whether or not the plan lists it. Empty where a constraint
     * forbids it.
     */
    Optional<Setting> setting(double[] at) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < at.length; i++) {
            Dimension d = dimensions.get(i);
            if (d.has(at[i])) {
                String value = d.value(at[i]);
                if (!d.isDefault(value)) {
                    values.put(d.knob(), value);
                }
            }
        }
        return possible(values);
    }

    /**
     * A setting of these values, without those that have no effect given the others; empty where a constraint forbids
     * it.
     */
    Optional<Setting> possible(Map<String, String> values) {
        var left = new LinkedHashMap<>(values);
        for (int i = 0; i < REPAIRS; i++) {
            Setting s = plan.hold().with(Setting.of(left));
            List<Constraints.Reason> reasons = Constraints.reasons(plan.target(), s, cpus, Integer.MAX_VALUE);
            if (reasons.isEmpty()) {
                return Optional.of(s);
            }
            boolean dropped = false;
            for (Constraints.Reason r : reasons) {
                dropped |= left.remove(r.knob()) != null;
            }
            if (!dropped) {
                break;
            }
        }
        return Optional.empty();
    }

    /** What a setting changes: the plan's knobs that it sets to another value than the default's. */
    List<Dimension> changed(Setting s) {
        return dimensions.stream()
                .filter(d -> s.get(d.knob())
                        .filter(v -> plan.hold().get(d.knob()).filter(v::equals).isEmpty())
                        .filter(v -> !d.isDefault(v))
                        .isPresent())
                .toList();
    }

    /**
     * A setting with one of its knobs back at the default, and with it those that can't be set without it. Empty where a constraint
     * forbids that.
     */
    Optional<Setting> without(Setting s, String knob) {
        var values = new LinkedHashMap<>(s.asMap());
        values.remove(knob);
        return possible(values);
    }

    /** The knobs that one setting changes and another does not. */
    List<String> gone(Setting from, Setting to) {
        List<Dimension> left = changed(to);
        return changed(from).stream()
                .filter(d -> !left.contains(d))
                .map(Dimension::knob)
                .toList();
    }
}
