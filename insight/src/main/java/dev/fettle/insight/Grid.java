package dev.fettle.insight;

import dev.fettle.insight.Slots.Filled;
import dev.fettle.model.Arrivals;
import dev.fettle.model.Evidence;
import dev.fettle.model.LatencySummary;
import dev.fettle.model.Measurement;
import dev.fettle.model.TrialOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Figures of the trials that belong together. */
final class Grid {
    private Grid() {}

    /** Points with their slots, in the order of the points. */
    static List<Cell> cells(List<Map<String, String>> points, List<Filled> filled) {
        Map<Map<String, String>, List<Filled>> by = filled.stream()
                .collect(Collectors.groupingBy(f -> f.slot().spec().point()));
        return points.stream()
                .map(p -> new Cell(p, by.getOrDefault(p, List.of())))
                .toList();
    }

    /** {@code threads.max=8 load.connections=100}. */
    static String name(Map<String, String> point) {
        return point.isEmpty()
                ? "the plan's load"
                : point.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** A note on void attempts, if there are any. */
    static Optional<String> voids(List<Filled> filled) {
        int attempts = filled.stream().mapToInt(f -> f.attempts().size()).sum();
        int voids = filled.stream().mapToInt(Filled::voids).sum();
        return voids == 0
                ? Optional.empty()
                : Optional.of(voids + " of " + attempts
                        + " trials were void or failed; none of them was used. An attempt that is void for a"
                        + " passing reason is repeated at once, up to " + Slots.RETRIES + " times.");
    }

    /** What the gate advises of these trials. */
    static List<String> cautions(List<Filled> filled) {
        return Cautions.notes(
                filled.stream().flatMap(f -> f.attempts().stream()).toList());
    }

    /** A point with its slots. */
    record Cell(Map<String, String> point, List<Filled> slots) {

        List<TrialOutcome> valid() {
            return slots.stream().map(Filled::valid).flatMap(Optional::stream).toList();
        }

        List<Measurement> measurements() {
            return valid().stream()
                    .map(TrialOutcome::measurement)
                    .flatMap(Optional::stream)
                    .toList();
        }

        /** Throughput by block. */
        Map<Integer, Double> byBlock() {
            return slots.stream()
                    .filter(f -> f.valid().isPresent())
                    .collect(Collectors.toMap(
                            f -> f.slot().spec().block(),
                            f -> f.valid()
                                    .flatMap(TrialOutcome::measurement)
                                    .map(Measurement::throughput)
                                    .orElse(0.0)));
        }

        Interval throughput() {
            return Statistics.mean(
                    measurements().stream().mapToDouble(Measurement::throughput).toArray());
        }

        int voids() {
            return slots.stream().mapToInt(Filled::voids).sum();
        }

        /** Why attempts were void, each once. */
        List<String> problems() {
            return slots.stream()
                    .flatMap(f -> f.attempts().stream())
                    .filter(t -> !t.valid())
                    .map(Slots::problem)
                    .distinct()
                    .toList();
        }

        /** CPU time per valid response, microseconds; NaN if unknown. */
        double cpuMicros() {
            double cpu = 0;
            long responses = 0;
            for (TrialOutcome t : valid()) {
                OptionalDouble used =
                        t.evidence().map(Evidence::serverCpuSeconds).orElse(OptionalDouble.empty());
                if (used.isPresent()) {
                    cpu += used.getAsDouble();
                    responses += t.measurement().map(Measurement::responses).orElse(0L);
                }
            }
            return responses == 0 ? Double.NaN : 1e6 * cpu / responses;
        }

        SweepConclusion.Cell summary() {
            List<Measurement> measured = measurements();
            LatencySummary latency = Latencies.merged(measured);
            return new SweepConclusion.Cell(
                    point,
                    measured.size(),
                    voids(),
                    throughput(),
                    latency.p50(),
                    latency.p99(),
                    Observation.errorShare(measured),
                    mean(t -> Capacity.of(t).map(Capacity::utilisation).orElse(OptionalDouble.empty())),
                    mean(t -> t.evidence().map(Evidence::loadAverage).orElse(OptionalDouble.empty())),
                    mean(Cell::little),
                    problems());
        }

        private static OptionalDouble little(TrialOutcome t) {
            double seconds =
                    t.measurement().map(m -> m.elapsed().toNanos() / 1e9).orElse(0.0);
            double available = t.spec().load().connections() * seconds;
            boolean closed = t.spec().load().arrivals() instanceof Arrivals.Closed;
            return closed && available > 0
                    ? t.measurement().stream()
                            .mapToDouble(m -> m.occupied() / available)
                            .findFirst()
                    : OptionalDouble.empty();
        }

        private OptionalDouble mean(Function<TrialOutcome, OptionalDouble> figure) {
            return valid().stream()
                    .map(figure)
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .average();
        }
    }
}
