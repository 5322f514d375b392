package dev.fettle.insight.gate;

/**
 * What an open load was left with: requests that were due in the measuring phase and that the server did not take. What it
 * finished alone would flatter it, for those are the ones that got through.
 *
 * <p>The load was there before it was measured, and so may be a line of waiting requests. By Little's law (doi
 * 10.1287/opre.9.3.383) a request that waits for w seconds stands behind λ·w others. What is there at the end beyond what was
 * there at the beginning has piled up in the measuring phase.
 *
 * @param unsent requests beyond those at the beginning that waited for a connection at the end
 * @param unanswered requests beyond those at the beginning that were under way at the end
 */
public record LeftOver(long unsent, long unanswered) {
    /** The server took all that was offered. */
    public static final LeftOver NONE = new LeftOver(0, 0);

    /**
     * Near the limit a line grows and shrinks with what happens to arrive, and how much arrives is a Poisson count. So many
     * standard deviations of it are let pass.
     */
    private static final double CHANCE = 3;

    /**
     * What has piled up.
     *
     * @param seconds length of the measuring phase
     * @param ended attempts that ended in it
     * @param waiting requests due at its end that were not sent
     * @param underWay requests sent at its end that had no answer
     * @param wait seconds that a request waited until it was sent, at the beginning
     * @param service seconds from then to its answer, at the beginning
     */
    public static LeftOver of(double seconds, long ended, long waiting, long underWay, double wait, double service) {
        if (seconds <= 0) {
            return NONE;
        }
        double line = Math.max(0, wait);
        double served = Math.max(0, service);
        // first come, first served: what ended and what is there now was due in the phase and in the time before it
        double rate = (ended + waiting + underWay) / (seconds + line + served);
        double before = rate * (line + served);
        double now = (double) waiting + underWay;
        if (now - before <= CHANCE * Math.sqrt(rate * seconds + now)) {
            return NONE;
        }
        return new LeftOver(
                Math.round(Math.max(0, waiting - rate * line)), Math.round(Math.max(0, underWay - rate * served)));
    }
}
