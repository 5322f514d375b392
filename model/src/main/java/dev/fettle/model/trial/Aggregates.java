package dev.fettle.model.trial;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.fettle.model.text.OptionalFigure;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was observed of the target's process and of the host between two moments. A figure that could not be read is missing, never
 * zero.
 *
 * @param figures those that were observed
 */
public record Aggregates(Map<Aggregate, Double> figures) {
    /** Nothing was observed. */
    public static final Aggregates NOTHING = new Aggregates(Map.of());

    public Aggregates {
        var inOrder = new EnumMap<Aggregate, Double>(Aggregate.class);
        inOrder.putAll(figures);
        figures = Collections.unmodifiableMap(inOrder);
    }

    /**
     * Some stretches as one.
     *
     * @param each in their order
     */
    public record Stretch(Aggregates figures, double seconds) {
        /** What was observed over all of them. */
        public static Aggregates join(List<Stretch> each) {
            Aggregates all = NOTHING;
            for (Aggregate a : Aggregate.values()) {
                all = all.with(a, joined(a, each));
            }
            return all;
        }

        private static OptionalFigure joined(Aggregate a, List<Stretch> each) {
            return switch (a.join()) {
                case TOTAL ->
                    each.stream()
                            .map(s -> s.figures.get(a))
                            .reduce((one, next) -> one.with(next, Double::sum))
                            .orElse(OptionalFigure.empty());
                case MEAN -> mean(a, each);
                case MOST ->
                    OptionalFigure.of(each.stream()
                            .flatMapToDouble(s -> s.figures.get(a).stream())
                            .max());
                case LAST ->
                    each.isEmpty()
                            ? OptionalFigure.empty()
                            : each.getLast().figures.get(a);
            };
        }

        private static OptionalFigure mean(Aggregate a, List<Stretch> each) {
            double sum = 0;
            double seconds = 0;
            for (Stretch s : each) {
                OptionalFigure value = s.figures.get(a);
                if (value.isPresent()) {
                    sum += value.getAsDouble() * s.seconds;
                    seconds += s.seconds;
                }
            }
            return seconds > 0 ? OptionalFigure.of(sum / seconds) : OptionalFigure.empty();
        }
    }

    /** As they are written: by name, in their order. A name that is not known is left out. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Aggregates of(Map<String, Double> byId) {
        var figures = new EnumMap<Aggregate, Double>(Aggregate.class);
        byId.forEach((id, value) -> Aggregate.of(id).ifPresent(a -> figures.put(a, value)));
        return new Aggregates(figures);
    }

    /** All that were observed, by name, in their order. */
    @JsonValue
    public Map<String, Double> byId() {
        var all = new LinkedHashMap<String, Double>();
        figures.forEach((a, value) -> all.put(a.id(), value));
        return all;
    }

    /** A figure; empty if it could not be read. */
    public OptionalFigure get(Aggregate a) {
        Double value = figures.get(a);
        return value == null ? OptionalFigure.empty() : OptionalFigure.of(value);
    }

    /** CPU seconds for requests: all that the target used, except its compilers, which soon have nothing left to do. */
    public OptionalFigure requestCpuSeconds() {
        double compilers = get(Aggregate.COMPILER_CPU_SECONDS).orElse(0);
        return get(Aggregate.SERVER_CPU_SECONDS).map(all -> Math.max(0, all - compilers));
    }

    /** A copy with another figure; empty: it could not be read. */
    public Aggregates with(Aggregate a, OptionalFigure value) {
        var other = new EnumMap<Aggregate, Double>(Aggregate.class);
        other.putAll(figures);
        if (value.isPresent()) {
            other.put(a, value.getAsDouble());
        } else {
            other.remove(a);
        }
        return new Aggregates(other);
    }

    /** A copy with another figure. */
    public Aggregates with(Aggregate a, double value) {
        return with(a, OptionalFigure.of(value));
    }

    /** A copy without CPU times, for a target whose process is not known. */
    public Aggregates withoutCpuTime() {
        return with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.empty())
                .with(Aggregate.COMPILER_CPU_SECONDS, OptionalFigure.empty());
    }

    /** A copy in which others' use of the CPUs, and the time stolen from the target's, were determined anew. */
    public Aggregates withOthers(OptionalFigure foreign, OptionalFigure stolenFromServer) {
        return with(Aggregate.FOREIGN_CPU, foreign).with(Aggregate.SERVER_STEAL, stolenFromServer);
    }
}
