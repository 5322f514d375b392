package dev.fettle.model.constraint;

import dev.fettle.model.constraint.Constraints.Reason;
import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Units;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Finds JVM settings that are rejected or have no effect. */
final class JvmConstraints {
    private static final String USUAL_COLLECTOR = "g1";
    static final int VIRTUAL_SINCE = 21;
    /** The release in which a collector stopped being experimental. */
    private static final Map<String, Integer> COLLECTOR_SINCE = Map.of("z", 15, "shenandoah", 15);

    private JvmConstraints() {}

    static void check(Setting s, Target.Jvm planned, List<Reason> out) {
        Target.Jvm target = planned.under(s);
        String flags = s.get("jvm.flags").orElse("");
        collector(List.of(flags.split(" ")), "jvm.flags", s, out);
        boolean heap = s.get("jvm.heap").isPresent();
        if (heap && (" " + flags).matches(".* -(Xmx|Xms|XX:MaxHeapSize=|XX:InitialHeapSize=).*")) {
            out.add(new Reason("jvm.flags", "jvm.flags and jvm.heap both set the heap size: keep one"));
        }
        if (heap && s.get("jvm.heap.percent").isPresent()) {
            out.add(new Reason("jvm.heap.percent", "jvm.heap.percent has no effect with jvm.heap: keep one"));
        }
        OptionalLong region = s.number("jvm.gc.g1.region");
        if (region.isPresent() && Long.bitCount(region.getAsLong()) != 1) {
            out.add(new Reason(
                    "jvm.gc.g1.region",
                    "jvm.gc.g1.region=%s is no power of two: the JVM would take another size"
                            .formatted(Units.sizeText(region.getAsLong()))));
        }
        for (String name : s.values().keySet()) {
            Knobs.find(name).flatMap(Knob::option).ifPresent(o -> {
                wantsCollector(name, o, s, target, flags, out);
                release(name, o, target, out);
            });
        }
        collectorRelease(s, target, out);
    }

    /** Reports a setting that chooses a Java too old for the server. */
    static void oldest(Setting s, int oldest, String what, List<Reason> out) {
        OptionalInt release = Target.Jvm.SAME.under(s).release();
        if (release.isPresent() && release.getAsInt() < oldest) {
            out.add(new Reason(
                    Target.Jvm.JDK,
                    "%s=%d is too old: %s needs Java %d or newer"
                            .formatted(Target.Jvm.JDK, release.getAsInt(), what, oldest)));
        }
    }

    /** Servers refuse to start with virtual threads where the JDK has none. */
    static void virtualThreads(Setting s, Target.Jvm planned, List<Reason> out) {
        OptionalInt release = planned.under(s).release();
        if (Defaults.virtual(s) && release.isPresent() && release.getAsInt() < VIRTUAL_SINCE) {
            out.add(new Reason(
                    "threads.virtual",
                    "threads.virtual=true needs Java %d or newer, and this is Java %d"
                            .formatted(VIRTUAL_SINCE, release.getAsInt())));
        }
    }

    private static void collectorRelease(Setting s, Target.Jvm target, List<Reason> out) {
        Integer since = COLLECTOR_SINCE.get(s.get("jvm.gc").orElse(""));
        OptionalInt release = target.release();
        if (since != null && release.isPresent() && release.getAsInt() < since) {
            out.add(new Reason(
                    "jvm.gc",
                    "jvm.gc=%s is for Java %d and newer, and this is Java %d"
                            .formatted(s.get("jvm.gc").orElse(""), since, release.getAsInt())));
        }
    }

    /** A JVM told to use two collectors does not start. */
    static void collector(List<String> flags, String where, Setting s, List<Reason> out) {
        Optional<String> chosen = s.get("jvm.gc");
        for (String flag : flags) {
            if (chosen.isPresent() && JvmFlags.choosesCollector(flag)) {
                out.add(new Reason(
                        "jvm.gc",
                        "jvm.gc=%s: %s already choose a collector with %s; the JVM would not start"
                                .formatted(chosen.get(), where, flag)));
            }
        }
    }

    private static void wantsCollector(
            String name, JvmOption option, Setting s, Target.Jvm target, String flags, List<Reason> out) {
        boolean free = target.flags().stream().anyMatch(JvmFlags::choosesCollector)
                || List.of(flags.split(" ")).stream().anyMatch(JvmFlags::choosesCollector);
        if (option.collector().isEmpty() || free) {
            return; // the user chose the collector by flag, at their own risk
        }
        if (!s.get("jvm.gc").orElse(USUAL_COLLECTOR).equals(option.collector())) {
            out.add(new Reason(name, "%s has no effect without jvm.gc=%s".formatted(name, option.collector())));
        }
    }

    private static void release(String name, JvmOption option, Target.Jvm target, List<Reason> out) {
        if (target.release().isEmpty()) {
            return; // a home folder, or Fettle's own JDK: the JVM itself rejects unknown options
        }
        int release = target.release().getAsInt();
        if (release < option.since() || release > option.until()) {
            out.add(new Reason(
                    name,
                    "%s does not exist in Java %d: it is in Java %d%s"
                            .formatted(
                                    name,
                                    release,
                                    option.since(),
                                    option.until() == JvmOption.STILL ? " and newer" : " to " + option.until())));
        }
    }
}
