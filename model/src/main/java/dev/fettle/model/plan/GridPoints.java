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

/** The points of a grid, and how to apply them to a trial. */
public final class GridPoints {
    /** Dimensions of the load. */
    public static final List<String> LOAD = List.of("load.connections", "load.keep-alive", "load.path");

    private static final String APP = "app.";

    private GridPoints() {}

    /** The parts of a trial that a point can change. */
    public record Parts(Target target, Setting setting, Load load) {
        private Parts with(Load other) {
            return new Parts(target, setting, other);
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

    /** Applies every value of a point, in order. */
    public static Parts apply(Map<String, String> point, Parts parts) {
        Parts changed = parts;
        for (var e : point.entrySet()) {
            changed = apply(e.getKey(), e.getValue(), changed);
        }
        return changed;
    }

    /**
     * Applies one value.
     *
     * @param name a dimension: a knob, {@code load.connections}, {@code load.keep-alive}, {@code load.path} or {@code
     *     app.OPTION}
     * @param value canonical
     * @throws IllegalArgumentException with a message for the user, if there is no such dimension or the value is invalid
     */
    public static Parts apply(String name, String value, Parts parts) {
        String v = canonical(name, value, parts.target());
        if (name.startsWith(APP) && parts.target() instanceof Target.Embedded embedded) {
            return new Parts(embedded.withOption(name.substring(APP.length()), v), parts.setting(), parts.load());
        }
        return switch (name) {
            case "load.connections" -> parts.with(parts.load().withConnections(Integer.parseInt(v)));
            case "load.keep-alive" -> parts.with(parts.load().withKeepAlive(Boolean.parseBoolean(v)));
            case "load.path" -> parts.with(parts.load().withPath(v));
            default -> new Parts(parts.target(), parts.setting().with(name, v), parts.load());
        };
    }

    /**
     * Converts a dimension's value to canonical form.
     *
     * @throws IllegalArgumentException as {@link #apply(String, String, Parts)}
     */
    public static String canonical(String name, String value, Target target) {
        if (name.startsWith(APP)) {
            if (!(target instanceof Target.Embedded embedded)) {
                throw new IllegalArgumentException(
                        "'%s' needs an embedded target: only sample apps have options".formatted(name));
            }
            return Apps.canonical(embedded.app(), name.substring(APP.length()), value);
        }
        if (OwnKnob.is(name)) {
            return value; // the plan declares what it may be, and was held against that
        }
        return switch (name) {
            case "load.connections" -> connections(value);
            case "load.keep-alive" -> bool(value);
            case "load.path" -> path(value);
            default ->
                Knobs.find(name)
                        .orElseThrow(() -> new IllegalArgumentException(unknown(name, target)))
                        .canonical(value);
        };
    }

    /** Whether there is such a dimension for this target. */
    public static boolean known(String name, Target target) {
        return LOAD.contains(name)
                || Knobs.find(name).isPresent()
                || (target instanceof Target.Embedded e
                        && name.startsWith(APP)
                        && Apps.options(e.app()).contains(name.substring(APP.length())));
    }

    /** The message for a dimension that is not {@link #known}. */
    public static String unknown(String name, Target target) {
        var names = new ArrayList<>(LOAD);
        if (target instanceof Target.Embedded e) {
            Apps.options(e.app()).forEach(o -> names.add(APP + o));
        }
        String others = String.join(", ", names);
        names.addAll(Knobs.names());
        String meant = NearestName.nearest(name, names)
                .or(() -> Knobs.nearest(name))
                .map(n -> "; did you mean '" + n + "'?")
                .orElse("");
        return "unknown dimension '%s'%s (a knob, %s)".formatted(name, meant, others);
    }

    private static String connections(String value) {
        if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) < 1 || Integer.parseInt(value) > 60_000) {
            throw new IllegalArgumentException(
                    "load.connections is a whole number from 1 to 60000, not '%s'".formatted(value));
        }
        return Integer.toString(Integer.parseInt(value));
    }

    private static String bool(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("load.keep-alive is true or false, not '%s'".formatted(value));
        }
        return value;
    }

    private static String path(String value) {
        if (!value.matches("/[!-~]*")) {
            throw new IllegalArgumentException("a path starts with '/' and holds no blanks: '%s'".formatted(value));
        }
        return value;
    }
}
