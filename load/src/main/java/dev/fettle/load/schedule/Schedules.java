package dev.fettle.load.schedule;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.api.Arrivals;
import java.util.List;

/** Divides what a spec says about due requests among the engine threads. */
public final class Schedules {

    private Schedules() {}

    /** The schedule of one engine thread of an open load. */
    public static Schedule of(LoadSpec spec, int thread) {
        if (!(spec.arrivals() instanceof Arrivals.Open(var stages, var poisson, var seed))) {
            throw new IllegalArgumentException("a closed load has no schedule");
        }
        long end = end(spec);
        int threads = spec.threads();
        return poisson
                ? new PoissonSchedule(stages, seed, thread, threads, requests(spec, thread), end)
                : new EvenSchedule(stages, thread, threads, spec.maxRequests().orElse(Long.MAX_VALUE), end);
    }

    /** When nothing more is started: at {@code maxDuration}, or when the last stage of an open load is over. */
    public static long end(LoadSpec spec) {
        long longest = spec.maxDuration().toNanos();
        return spec.arrivals() instanceof Arrivals.Open open ? Math.min(longest, length(open.stages())) : longest;
    }

    private static long length(List<Arrivals.Stage> stages) {
        return new RateCurve(stages, stage -> 1).end();
    }

    /** One thread's share of the maximum number of requests. */
    public static long requests(LoadSpec spec, int thread) {
        return share(spec.maxRequests().orElse(Long.MAX_VALUE / 2), thread, spec.threads());
    }

    /** The i-th of n parts of a whole, as even as possible. */
    public static long share(long whole, int i, int n) {
        return whole / n + (i < whole % n ? 1 : 0);
    }
}
