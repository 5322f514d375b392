package dev.fettle.bench.truth;

/**
 * One server with a queue. Each request costs the same time. At the beginning of each period the server stalls: it
 * works on nothing, and afterwards works off what came.
 *
 * <p>For even arrivals at rate λ and service time s, with ρ = λs, the fluid limit of the response time's distribution
 * over whole periods P with stalls of length L is {@code P(R > x) = (L + s - x) / ((1 - ρ) P)} for s ≤ x ≤ L + s, as
 * long as the backlog is worked off within the period: a request that comes at time a after the stall's beginning waits
 * for the rest of the stall and for the λa requests before it, L - a (1 - ρ), until none is left at a = L / (1 - ρ).
 */
final class StallQueue implements Delay {

    private final long period;
    private final long stall;
    private final long service;
    private final long origin;
    private long freeAt;

    /**
     * @param period from stall to stall, in nanoseconds
     * @param stall length of each stall, in nanoseconds
     * @param service time per request, in nanoseconds
     * @param origin when the first stall begins
     */
    StallQueue(long period, long stall, long service, long origin) {
        this.period = period;
        this.stall = stall;
        this.service = service;
        this.origin = origin;
        this.freeAt = origin;
    }

    @Override
    public long due(long arrival) {
        long start = afterStall(Math.max(arrival, freeAt));
        long end = start + service;
        // work interrupted by a stall continues after it
        freeAt = crosses(start, end) ? end + stall : end;
        return freeAt;
    }

    private boolean crosses(long start, long end) {
        return Math.floorDiv(start - origin, period) != Math.floorDiv(end - 1 - origin, period);
    }

    private long afterStall(long time) {
        long phase = Math.floorMod(time - origin, period);
        return phase < stall ? time + stall - phase : time;
    }
}
