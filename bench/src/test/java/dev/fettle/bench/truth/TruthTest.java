package dev.fettle.bench.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.HdrHistogram.Histogram;

class TruthTest {

    private static final long MS = 1_000_000;

    @Property(tries = 40)
    void theQueueAgreesWithTheFluidFormula(@ForAll @IntRange(min = 5, max = 85) int load) {
        long period = 2000 * MS;
        long stall = 100 * MS;
        long service = 50_000;
        double rho = load / 100.0;
        double gap = service / rho;
        Histogram times = StallTruth.times(rho * 1e9 / service, period, stall, service);
        for (double q : new double[] {0.5, 0.9, 0.99, 0.999}) {
            double formula = Math.max(0, stall - (1 - rho) * period * (1 - q)) + service;
            double found = times.getValueAtPercentile(100 * q);
            assertThat(found).as("p%s at %d %%", q * 100, load).isCloseTo(formula, within(0.25 * MS + gap));
        }
        assertThat((double) times.getMaxValue()).isCloseTo(stall + service, within(0.25 * MS + gap));
    }

    @Example
    void aStallHoldsWhatComesWithinItAndWhatItInterrupts() {
        StallQueue queue = new StallQueue(1000, 100, 10, 0);
        assertThat(queue.due(20)).isEqualTo(110);
        assertThat(queue.due(30)).isEqualTo(120);
        assertThat(queue.due(500)).isEqualTo(510);
        assertThat(queue.due(995)).isEqualTo(1105);
        assertThat(queue.due(1050)).isEqualTo(1115);
    }

    @Property(tries = 50)
    void theHeapGivesTheSoonestFirst(@ForAll @LongRange(min = 0, max = 50) long[] dues) {
        DueHeap<Long> heap = new DueHeap<>();
        for (long due : dues) {
            heap.add(due, -due, due);
        }
        long last = Long.MIN_VALUE;
        int count = 0;
        while (!heap.isEmpty()) {
            long due = heap.firstDue();
            assertThat(heap.firstArrival()).isEqualTo(-due);
            assertThat(heap.remove()).isEqualTo(due);
            assertThat(due).isGreaterThanOrEqualTo(last);
            last = due;
            count++;
        }
        assertThat(count).isEqualTo(dues.length);
    }

    @Example
    void theTailIsLogNormal() {
        HeavyTail tail = new HeavyTail(MS, 1.2, 7);
        Histogram times = new Histogram(600_000 * MS, 3);
        for (int i = 0; i < 400_000; i++) {
            times.recordValue(tail.due(0));
        }
        assertThat(times.getValueAtPercentile(50) / 1e6).isCloseTo(1, within(0.02));
        assertThat(times.getValueAtPercentile(99) / 1e6).isCloseTo(Math.exp(1.2 * 2.3263), within(0.6));
    }
}
