package dev.fettle.load.schedule;

/**
 * When requests of the open model are due, one after the other. Pure: it reads no clock. Keeps one due time and no queue,
 * however far behind the load is.
 */
public interface Schedule {

    /** Value of {@link #due}: nothing more. */
    long NEVER = Long.MAX_VALUE;

    /** When the next request is due, in nanoseconds of the load's time ({@link LoadClock}); never less than the one before. */
    long due();

    /** Moves on to the next one. */
    void advance();

    /** Moves on to the first one due after this time; returns how many it has passed. */
    default long advancePast(long time) {
        long count = 0;
        for (; due() <= time && due() != NEVER; advance()) {
            count++;
        }
        return count;
    }

    /** Nothing is due from then on; an earlier end stays. */
    void endAt(long end);

    /** How many are still to come, including the one that {@link #due} gives. Uses the schedule up. */
    default long remaining() {
        return advancePast(NEVER);
    }
}
