package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.capacity.CapacitySearch.Step;
import dev.fettle.insight.capacity.DisturbedQueue.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches while others use the machine: what was disturbed says nothing, and the search goes on. */
class CapacityDisturbedTest {
    private static final int SEARCHES = Integer.getInteger("fettle.runs", 12);
    private static final SimulatedQueue QUEUE = new SimulatedQueue(8, 0.0101, 0.1, 3, 1);
    /** The rate that half of the probes meet: {@link SimulatedQueue#limit} takes a while. */
    private static final double TRUTH = 798;

    private static CapacitySearch.Settings settings() {
        double full = 8 / 0.0101;
        return new CapacitySearch.Settings(
                0.9 * full,
                CapacitySearch.floor(QUEUE.slo(), Duration.ofSeconds(3), Iteration.ONE_REQUEST),
                0.03,
                3,
                Duration.ofSeconds(75),
                500,
                full,
                Duration.ZERO,
                Duration.ZERO);
    }

    private static List<CapacityResult> searches(When when) {
        return LongStream.rangeClosed(1, SEARCHES)
                .mapToObj(seed -> new DisturbedQueue(QUEUE.seed(seed), when).search(QUEUE.slo(), settings()))
                .toList();
    }

    /** When the third disturbed probe at a rate counted as broken, answers were at 0.90 of the limit in the second case. */
    @ParameterizedTest
    @CsvSource({"SCATTERED, 0.95", "BURSTS, 0.93"})
    void whatWasDisturbedIsNotTheServersFault(When when, double answer) {
        List<CapacityResult> all = searches(when);
        assertThat(all.stream().filter(r -> r.outcome() == Outcome.FOUND).count())
                .as("found")
                .isGreaterThanOrEqualTo(Math.round(0.8 * SEARCHES));
        assertThat(all.stream().mapToDouble(r -> r.rate() / TRUTH).average().orElseThrow())
                .as("answer over limit")
                .isBetween(answer, 1.0);
        assertThat(all.stream()
                        .flatMap(r -> r.limit().stream())
                        .filter(l -> l.contains(TRUTH))
                        .count())
                .as("intervals that hold the limit")
                .isGreaterThanOrEqualTo(Math.round(0.9 * SEARCHES));
        assertThat(all).anyMatch(r -> r.notes().toString().contains("probes were disturbed (first: at "));
    }

    @Test
    void aMachineThatNeverIsCalmGivesALowerBound() {
        for (CapacityResult r : searches(When.ALWAYS)) {
            assertThat(r.outcome()).isIn(Outcome.DISTURBED, Outcome.BUDGET);
            assertThat(r.rate()).isBetween(0.7 * TRUTH, TRUTH);
            assertThat(r.limit()).isEmpty();
            assertThat(r.brokeFirst()).isEmpty();
            assertThat(r.headline()).startsWith("At least ").contains("at higher rates were disturbed");
        }
    }

    @Test
    void afterABurstTheSearchComesBackToTheHigherRate() {
        var server = SimulatedLimit.server(5000).noise(0.05);
        var seen = new ArrayList<Probe>();
        var search = new CapacitySearch(SimulatedLimit.SLO, SimulatedLimit.settings(4500));
        Step step = search.next(seen);
        while (step instanceof Step.Offer offer) {
            boolean burst = seen.size() < 9;
            var slower = SimulatedLimit.server(burst ? 2000 : 5000).noise(0.05);
            seen.add(DisturbedQueue.disturbed(slower.probe(offer, seen.size()), burst ? 0.6 : 0));
            step = search.next(List.copyOf(seen));
        }
        CapacityResult result = ((Step.Stop) step).result();
        assertThat(seen.subList(0, 3)).allMatch(p -> p.rate() == 4500);
        assertThat(seen.get(3).rate()).isLessThan(4500);
        assertThat(result.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(result.rate()).isBetween(0.95 * server.limit(), server.limit());
    }

    @Test
    void aGeneratorThatIsLateWhileOthersUseTheCpusIsNotTheLimit() {
        Probe late = SimulatedLimit.server(5000)
                .generator(0)
                .probe(new Step.Offer(Probe.Phase.BRACKET, 1000, Duration.ZERO), 1);
        assertThat(ProbeVerdict.of(late, SimulatedLimit.SLO).result()).isEqualTo(ProbeVerdict.Result.VOID);
        ProbeVerdict disturbed = ProbeVerdict.of(DisturbedQueue.disturbed(late, 0.4, 3), SimulatedLimit.SLO);
        assertThat(disturbed.result()).isEqualTo(ProbeVerdict.Result.DISTURBED);
        assertThat(disturbed.broken().getFirst()).contains("other processes used 40 %");
        assertThat(disturbed.broken().getLast()).contains("late at p99");
        assertThat(ProbeVerdict.read(disturbed.asVerdict())).isEqualTo(disturbed);
    }
}
