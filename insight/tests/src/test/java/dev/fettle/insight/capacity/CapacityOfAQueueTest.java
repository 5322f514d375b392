package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.capacity.SimulatedQueue.Kind;
import dev.fettle.insight.stats.Interval;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches on a pool of threads with a queue, where the knee comes from the queue itself and is no formula of ours. */
@Tag("long")
class CapacityOfAQueueTest {
    private static final int SEARCHES = Integer.getInteger("fettle.runs", 8);

    @ParameterizedTest(name = "{0}, probes of {1} s, {2} s in all")
    @CsvSource({
        "CONSTANT,    3, 75, 0.95, 0.10",
        "CONSTANT,   5, 180, 0.95, 0.09",
        "EXPONENTIAL, 3, 75, 0.92, 0.15",
        "HEAVY,       3, 75, 0.89, 0.18",
        "DRIFT,       3, 75, 0.94, 0.12",
        "STALLS,      3, 75, 0.93, 0.12"
    })
    void theIntervalHoldsTheLimitAndTheAnswerLiesBelow(
            Kind kind, double measured, long budget, double answer, double width) {
        double bound = kind == Kind.HEAVY ? 0.2 : 0.1;
        var queue = new SimulatedQueue(8, 0.0101, bound, measured, 1).of(kind);
        double truth = queue.limit();
        // as a ramp of clients finds it
        double full = 8 / 0.0101;
        var settings = new CapacitySearch.Settings(
                0.9 * full,
                CapacitySearch.floor(queue.slo(), Duration.ofSeconds((long) measured), Iteration.ONE_REQUEST),
                0.03,
                3,
                Duration.ofSeconds(budget),
                500,
                full,
                Duration.ZERO,
                Duration.ZERO);
        List<CapacityResult> found = LongStream.rangeClosed(1, SEARCHES)
                .mapToObj(seed -> queue.seed(seed).search(queue.slo(), settings))
                .filter(r -> r.outcome() == Outcome.FOUND)
                .toList();
        System.out.printf(
                "%s, %d s: found %d of %d, answer %.3f of the limit, covered %.3f, width %.3f%n",
                kind,
                budget,
                found.size(),
                SEARCHES,
                average(found, r -> r.rate() / truth),
                share(found, r -> r.limit().orElseThrow().contains(truth)),
                average(found, CapacityOfAQueueTest::width));
        assertThat(found).hasSizeGreaterThanOrEqualTo((int) (0.95 * SEARCHES));
        assertThat(share(found, r -> r.limit().orElseThrow().contains(truth)))
                .as("coverage")
                .isGreaterThanOrEqualTo(0.84);
        assertThat(share(found, r -> r.rate() <= truth))
                .as("at or below the limit")
                .isGreaterThanOrEqualTo(0.95);
        assertThat(average(found, r -> r.rate() / truth))
                .as("answer over limit")
                .isBetween(answer, 1.0);
        assertThat(average(found, CapacityOfAQueueTest::width)).as("width").isLessThan(width);
    }

    private static double width(CapacityResult r) {
        Interval l = r.limit().orElseThrow();
        return (l.high() - l.low()) / l.estimate();
    }

    private static double average(List<CapacityResult> of, ToDoubleFunction<CapacityResult> figure) {
        return of.stream().mapToDouble(figure).average().orElseThrow();
    }

    private static double share(List<CapacityResult> of, Predicate<CapacityResult> which) {
        return (double) of.stream().filter(which).count() / of.size();
    }
}
