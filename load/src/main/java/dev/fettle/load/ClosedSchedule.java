package dev.fettle.load;

/** A connection which is free is due: it sends again as soon as it has its answer. Bounded by a count and a time. */
final class ClosedSchedule implements Schedule {

    private final long deadline;
    private long left;

    /**
     * @param requests how many at most
     * @param deadline nanoseconds since the start of the run from which nothing is sent any more
     */
    ClosedSchedule(long requests, long deadline) {
        this.left = requests;
        this.deadline = deadline;
    }

    @Override
    public long take(long freedAt, long now) {
        if (isOver(now)) {
            return OVER;
        }
        left--;
        return freedAt;
    }

    @Override
    public long nextDue() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isOver(long now) {
        return left <= 0 || now >= deadline;
    }
}
