package dev.fettle.model.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Where a target's time, or allocated bytes, went: stacks with weights.
 *
 * @param kind what is weighed
 * @param source what recorded it, and how, in words
 * @param seconds how long it was recorded
 * @param total sum of all weights, in the kind's unit
 * @param frames names of frames: class and method
 * @param stacks each with its frames as indexes into {@code frames}, outermost first
 */
public record Profile(Kind kind, String source, double seconds, double total, List<String> frames, List<Stack> stacks) {
    /** What a stack's weight is. */
    public enum Kind {
        /** Milliseconds of running Java code. */
        CPU("ms", "CPU time"),
        /** Milliseconds of running or waiting, without waiting for a task. */
        WALL("ms", "Time, waiting included"),
        /** Milliseconds of waiting for locks. */
        LOCK("ms", "Waiting for locks"),
        /** Bytes allocated. */
        ALLOC("B", "Allocation");

        private final String unit;
        private final String title;

        Kind(String unit, String title) {
            this.unit = unit;
            this.title = title;
        }

        /** {@code ms} or {@code B}. */
        public String unit() {
            return unit;
        }

        /** Its heading. */
        public String title() {
            return title;
        }

        /** As it is written on a command line. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One stack.
     *
     * @param frames indexes into {@link Profile#frames}, outermost first
     * @param weight in the kind's unit, above zero
     */
    public record Stack(List<Integer> frames, double weight) {
        public Stack {
            frames = List.copyOf(frames);
        }
    }

    /**
     * A frame over all stacks.
     *
     * @param self weight of the stacks that end in it
     * @param total weight of the stacks that contain it
     */
    public record Frame(String name, double self, double total) {}

    public Profile {
        frames = List.copyOf(frames);
        stacks = List.copyOf(stacks);
    }

    /**
     * The same with all weights multiplied, and with words of their own on what recorded it.
     *
     * @param factor above zero
     */
    public Profile scaled(double factor, String by) {
        return new Profile(
                kind,
                by,
                seconds,
                total * factor,
                frames,
                stacks.stream()
                        .map(s -> new Stack(s.frames(), s.weight() * factor))
                        .toList());
    }

    /** Frames by the weight of the stacks that end in them, the heaviest first. */
    public List<Frame> hottest(int most) {
        Map<Integer, double[]> weights = new HashMap<>();
        for (Stack s : stacks) {
            Set<Integer> seen = new HashSet<>();
            for (int f : s.frames()) {
                if (seen.add(f)) {
                    weights.computeIfAbsent(f, _ -> new double[2])[1] += s.weight();
                }
            }
            if (!s.frames().isEmpty()) {
                weights.computeIfAbsent(s.frames().getLast(), _ -> new double[2])[0] += s.weight();
            }
        }
        return weights.entrySet().stream()
                .map(e -> new Frame(frames.get(e.getKey()), e.getValue()[0], e.getValue()[1]))
                .sorted(Comparator.comparingDouble(Frame::self)
                        .thenComparingDouble(Frame::total)
                        .reversed()
                        .thenComparing(Frame::name))
                .limit(most)
                .toList();
    }

    /** Weight of the stacks of which nothing was kept: they may be of any method. */
    public double untold() {
        return stacks.stream()
                .filter(s -> s.frames().size() == 1
                        && frames.get(s.frames().getFirst()).equals(Builder.OTHERS))
                .mapToDouble(Stack::weight)
                .sum();
    }

    /** Whether nothing was recorded. */
    @JsonIgnore
    public boolean isEmpty() {
        return stacks.isEmpty();
    }

    /**
     * Collects stacks; memory is bounded. If there are too many, the light ones are cut to their innermost frames, from the caller of
     * the JDK on, or to the caller alone: the weight of a method of the application stays what it is.
     */
    public static final class Builder {
        /** The name under which light stacks are merged. */
        static final String OTHERS = "[stacks of little weight]";

        /** Stacks that are kept whole. */
        private static final int MOST_WHOLE = 2_000;

        /** Further ones that are kept from the caller on, and after them callers alone. */
        private static final int MOST_CUT = 1_000;

        /** Stacks held before further ones are cut. */
        private static final int MOST_HELD = 50_000;

        private final Map<List<String>, Double> stacks = new LinkedHashMap<>();
        private final Map<List<String>, Double> further = new LinkedHashMap<>();
        private double others;

        /**
         * Adds a stack.
         *
         * @param frames outermost first
         * @param weight in the kind's unit
         */
        public void add(List<String> frames, double weight) {
            if (!(weight > 0) || frames.isEmpty()) {
                return;
            }
            if (stacks.size() < MOST_HELD || stacks.containsKey(frames)) {
                stacks.merge(List.copyOf(frames), weight, Double::sum);
                return;
            }
            List<String> caller = callerAlone(frames);
            if (further.size() < MOST_HELD || further.containsKey(caller)) {
                further.merge(caller, weight, Double::sum);
            } else {
                others += weight;
            }
        }

        /** The profile collected so far. */
        public Profile build(Kind kind, String source, double seconds) {
            var names = new LinkedHashMap<String, Integer>();
            var kept = new ArrayList<Stack>();
            Map<List<String>, Double> cut = keep(stacks, MOST_WHOLE, Builder::fromCaller, names, kept);
            Map<List<String>, Double> callers = keep(cut, MOST_CUT, Builder::callerAlone, names, kept);
            further.forEach((frames, weight) -> callers.merge(frames, weight, Double::sum));
            Map<List<String>, Double> rest = keep(callers, MOST_CUT, _ -> List.of(OTHERS), names, kept);
            double left = others + sum(rest);
            if (left > 0) {
                kept.add(new Stack(places(names, List.of(OTHERS)), left));
            }
            double total = others + sum(stacks) + sum(further);
            return new Profile(kind, source, seconds, total, List.copyOf(names.keySet()), kept);
        }

        /** Keeps the heaviest; the others are returned, cut. */
        private static Map<List<String>, Double> keep(
                Map<List<String>, Double> all,
                int most,
                UnaryOperator<List<String>> cut,
                SequencedMap<String, Integer> names,
                List<Stack> kept) {
            var rest = new LinkedHashMap<List<String>, Double>();
            int n = 0;
            for (Map.Entry<List<String>, Double> e : all.entrySet().stream()
                    .sorted(Map.Entry.<List<String>, Double>comparingByValue()
                            .reversed()
                            .thenComparing(e -> String.join(";", e.getKey())))
                    .toList()) {
                if (n++ < most) {
                    kept.add(new Stack(places(names, e.getKey()), e.getValue()));
                } else {
                    rest.merge(cut.apply(e.getKey()), e.getValue(), Double::sum);
                }
            }
            return rest;
        }

        private static double sum(Map<List<String>, Double> weights) {
            return weights.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        /** The innermost frames, from the caller on; of a stack without one the innermost frame. */
        private static List<String> fromCaller(List<String> frames) {
            int caller = StackFrames.caller(frames);
            var cut = new ArrayList<>(List.of(OTHERS));
            cut.addAll(frames.subList(caller < 0 ? frames.size() - 1 : caller, frames.size()));
            return cut;
        }

        private static List<String> callerAlone(List<String> frames) {
            int caller = StackFrames.caller(frames);
            return List.of(OTHERS, caller < 0 ? frames.getLast() : frames.get(caller));
        }

        private static List<Integer> places(SequencedMap<String, Integer> names, List<String> frames) {
            return frames.stream()
                    .map(f -> names.computeIfAbsent(f, _ -> names.size()))
                    .toList();
        }
    }
}
