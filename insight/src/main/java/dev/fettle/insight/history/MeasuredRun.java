package dev.fettle.insight.history;

import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run of any kind with what it measured, as two of them are held against each other.
 *
 * @param id a run's id, or the name of a bench's file
 * @param kind of the run: {@code tune}, {@code gate}, {@code bench}
 * @param started when it was started
 * @param open whether its load came at a rate
 * @param conditions what has to be equal for two runs to be compared, by name: see {@link PastRun#conditions}
 * @param memory of the machine, bytes
 * @param facts what may differ, and may be the reason for a difference: kernel, JDK, Fettle's version
 * @param arms what was measured, each a setting or a program
 * @param unused why no figure of it is used: it is void; empty if they are
 */
public record MeasuredRun(
        String id,
        String kind,
        Instant started,
        boolean open,
        Map<String, String> conditions,
        OptionalFigure memory,
        Map<String, String> facts,
        List<Arm> arms,
        Optional<String> unused) {
    /** Copies the collections. */
    public MeasuredRun {
        conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        arms = List.copyOf(arms);
    }

    /**
     * One setting or program of a run, with a figure for each of its valid trials.
     *
     * @param name by which it is the same in another run
     * @param figures in the metric's unit: responses per second, nanoseconds, a share, seconds of CPU per request
     */
    public record Arm(String name, Map<GateMetric, List<Double>> figures) {
        /** Copies the figures. */
        public Arm {
            var copy = new EnumMap<GateMetric, List<Double>>(GateMetric.class);
            figures.forEach((metric, all) -> copy.put(metric, List.copyOf(all)));
            figures = Collections.unmodifiableMap(copy);
        }
    }

    /**
     * The run with its first arm alone, as one point of many over time. That of a gate is its base, of a tune its baseline.
     *
     * @param commit which was measured; empty if that is not known
     * @param place the file it was read from
     */
    public PastRun first(String commit, String place) {
        var figures = new EnumMap<GateMetric, PastRun.Figure>(GateMetric.class);
        arms.stream()
                .limit(1)
                .forEach(a -> a.figures().forEach((metric, all) -> {
                    if (!all.isEmpty()) {
                        figures.put(metric, PastRun.Figure.alone(TwoRuns.mean(all)));
                    }
                }));
        return new PastRun(
                id, place, started, commit, open, conditions, memory, facts, figures, "", Optional.empty(), unused);
    }

    /** The arm with this name. */
    Optional<Arm> arm(String name) {
        return arms.stream().filter(a -> a.name().equals(name)).findFirst();
    }
}
