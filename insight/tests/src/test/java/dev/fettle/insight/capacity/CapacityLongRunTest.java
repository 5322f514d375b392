package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.capacity.LongQueue.Kind;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Searches of queues whose limit in the long run is known, with what {@code fettle capacity} does by default: probes of 5 s, an answer that
 * is held for 60 s, at most 3 minutes. Of each answer an hour is simulated. {@code -Dfettle.runs=400} prints the figures of the methodology;
 * {@code -Dfettle.cells=M_D_50,M_M_8} only some.
 */
class CapacityLongRunTest {
    private static final int SEARCHES = Integer.getInteger("fettle.runs", 5);
    private static final String CELLS = System.getProperty("fettle.cells", "");
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final Duration BUDGET = Duration.ofMinutes(3);

    /** Servers, and the highest rate that meets the SLO in the long run: where runs of two hours do ({@link LongQueue.Server#truth}). */
    enum Cell {
        M_D_50(50, 0.05, Kind.CONSTANT, "p99<300ms", 0, 990.5),
        M_D_8(8, 0.01, Kind.CONSTANT, "p99<100ms", 0, 774.5),
        M_M_8(8, 0.01, Kind.EXPONENTIAL, "p99<100ms", 0, 749.5),
        M_M_50(50, 0.05, Kind.EXPONENTIAL, "p99<400ms", 0, 985.7),
        LOGNORMAL_20(20, 0.02, Kind.LOGNORMAL, "p99<300ms", 0, 954.4),
        PARETO_20(20, 0.02, Kind.PARETO, "p95<100ms", 0, 967.2),
        M_D_200(200, 0.05, Kind.CONSTANT, "p99<500ms", 0, 3994.8),
        M_M_8_MEAN(8, 0.01, Kind.EXPONENTIAL, "mean<30ms", 0, 758.0),
        M_D_50_MEDIAN(50, 0.05, Kind.CONSTANT, "p50<100ms", 0, 993.2),
        STALLS_8(8, 0.01, Kind.STALLS, "p99<150ms", 0, 732.1),
        DRIFT_50(50, 0.05, Kind.DRIFT, "p99<300ms", 0, 978.1),
        REFUSED_50(50, 0.05, Kind.EXPONENTIAL, "p99<300ms,errors<0.1%", 80, 886.9);

        private final LongQueue.Server server;
        private final double truth;

        Cell(int threads, double hold, Kind kind, String slo, int most, double truth) {
            this.server = new LongQueue.Server(threads, hold, kind, slo, most);
            this.truth = truth;
        }
    }

    private record Found(CapacityResult result, double seconds, boolean hour) {}

    private static Found search(Cell cell, long seed) {
        LongQueue.Server server = cell.server;
        Slo slo = server.parsed();
        var settings = new CapacitySearch.Settings(
                0.9 * server.full(),
                CapacitySearch.floor(slo, PROBE, Iteration.ONE_REQUEST),
                0.03,
                1,
                BUDGET,
                500,
                server.full(),
                PROBE,
                Duration.ofSeconds(60));
        var queue = new LongQueue(server, 5, seed);
        CapacityResult r = queue.search(slo, settings);
        return new Found(r, queue.clock(), r.rate() > 0 && server.meets(r.rate(), 3600, 1000 + seed));
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerHoldsForAnHour(Cell cell) {
        if (!CELLS.isEmpty() && !List.of(CELLS.split(",")).contains(cell.name())) {
            return;
        }
        var all = new ArrayList<Found>();
        for (long seed = 1; seed <= SEARCHES; seed++) {
            all.add(search(cell, seed));
        }
        List<Found> found =
                all.stream().filter(f -> f.result.outcome() == Outcome.FOUND).toList();
        double answer = found.stream()
                .mapToDouble(f -> f.result.rate() / cell.truth)
                .average()
                .orElse(0);
        double longest = all.stream().mapToDouble(Found::seconds).max().orElseThrow();
        double covered = share(
                all, f -> f.result.limit().filter(l -> l.contains(cell.truth)).isPresent());
        double width = found.stream()
                .map(f -> f.result.limit().orElseThrow())
                .mapToDouble(l -> (l.high() - l.low()) / cell.truth)
                .average()
                .orElse(0);
        System.out.printf(
                "%-13s limit %.1f/s, %.3f of full: found %.3f, holds an hour %.3f, answer %.3f of the limit, 0.95 or more in %.3f,"
                        + " covered %.3f, width %.3f, for good %.3f, longest %.0f s%n",
                cell,
                cell.truth,
                cell.truth / cell.server.full(),
                share(all, f -> f.result.outcome() == Outcome.FOUND),
                share(found, Found::hour),
                answer,
                share(found, f -> f.result.rate() >= 0.95 * cell.truth),
                covered,
                width,
                share(found, f -> f.result.held().orElseThrow().forGood()),
                longest);
        // one of a few may fail
        double most = 1 - Math.max(1.0 / SEARCHES, 0.12);
        assertThat(share(found, Found::hour)).as("holds for an hour").isGreaterThanOrEqualTo(most - 1e-9);
        assertThat(covered)
                .as("interval holds the limit")
                .isGreaterThanOrEqualTo(cell == Cell.REFUSED_50 ? 0.6 : most - 1e-9);
        assertThat(found.size()).as("found").isGreaterThanOrEqualTo((int) (0.6 * SEARCHES));
        assertThat(answer).as("answer over limit").isBetween(0.75, 1.0);
        assertThat(longest).as("seconds").isLessThanOrEqualTo(BUDGET.toSeconds() + 5);
    }

    private static <T> double share(List<T> of, Predicate<T> which) {
        return of.stream().filter(which).count() / (double) Math.max(1, of.size());
    }
}
