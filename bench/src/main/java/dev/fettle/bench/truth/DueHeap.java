package dev.fettle.bench.truth;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Items ordered by due time, soonest first; a binary heap that does not allocate once it is large enough. */
final class DueHeap<T> {

    private long[] due = new long[1024];
    private long[] arrival = new long[1024];
    private @Nullable Object[] who = new @Nullable Object[1024];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** When the first item is due. */
    long firstDue() {
        return size == 0 ? Long.MAX_VALUE : due[0];
    }

    /** When the first item arrived. */
    long firstArrival() {
        return arrival[0];
    }

    void add(long dueAt, long arrivedAt, T whose) {
        if (size == due.length) {
            due = Arrays.copyOf(due, 2 * size);
            arrival = Arrays.copyOf(arrival, 2 * size);
            who = Arrays.copyOf(who, 2 * size);
        }
        int i = size++;
        while (i > 0 && due[(i - 1) / 2] > dueAt) {
            move((i - 1) / 2, i);
            i = (i - 1) / 2;
        }
        set(i, dueAt, arrivedAt, whose);
    }

    /** Removes the first item. */
    @SuppressWarnings({"unchecked", "NullAway"}) // slots below size are filled
    T remove() {
        T first = (T) who[0];
        size--;
        long lastDue = due[size];
        long lastArrival = arrival[size];
        Object last = who[size];
        who[size] = null;
        int i = 0;
        while (2 * i + 1 < size) {
            int child = 2 * i + 1;
            if (child + 1 < size && due[child + 1] < due[child]) {
                child++;
            }
            if (due[child] >= lastDue) {
                break;
            }
            move(child, i);
            i = child;
        }
        if (size > 0) {
            set(i, lastDue, lastArrival, last);
        }
        return first;
    }

    private void move(int from, int to) {
        set(to, due[from], arrival[from], who[from]);
    }

    private void set(int at, long dueAt, long arrivedAt, @Nullable Object whose) {
        due[at] = dueAt;
        arrival[at] = arrivedAt;
        who[at] = whose;
    }
}
