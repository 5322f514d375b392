package dev.fettle.insight.trials;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.gate.Steal;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cuts the measuring of a pair into slices and chooses those that count.
 *
 * <p>Two servers that run at the same time are loaded in turn (first, second, second, first, and so on), so that whatever the
 * machine does within a minute affects both alike. Slice i of one is the partner of slice i of the other; a slice disturbed
 * from outside is dropped together with its partner.
 */
public final class PairSlices {
    /** A slice's measured part: long compared with the switch, short compared with changes of the machine. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    /** The bound for slow servers: with longer slices there would be too few. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** Requests per connection in a slice: with fewer, the two cut off at its edges weigh too much. */
    private static final int LATENCIES_PER_SLICE = 10;

    /** More slices gain nothing, and each keeps its own histograms. */
    private static final int MOST = 60;

    /** Time for threads and caches to wake up and for closed connections to reopen. */
    private static final Duration LEAST_SETTLING = Duration.ofMillis(200);

    private static final int LATENCIES_TO_SETTLE = 3;

    private PairSlices() {}

    /**
     * How a pair is measured.
     *
     * @param slices per side, an even number, so that each side goes first as often as second
     * @param measured the measured part of each; together they make the load's measuring time
     * @param settling the part before it: all clients begin at once, and after three mean latencies 95 % of those first
     *     requests are done, if latency is exponentially distributed
     * @param meanLatency of the slower side, seconds
     */
    public record Schedule(int slices, Duration measured, Duration settling, double meanLatency) {
        /**
         * How long slice i settles: multiples of the golden ratio spread the starts evenly over one latency. Otherwise answers
         * that come in step, as from a server that only waits, would be cut at the same point in every slice.
         */
        public Duration settling(int i) {
            double part = (i * 0.6180339887498949) % 1;
            return settling.plus(nanos(part * Math.min(meanLatency, LONGEST.toSeconds())));
        }
    }

    /**
     * Cuts a measuring time into slices of about a second, longer ones for a slow server.
     *
     * @param measure how long each side is to be measured
     * @param meanLatency of the slower side, seconds
     */
    public static Schedule schedule(Duration measure, double meanLatency) {
        Duration wanted = shorter(LONGEST, longer(SLICE, nanos(LATENCIES_PER_SLICE * meanLatency)));
        int pairs = (int) Math.clamp(Math.round(measure.toNanos() / 2.0 / wanted.toNanos()), 1L, MOST / 2);
        Duration settling = shorter(LONGEST, longer(LEAST_SETTLING, nanos(LATENCIES_TO_SETTLE * meanLatency)));
        return new Schedule(2 * pairs, measure.dividedBy(2L * pairs), settling, meanLatency);
    }

    /**
     * Disturbance from outside during a slice and its partner, the worse of both.
     *
     * @param steal share of all CPUs' time that the hypervisor took; 0 if unknown, and where it is known of each side
     * @param ofEither share of the time of the server's CPUs that it took, or of the generator's if that is more; 0 if unknown
     * @param foreign share of the CPU time that other processes than the pair's used; 0 if unknown
     */
    public record Outside(double steal, double ofEither, double foreign) {
        /** What was seen in a slice. The mean over all CPUs hides what was stolen from one side behind idle ones. */
        public static Outside of(Aggregates seen) {
            boolean sides = seen.get(Aggregate.SERVER_STEAL).isPresent()
                    || seen.get(Aggregate.GENERATOR_STEAL).isPresent();
            return new Outside(
                    sides ? 0 : seen.get(Aggregate.STEAL).orElse(0),
                    Math.max(
                            seen.get(Aggregate.SERVER_STEAL).orElse(0),
                            seen.get(Aggregate.GENERATOR_STEAL).orElse(0)),
                    seen.get(Aggregate.FOREIGN_CPU).orElse(0));
        }

        /** Relative to what the gate tolerates in a trial; above 1 the slice is disturbed. */
        double weight() {
            return Math.max(Math.max(steal / GateRules.STEAL, ofEither / Steal.MOST), foreign / GateRules.FOREIGN_CPU);
        }

        /** The worse of two. */
        public Outside or(Outside other) {
            return new Outside(
                    Math.max(steal, other.steal), Math.max(ofEither, other.ofEither), Math.max(foreign, other.foreign));
        }

        /** Whether the gate would void a trial this disturbed. */
        public boolean disturbed() {
            return weight() > 1;
        }
    }

    /** Whether there are enough slices: as many calm ones as planned, or 1.5 times as many in all. */
    public static boolean enough(List<Outside> seen, int planned) {
        return seen.stream().filter(s -> !s.disturbed()).count() >= planned || seen.size() >= planned + planned / 2;
    }

    /**
     * Which slices count.
     *
     * @param slices by number from 0
     * @param disturbed how many of all slices were disturbed
     * @param keptDisturbed how many of those that count were disturbed
     */
    public record Kept(Set<Integer> slices, int disturbed, int keptDisturbed) {
        public Kept {
            slices = Set.copyOf(slices);
        }
    }

    /**
     * Chooses the slices that count: at most as many as planned, calm ones first, then the least disturbed. The servers'
     * figures play no part in it.
     */
    public static Kept choose(List<Outside> seen, int planned) {
        Set<Integer> kept = IntStream.range(0, seen.size())
                .boxed()
                .sorted(Comparator.comparingDouble(
                        i -> seen.get(i).disturbed() ? seen.get(i).weight() : 0)) // calm ones in order
                .limit(planned)
                .collect(Collectors.toCollection(TreeSet::new));
        int disturbed = (int) seen.stream().filter(Outside::disturbed).count();
        return new Kept(kept, disturbed, (int)
                kept.stream().filter(i -> seen.get(i).disturbed()).count());
    }

    private static Duration nanos(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
