package dev.fettle.model.knob;

import dev.fettle.model.knob.Knob.Part;
import dev.fettle.model.text.NearestName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The catalogue of knobs: the files {@code knobs/server.yaml}, {@code knobs/jvm.yaml} and {@code knobs/process.yaml} next to
 * this class, read once. It is the only source on knobs in Fettle.
 */
public final class Knobs {
    private static final List<Knob> ALL = Stream.of(
                    KnobFile.read("server.yaml", Part.SERVER),
                    KnobFile.read("jvm.yaml", Part.JVM),
                    KnobFile.read("process.yaml", Part.PROCESS))
            .flatMap(List::stream)
            .toList();

    private static final Map<String, Knob> BY_NAME = new LinkedHashMap<>();

    static {
        ALL.forEach(k -> BY_NAME.put(k.name(), k));
    }

    private static final List<String> NAMES = List.copyOf(BY_NAME.keySet());

    private Knobs() {}

    /** Every knob, in the order of the documentation. */
    public static List<Knob> all() {
        return ALL;
    }

    /** The names of all knobs. */
    public static List<String> names() {
        return NAMES;
    }

    /** A knob by its exact name. */
    public static Optional<Knob> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Whether a name is a knob of the server itself, not of its JVM or process. */
    public static boolean ofServer(String name) {
        return find(name).map(k -> k.part() == Part.SERVER).orElse(false);
    }

    /** The knob closest to a misspelt name; also finds native names such as {@code maxThreads}. */
    public static Optional<String> nearest(String name) {
        return named(name).or(() -> NearestName.nearest(name, NAMES));
    }

    /** The knob of a native name such as {@code maxThreads} or {@code MaxGCPauseMillis}. */
    public static Optional<String> named(String name) {
        for (Knob knob : ALL) {
            for (NativeKnob n : knob.natives().values()) {
                String own = n.name().substring(n.name().lastIndexOf('.') + 1);
                if (n.applies() && own.equalsIgnoreCase(name)) {
                    return Optional.of(knob.name());
                }
            }
            if (!name.isEmpty()
                    && knob.option().map(o -> o.name().equalsIgnoreCase(name)).orElse(false)) {
                return Optional.of(knob.name());
            }
        }
        return Optional.empty();
    }
}
