package dev.fettle.insight.tune;

import dev.fettle.insight.surface.Axis;
import dev.fettle.insight.surface.Point;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Evidence;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final Optional<ServerKind> own;
    private final Map<String, Optional<String>> onOwn = new HashMap<>();

    /** A choice next to the only value of a knob: not to set it. No value is like it. */
    private static final String UNSET = "\0";

    /** A knob as a coordinate. */
    record Dimension(KnobRange range, Optional<KnobAxis> numbers) {
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
            return choices.contains(UNSET) ? choices.indexOf(UNSET) : choices.size();
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

        /**
         * Whether a coordinate stands for a value that may be set, and not for one that only a default has. Of a knob with one value
         * half of the coordinates do: else no trial that moves all knobs at once would be without it.
         */
        boolean has(double at) {
            return numbers.isPresent()
                    ? at >= 0 && at <= (numbers.get().from() < numbers.get().to() ? 1 : 0.5)
                    : at >= 0
                            && at < range.choices().size()
                            && !range.choices().get((int) at).equals(UNSET);
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
        this.own = plan.target().under(base.setting()).knownServer();
        List<KnobRange> settled = settled();
        this.dimensions = plan.knobs().stream()
                // a search needs one knob at least, even if nothing can be done with it
                .filter(k -> settled.size() == plan.knobs().size() || !settled.contains(k))
                .map(KnobSpace::dimension)
                .toList();
    }

    private static Dimension dimension(KnobRange range) {
        // "no limit" is not a number to move towards
        Optional<KnobAxis> numbers = KnobAxis.of(range).filter(a -> a.from() >= 0);
        return numbers.isEmpty() && range.choices().size() == 1
                ? new Dimension(
                        KnobRange.choices(range.knob(), List.of(range.choices().getFirst(), UNSET)), numbers)
                : new Dimension(range, numbers);
    }

    /** The plan's knobs that have one value only, which is the default's, on all servers that it may try: there is nothing to try. */
    List<KnobRange> settled() {
        boolean oneServer = plan.knobs().stream()
                .filter(k -> k.knob().equals(ServerKind.CHOICE))
                .flatMap(k -> k.choices().stream())
                .allMatch(id -> own.filter(s -> s.id().equals(id)).isPresent());
        return plan.knobs().stream()
                .filter(k -> k.choices().size() == 1)
                .filter(k -> oneServer || !Knobs.ofServer(k.knob()))
                .filter(k -> isDefault(k.knob(), k.choices().getFirst(), base.setting()))
                .toList();
    }

    /** A knob's value under a setting: what it sets, or the default. */
    Optional<String> value(String knob, Setting s) {
        return s.get(knob).or(() -> byDefault(knob, s));
    }

    /**
     * A knob's value where a setting does not set it: on the plan's server what was read with the default's trial, or what the plan says of
     * a knob of the application's own; on another server what its defaults are; empty if that is not known.
     */
    private Optional<String> byDefault(String knob, Setting s) {
        if (knob.equals(ServerKind.CHOICE)) {
            return plan.target().knownServer().map(ServerKind::id);
        }
        Optional<ServerKind> server = plan.target().under(s).knownServer();
        return server.equals(own) || server.isEmpty() || !Knobs.ofServer(knob)
                ? onOwn.computeIfAbsent(knob, k -> base.inForce(k).or(() -> plan.ownDefault(k)))
                : plan.hold().get(knob).or(() -> byDefault(server.get(), knob, s));
    }

    private Optional<String> byDefault(ServerKind server, String knob, Setting s) {
        Setting given = plan.target().configured().with(plan.hold()).with(s);
        OptionalLong number = Defaults.effective(server, knob, given.without(knob), cpus);
        if (number.isPresent()) {
            return Optional.of(Long.toString(number.getAsLong()));
        }
        return Knobs.find(knob)
                .flatMap(k -> k.choices().stream()
                        .filter(k.on(server).byDefault()::equals)
                        .findFirst());
    }

    private boolean isDefault(String knob, String value, Setting s) {
        return byDefault(knob, s).filter(d -> KnobValues.same(d, value)).isPresent();
    }

    List<Dimension> dimensions() {
        return dimensions;
    }

    List<Axis> axes() {
        return dimensions.stream().map(d -> new Axis(d.numbers().isPresent())).toList();
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
        Setting all = plan.target().configured().with(s);
        Optional<ServerKind> server = plan.target().under(s).knownServer();
        for (Dimension d : dimensions) {
            Optional<String> read = from == base ? Optional.empty() : from.inForce(d.knob());
            Optional<String> value = read.or(() -> value(d.knob(), s));
            at.add(moot(d, all, server) ? Double.NaN : value.map(d::at).orElse(Double.NaN));
        }
        return new Point(at);
    }

    /** Whether a knob has no effect on a server, given the values of others. */
    private static boolean moot(Dimension d, Setting s, Optional<ServerKind> server) {
        Optional<Knob> knob = Knobs.find(d.knob());
        if (knob.isEmpty()) {
            return false;
        }
        boolean lacks = knob.get().needs().entrySet().stream()
                .anyMatch(e -> s.get(e.getKey())
                        .filter(v -> e.getValue().isEmpty() || v.equals(e.getValue()))
                        .isEmpty());
        boolean overruled = server.stream()
                .flatMap(kind -> knob.get().on(kind).without().entrySet().stream())
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
                values.put(d.knob(), d.value(at[i]));
            }
        }
        // which server it is decides what its defaults are
        Setting all = Setting.of(values);
        for (int i = 0; i < at.length; i++) {
            Dimension d = dimensions.get(i);
            Optional<String> value = all.get(d.knob());
            if (value.isPresent() && isDefault(d, at[i], value.get(), all)) {
                values.remove(d.knob());
            }
        }
        return possible(values);
    }

    private boolean isDefault(Dimension d, double at, String value, Setting s) {
        return byDefault(d.knob(), s)
                .filter(v -> d.at(v) == at || KnobValues.same(v, value))
                .isPresent();
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
                        .filter(v -> !isDefault(d.knob(), v, s))
                        .isPresent())
                .toList();
    }

    /**
     * A setting with one of its knobs back at the default, and with it those that can't be set without it. Without its server, what is
     * the default on the plan's is not set either. Empty where a constraint forbids that.
     */
    Optional<Setting> without(Setting s, String knob) {
        var values = new LinkedHashMap<>(s.asMap());
        values.remove(knob);
        if (knob.equals(ServerKind.CHOICE)) {
            Setting left = Setting.of(values);
            values.entrySet().removeIf(e -> isDefault(e.getKey(), e.getValue(), left));
        }
        return possible(values);
    }

    /** The knobs that one setting changes and another does not, and that are not at the same value in both. */
    List<String> gone(Setting from, Setting to) {
        List<Dimension> left = changed(to);
        return changed(from).stream()
                .filter(d -> !left.contains(d))
                .map(Dimension::knob)
                .filter(k -> !value(k, from).equals(value(k, to)))
                .toList();
    }
}
