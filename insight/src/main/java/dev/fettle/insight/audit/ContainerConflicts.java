package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.Format;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap that a JVM takes of its container. */
record ContainerConflicts(ConflictChecks t) {
    /** Name under which it is found that a container starts java. */
    static final String PROGRAM = "program";

    private static final double MEBI = 1 << 20;
    private static final List<String> SIZES = List.of(
            "-Xmx", "-XX:MaxRAMPercentage", "-XX:MaxHeapSize", "-XX:MaxRAM", "-XX:MaxRAMFraction", "-XX:AutoHeap");
    private static final Pattern VARIABLE = Pattern.compile("\\$[({]?(\\w+)[)}]?[kKmMgG]?");
    /** MaxHeapSize of a 64-bit JVM if nothing is known of the memory: 96 MiB, scaled. */
    private static final double SMALL_HEAP = 126 * MEBI;

    static void of(ConflictChecks t) {
        var c = new ContainerConflicts(t);
        c.byDefault();
        c.asLargeAsTheContainer();
    }

    /** A quarter of the memory; a half of it where that is less than the heap of a JVM that knows nothing of its memory. */
    static double heap(double memory) {
        return memory / 2 < SMALL_HEAP ? memory / 2 : Math.max(memory / 4, SMALL_HEAP);
    }

    private void byDefault() {
        for (FoundSetting limit : t.all()) {
            OptionalDouble memory = ConflictChecks.number(limit);
            if (limit.kind() != SettingKind.CONTAINER
                    || !limit.name().equals("memory")
                    || memory.isEmpty()
                    || t.named(PROGRAM).noneMatch(p -> ConflictChecks.beside(p, limit))
                    || SIZES.stream().flatMap(t::named).anyMatch(o -> ConflictChecks.beside(o, limit))) {
                continue;
            }
            boolean serial = memory.getAsDouble() < JvmConflicts.SERVER_CLASS
                    && t.all().stream()
                            .noneMatch(o -> o.name().matches("-XX:Use\\w+GC") && ConflictChecks.beside(o, limit));
            t.say(
                    "heap",
                    limit,
                    AuditVerdict.SITUATIONAL,
                    "-XX:MaxRAMPercentage=60 to 75 in JAVA_TOOL_OPTIONS",
                    "No option says how large the heap may be: of %s the JVM takes %s%s.",
                    Format.bytes(memory.getAsDouble()),
                    Format.bytes(heap(memory.getAsDouble())),
                    serial
                            ? ", with the serial collector, since there is less than "
                                    + Format.bytes(JvmConflicts.SERVER_CLASS)
                            : "");
        }
    }

    /** {@code -Xmx$(LIMIT)m}, where Kubernetes sets LIMIT to the container's limit. */
    private void asLargeAsTheContainer() {
        t.named("-Xmx").forEach(heap -> {
            Matcher m = VARIABLE.matcher(heap.value());
            Optional<FoundSetting> variable = m.matches()
                    ? t.named("variable " + m.group(1))
                            .filter(v -> ConflictChecks.beside(v, heap))
                            .findFirst()
                    : Optional.empty();
            variable.filter(v -> v.value().equals("limits.memory"))
                    .ifPresent(v -> t.say(
                            "memory",
                            heap,
                            AuditVerdict.DANGEROUS,
                            "-XX:MaxRAMPercentage=60 to 75 in place of -Xmx",
                            "%s is the container's own limit (%s): the heap is as large as the container, which has no room for code,"
                                    + " metaspace and stacks, and is killed when the heap fills up.",
                            m.group(1),
                            v.place()));
        });
    }
}
