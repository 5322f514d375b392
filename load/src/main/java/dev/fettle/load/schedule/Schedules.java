package dev.fettle.load.schedule;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Part;
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
        Part part = spec.part();
        if (!poisson) {
            long most = spec.maxRequests().orElse(Long.MAX_VALUE);
            return new EvenSchedule(stages, Math.toIntExact(part.number(thread)), threads * part.of(), most, end);
        }
        var whole = new PoissonSchedule(stages, seed, thread, threads, share(most(spec), thread, threads), end);
        return part.of() == 1 ? whole : new EveryNth(whole, part);
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
        return share(spec.part().share(most(spec)), thread, spec.threads());
    }

    private static long most(LoadSpec spec) {
        return spec.maxRequests().orElse(Long.MAX_VALUE / 2);
    }

    /** The i-th of n parts of a whole, as even as possible. */
    public static long share(long whole, int i, int n) {
        return whole / n + (i < whole % n ? 1 : 0);
    }
}
