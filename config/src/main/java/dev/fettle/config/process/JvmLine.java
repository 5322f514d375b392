package dev.fettle.config.process;

import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flags of a JVM, as knobs where the catalogue has them. If a flag is given twice, the JVM uses the last.
 *
 * @param setting the flags that are knobs, by their common names
 * @param rest all others, in their order
 * @param findings flags of a knob that are kept unchanged, and why, one line each
 */
public record JvmLine(Setting setting, List<String> rest, List<String> findings) {
    /** Alternative spellings of flags. */
    private static final Map<String, String> SAME = Map.of(
            "-XX:MaxHeapSize=", "-Xmx",
            "-XX:InitialHeapSize=", "-Xms",
            "-XX:ThreadStackSize=", "-Xss");

    private static final String STACK_OPTION = "-XX:ThreadStackSize=";
    private static final Map<String, Set<String>> DISPLACES = Map.of("jvm.heap.percent", Set.of("jvm.heap"));

    public JvmLine {
        rest = List.copyOf(rest);
        findings = List.copyOf(findings);
    }

    /** Reads the flags of a command line, one argument each. */
    public static JvmLine read(List<String> flags) {
        var values = new LinkedHashMap<String, String>();
        var findings = new ArrayList<String>();
        var taken = new LinkedHashSet<Integer>();
        for (Knob knob : Knobs.all()) {
            List<Pattern> parts = parts(knob);
            if (parts.isEmpty()) {
                continue;
            }
            var last = new ArrayList<Optional<String>>();
            var where = new LinkedHashSet<Integer>();
            for (Pattern part : parts) {
                Optional<String> value = Optional.empty();
                for (int i = 0; i < flags.size(); i++) {
                    Matcher m = part.matcher(usual(flags.get(i)));
                    if (m.matches()) {
                        value = Optional.of(m.group(1));
                        where.add(i);
                    }
                }
                last.add(value);
            }
            if (where.isEmpty()) {
                continue;
            }
            try {
                values.put(knob.name(), common(knob, last));
                taken.addAll(where);
            } catch (IllegalArgumentException problem) {
                findings.add("%s: %s"
                        .formatted(
                                String.join(" ", where.stream().map(flags::get).toList()), problem.getMessage()));
            }
        }
        var rest = new ArrayList<String>();
        for (int i = 0; i < flags.size(); i++) {
            if (!taken.contains(i)) {
                rest.add(flags.get(i));
            }
        }
        return new JvmLine(Setting.of(values), rest, findings);
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

    /** The value, if all parts of a knob's flags agree on it. */
    private static String common(Knob knob, List<Optional<String>> parts) {
        Set<String> values = new LinkedHashSet<>();
        for (Optional<String> part : parts) {
            if (part.isEmpty()) {
                throw new IllegalArgumentException(knob.name() + " stands for more than this; kept as it is");
            }
            values.add(common(knob, part.get()));
        }
        if (values.size() > 1) {
            throw new IllegalArgumentException(knob.name() + " would be one value for all of them; kept as they are");
        }
        return values.iterator().next();
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
