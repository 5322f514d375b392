package dev.fettle.insight.history;

import dev.fettle.insight.GateConclusion;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A gate or a bench that was kept.
 *
 * @param id a run's id, or the name of a bench's file
 * @param place the file it was read from
 * @param commit which commit was measured; empty if that is not known
 * @param open whether its load came at a rate: of a closed one, latency says the same as throughput
 * @param conditions what has to be equal for two runs to be compared, by name: the plan, the load, the JDK, the machine
 * @param memory of the machine, bytes; as {@link #conditions}, but two that are nearly the same are
 * @param facts what may differ within a series, and then may be the reason for a change: kernel, JDK, Fettle's version
 * @param figures the measured program's
 * @param reference which program was measured next to it in the same run, a gate's base; empty if none was
 * @param verdict of a gate
 * @param unused why no figure of it is used: it is void; empty if they are
 */
public record PastRun(
        String id,
        String place,
        Instant started,
        String commit,
        boolean open,
        Map<String, String> conditions,
        OptionalFigure memory,
        Map<String, String> facts,
        Map<GateMetric, Figure> figures,
        String reference,
        Optional<GateConclusion.Result> verdict,
        Optional<String> unused) {
    private static final double NEAR = 20;

    /** The conditions that are the machine's. */
    public static final List<String> MACHINE = List.of("CPU", "CPUs", "server's CPUs");

    public PastRun {
        conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        var copy = new EnumMap<GateMetric, Figure>(GateMetric.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
    }

    /**
     * A figure of a run.
     *
     * @param value of the program that is followed, in the metric's unit: responses per second, nanoseconds, seconds, bytes, a share
     * @param reference the same of the program that was measured next to it
     * @param answer a gate's by this metric
     */
    public record Figure(double value, OptionalFigure reference, Optional<GateConclusion.Answer> answer) {
        /** Of a program that was measured alone. */
        public static Figure alone(double value) {
            return new Figure(value, OptionalFigure.empty(), Optional.empty());
        }
    }

    /** What it is called on an axis and in a sentence: its commit, or its id. */
    public String name() {
        return commit.isEmpty() ? id : commit;
    }

    /** Whether its figures may be compared with another's. */
    boolean isLike(PastRun other) {
        return conditions.equals(other.conditions) && isNear(memory, other.memory);
    }

    /** Whether both were measured on the same machine, as far as that is known. */
    boolean isOnSameMachine(PastRun other) {
        return MACHINE.stream()
                        .allMatch(name -> Objects.equals(
                                conditions.get(name), other.conditions().get(name)))
                && isNear(memory, other.memory);
    }

    /** A new kernel may keep more of the memory to itself: less than a twentieth is no other machine. */
    static boolean isNear(OptionalFigure one, OptionalFigure other) {
        double most = Math.max(one.orElse(0), other.orElse(0));
        return Math.abs(one.orElse(0) - other.orElse(0)) <= most / NEAR;
    }
}
