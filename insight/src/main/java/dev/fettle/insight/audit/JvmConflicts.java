package dev.fettle.insight.audit;

import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Options of one JVM, together with the memory that it gets. */
record JvmConflicts(ConflictChecks t) {
    private static final double MEBI = 1 << 20;
    static final double SERVER_CLASS = 1792 * MEBI;
    private static final Pattern CPUS = Pattern.compile("(\\d{0,6}(?:\\.\\d{1,6})?(?<=\\d))(m|%|)");
    private static final Set<String> COLLECTORS = Set.of(
            "-XX:UseSerialGC",
            "-XX:UseParallelGC",
            "-XX:UseG1GC",
            "-XX:UseZGC",
            "-XX:UseShenandoahGC",
            "-XX:UseEpsilonGC");

    static void of(ConflictChecks t) {
        var c = new JvmConflicts(t);
        c.heaps();
        c.collectors();
        c.byDefaultSerial();
        c.spoilt();
        c.ofAnotherCollector();
    }

    /** An option, and the switch that makes it useless. */
    private record Spoilt(String option, String by, String value, boolean offByDefault) {}

    private static final List<Spoilt> SPOILT = List.of(
            new Spoilt("-XX:HeapDumpPath", "-XX:HeapDumpOnOutOfMemoryError", "false", true),
            new Spoilt("-XX:HeapDumpGzipLevel", "-XX:HeapDumpOnOutOfMemoryError", "false", true),
            new Spoilt("-XX:ExplicitGCInvokesConcurrent", "-XX:DisableExplicitGC", "true", false),
            new Spoilt("-XX:StringDeduplicationAgeThreshold", "-XX:UseStringDeduplication", "false", true),
            new Spoilt("-XX:LargePageSizeInBytes", "-XX:UseLargePages", "false", false),
            new Spoilt("-XX:TieredStopAtLevel", "-XX:TieredCompilation", "false", false));
    /** They write dumps to the same path. */
    private static final Pattern DUMPS =
            Pattern.compile("-XX:(?:HeapDump(?:Before|After)FullGC|CrashOnOutOfMemoryError)");

    private void spoilt() {
        for (Spoilt s : SPOILT) {
            t.named(s.option())
                    .filter(f -> f.kind() == SettingKind.JVM
                            && !f.scope().equals("text")
                            && !f.value().equals("false"))
                    .forEach(f -> spoilt(s, f));
        }
    }

    private void spoilt(Spoilt s, FoundSetting f) {
        Optional<FoundSetting> by =
                t.named(s.by()).filter(o -> ConflictChecks.beside(o, f)).reduce((a, b) -> b);
        String missing = "-XX:+" + s.by().substring("-XX:".length());
        if (by.isPresent() && by.get().value().equals(s.value())) {
            t.say(
                    "spoilt",
                    f,
                    AuditVerdict.NO_EFFECT,
                    s.value().equals("false") ? missing : "one of the two",
                    "It does nothing with %s (%s).",
                    by.get().written(),
                    by.get().place());
        } else if (s.offByDefault()
                && t.named(s.by()).findAny().isEmpty()
                && t.all().stream()
                        .noneMatch(o ->
                                DUMPS.matcher(o.name()).matches() || o.name().equals(s.by()))) {
            t.say(
                    "spoilt",
                    f,
                    AuditVerdict.NO_EFFECT,
                    missing,
                    "It does nothing without %s, which is off by default.",
                    missing);
        }
    }

    private static final Map<Pattern, Set<String>> FOR = Map.of(
            Pattern.compile("-XX:G1\\w+|-XX:InitiatingHeapOccupancyPercent"), Set.of("-XX:UseG1GC"),
            Pattern.compile("-XX:MaxGCPauseMillis"), Set.of("-XX:UseG1GC", "-XX:UseParallelGC"),
            Pattern.compile("-XX:Z[A-Z]\\w+"), Set.of("-XX:UseZGC"),
            Pattern.compile("-XX:Shenandoah\\w+"), Set.of("-XX:UseShenandoahGC"),
            Pattern.compile("-Xmn|-XX:(?:NewRatio|SurvivorRatio|NewSize|MaxNewSize)"),
                    Set.of("-XX:UseG1GC", "-XX:UseParallelGC", "-XX:UseSerialGC"));

    /** Options of a collector next to the choice of another one. */
    private void ofAnotherCollector() {
        for (FoundSetting f : t.all()) {
            if (f.kind() != SettingKind.JVM || f.scope().equals("text")) {
                continue;
            }
            FOR.forEach((options, collectors) -> {
                if (!options.matcher(f.name()).matches()) {
                    return;
                }
                List<FoundSetting> chosen = COLLECTORS.stream()
                        .flatMap(t::named)
                        .filter(c -> c.value().equals("true") && ConflictChecks.beside(c, f))
                        .toList();
                if (!chosen.isEmpty() && chosen.stream().noneMatch(c -> collectors.contains(c.name()))) {
                    t.say(
                            "collector",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "delete it",
                            "It is not for the collector that is chosen, %s (%s).",
                            chosen.getFirst().written(),
                            chosen.getFirst().place());
                }
            });
        }
    }

    /** HotSpot takes G1 by itself only on a "server class machine": two processors, and 2 GiB less what may be missing of it. */
    private void byDefaultSerial() {
        if (t.context().release("jdk").filter(r -> r.in(">=9")).isEmpty()) {
            return;
        }
        t.named("-XX:UseG1GC")
                .filter(f -> f.value().equals("true"))
                .forEach(f -> t.all().stream()
                        .filter(l -> ConflictChecks.beside(l, f) && tooSmall(l))
                        .findFirst()
                        .ifPresent(l -> t.say(
                                "serial",
                                f,
                                AuditVerdict.SITUATIONAL,
                                "measure it against -XX:+UseSerialGC",
                                "It is not the default here: with %s (%s) the JVM takes the serial collector, since it sees less than two"
                                        + " CPUs or less than 1792 MiB.",
                                l.written(),
                                l.place())));
    }

    private boolean tooSmall(FoundSetting limit) {
        boolean container = limit.kind() == SettingKind.CONTAINER;
        double cpus =
                limit.name().equals("CPUQuota") || (container && limit.name().equals("cpu"))
                        ? cpus(limit.value()).orElse(0)
                        : 0;
        double memory =
                limit.name().equals("MemoryMax") || (container && limit.name().equals("memory"))
                        ? ConflictChecks.number(limit).orElse(0)
                        : 0;
        // 0 is no limit
        return (cpus > 0
                        && cpus <= 1
                        && value("-XX:ActiveProcessorCount", limit).orElse(1) < 2)
                || (memory > 0 && memory < SERVER_CLASS);
    }

    /** CPUs of a limit: {@code 500m}, {@code 0.5}, {@code 50%}. The JVM rounds them up. */
    private static OptionalDouble cpus(String limit) {
        Matcher m = CPUS.matcher(limit.strip());
        if (!m.matches()) {
            return OptionalDouble.empty();
        }
        double unit = switch (m.group(2)) {
            case "m" -> 0.001;
            case "%" -> 0.01;
            default -> 1;
        };
        return OptionalDouble.of(Double.parseDouble(m.group(1)) * unit);
    }

    private void collectors() {
        Map<String, List<FoundSetting>> sets = new LinkedHashMap<>();
        t.all().stream()
                .filter(f -> COLLECTORS.contains(f.name())
                        && f.value().equals("true")
                        && !f.scope().equals("text"))
                .forEach(f -> sets.computeIfAbsent(
                                f.place().file() + " " + f.scope() + " "
                                        + f.place().comment(),
                                k -> new ArrayList<>())
                        .add(f));
        for (List<FoundSetting> set : sets.values()) {
            if (set.stream().map(FoundSetting::name).distinct().count() > 1) {
                t.say(
                        "collectors",
                        set.getLast(),
                        AuditVerdict.FATAL,
                        "one of them",
                        "Two collectors are asked for (%s), and the JVM does not start.",
                        String.join(
                                ", ",
                                set.stream()
                                        .map(FoundSetting::written)
                                        .distinct()
                                        .toList()));
            }
        }
    }

    private void heaps() {
        List<FoundSetting> limits = t.all().stream()
                .filter(f -> (f.kind() == SettingKind.CONTAINER && f.name().equals("memory"))
                        || f.name().equals("MemoryMax"))
                .toList();
        for (FoundSetting limit : limits) {
            OptionalDouble most = ConflictChecks.number(limit);
            Optional<FoundSetting> heap =
                    t.named("-Xmx").filter(h -> ConflictChecks.beside(h, limit)).reduce((a, b) -> b);
            if (most.isEmpty()
                    || heap.isEmpty()
                    || ConflictChecks.number(heap.get()).isEmpty()) {
                continue;
            }
            double own = ConflictChecks.number(heap.get()).orElseThrow();
            double other = value("-XX:MaxMetaspaceSize", limit).orElse(0)
                    + value("-XX:MaxDirectMemorySize", limit).orElse(0)
                    + value("-XX:ReservedCodeCacheSize", limit).orElse(0);
            Bounds.Fit fit = Bounds.fit(own, other, stacks(limit), most.getAsDouble());
            String extra = other > 0 ? ", metaspace, direct buffers and code " + Format.bytes(other) : "";
            if (fit == Bounds.Fit.STACKS) {
                t.say(
                        "memory",
                        heap.get(),
                        AuditVerdict.SITUATIONAL,
                        "-XX:MaxRAMPercentage=60 to 75 in place of -Xmx, or fewer threads",
                        "Heap %s%s and some %s for code and collector fit into the limit of %s (%s), but not with"
                                + " %s for all stacks of the pool, should the threads use them.",
                        Format.bytes(own),
                        extra,
                        Format.bytes(Bounds.BESIDES),
                        Format.bytes(most.getAsDouble()),
                        limit.place(),
                        Format.bytes(stacks(limit)));
            } else if (fit != Bounds.Fit.FITS) {
                t.say(
                        "memory",
                        heap.get(),
                        fit == Bounds.Fit.NEVER ? AuditVerdict.DANGEROUS : AuditVerdict.SITUATIONAL,
                        "-XX:MaxRAMPercentage=60 to 75 in place of -Xmx",
                        "Heap %s%s and some %s for code and collector are more than the limit of %s (%s): the"
                                + " kernel kills the process.",
                        Format.bytes(own),
                        extra,
                        Format.bytes(Bounds.BESIDES),
                        Format.bytes(most.getAsDouble()),
                        limit.place());
            }
        }
        Optional<OptionalDouble> memory = t.context().host("memory").map(Amounts::of);
        if (memory.isPresent() && memory.get().isPresent() && limits.isEmpty()) {
            t.named("-Xmx")
                    .filter(h ->
                            ConflictChecks.number(h).orElse(0) > memory.get().getAsDouble())
                    .forEach(h -> t.say(
                            "memory",
                            h,
                            AuditVerdict.DANGEROUS,
                            "-XX:MaxRAMPercentage=60",
                            "The heap is larger than this machine's memory of %s.",
                            Format.bytes(memory.get().getAsDouble())));
        }
    }

    private OptionalDouble value(String name, FoundSetting beside) {
        return t.named(name)
                .filter(f -> ConflictChecks.beside(f, beside))
                .reduce((a, b) -> b)
                .map(ConflictChecks::number)
                .orElse(OptionalDouble.empty());
    }

    /**
     * Bytes of all stacks, at full size, of a pool configured next to a limit; the JVM's default stack size unless it is
     * set.
     */
    private double stacks(FoundSetting beside) {
        double each = Stream.of("-Xss", "-XX:ThreadStackSize")
                .flatMap(n -> value(n, beside).stream().mapToObj(v -> n.equals("-Xss") ? v : v * 1024))
                .findFirst()
                .orElse(Bounds.STACK);
        return each
                * Stream.of(
                                "Connector.maxThreads",
                                "Executor.maxThreads",
                                "server.tomcat.threads.max",
                                "jetty.threadPool.maxThreads")
                        .flatMap(n -> t.named(n))
                        .mapToDouble(f -> ConflictChecks.number(f).orElse(0))
                        .max()
                        .orElse(0);
    }
}
