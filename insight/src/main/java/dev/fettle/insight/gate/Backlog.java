package dev.fettle.insight.gate;

/**
 * The backlog of an open load: requests that were due in the measuring phase and that the server did not get to. Counting only
 * the finished ones would flatter the server.
 *
 * <p>The load starts before the measuring phase, so a queue may already exist then. By Little's law (doi 10.1287/opre.9.3.383)
 * a request that waits for w seconds stands behind λ·w others. What the queue holds at the end beyond what it held at the start
 * piled up in the measuring phase.
 *
 * @param unsent requests waiting for a connection at the end, beyond those at the start
 * @param unanswered requests in flight at the end, beyond those at the start
 */
public record Backlog(long unsent, long unanswered) {
    /** The server kept up with all that was offered. */
    public static final Backlog NONE = new Backlog(0, 0);

    /**
     * Near the limit the queue grows and shrinks with random arrivals, a Poisson count. This many standard deviations of it are
     * tolerated.
     */
    private static final double CHANCE = 3;

    /**
     * Computes the backlog.
     *
     * @param seconds length of the measuring phase
     * @param ended attempts that ended in it
     * @param waiting requests due but not sent at its end
     * @param underWay requests sent but not answered at its end
     * @param wait seconds a request waited until it was sent, at the start
     * @param service seconds from sending to the answer, at the start
     */
    public static Backlog of(double seconds, long ended, long waiting, long underWay, double wait, double service) {
        if (seconds <= 0) {
            return NONE;
        }
        double line = Math.max(0, wait);
        double served = Math.max(0, service);
        // first come, first served: what ended and what is queued now was due in the phase or in the wait before it
        double rate = (ended + waiting + underWay) / (seconds + line + served);
        double before = rate * (line + served);
        double now = (double) waiting + underWay;
        if (now - before <= CHANCE * Math.sqrt(rate * seconds + now)) {
            return NONE;
        }
        return new Backlog(
                Math.round(Math.max(0, waiting - rate * line)), Math.round(Math.max(0, underWay - rate * served)));
    }
}
