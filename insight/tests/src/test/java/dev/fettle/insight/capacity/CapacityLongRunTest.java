package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.capacity.LongQueue.Kind;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Searches of queues whose limit in the long run is known, with what {@code fettle capacity} does by default: probes of 5 s, an answer that
 * is held for 60 s, at most 3 minutes. Of each answer an hour is simulated. {@code -Dfettle.runs=400} prints the figures of the methodology;
 * {@code -Dfettle.cells=M_D_50,M_M_8} only some, {@code -Dfettle.seed=7001} others than those that the build runs.
 */
@Tag("long")
class CapacityLongRunTest {
    private static final int SEARCHES = Integer.getInteger("fettle.runs", 1);
    private static final long FIRST_SEED = Long.getLong("fettle.seed", 1);
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
        REFUSED_50(50, 0.05, Kind.EXPONENTIAL, "p99<300ms,errors<0.1%", 80, 886.9),
        BIMODAL_16(16, 0.02, Kind.BIMODAL, "p99<250ms", 0, 769.7),
        ERLANG_8_P999(8, 0.02, Kind.ERLANG, "p99.9<150ms", 0, 367.4),
        WEIBULL_32_P95(32, 0.04, Kind.WEIBULL, "p95<200ms", 0, 761.5);

        private final LongQueue.Server server;
        private final double truth;

        Cell(int threads, double hold, Kind kind, String slo, int most, double truth) {
            this.server = new LongQueue.Server(threads, hold, kind, slo, most);
            this.truth = truth;
        }
    }

    private record Found(Cell cell, CapacityResult result, double seconds, boolean hour) {
        boolean isAnswer() {
            return result.outcome() == Outcome.FOUND;
        }

        double answer() {
            return result.rate() / cell.truth;
        }

        boolean covered() {
            return result.limit().filter(l -> l.contains(cell.truth)).isPresent();
        }

        double width() {
            Interval l = result.limit().orElseThrow();
            return (l.high() - l.low()) / cell.truth;
        }

        boolean forGood() {
            return result.held().orElseThrow().forGood();
        }
    }

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
        return new Found(cell, r, queue.clock(), r.rate() > 0 && server.meets(r.rate(), 3600, 1000 + seed));
    }

    /** All cells together, so that one search of each says enough. */
    @Test
    void theAnswerHoldsForAnHourAndIsNearTheLimit() {
        var all = new ArrayList<Found>();
        for (Cell cell : Cell.values()) {
            if (CELLS.isEmpty() || List.of(CELLS.split(",")).contains(cell.name())) {
                List<Found> of = LongStream.range(0, SEARCHES)
                        .mapToObj(i -> search(cell, FIRST_SEED + i))
                        .toList();
                print(cell, of);
                assertThat(of.stream().filter(Found::isAnswer))
                        .as("%s: answer over limit", cell)
                        .allSatisfy(f -> assertThat(f.answer()).isBetween(0.85, 1.03));
                all.addAll(of);
            }
        }
        List<Found> found = all.stream().filter(Found::isAnswer).toList();
        assertThat(found.size()).as("found").isGreaterThanOrEqualTo((int) (0.9 * all.size()));
        assertThat(share(found, Found::hour)).as("holds for an hour").isGreaterThanOrEqualTo(0.93);
        assertThat(average(found, Found::answer)).as("answer over limit").isBetween(0.955, 1.0);
        assertThat(share(all, Found::covered)).as("interval holds the limit").isGreaterThanOrEqualTo(0.9);
        assertThat(average(found, Found::width)).as("width").isLessThan(0.09);
        assertThat(all).allSatisfy(f -> assertThat(f.seconds).isLessThanOrEqualTo(BUDGET.toSeconds() + 5));
    }

    private static void print(Cell cell, List<Found> all) {
        List<Found> found = all.stream().filter(Found::isAnswer).toList();
        System.out.printf(
                "%-14s limit %.1f/s, %.3f of full: found %.3f, holds an hour %.3f, answer %.3f of the limit, 0.95 or more in %.3f,"
                        + " covered %.3f, width %.3f, for good %.3f, %.0f s, longest %.0f s%n",
                cell,
                cell.truth,
                cell.truth / cell.server.full(),
                share(all, Found::isAnswer),
                share(found, Found::hour),
                average(found, Found::answer),
                share(found, f -> f.answer() >= 0.95),
                share(all, Found::covered),
                average(found, Found::width),
                share(found, Found::forGood),
                average(all, Found::seconds),
                all.stream().mapToDouble(Found::seconds).max().orElseThrow());
    }

    private static double average(List<Found> of, ToDoubleFunction<Found> figure) {
        return of.stream().mapToDouble(figure).average().orElse(0);
    }

    private static <T> double share(List<T> of, Predicate<T> which) {
        return of.stream().filter(which).count() / (double) Math.max(1, of.size());
    }
}
