package dev.fettle.watch.jvm;

import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
    List<ThreadInfo> others(ThreadInfo[] workers) {
        if (looks++ % FORGET_EVERY == 0) {
            spots.clear();
        }
        var others = new ArrayList<ThreadInfo>();
        for (ThreadInfo t : workers) {
            if (t != null && spot(t).filter(spots::contains).isEmpty()) {
                others.add(t);
            }
        }
        return others;
    }

    /** Remembers where idle workers wait. */
    void learn(ThreadInfo[] withStacks) {
        for (ThreadInfo t : withStacks) {
            if (t != null && WorkerState.of(t.getThreadState(), t.getStackTrace()) == WorkerState.IDLE) {
                spot(t).ifPresent(spots::add);
            }
        }
    }

    /** Running threads, and those parked without an object, are not waiting for one. */
    private static Optional<String> spot(ThreadInfo t) {
        LockInfo lock = t.getLockInfo();
        return switch (t.getThreadState()) {
            case WAITING, TIMED_WAITING ->
                lock == null || t.getLockOwnerId() >= 0 ? Optional.empty() : Optional.of(lock.toString());
            default -> Optional.empty();
        };
    }
}
