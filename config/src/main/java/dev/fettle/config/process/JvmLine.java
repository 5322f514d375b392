package dev.fettle.config.process;

import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The flags of a JVM, as knobs where the catalogue has them. If a flag is given twice, the JVM uses the last. */
public final class JvmLine {
    /** Alternative spellings of flags. */
    private static final Map<String, String> SAME = Map.of(
            "-XX:MaxHeapSize=", "-Xmx",
            "-XX:InitialHeapSize=", "-Xms",
            "-XX:ThreadStackSize=", "-Xss");

    private static final String STACK_OPTION = "-XX:ThreadStackSize=";
    private static final Map<String, Set<String>> DISPLACES = Map.of("jvm.heap.percent", Set.of("jvm.heap"));

    private JvmLine() {}

    /**
     * The knobs that the flags of a command line set, one argument each. A knob for which its flags have no value in common is not among
     * them.
     */
    public static Setting read(List<String> flags) {
        var values = new LinkedHashMap<String, String>();
        for (Knob knob : Knobs.all()) {
            List<Pattern> parts = parts(knob);
            if (parts.isEmpty()) {
                continue;
            }
            var last = new ArrayList<Optional<String>>();
            for (Pattern part : parts) {
                Optional<String> value = Optional.empty();
                for (String flag : flags) {
                    Matcher m = part.matcher(usual(flag));
                    if (m.matches()) {
                        value = Optional.of(m.group(1));
                    }
                }
                last.add(value);
            }
            common(knob, last).ifPresent(value -> values.put(knob.name(), value));
        }
        return Setting.of(values);
    }

    /**
     * The flags with a setting on top: flags for the knobs that it sets are removed, and the setting's are added at the
     * end.
     */
    public static List<String> with(List<String> flags, Setting over) {
        var out = new ArrayList<>(without(flags, over));
        JvmFlags.of(over).stream().filter(f -> !out.contains(f)).forEach(out::add);
        return List.copyOf(out);
    }

    /** The flags that stand for the knobs of a setting, and so have to give way to it. */
    public static List<String> displaced(List<String> flags, Setting over) {
        List<String> kept = without(flags, over);
        return flags.stream().filter(f -> !kept.contains(f)).distinct().toList();
    }

    /** The flags without those that stand for the knobs of a setting. */
    public static List<String> without(List<String> flags, Setting over) {
        var out = new ArrayList<>(flags);
        for (Knob knob : Knobs.all()) {
            boolean named = over.get(knob.name()).isPresent()
                    || DISPLACES.entrySet().stream()
                            .anyMatch(d -> over.get(d.getKey()).isPresent()
                                    && d.getValue().contains(knob.name()));
            if (named) {
                List<Pattern> parts = parts(knob);
                out.removeIf(
                        f -> parts.stream().anyMatch(p -> p.matcher(usual(f)).matches()));
            }
        }
        return List.copyOf(out);
    }

    /** The value, if all parts of a knob's flags are there and agree on it. */
    private static Optional<String> common(Knob knob, List<Optional<String>> parts) {
        if (parts.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        try {
            Set<String> values = new HashSet<>();
            parts.forEach(part -> values.add(common(knob, part.orElseThrow())));
            return values.size() > 1 ? Optional.empty() : values.stream().findFirst();
        } catch (IllegalArgumentException notOne) {
            return Optional.empty();
        }
    }

    private static String common(Knob knob, String written) {
        JvmOption option = knob.option().orElseThrow();
        boolean switched = knob.type() == Knob.Type.BOOL && !option.property();
        String own = switched ? Boolean.toString(written.equals("+")) : written;
        return knob.canonical(option.values().entrySet().stream()
                .filter(e -> e.getValue().equals(own))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(own));
    }

    /** Patterns for the flags of a knob that carry a value; group 1 is the value. */
    private static List<Pattern> parts(Knob knob) {
        return knob.option()
                .filter(o -> knob.type() != Knob.Type.FLAGS)
                .map(o -> Arrays.stream(o.write().split("\\s+"))
                        .filter(p -> p.contains("{}"))
                        .map(p -> pattern(knob, o, p))
                        .toList())
                .orElse(List.of());
    }

    private static Pattern pattern(Knob knob, JvmOption option, String part) {
        int hole = part.indexOf("{}");
        String value = knob.type() == Knob.Type.BOOL && !option.property()
                ? "[+-]"
                : option.values().isEmpty()
                        ? "[^=]+"
                        : String.join("|", option.values().values());
        return Pattern.compile(
                Pattern.quote(part.substring(0, hole)) + "(" + value + ")" + Pattern.quote(part.substring(hole + 2)));
    }

    /** A flag in the catalogue's spelling. */
    private static String usual(String flag) {
        if (flag.startsWith(STACK_OPTION)) {
            return "-Xss" + flag.substring(STACK_OPTION.length()) + "k"; // this one counts in kilobytes
        }
        for (var e : SAME.entrySet()) {
            if (flag.startsWith(e.getKey())) {
                return e.getValue() + flag.substring(e.getKey().length());
            }
        }
        return flag;
    }
}
