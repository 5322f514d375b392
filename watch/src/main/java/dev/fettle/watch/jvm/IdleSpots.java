package dev.fettle.watch.jvm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Objects that idle workers wait on: a queue's condition, shared by all idle workers of a pool. A worker that waits on
 * the same object in the same way is idle, too, which saves reading its stack. Cleared regularly, since identity hashes
 * repeat. Not thread-safe.
 */
final class IdleSpots {
    /** After this many looks, all workers are read again. */
    private static final int FORGET_EVERY = 20;

    private final Set<String> spots = new HashSet<>();
    private int looks;

    /** The workers not known to be idle, without those that have ended. */
    List<SeenThread> others(List<SeenThread> workers) {
        if (looks++ % FORGET_EVERY == 0) {
            spots.clear();
        }
        var others = new ArrayList<SeenThread>();
        for (SeenThread t : workers) {
            if (!hasSpot(t) || !spots.contains(t.lock())) {
                others.add(t);
            }
        }
        return others;
    }

    /** Remembers where idle workers wait. */
    void learn(List<SeenThread> withStacks) {
        for (SeenThread t : withStacks) {
            if (hasSpot(t) && WorkerState.of(t.state(), t.stack()) == WorkerState.IDLE) {
                spots.add(t.lock());
            }
        }
    }

    /** Running threads, and those parked without an object, are not waiting for one. */
    private static boolean hasSpot(SeenThread t) {
        return (t.state() == Thread.State.WAITING || t.state() == Thread.State.TIMED_WAITING)
                && !t.lock().isEmpty()
                && t.owner() < 0;
    }
}
