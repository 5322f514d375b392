package dev.fettle.watch.jvm;

import dev.fettle.model.text.OptionalFigure;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A probe with a timeout: while the JVM does not answer, there is no sample. Not thread-safe. */
record PatientProbe(WorkerProbe probe, CallTimeout<Optional<Sample>> patience) implements WorkerProbe {
    @Override
    public Optional<Sample> sample() {
        return whole(probe::sample);
    }

    @Override
    public Optional<Sample> glance() {
        return ask(probe::glance);
    }

    @Override
    public Optional<Sample> collections() {
        var none = OptionalFigure.empty();
        return whole(probe::collections).map(s -> new Sample(none, none, none, s.gcMillis()));
    }

    /** With the time in collections: a late answer may be that to a glance, so it is asked again after it. */
    private Optional<Sample> whole(Callable<Optional<Sample>> look) {
        boolean late = patience.isWaiting();
        Optional<Sample> seen = ask(look);
        return late && !patience.isWaiting() ? ask(look) : seen;
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
