package dev.fettle.watch.signal;

import java.util.List;

/**
 * Reads some figures of a target each time it is asked; the ids are those of {@link dev.fettle.model.trial.Signal}. It is asked
 * on one thread, about every 250 ms under load, and slows itself down if a look is expensive ({@link LookRate}). It changes
 * nothing in the target.
 */
public interface SignalSource extends AutoCloseable {
    /**
     * Reads once. Says nothing of what it did not read this time; a figure that it can't read at all it reports once with
     * the reason. Throws nothing: a target that is gone is silence.
     */
    void sample(Sink sink);

    /** Notes on how it read. */
    default List<String> notes() {
        return List.of();
    }

    /** What it read less often than a user would expect, because reading is expensive. */
    default List<LookRate.Slowed> slowed() {
        return List.of();
    }

    /** Ends what it began in the target; the target continues. */
    @Override
    default void close() {}

    /** Takes what was read. */
    interface Sink {
        /**
         * A reading: the value now or, of a signal that is a counter, the total so far. One that is not a finite number
         * is left out.
         */
        void value(String id, double value);

        /** A reading of a moment, where it is another than now: an event's. */
        void valueAt(String id, long nanoTime, double value);

        /** A figure can't be read; a reading of it, before or after, says that it can. */
        void notObserved(String id, String why);

        /** A sighting; kept if it is among the most frequent of its kind. */
        void sighting(dev.fettle.model.trial.Sighting seen);
    }
}
