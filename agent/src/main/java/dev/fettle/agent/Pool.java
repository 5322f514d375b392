package dev.fettle.agent;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The worker pool and the connections at one moment; {@link #UNKNOWN} where a count does not exist. */
public final class Pool {
    /** A count the server does not have, at least in this mode. */
    public static final long UNKNOWN = -1;

    static final Pool UNKNOWN_POOL = new Pool(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

    private final long busy;
    private final long workers;
    private final long queued;
    private final long connections;

    /**
     * What was seen.
     *
     * @param busy worker threads executing a request
     * @param workers worker threads in the pool, busy or idle
     * @param queued tasks waiting for a worker
     * @param connections open connections
     */
    public Pool(long busy, long workers, long queued, long connections) {
        this.busy = busy;
        this.workers = workers;
        this.queued = queued;
        this.connections = connections;
    }

    /** From counts read by reflection; anything that is not a count is unknown. */
    static Pool of(
            @Nullable Object busy, @Nullable Object workers, @Nullable Object queued, @Nullable Object connections) {
        return new Pool(count(busy), count(workers), count(queued), count(connections));
    }

    private static long count(@Nullable Object value) {
        return value instanceof Number ? Math.max(UNKNOWN, ((Number) value).longValue()) : UNKNOWN;
    }

    /** This pool, with the requests in flight in place of an unknown number of busy threads. */
    public Pool orInFlight(long inFlight) {
        return busy == UNKNOWN ? new Pool(inFlight, workers, queued, connections) : this;
    }

    /** This pool if requests do not run on its threads: only the connections are kept. */
    public Pool withoutWorkers() {
        return new Pool(UNKNOWN, UNKNOWN, UNKNOWN, connections);
    }

    /** Adds the counts under the control port's names; null if unknown. */
    public void addTo(Map<String, @Nullable Object> stats) {
        stats.put("busyWorkers", known(busy));
        stats.put("workers", known(workers));
        stats.put("queued", known(queued));
        stats.put("connections", known(connections));
    }

    private static @Nullable Long known(long count) {
        return count == UNKNOWN ? null : (Long) count;
    }
}
