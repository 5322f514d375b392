package dev.fettle.watch.signal;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import java.util.List;

/**
 * Reads some figures of a target each time it is asked; the ids are those of {@link dev.fettle.model.trial.Signal}. It is asked
 * on one thread, about every 250 ms under load, and slows itself down if a look is expensive ({@link SamplingRate}). It changes
 * nothing in the target.
 */
public interface SignalSource extends AutoCloseable {
    /**
     * Reads once. Reports nothing for a figure not read this time; one that can't be read at all is reported once, with
     * the reason. Never throws: a target that is gone just gives no readings.
     */
    void sample(Sink sink);

    /**
     * The warm-up is over: sums over many samples are reset, so that they cover the measured time only. It may be
     * called more than once.
     */
    default void measuringBegins() {}

    /**
     * Reads a last time, when the measuring has ended and the load's connections are still open, what is read seldom because it
     * is expensive and lasts, such as a table of thousands of sockets. Nothing else: what is gauged now is no part of the load.
     */
    default void last(Sink sink) {}

    /**
     * The load has rested, and begins again: what was read before is no begin of what is read now. A source that makes rates or
     * shares itself drops its last reading, and looks again at once.
     */
    default void gap() {}

    /** Notes on how it read. */
    default List<String> notes() {
        return List.of();
    }

    /** What it read less often than a user would expect, because reading is expensive. */
    default List<SamplingRate.Slowed> slowed() {
        return List.of();
    }

    /** Ends what it began in the target; the target continues. */
    @Override
    default void close() {}

    /** Receives what was read. */
    interface Sink {
        /**
         * A reading: the value now or, for a counter, the total so far. Values that are not finite numbers are left
         * out.
         */
        void value(String id, double value);

        /** A reading for a moment other than now, such as an event's. */
        void valueAt(String id, long nanoTime, double value);

        /** A figure can't be read; any reading of it, before or after, overrides this. */
        void notObserved(String id, String why);

        /** A sighting; kept if it is among the most frequent of its kind. */
        void sighting(Sighting seen);

        /**
         * All sightings of a kind, which replace those told before.
         *
         * @param all the most important first
         */
        default void sightings(String kind, List<Sighting> all) {
            all.forEach(this::sighting);
        }

        /**
         * What all threads did at a few moments; it replaces what was told before.
         *
         * @param origin what its times count from, as {@link System#nanoTime()}
         */
        default void threads(ThreadsSeen seen, long origin) {}
    }
}
