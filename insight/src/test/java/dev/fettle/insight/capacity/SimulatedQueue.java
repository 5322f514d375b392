package dev.fettle.insight.capacity;

import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A pool of threads, each of which a request holds for the same time, and a queue before it (M/D/c), worked through request by
 * request: what {@code bench/capacity.sh} puts a real server in the place of. A probe begins with the pool idle and settles
 * for a second, so that the knee has the width that probes of that length really see.
 *
 * @param hold seconds a request holds a thread
 * @param bound of p99, in seconds
 * @param measured seconds that a probe measures
 */
record SimulatedQueue(int threads, double hold, double bound, double measured, long seed) implements ProbedServer {

    private static final double SETTLE = 1;

    Slo slo() {
        return Slo.parse("p99<%dms,errors<0.1%%".formatted(Math.round(bound * 1000)));
    }

    SimulatedQueue seed(long s) {
        return new SimulatedQueue(threads, hold, bound, measured, s);
    }

    /** The rate at which half of the probes meet the bound, by simulating many. */
    double limit() {
        double low = 0.5 * threads / hold;
        double high = 1.1 * threads / hold;
        for (int i = 0; i < 12; i++) {
            double middle = (low + high) / 2;
            int met = 0;
            for (int k = 0; k < 300; k++) {
                met += run(middle, new Random(k * 7919L + 3)).p99 < bound ? 1 : 0;
            }
            if (2 * met >= 300) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    private record Seen(double p99, int finished, int due) {}

    private Seen run(double rate, Random random) {
        var free = new PriorityQueue<Double>();
        for (int i = 0; i < threads; i++) {
            free.add(0.0);
        }
        double end = SETTLE + measured;
        double[] latencies = new double[(int) (2 * rate * end) + 1000];
        int n = 0;
        int finished = 0;
        for (double t = -Math.log(1 - random.nextDouble()) / rate;
                t <= end;
                t -= Math.log(1 - random.nextDouble()) / rate) {
            double done = Math.max(t, free.remove()) + hold;
            free.add(done);
            if (done > SETTLE) {
                latencies[n++] = done - t;
                finished += done <= end ? 1 : 0;
            }
        }
        double[] sorted = Arrays.copyOf(latencies, n);
        Arrays.sort(sorted);
        return new Seen(n == 0 ? 0 : sorted[(int) Math.ceil(0.99 * n) - 1], finished, n);
    }

    @Override
    public Probe probe(CapacitySearch.Step.Offer offer, int ordinal) {
        Seen seen = run(offer.rate(), new Random(seed * 1_000_003 + ordinal * 7919L));
        long ns = (long) (seen.p99 * 1e9);
        long typical = Math.min(ns, (long) (hold * 1e9));
        boolean broken = seen.p99 >= bound;
        return new Probe(
                offer.phase(),
                offer.rate(),
                measured,
                seen.finished / measured,
                seen.finished,
                seen.due,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                new LatencySummary(seen.due, typical, typical, typical, typical, typical, ns, ns, ns, ns),
                OptionalDouble.of(0.1),
                0.05,
                Duration.ofMillis(Math.round(1000 * (SETTLE + (broken ? measured / 2 + 0.6 : measured + 0.2)))),
                Optional.empty());
    }
}
