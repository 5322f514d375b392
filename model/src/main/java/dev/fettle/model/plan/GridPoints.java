package dev.fettle.model.plan;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The points of a grid, and how to apply them to a trial. */
public final class GridPoints {
    private static final String APP = "app.";
    private static final String BYTES = APP + "bytes";

    private GridPoints() {}

    /** The parts of a trial that a point can change. */
    public record Parts(Target target, Setting setting, Load load) {
        Parts with(Load other) {
            return new Parts(target, setting, other);
        }

        Parts with(Target other) {
            return new Parts(other, setting, load);
        }
    }

    /**
     * The full grid, the last dimension varying fastest. Without dimensions: one empty point.
     *
     * @return each point as dimension name to value, in the order of the dimensions
     */
    public static List<Map<String, String>> grid(List<Dimension> dimensions) {
        List<Map<String, String>> points = List.of(Map.of());
        for (Dimension d : dimensions) {
            var longer = new ArrayList<Map<String, String>>();
            for (Map<String, String> point : points) {
                for (String value : d.values()) {
                    var next = new LinkedHashMap<>(point);
                    next.put(d.name(), value);
                    longer.add(next);
                }
            }
            points = longer;
        }
        return List.copyOf(points);
    }

    /**
     * Applies every value of a point, in order.
     *
     * @throws IllegalArgumentException as {@link #apply(String, String, Parts)}, or if the values do not go together
     */
    public static Parts apply(Map<String, String> point, Parts parts) {
        Parts changed = parts;
        for (var e : point.entrySet()) {
            changed = apply(e.getKey(), e.getValue(), changed);
        }
        if (!point.isEmpty()) {
            GridProperty.check(changed.load());
        }
        return changed;
    }

    /**
     * Applies one value.
     *
     * @param name a dimension: a knob, a {@link GridProperty} of the load or the backend, or {@code app.OPTION}
     * @param value canonical
     * @throws IllegalArgumentException with a message for the user, if there is no such dimension or the value is invalid
     */
    public static Parts apply(String name, String value, Parts parts) {
        String v = canonical(name, value, parts.target());
        Optional<Target.Embedded> sample = parts.target().sample();
        if (name.startsWith(APP) && sample.isPresent()) {
            return new Parts(
                    sample.get().withOption(name.substring(APP.length()), v),
                    parts.setting(),
                    name.equals(BYTES) && v.equals("0") ? withEmptyBody(parts.load()) : parts.load());
        }
        return GridProperty.of(name)
                .map(p -> p.apply(v, parts))
                .orElseGet(() -> new Parts(parts.target(), parts.setting().with(name, v), parts.load()));
    }

    /** Expects an empty body: without that, the empty answers would be taken for wrong ones. */
    private static Load withEmptyBody(Load load) {
        Load.Expect e = load.expect();
        return e.length().isPresent() || e.contains().isPresent()
                ? load
                : load.withExpect(e.withLength(OptionalInt.of(0)));
    }

    /**
     * Converts a dimension's value to canonical form.
     *
     * @throws IllegalArgumentException as {@link #apply(String, String, Parts)}
     */
    public static String canonical(String name, String value, Target target) {
        if (name.startsWith(APP)) {
            Target.Embedded sample = target.sample()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'%s' needs an embedded target: only sample apps have options".formatted(name)));
            return Apps.canonical(sample.app(), name.substring(APP.length()), value);
        }
        if (OwnKnob.is(name)) {
            return value; // already checked against what the plan declares
        }
        return GridProperty.of(name)
                .map(p -> p.canonical(value, target))
                .orElseGet(() -> Knobs.find(name)
                        .orElseThrow(() -> new IllegalArgumentException(unknown(name, target)))
                        .canonical(value));
    }

    /** Dimensions that a scenario defines in its steps, so a grid can't vary them. */
    public static List<String> ofRequest() {
        return List.of(GridProperty.PATH.dimension(), GridProperty.BODY.dimension());
    }

    /** Whether a plan may put a dimension's values in quotes. */
    public static boolean maybeQuoted(String name) {
        return name.equals(GridProperty.PATH.dimension()) || name.startsWith(APP);
    }

    /** Whether there is such a dimension for this target. */
    public static boolean known(String name, Target target) {
        return GridProperty.of(name).isPresent()
                || Knobs.find(name).isPresent()
                || options(target).contains(name);
    }

    /** The options of a sample app, as dimensions. */
    private static List<String> options(Target target) {
        return target.sample().stream()
                .flatMap(s -> Apps.options(s.app()).stream())
                .map(o -> APP + o)
                .toList();
    }

    /** The message for a dimension that is not {@link #known}. */
    public static String unknown(String name, Target target) {
        var names = new ArrayList<>(GridProperty.names(target));
        names.addAll(options(target));
        String others = String.join(", ", names);
        names.addAll(Knobs.names());
        String meant = NearestName.nearest(name, names)
                .or(() -> Knobs.nearest(name))
                .map(n -> "; did you mean '" + n + "'?")
                .orElse("");
        return "unknown dimension '%s'%s (a knob, %s)".formatted(name, meant, others);
    }
}
