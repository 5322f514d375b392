package dev.fettle.watch.jvm;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/** A probe whose looks into a JVM that stands still end without a sample. Not thread-safe. */
record PatientProbe(WorkerProbe probe, Patience<Optional<Sample>> patience) implements WorkerProbe {
    @Override
    public Optional<Sample> sample() {
        return ask(probe::sample);
    }

    @Override
    public Optional<Sample> collections() {
        var none = OptionalDouble.empty();
        // it may be the late answer to a look at the workers
        return ask(probe::collections).map(s -> new Sample(none, none, none, s.gcMillis()));
    }

    private Optional<Sample> ask(Callable<Optional<Sample>> look) {
        try {
            return patience.ask(look).flatMap(s -> s);
        } catch (IOException e) {
            return Optional.empty(); // the JVM is gone
        }
    }

    @Override
    public void close() {
        probe.close();
    }
}
