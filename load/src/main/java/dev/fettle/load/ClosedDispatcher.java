package dev.fettle.load;

/** The closed model: a client that is free begins at once. Bounded by a count and a time. */
final class ClosedDispatcher implements Dispatcher {

    private long deadline;
    private long left;

    /**
     * @param iterations how many at most
     * @param deadline nanoseconds since the start of the run from which nothing is begun any more
     */
    ClosedDispatcher(long iterations, long deadline) {
        this.left = iterations;
        this.deadline = deadline;
    }

    @Override
    public void free(Client client, long at, long now) {
        if (spend(now)) {
            client.begin(at, now);
        } else {
            client.finish();
        }
    }

    @Override
    public boolean spend(long now) {
        if (isOver(now)) {
            return false;
        }
        left--;
        return true;
    }

    @Override
    public long nextDue() {
        return NEVER;
    }

    @Override
    public void dispatch(long now) {}

    @Override
    public boolean isOver(long now) {
        return left <= 0 || now >= deadline;
    }

    @Override
    public void endAt(long end) {
        deadline = Math.min(deadline, end);
    }

    @Override
    public void end(long now, long until) {
        left = 0;
    }

    @Override
    public long unsent() {
        return 0;
    }
}
