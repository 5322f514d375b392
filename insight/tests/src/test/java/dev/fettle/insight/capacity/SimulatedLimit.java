package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A server that exists only as a formula: latency at p99 is {@code idle + ln(100) / (most − rate)}, as in M/M/1, times a
 * log-normal noise. Its limit for a bound on p99 is exact: where the noiseless p99 is the bound.
 *
 * @param idle seconds
 * @param most requests a second at which it saturates; more are not answered in time
 * @param noise deviation of a probe's log p99
 * @param hiccups share of probes in which something else makes p99 a second
 * @param generator rate from which the generator is late
 */
public record SimulatedLimit(double idle, double most, double noise, double hiccups, double generator, long seed)
        implements ProbedServer {
    public static final Slo SLO = Slo.parse("p99<50ms,errors<0.1%");

    public static SimulatedLimit server(double most) {
        return new SimulatedLimit(0.001, most, 0.1, 0, Double.POSITIVE_INFINITY, 1);
    }

    SimulatedLimit idle(double seconds) {
        return new SimulatedLimit(seconds, most, noise, hiccups, generator, seed);
    }

    public SimulatedLimit noise(double n) {
        return new SimulatedLimit(idle, most, n, hiccups, generator, seed);
    }

    SimulatedLimit hiccups(double share) {
        return new SimulatedLimit(idle, most, noise, share, generator, seed);
    }

    SimulatedLimit generator(double rate) {
        return new SimulatedLimit(idle, most, noise, hiccups, rate, seed);
    }

    public SimulatedLimit seed(long s) {
        return new SimulatedLimit(idle, most, noise, hiccups, generator, s);
    }

    /** The rate at which a probe meets p99 &lt; 50 ms with probability 1/2. */
    public double limit() {
        return most - Math.log(100) / (0.05 - idle);
    }

    @Override
    public Probe probe(CapacitySearch.Step.Offer offer, int ordinal) {
        var random = new Random(seed * 1_000_003 + ordinal * 7919L);
        random.nextInt();
        double rate = offer.rate();
        double lucky = Math.exp(noise * random.nextGaussian());
        boolean hiccup = random.nextDouble() < hiccups;
        double seconds = 5;
        double p99 = rate >= most ? 5 : Math.min(5, idle + Math.log(100) / (most - rate));
        p99 = hiccup ? 1 : p99 * lucky;
        double achieved = Math.min(rate, most);
        long n = Math.round(achieved * seconds);
        long ns = (long) (p99 * 1e9);
        return Probes.of(
                offer.phase(),
                rate,
                seconds,
                n,
                new LatencySummary(n, ns / 3.0, ns / 3, ns / 2, ns / 2, ns / 2, ns, ns * 2, ns * 3, ns * 4),
                rate > generator ? 3 : 0.1,
                0.3,
                Duration.ofMillis(6500));
    }

    public static CapacitySearch.Settings settings(double first) {
        return new CapacitySearch.Settings(
                first,
                CapacitySearch.floor(SLO, Duration.ofSeconds(5), Iteration.ONE_REQUEST),
                0.03,
                3,
                Duration.ofMinutes(5),
                1000,
                0,
                Duration.ZERO,
                Duration.ZERO);
    }

    CapacityResult search(double first) {
        return search(settings(first));
    }

    List<Judged> probes(double first) {
        return probes(SLO, settings(first));
    }

    CapacityResult search(CapacitySearch.Settings settings) {
        return search(SLO, settings);
    }
}
