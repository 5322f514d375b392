package dev.fettle.insight;

import dev.fettle.model.Measurement;
import dev.fettle.model.Objective;
import dev.fettle.model.Plan;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Names a sweep's best cell, whether the next is any worse, and the knee. */
final class SweepHeadline {
    private final Plan plan;
    private final List<Grid.Cell> ranked;

    SweepHeadline(Plan plan, List<Grid.Cell> cells) {
        this.plan = plan;
        this.ranked = cells.stream()
                .filter(this::allowed)
                .sorted(Comparator.comparingDouble(this::score).reversed())
                .toList();
    }

    String text() {
        if (ranked.isEmpty()) {
            return "No cell gave a valid trial within the limits, so there is no best one.";
        }
        Grid.Cell best = ranked.getFirst();
        var text = new StringBuilder("Best: " + Grid.name(best.point()) + " with " + figure(best));
        if (ranked.size() > 1) {
            text.append(next(best, ranked.get(1)));
        }
        text.append('.');
        knee(best)
                .filter(k -> k != best)
                .ifPresent(k -> text.append(" Knee: ")
                        .append(Grid.name(k.point()))
                        .append(" gives ")
                        .append(figure(k))
                        .append(", within 1 % or one standard error of the best."));
        return text.toString();
    }

    private boolean allowed(Grid.Cell c) {
        var measured = c.measurements();
        boolean quick = plan.objective()
                .p99AtMost()
                .map(d -> Latencies.merged(measured).p99() <= d.toNanos())
                .orElse(true);
        return !measured.isEmpty()
                && quick
                && Observation.errorShare(measured) <= plan.objective().errorsAtMost();
    }

    private double score(Grid.Cell c) {
        return latency()
                ? -Latencies.merged(c.measurements()).p99()
                : c.throughput().estimate();
    }

    private boolean latency() {
        return plan.objective().metric() == Objective.Metric.P99;
    }

    private String figure(Grid.Cell c) {
        if (latency()) {
            return "p99 " + Say.nanos(Latencies.merged(c.measurements()).p99());
        }
        Interval x = c.throughput();
        return Say.number(x.estimate()) + "/s"
                + (x.bounded()
                        ? " (95 % interval " + Say.number(Math.max(0, x.low())) + " to " + Say.number(x.high()) + ")"
                        : "");
    }

    private String next(Grid.Cell best, Grid.Cell second) {
        String name = Grid.name(second.point()) + " (" + figure(second) + ")";
        if (latency()) {
            return "; next is " + name;
        }
        var a = best.byBlock();
        var b = second.byBlock();
        List<Integer> common =
                a.keySet().stream().filter(b::containsKey).sorted().toList();
        if (common.size() < 2) {
            return "; next is " + name + ", and with one trial a cell nothing tells whether they differ";
        }
        Interval r = Statistics.pairedRatio(
                common.stream().mapToDouble(k -> a.getOrDefault(k, 0.0)).toArray(),
                common.stream().mapToDouble(k -> b.getOrDefault(k, 0.0)).toArray(),
                Statistics.LEVEL);
        return r.low() > 1
                ? "; " + Say.ratio(r.estimate()) + " times the next, " + name
                : "; it is not distinguishable from the next, " + name;
    }

    /** The cell with the fewest threads, all else as in the best one, that is as good as the best. */
    private Optional<Grid.Cell> knee(Grid.Cell best) {
        if (latency() || !best.point().containsKey(Capacity.THREADS)) {
            return Optional.empty();
        }
        double[] x = best.measurements().stream()
                .mapToDouble(Measurement::throughput)
                .toArray();
        double error = x.length < 2 ? 0 : Statistics.deviation(x) / Math.sqrt(x.length);
        double least =
                best.throughput().estimate() - Math.max(0.01 * best.throughput().estimate(), error);
        return ranked.stream()
                .filter(c -> sameButThreads(c.point(), best.point())
                        && c.throughput().estimate() >= least)
                .min(Comparator.comparingLong(c -> threads(c.point())));
    }

    private static long threads(Map<String, String> point) {
        return Optional.ofNullable(point.get(Capacity.THREADS))
                .map(Values::number)
                .orElse(OptionalLong.empty())
                .orElse(Long.MAX_VALUE);
    }

    private static boolean sameButThreads(Map<String, String> a, Map<String, String> b) {
        return a.entrySet().stream()
                .allMatch(
                        e -> e.getKey().equals(Capacity.THREADS) || e.getValue().equals(b.get(e.getKey())));
    }
}
