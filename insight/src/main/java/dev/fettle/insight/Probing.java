package dev.fettle.insight;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.Optional;

/**
 * How to run a trial that shares its target with others of its run.
 *
 * @param load the requests, the maximum number of connections, and the longest warm-up
 * @param rest what to wait for first; empty: nothing
 * @param settle offered, but not measured
 * @param drain how long to wait for answers still due when measuring ends
 * @param slo decides the verdict and whether the trial may end early
 */
public record Probing(
        Load load, Optional<Rest> rest, Duration settle, Duration measure, Duration drain, Slo slo, Ends ends) {
    /** Clients of the warm-up: enough to keep some CPUs busy, too few to build a queue. */
    public static final int WARM_UP_CLIENTS = 16;

    /** A closed load from a few connections, with all that each has in flight. */
    public Load closed(int connections) {
        return load.withConnections(Math.min(connections, load.connections()))
                .withArrivals(Arrivals.Closed.BACK_TO_BACK);
    }

    /** A closed load from a few clients: where connections have several each, on as few of them as that takes. */
    public Load clients(int clients) {
        return from(load, clients).withArrivals(Arrivals.Closed.BACK_TO_BACK);
    }

    /** A load from so many clients, rounded down to full connections, or from all that it has. */
    public static Load from(Load load, int clients) {
        Wire wire = load.wire();
        int each = Math.min(clients, wire.inFlight());
        return load.withConnections(Math.min(clients / each, load.connections()))
                .withWire(wire.withInFlight(each));
    }

    /** Wait until a single client is served this fast again: a failed probe leaves a queue behind. */
    public record Rest(Duration medianAtMost, Duration atMost) {}

    /** When a trial ends early. */
    public enum Ends {
        NEVER,
        /** When the SLO can't be met any more; requests then in flight count as neither good nor bad. */
        WHEN_LOST,
        /** When the SLO is met again after a spike. */
        WHEN_RECOVERED
    }
}
