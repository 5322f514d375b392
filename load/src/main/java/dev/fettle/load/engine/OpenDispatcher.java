package dev.fettle.load.engine;

import dev.fettle.load.client.Client;
import dev.fettle.load.client.Dispatcher;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoadClock;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.schedule.Schedule;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The open model: requests that are due go to free clients. New connections are opened only while no client is free, up
 * to a bound; when none can be opened, due requests wait. The schedule knows what is due, so nothing is queued, however
 * many requests wait.
 *
 * <p>The schedule is in the load's time ({@link LoadClock}), which stands still in a pause. So what is due later moves
 * back by the pause. A request that was already due keeps waiting after it; its latency counts the waiting before and
 * after, but not the pause.
 *
 * <p>The client that has been free the longest is taken first. So all connections stay in use: a server that ties
 * connections to threads has all its threads at work, and no connection reaches the server's idle time-out sooner than
 * the others. Clients with an open connection come before those that would have to open one.
 */
final class OpenDispatcher implements Dispatcher {

    /** Opens connections on demand. */
    interface Growth {
        /** Whether {@link #grow} would add a peer. */
        boolean canGrow();

        /** Adds a peer, whose clients are then {@link Dispatcher#free}. */
        void grow(long now);
    }

    /** Maximum number sent between two reads: due requests must not keep the loop from reading. */
    private static final int AT_ONCE = 64;

    private final Schedule schedule;
    private final LoopClock clock;
    private final Recorder recorder;
    private final Growth growth;
    private final ArrayDeque<Client> connected = new ArrayDeque<>();
    private final ArrayDeque<Client> unconnected = new ArrayDeque<>();
    private LoadClock course;
    /** Since when a due request could have been sent, in the load's time; {@link #NEVER} while none could. */
    private long roomSince;

    private boolean dispatching;
    private boolean ended;

    OpenDispatcher(Schedule schedule, LoadClock course, LoopClock clock, Recorder recorder, Growth growth) {
        this.schedule = schedule;
        this.course = course;
        this.clock = clock;
        this.recorder = recorder;
        this.growth = growth;
    }

    @Override
    public void free(Client client, long at, long now) {
        if (isOver(now)) {
            client.finish();
            return;
        }
        (client.peer().isOpen() ? connected : unconnected).addLast(client);
        // what fails with its connection gets its next request from the loop, before that waits for anything
        if (!client.isFailing() || client.peer().isOpen()) {
            roomFrom(now);
            dispatch(now);
        }
    }

    private void roomFrom(long now) {
        if (roomSince == NEVER) {
            roomSince = course.at(now);
        }
    }

    @Override
    public boolean spend(long now) {
        return false;
    }

    @Override
    public long nextDue() {
        long due = schedule.due();
        return ended || due == Schedule.NEVER || course.isPaused() || !hasRoom() ? NEVER : course.runTime(due);
    }

    @Override
    public void dispatch(long now) {
        // a client that fails at once is free again before this call returns
        if (dispatching || ended || course.isPaused()) {
            return;
        }
        long present = now;
        if (roomSince == NEVER && hasRoom()) {
            // only clients that failed came back: while thousands of them failed, nothing could be given
            present = clock.read();
            roomFrom(present);
        }
        if (schedule.due() <= course.at(present)) {
            give(AT_ONCE, present, NEVER);
        }
    }

    private void give(int atMost, long now, long until) {
        dispatching = true;
        long present = now;
        for (int i = 0; i < atMost && schedule.due() <= course.at(present) && present < until; i++) {
            Client client = next(present);
            if (client == null) {
                break;
            }
            long due = schedule.due();
            schedule.advance();
            if (due < roomSince) {
                recorder.held();
            }
            recorder.sendLag(course.at(present) - Math.max(due, roomSince));
            if (!hasRoom()) {
                roomSince = NEVER;
            }
            client.begin(course.runTime(due), present);
            present = clock.read();
            if (hasRoom()) {
                roomFrom(present); // it failed at once
            }
        }
        dispatching = false;
    }

    private @Nullable Client next(long now) {
        Client client = connected.pollFirst();
        while (client != null) {
            if (client.isIdle()) {
                if (client.peer().isOpen()) {
                    return client;
                }
                // the server closed its connection while it was idle
                unconnected.addLast(client);
            }
            client = connected.pollFirst();
        }
        if (unconnected.isEmpty() && growth.canGrow()) {
            growth.grow(now);
        }
        return unconnected.pollFirst();
    }

    private boolean hasRoom() {
        return !connected.isEmpty() || !unconnected.isEmpty() || growth.canGrow();
    }

    @Override
    public boolean isOver(long now) {
        return ended || schedule.due() == Schedule.NEVER;
    }

    @Override
    public void follow(LoadClock next) {
        course = next;
        schedule.endAt(next.end());
    }

    @Override
    public void end(long now, long until) {
        if (!ended) {
            if (!course.isPaused()) {
                // what the generator itself is late with is still sent; only requests without a connection stay behind
                roomFrom(now);
                give(Integer.MAX_VALUE, now, until);
            }
            ended = true;
        }
    }

    @Override
    public long unsent() {
        return schedule.remaining();
    }
}
