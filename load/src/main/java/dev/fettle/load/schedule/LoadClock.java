package dev.fettle.load.schedule;

/**
 * The course of a load as its user wants it: when it ends, and whether it is paused. There are two times, both in
 * nanoseconds since the start of the run: the run's, and the load's, in which pauses take no time. Due times and the
 * load's end are in the load's time; measurements are in the run's.
 *
 * @param end of the load, in its own time
 * @param paused total length of the pauses that are over
 * @param pausedAt since when it is paused, in the load's time; {@link #GOING} if it is not
 */
public record LoadClock(long end, long paused, long pausedAt) {

    /** Value of {@link #pausedAt} while not paused. */
    static final long GOING = Long.MAX_VALUE;

    /** A course without a pause until its end. */
    public static LoadClock until(long end) {
        return new LoadClock(end, 0, GOING);
    }

    public boolean isPaused() {
        return pausedAt != GOING;
    }

    /** The load's time at a moment of the run. */
    public long at(long now) {
        return Math.min(now - paused, pausedAt);
    }

    /** The moment of the run at a given time of the load. While paused, as if the load resumed now. */
    public long runTime(long loadTime) {
        return loadTime + paused;
    }

    public boolean isOver(long now) {
        return at(now) >= end;
    }

    /** Pauses from now on; after the end there is nothing to pause. */
    public LoadClock pausedFrom(long now) {
        return isPaused() || isOver(now) ? this : new LoadClock(end, paused, at(now));
    }

    public LoadClock resumedAt(long now) {
        return isPaused() ? new LoadClock(end, now - pausedAt, GOING) : this;
    }

    /** Ends after this time from now, in the load's time; an earlier end stays. */
    public LoadClock endingIn(long nanos, long now) {
        long left = end - at(now);
        return nanos < left ? new LoadClock(at(now) + nanos, paused, pausedAt) : this;
    }
}
