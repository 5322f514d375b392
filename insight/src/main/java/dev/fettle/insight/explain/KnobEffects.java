package dev.fettle.insight.explain;

import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Names the knobs that changed nothing in a run, within what the run could have shown. */
final class KnobEffects {
    /** Values whose figures differ by more are never called alike, whatever the noise. */
    private static final double ALIKE = 0.10;

    /** Values closer than this can't show what a knob does. */
    private static final double FAR = 2;

    private static final int LEAST = 3;

    private KnobEffects() {}

    /**
     * A note for each knob without an effect: for no two of its values, all else equal, did throughput or holding time differ
     * by more than the noise (t intervals, Bonferroni over the pairs) or by more than 10 %. Needs at least three trials, and a value
     * that was measured twice: else the noise is not known.
     *
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput
     */
    static List<String> none(List<TrialOutcome> trials, ToDoubleFunction<TrialOutcome> moved) {
        List<TrialOutcome> valid = trials.stream().filter(TrialOutcome::valid).toList();
        var knobs = new TreeSet<String>();
        valid.forEach(t -> knobs.addAll(t.spec().setting().values().keySet()));
        return knobs.stream()
                .map(k -> none(k, valid, moved))
                .filter(s -> !s.isEmpty())
                .toList();
    }

    private static String none(String knob, List<TrialOutcome> valid, ToDoubleFunction<TrialOutcome> moved) {
        var lines = new LinkedHashMap<List<Object>, Map<String, List<TrialOutcome>>>();
        for (TrialOutcome t : valid) {
            List<Object> rest = List.of(
                    ComparableTrials.load(t),
                    t.spec().target(),
                    t.spec().setting().without(knob));
            String value = OperatingPoint.knob(t.spec(), t.evidence(), knob)
                    .filter(v -> !v.isBlank())
                    .orElse("its default");
            lines.computeIfAbsent(rest, k -> new LinkedHashMap<>())
                    .computeIfAbsent(value, k -> new ArrayList<>())
                    .add(t);
        }
        lines.values().removeIf(l -> l.size() < 2);
        var values = new TreeSet<>(KnobEffects::order);
        lines.values().forEach(l -> values.addAll(l.keySet()));
        if (values.size() < 2 || close(values)) {
            return "";
        }
        double rate = apart(lines.values(), g -> PoolContrast.logs(g, moved));
        double holding = apart(lines.values(), g -> holdings(g, moved));
        int trials = lines.values().stream()
                .flatMap(l -> l.values().stream())
                .mapToInt(List::size)
                .sum();
        if (trials < LEAST || !(rate <= ALIKE) || !(holding <= ALIKE)) {
            return "";
        }
        return knob + " had no effect here that stands out from the noise: with "
                + (values.size() > 3
                        ? values.size() + " values from " + values.first() + " to " + values.last()
                        : String.join(", ", values))
                + ", all else alike, throughput differed by at most " + Format.share(rate)
                + (holding > 0 ? " and holding time by at most " + Format.share(holding) : "")
                + ". If it ought to matter, look whether the target takes it.";
    }

    /**
     * The largest difference between two values; infinite if one is more than noise, or if the noise was not seen; 0 if nothing is
     * known of the figure.
     */
    private static double apart(
            Iterable<Map<String, List<TrialOutcome>>> lines, Function<List<TrialOutcome>, double[]> figures) {
        var noise = new Noise();
        int known = 0;
        var groups = new ArrayList<List<double[]>>();
        int pairs = 0;
        for (Map<String, List<TrialOutcome>> line : lines) {
            List<double[]> logs = line.values().stream()
                    .map(figures)
                    .filter(l -> l.length > 0)
                    .toList();
            logs.forEach(noise::add);
            groups.add(logs);
            known += logs.size();
            pairs += logs.size() * (logs.size() - 1) / 2;
        }
        if (known > 0 && !noise.observed()) {
            return Double.POSITIVE_INFINITY;
        }
        double most = 0;
        for (List<double[]> line : groups) {
            for (int i = 0; i < line.size(); i++) {
                for (int j = i + 1; j < line.size(); j++) {
                    double half =
                            noise.half(line.get(i).length, line.get(j).length, 1 - (1 - Statistics.LEVEL) / pairs);
                    double difference = Math.abs(Statistics.average(line.get(i)) - Statistics.average(line.get(j)));
                    most = Math.max(most, difference > half ? Double.POSITIVE_INFINITY : difference);
                }
            }
        }
        return Math.expm1(most);
    }

    /** Logarithms. A JVM that got quicker by some holds its threads for so much less time. */
    private static double[] holdings(List<TrialOutcome> trials, ToDoubleFunction<TrialOutcome> moved) {
        return trials.stream()
                .filter(t -> holding(t) > 0)
                .mapToDouble(t -> StrictMath.log(holding(t)) + moved.applyAsDouble(t))
                .toArray();
    }

    private static double holding(TrialOutcome t) {
        return OperatingPoint.of(t).map(c -> c.holding().orElse(0)).orElse(0.0);
    }

    /** Whether all values are numbers and none is far from another. */
    private static boolean close(TreeSet<String> values) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (String v : values) {
            OptionalLong n = KnobValues.number(v);
            if (n.isEmpty()) {
                return false;
            }
            least = Math.min(least, n.getAsLong());
            most = Math.max(most, n.getAsLong());
        }
        return least > 0 && most < FAR * least;
    }

    private static int order(String a, String b) {
        OptionalLong x = KnobValues.number(a);
        OptionalLong y = KnobValues.number(b);
        return x.isPresent() && y.isPresent() ? Long.compare(x.getAsLong(), y.getAsLong()) : a.compareTo(b);
    }
}
