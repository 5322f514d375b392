package dev.fettle.watch.jvm;

import dev.fettle.model.text.OptionalFigure;
import java.util.Optional;

/** Observes a target's worker threads. */
public interface WorkerProbe extends AutoCloseable {

    /** What the workers are doing now; empty when the target no longer answers. */
    Optional<Sample> sample();

    /** Only garbage collection, without looking at the workers. */
    default Optional<Sample> collections() {
        var none = OptionalFigure.empty();
        return sample().map(s -> new Sample(none, none, none, s.gcMillis()));
    }

    /** A look in between: the time in garbage collection, which is only needed at the begin and the end, may be left out. */
    default Optional<Sample> glance() {
        return sample();
    }

    /** Closes the connection; the target continues. */
    @Override
    void close();

    /**
     * One look.
     *
     * @param busy worker threads running a request
     * @param workers number of worker threads
     * @param queued requests waiting for a worker
     * @param gcMillis time in garbage collection since the JVM started
     */
    record Sample(OptionalFigure busy, OptionalFigure workers, OptionalFigure queued, OptionalFigure gcMillis) {}

    /** For a target that can't be inspected. */
    WorkerProbe NONE = new WorkerProbe() {
        @Override
        public Optional<Sample> sample() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    };
}
