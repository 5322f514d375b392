package dev.fettle.insight;

import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.Optional;

/**
 * How a trial is driven that shares its target with others of its run.
 *
 * @param load what is sent, over how many connections at most, and how long the warm-up may take
 * @param rest what is waited for before; empty: nothing
 * @param settle offered, but not measured
 * @param drain how long answers are awaited that were due when the measuring ended
 * @param slo what it is judged by, and by what it may end early
 */
public record Probing(
        Load load, Optional<Rest> rest, Duration settle, Duration measure, Duration drain, Slo slo, Ends ends) {
    /** Clients of the warm-up: enough to keep some CPUs busy, too few to make a queue. */
    public static final int WARM_UP_CLIENTS = 16;

    /** The load of a few clients, as fast as they are served. */
    public Load closed(int clients) {
        return load.withConnections(Math.min(clients, load.connections())).withArrivals(Arrivals.Closed.BACK_TO_BACK);
    }

    /** Until one client alone is served this fast again: a broken probe leaves a queue behind. */
    public record Rest(Duration medianAtMost, Duration atMost) {}

    /** When it ends before its time. */
    public enum Ends {
        NEVER,
        /** When the SLO can't be met any more: what was under way then counts as neither good nor bad. */
        WHEN_LOST,
        /** When the SLO is met again after a spike. */
        WHEN_RECOVERED
    }
}
