package dev.fettle.load.schedule;

/**
 * Where a load stands between its beginning and its end, as its user wants it: when it ends, and whether it pauses. There are
 * two times, both in nanoseconds since the start of the run: that of the run, and that of the load, in which pauses take no
 * time. What is due, and when the load ends, is told in the load's time; what is measured, in the run's.
 *
 * @param end of the load, in its own time
 * @param paused how long the pauses that are over have lasted in all
 * @param pausedAt since when it pauses, in the load's time; {@link #GOING} while it does not
 */
public record Course(long end, long paused, long pausedAt) {

    /** {@link #pausedAt}: it does not. */
    static final long GOING = Long.MAX_VALUE;

    /** Without a pause to its end. */
    public static Course until(long end) {
        return new Course(end, 0, GOING);
    }

    public boolean isPaused() {
        return pausedAt != GOING;
    }

    /** The load's time at a moment of the run. */
    public long at(long now) {
        return Math.min(now - paused, pausedAt);
    }

    /** When it is so late for the load: a moment of the run. While paused, that of a load which goes on at once. */
    public long runTime(long loadTime) {
        return loadTime + paused;
    }

    public boolean isOver(long now) {
        return at(now) >= end;
    }

    /** Pauses from now on; after the end there is nothing to pause. */
    public Course pausedFrom(long now) {
        return isPaused() || isOver(now) ? this : new Course(end, paused, at(now));
    }

    /** Goes on. */
    public Course resumedAt(long now) {
        return isPaused() ? new Course(end, now - pausedAt, GOING) : this;
    }

    /** Ends so long from now, in the load's time; an end that is sooner already stays. */
    public Course endingIn(long nanos, long now) {
        long left = end - at(now);
        return nanos < left ? new Course(at(now) + nanos, paused, pausedAt) : this;
    }
}
