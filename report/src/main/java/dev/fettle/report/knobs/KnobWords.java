package dev.fettle.report.knobs;

import dev.fettle.config.render.ConfigPlace;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Words for the catalogue's entries. */
final class KnobWords {
    private static final Set<String> KERNEL = Set.of("backlog");

    private KnobWords() {}

    static String sentence(String text) {
        return text.isEmpty() ? "" : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
    }

    /** The native name, without the placeholder for the value. */
    static String name(NativeKnob n) {
        return n.name().isEmpty() || n.name().equals("{}")
                ? ""
                : n.name().replace("-XX:{}", "-XX:+").replace("={}", "").replace("{}", "N");
    }

    /** {@code Tomcat Jetty}, or {@code all}. */
    static String servers(Knob knob) {
        List<String> on = Arrays.stream(ServerKind.values())
                .filter(s -> knob.on(s).applies())
                .map(ServerKind::title)
                .toList();
        return on.size() == ServerKind.values().length ? "all" : String.join(" ", on);
    }

    static boolean live(Knob knob, NativeKnob n) {
        return n.live() || knob.option().map(JvmOption::live).orElse(false);
    }

    static String values(Knob knob) {
        return switch (knob.type()) {
            case INT, DURATION, SIZE -> {
                String unit = switch (knob.type()) {
                    case INT -> "a whole number";
                    case DURATION -> "a duration";
                    default -> "a size";
                };
                yield unit + " from " + knob.shown(knob.text(knob.least())) + " to "
                        + knob.shown(knob.text(knob.max()))
                        + (knob.hasNoLimit() ? "; -1 is no limit" : "")
                        + (knob.scale() == Knob.Scale.LOG ? "; searched in equal ratios" : "; searched in equal steps");
            }
            case BOOL, ENUM -> String.join(", ", knob.choices());
            case JDK -> "a feature release such as 25, or the home folder of a JDK";
            case FLAGS -> "JVM flags, separated by spaces";
            case TEXT -> "text";
        };
    }

    static String needs(Knob knob) {
        return knob.needs().entrySet().stream()
                .map(e -> e.getValue().isEmpty() ? e.getKey() : e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    static String constraint(Knob knob) {
        var parts = new ArrayList<String>();
        knob.atMost().ifPresent(k -> parts.add("at most " + k));
        if (!knob.constraint().isEmpty()) {
            parts.add(knob.constraint());
        }
        return String.join("; ", parts);
    }

    static String defaults(NativeKnob n) {
        return n.byDefault()
                + n.defaults().entrySet().stream()
                        .map(e -> "; " + e.getKey() + ": " + e.getValue())
                        .collect(Collectors.joining());
    }

    /** How an embedded server gets the value. */
    static String embedded(NativeKnob n, ServerKind server) {
        return ConfigPlace.config(server).embedded(n);
    }

    static String standalone(NativeKnob n, ServerKind server) {
        return n.standalone().isEmpty() ? "" : ConfigPlace.config(server).standalone(n);
    }

    static String boot(NativeKnob n) {
        return n.bootProperty().map(p -> p + " (" + n.bootVersions() + ")").orElse("no property: a customizer");
    }

    /** Whether it can be read back from the server or the kernel. */
    static boolean readable(Knob knob, NativeKnob n) {
        return n.unread().isEmpty() || KERNEL.contains(knob.name());
    }

    static String readBack(Knob knob, NativeKnob n) {
        String kernel = KERNEL.contains(knob.name()) ? "from the kernel's socket (ss -ltn)" : "";
        if (n.unread().isEmpty()) {
            return kernel.isEmpty() ? "from the running server" : kernel;
        }
        return (kernel.isEmpty() ? "not: " : kernel + ", for ") + n.unread();
    }

    static String flag(Knob knob, JvmOption o) {
        if (knob.type() == Knob.Type.JDK) {
            return ""; // a different java program, not a flag
        }
        return String.join(" ", o.flags(knob.type(), "VALUE"))
                .replace("-XX:-" + o.name(), "-XX:+" + o.name() + " or -XX:-" + o.name());
    }

    static String releases(JvmOption o) {
        return o.until() == JvmOption.STILL ? o.since() + " and newer" : o.since() + " to " + o.until();
    }

    static String jvmReadBack(JvmOption o) {
        return (o.property() ? "system property " : "VM option ")
                + o.name()
                + (o.atLeast() ? "; the JVM may round it up" : "");
    }
}
