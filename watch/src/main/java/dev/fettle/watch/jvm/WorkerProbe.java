package dev.fettle.watch.jvm;

import java.util.Optional;
import java.util.OptionalDouble;

/** Looks at a target's worker threads. */
public interface WorkerProbe extends AutoCloseable {

    /** What the workers are doing now; empty when the target can't be asked any more. */
    Optional<Sample> sample();

    /** Its garbage collection alone, without a look at the workers. */
    default Optional<Sample> collections() {
        var none = OptionalDouble.empty();
        return sample().map(s -> new Sample(none, none, none, s.gcMillis()));
    }

    /** What a reader should know of how it looked, if anything. */
    default Optional<String> note() {
        return Optional.empty();
    }

    /** Closes the connection to the target; the target goes on. */
    @Override
    void close();

    /**
     * One look.
     *
     * @param busy worker threads running a request
     * @param workers worker threads there are
     * @param queued requests waiting for a worker
     * @param gcMillis time in garbage collection since the JVM started
     */
    record Sample(OptionalDouble busy, OptionalDouble workers, OptionalDouble queued, OptionalDouble gcMillis) {}

    /** For a target that can't be looked into. */
    WorkerProbe NONE = new WorkerProbe() {
        @Override
        public Optional<Sample> sample() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    };
}
