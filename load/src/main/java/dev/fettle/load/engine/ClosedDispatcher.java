package dev.fettle.load.engine;

import dev.fettle.load.client.Client;
import dev.fettle.load.client.Dispatcher;
import dev.fettle.load.schedule.LoadClock;

/** The closed model: a free client begins at once, or when a pause ends. Bounded by a count and a time. */
final class ClosedDispatcher implements Dispatcher {

    private final HeldClients held;
    private LoadClock course;
    private long left;

    /**
     * @param iterations maximum number of iterations
     * @param course after its end nothing new begins
     * @param held holds the clients that become free during a pause
     */
    ClosedDispatcher(long iterations, LoadClock course, HeldClients held) {
        this.left = iterations;
        this.course = course;
        this.held = held;
    }

    @Override
    public void free(Client client, long at, long now) {
        if (course.isPaused() && !isOver(now)) {
            held.add(client);
        } else if (spend(now)) {
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
        return left <= 0 || course.isOver(now);
    }

    @Override
    public void follow(LoadClock next) {
        course = next;
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
