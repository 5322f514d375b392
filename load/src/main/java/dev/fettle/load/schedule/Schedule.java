package dev.fettle.load.schedule;

/**
 * When requests of the open model are due, one after the other. Pure: it reads no clock. Keeps one due time and no queue,
 * however far behind the load is.
 */
public interface Schedule {

    /** {@link #due}: nothing more. */
    long NEVER = Long.MAX_VALUE;

    /** When the next request is due, in nanoseconds of the load's time ({@link Course}); never less than the one before. */
    long due();

    /** Goes on to the one after. */
    void advance();

    /** Goes on to the first that is due after this time, and tells how many it has passed. */
    long advancePast(long time);

    /** Nothing is due from then on; an end that is sooner already stays. */
    void endAt(long end);

    /** How many are still to come, the one that {@link #due} tells included. Uses the schedule up. */
    long remaining();
}
