package dev.fettle.bench.truth;

import dev.fettle.bench.Options;
import org.HdrHistogram.Histogram;

/**
 * Prints what even arrivals at a rate would see of the stalling server: the queue computed request by request over
 * whole periods, without a server or a clock. Options as in {@link TruthServer}, and {@code rate}.
 */
public final class StallTruth {

    private static final int PERIODS = 50;

    private StallTruth() {}

    /** See the class. */
    public static void main(String[] args) {
        Options options = Options.parse(args, "rate", "period-ms", "stall-ms", "service-us");
        Histogram times = times(
                options.real("rate", 1000),
                (long) (options.real("period-ms", 2000) * 1e6),
                (long) (options.real("stall-ms", 100) * 1e6),
                (long) (options.real("service-us", 50) * 1e3));
        System.out.println("{" + TruthRecord.quantiles(times, "") + "}");
    }

    static Histogram times(double rate, long period, long stall, long service) {
        Delay queue = new StallQueue(period, stall, service, 0);
        Histogram times = new Histogram(600_000_000_000L, 4);
        long count = (long) (PERIODS * period / 1e9 * rate);
        for (long i = 0; i < count; i++) {
            // out of step with the stalls
            long arrival = (long) ((i + 0.5) * 1e9 / rate);
            times.recordValue(queue.due(arrival) - arrival);
        }
        return times;
    }
}
