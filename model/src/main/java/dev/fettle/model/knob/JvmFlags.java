package dev.fettle.model.knob;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The flags for a setting's JVM knobs. */
public final class JvmFlags {
    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

    private JvmFlags() {}

    /** The flags in catalogue order; {@code jvm.flags} come last and so win. */
    public static List<String> of(Setting setting) {
        var flags = new ArrayList<String>();
        for (Knob knob : Knobs.all()) {
            knob.option()
                    .ifPresent(o -> setting.get(knob.name())
                            .filter(v -> !v.isBlank())
                            .ifPresent(v -> o.flags(knob.type(), v).stream()
                                    .filter(f -> !flags.contains(f))
                                    .forEach(flags::add)));
        }
        return List.copyOf(flags);
    }

    /** Whether a flag chooses a garbage collector. */
    public static boolean choosesCollector(String flag) {
        return COLLECTOR.matcher(flag).matches();
    }
}
