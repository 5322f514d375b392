package dev.fettle.insight;

import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.Random;

/**
 * A server whose limit lies behind its worker threads: each request takes one of some permits (connections to a database,
 * say) and keeps it for a time. Threads that wait for a permit are as busy as those that have one.
 *
 * @param permits how many there are
 * @param seconds how long a request keeps one
 * @param threads the server's own default of threads.max
 * @param noise deviation of the log of a trial's throughput
 */
public record PermitsBehind(int permits, double seconds, int threads, int clients, double noise, long seed)
        implements Simulated.Server {
    private static final double CPU = 0.0002;

    public double throughput(int m) {
        return Math.min(Math.min(m, clients) / (seconds + CPU), permits / seconds);
    }

    /** For its plan and the form of its trials only: the laws of this one are not the other's. */
    Simulated shape() {
        return Simulated.server(threads, seconds, CPU, 2, clients).seed(seed);
    }

    @Override
    public TrialOutcome run(int ordinal, TrialSpec spec) {
        var random = new Random(seed * 1_000_003 + ordinal * 7919L);
        random.nextInt();
        int m = shape().threadsOf(spec.setting());
        double x = throughput(m) * Math.exp(noise * random.nextGaussian());
        return shape().outcome(ordinal, spec, m, x, CPU, false, random);
    }

    Simulated.Run drive(Experiment experiment) {
        return Simulated.drive(this, experiment);
    }
}
