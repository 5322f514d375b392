package dev.fettle.load.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Wakes sleepers at their times; a binary heap. Allocates nothing once it has grown. An alarm can't be cancelled; a
 * sleeper that no longer needs it ignores it.
 */
public final class Alarms {

    /** Waits for a moment. */
    public interface Sleeper {
        /** The time has come, or has just passed. */
        void ring(long now);
    }

    /** {@link #next()}: no sleeper is waiting. */
    public static final long NEVER = Long.MAX_VALUE;

    private long[] times = new long[16];
    private @Nullable Sleeper[] sleepers = new @Nullable Sleeper[16];
    private int size;

    /** Calls the sleeper at this time, in nanoseconds since the start of the run. */
    public void set(long time, Sleeper sleeper) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            sleepers = Arrays.copyOf(sleepers, 2 * size);
        }
        int at = size++;
        while (at > 0 && times[(at - 1) >>> 1] > time) {
            move((at - 1) >>> 1, at);
            at = (at - 1) >>> 1;
        }
        times[at] = time;
        sleepers[at] = sleeper;
    }

    /** The time of the next alarm. */
    public long next() {
        return size == 0 ? NEVER : times[0];
    }

    /** Calls the sleepers whose time has come. An alarm set meanwhile for a time in the past rings at the next call. */
    public void ring(long now) {
        for (int left = size; left > 0 && size > 0 && times[0] <= now; left--) {
            Sleeper first = sleepers[0];
            removeFirst();
            if (first != null) {
                first.ring(now);
            }
        }
    }

    private void removeFirst() {
        size--;
        long time = times[size];
        Sleeper last = sleepers[size];
        sleepers[size] = null;
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && times[child + 1] < times[child]) {
                child++;
            }
            if (times[child] >= time) {
                break;
            }
            move(child, at);
            at = child;
        }
        if (size > 0) {
            times[at] = time;
            sleepers[at] = last;
        }
    }

    private void move(int from, int to) {
        times[to] = times[from];
        sleepers[to] = sleepers[from];
    }
}
