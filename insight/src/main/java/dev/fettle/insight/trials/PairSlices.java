package dev.fettle.insight.trials;

import dev.fettle.insight.gate.GateRules;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How the measuring of a pair is cut into slices, and which of them count.
 *
 * <p>Two servers that are up at the same time are loaded in turn, so that what the machine does in a minute meets both alike:
 * first, second, second, first, and so on. Slice i of the one and slice i of the other stand beside each other; one that was
 * disturbed from outside is taken out together with its partner.
 */
public final class PairSlices {
    /** The fact of an evidence that says whether a pair was loaded in turn: {@code true}, or {@code false}. */
    public static final String SIDE_BY_SIDE = "pair.sideBySide";

    /** The fact that says why a pair was not loaded in turn. */
    public static final String WHY_NOT = "pair.why";

    /** The fact that says how many slices of each side count, of how many planned: {@code 4/4}. */
    public static final String SLICES = "pair.slices";

    /** The fact that says how many slices were disturbed, counted or not. */
    public static final String DISTURBED = "pair.disturbed";

    /** The fact that says how many of the slices that count were disturbed: the machine was not calm for long enough. */
    public static final String KEPT_DISTURBED = "pair.kept.disturbed";

    /** A slice's measured part: long against the switch, short against what the machine does otherwise. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    /** However slow the server is: the slices would be too few. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** A slice holds so many requests of a connection: of fewer, the two that its edges cut are too large a part. */
    private static final int LATENCIES_PER_SLICE = 10;

    /** More slices than that gain nothing, and each keeps its histograms. */
    private static final int MOST = 60;

    /** What threads and caches need to wake up, and closed connections to be opened again. */
    private static final Duration LEAST_SETTLING = Duration.ofMillis(200);

    private static final int LATENCIES_TO_SETTLE = 3;

    private PairSlices() {}

    /**
     * How a pair is measured.
     *
     * @param slices of each side, an even number: each side is first as often as second
     * @param measured the measured part of each; all of them are what the load wants to be measured
     * @param settling what comes before it in each: all clients begin at once, and after three mean latencies, if they are
     *     distributed exponentially, 95 % of those first requests are gone
     * @param meanLatency seconds; the slower side's
     */
    public record Schedule(int slices, Duration measured, Duration settling, double meanLatency) {
        /**
         * How long slice i settles: the golden ratio's multiples spread the beginnings evenly over one latency. Answers that
         * come in step, as those of a server that only waits do, would else be cut at the same point in each slice.
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
     * What came from outside in a slice and its partner, the worse of both.
     *
     * @param steal share of the CPU time that the hypervisor took; 0 where it is not known
     * @param foreign share of the CPU time that processes other than the pair's used; 0 where it is not known
     */
    public record Outside(double steal, double foreign) {
        /** How much there was, over what the gate lets pass in a trial: above 1 it was disturbed. */
        double weight() {
            return Math.max(steal / GateRules.STEAL, foreign / GateRules.FOREIGN_CPU);
        }

        /** The worse of two. */
        public Outside or(Outside other) {
            return new Outside(Math.max(steal, other.steal), Math.max(foreign, other.foreign));
        }

        /** Whether a trial that is as this slice was would be void as disturbed. */
        public boolean disturbed() {
            return weight() > 1;
        }
    }

    /** Whether there are slices enough: as many calm ones as planned, or half as many again as planned in all. */
    public static boolean enough(List<Outside> seen, int planned) {
        return seen.stream().filter(s -> !s.disturbed()).count() >= planned || seen.size() >= planned + planned / 2;
    }

    /**
     * Which slices count.
     *
     * @param slices by number from 0
     * @param disturbed how many of all were disturbed
     * @param keptDisturbed how many of those that count were
     */
    public record Kept(Set<Integer> slices, int disturbed, int keptDisturbed) {
        public Kept {
            slices = Set.copyOf(slices);
        }
    }

    /**
     * Chooses those that count: at most as many as planned, the calm ones, and if they are too few, the least disturbed ones
     * of the others. The figures of the servers have no say in it.
     */
    public static Kept choose(List<Outside> seen, int planned) {
        Set<Integer> kept = IntStream.range(0, seen.size())
                .boxed()
                .sorted(Comparator.comparingDouble(
                        i -> seen.get(i).disturbed() ? seen.get(i).weight() : 0)) // the calm ones as they come
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
