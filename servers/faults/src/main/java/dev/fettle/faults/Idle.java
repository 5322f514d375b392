package dev.fettle.faults;

import java.io.Closeable;
import java.io.IOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Connections or files of which a request needs one for itself. There are as many as requests under way at once, however many threads
 * come and go; none waits for another's.
 */
final class Idle<T extends Closeable> {
    private final Maker<T> maker;
    private final Deque<T> idle = new ConcurrentLinkedDeque<>();

    /** Makes one more. */
    interface Maker<T> {
        T make() throws IOException;
    }

    /** What a request does with one. */
    interface Use<T> {
        void with(T one) throws IOException;
    }

    Idle(Maker<T> maker) {
        this.maker = maker;
    }

    /** Lends one. If that fails, it is closed: a half read answer is not the next request's. */
    void lend(Use<T> use) throws IOException {
        T free = idle.pollFirst();
        T one = free == null ? maker.make() : free;
        boolean fine = false;
        try {
            use.with(one);
            fine = true;
        } finally {
            if (fine) {
                idle.addFirst(one);
            } else {
                one.close();
            }
        }
    }
}
