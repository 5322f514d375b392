package dev.fettle.lab;

import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** JVM flags of a trial: the target's own, then those that the setting's {@code jvm.*} knobs stand for. */
final class JvmArguments {
    /** Flag that chooses each collector. */
    static final Map<String, String> COLLECTORS = Map.of(
            "serial", "UseSerialGC",
            "parallel", "UseParallelGC",
            "g1", "UseG1GC",
            "z", "UseZGC",
            "shenandoah", "UseShenandoahGC");

    private JvmArguments() {}

    static List<String> of(Target.Jvm jvm, Setting setting) {
        var flags = new ArrayList<>(jvm.flags());
        setting.get("jvm.heap").ifPresent(heap -> {
            flags.add("-Xms" + heap);
            flags.add("-Xmx" + heap);
        });
        setting.get("jvm.gc").ifPresent(gc -> flags.add("-XX:+" + COLLECTORS.getOrDefault(gc, gc)));
        setting.get("jvm.flags")
                .ifPresent(text -> flags.addAll(List.of(text.trim().split("\\s+"))));
        return flags;
    }

    /** Bytes of a JVM size: {@code 512m}. */
    static long bytes(String size) {
        char unit = Character.toLowerCase(size.charAt(size.length() - 1));
        int shift = switch (unit) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
        };
        return Long.parseLong(shift == 0 ? size : size.substring(0, size.length() - 1)) << shift;
    }
}
