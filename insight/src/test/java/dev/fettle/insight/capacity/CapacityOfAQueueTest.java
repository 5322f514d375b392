package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches on a pool of threads with a queue, where the knee comes from the queue itself and is no formula of ours. */
class CapacityOfAQueueTest {
    private static final int SEARCHES = 60;

    @ParameterizedTest(name = "probes of {0} s, {1} s in all")
    @CsvSource({"3, 75", "5, 180"})
    void theIntervalHoldsTheLimitAndTheAnswerLiesBelow(double measured, long budget) {
        var queue = new SimulatedQueue(8, 0.0101, 0.1, measured, 1);
        double truth = queue.limit();
        var settings = new CapacitySearch.Settings(
                150,
                CapacitySearch.floor(queue.slo(), Duration.ofSeconds((long) measured)),
                0.03,
                3,
                Duration.ofSeconds(budget),
                500);
        List<CapacityResult> found = LongStream.rangeClosed(1, SEARCHES)
                .mapToObj(seed -> queue.seed(seed).search(queue.slo(), settings))
                .filter(r -> r.outcome() == Outcome.FOUND)
                .toList();
        assertThat(found).hasSizeGreaterThan((int) (0.9 * SEARCHES));
        assertThat(share(found, r -> r.limit().orElseThrow().contains(truth)))
                .as("coverage")
                .isGreaterThanOrEqualTo(0.86);
        assertThat(share(found, r -> r.rate() <= truth))
                .as("at or below the limit")
                .isGreaterThanOrEqualTo(0.95);
        assertThat(found.stream().mapToDouble(r -> r.rate() / truth).average().orElseThrow())
                .as("answer over limit")
                .isBetween(0.93, 1.0);
    }

    private static double share(List<CapacityResult> of, Predicate<CapacityResult> which) {
        return (double) of.stream().filter(which).count() / of.size();
    }
}
