package dev.fettle.insight.capacity;

import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import java.time.Duration;
import java.util.Arrays;
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
record SimulatedQueue(int threads, double hold, double bound, double measured, long seed, Kind kind)
        implements ProbedServer {

    /** How long a request holds its thread, and what else happens. */
    enum Kind {
        /** Always the same time: M/D/c. */
        CONSTANT,
        /** Exponential: M/M/c. */
        EXPONENTIAL,
        /** Log-normal with a coefficient of variation of 2. */
        HEAVY,
        /** Constant, but the whole server is faster or slower from probe to probe: AR(1), sd 2 %, ρ 0.8. */
        DRIFT,
        /** Constant, and it stands still for 60 ms every 2 s. */
        STALLS
    }

    SimulatedQueue(int threads, double hold, double bound, double measured, long seed) {
        this(threads, hold, bound, measured, seed, Kind.CONSTANT);
    }

    SimulatedQueue of(Kind other) {
        return new SimulatedQueue(threads, hold, bound, measured, seed, other);
    }

    private static final double SETTLE = 1;
    private static final double STALL_EVERY = 2;
    private static final double STALL = 0.06;

    Slo slo() {
        return Slo.parse("p99<%dms,errors<0.1%%".formatted(Math.round(bound * 1000)));
    }

    /** One whose requests take so many times as long. */
    SimulatedQueue slower(double times) {
        return new SimulatedQueue(threads, hold * times, bound, measured, seed, kind);
    }

    SimulatedQueue seed(long s) {
        return new SimulatedQueue(threads, hold, bound, measured, s, kind);
    }

    /** The rate at which half of the probes meet the bound, by simulating many. */
    double limit() {
        double low = 0.5 * threads / hold;
        double high = 1.1 * threads / hold;
        for (int i = 0; i < 12; i++) {
            double middle = (low + high) / 2;
            int met = 0;
            // until half of them have met it, or no longer can
            for (int k = 0; k < 300 && 2 * met < 300 && 2 * (met + 300 - k) >= 300; k++) {
                met += run(middle, new Random(k * 7919L + 3), 1).p99 < bound ? 1 : 0;
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

    private double holds(Random random) {
        return hold
                * switch (kind) {
                    case CONSTANT, DRIFT, STALLS -> 1;
                    case EXPONENTIAL -> -Math.log(1 - random.nextDouble());
                    // exp(σz − σ²/2) has a mean of 1 and a variance of exp(σ²) − 1
                    case HEAVY -> Math.exp(Math.sqrt(Math.log(5)) * random.nextGaussian() - Math.log(5) / 2);
                };
    }

    /** How much slower the server is at a probe. */
    private double slower(int ordinal) {
        if (kind != Kind.DRIFT) {
            return 1;
        }
        var random = new Random(seed * 31 + 17);
        double log = 0.02 * random.nextGaussian();
        for (int i = 0; i < ordinal; i++) {
            log = 0.8 * log + 0.6 * 0.02 * random.nextGaussian();
        }
        return Math.exp(log);
    }

    private Seen run(double rate, Random random, double slower) {
        double[] free = new double[threads];
        double end = SETTLE + measured;
        double[] latencies = new double[(int) (2 * rate * end) + 1000];
        int n = 0;
        int finished = 0;
        for (double t = -Math.log(1 - random.nextDouble()) / rate;
                t <= end;
                t -= Math.log(1 - random.nextDouble()) / rate) {
            int first = 0;
            for (int i = 1; i < threads; i++) {
                first = free[i] < free[first] ? i : first;
            }
            double begin = Math.max(t, free[first]);
            if (kind == Kind.STALLS && begin % STALL_EVERY < STALL) {
                begin += STALL - begin % STALL_EVERY;
            }
            double done = begin + holds(random) * slower;
            free[first] = done;
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
        Seen seen = run(offer.rate(), new Random(seed * 1_000_003 + ordinal * 7919L), slower(ordinal));
        long ns = (long) (seen.p99 * 1e9);
        long typical = Math.min(ns, (long) (hold * 1e9));
        boolean broken = seen.p99 >= bound;
        return Probes.of(
                offer.phase(),
                offer.rate(),
                measured,
                seen.finished,
                new LatencySummary(seen.due, typical, typical, typical, typical, typical, ns, ns, ns, ns),
                0.1,
                0.05,
                Duration.ofMillis(Math.round(1000 * (SETTLE + (broken ? measured / 2 + 0.6 : measured + 0.2)))));
    }
}
