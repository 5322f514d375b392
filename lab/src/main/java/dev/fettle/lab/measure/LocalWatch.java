package dev.fettle.lab.measure;

import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.Window;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.HostWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Watches this machine, and a target on it.
 *
 * @param dumps keeps thread dumps of the target; empty: there are none
 * @param read samples the host and the target
 * @param partner CPU seconds of the partner's target
 */
record LocalWatch(HostWatch host, Optional<DumpKeeper> dumps, Runnable read, Supplier<OptionalFigure> partner)
        implements WatchPort {
    @Override
    public void begin() {
        host.begin();
    }

    @Override
    public void measure() {
        host.measure();
    }

    @Override
    public void measuringBegins() {
        host.measuringBegins();
    }

    @Override
    public void gap() {
        host.gap();
    }

    @Override
    public void sample() {
        read.run();
    }

    @Override
    public void window(Window window) {
        LoadSignals.put(host.recorder(), window);
        dumps.ifPresent(d -> {
            d.window(window);
            host.recorder().last(Signals.THREADS_DEADLOCKED).ifPresent(d::deadlocked);
        });
    }

    @Override
    public void last() {
        host.last();
    }

    @Override
    public Aggregates end() {
        return host.end();
    }

    @Override
    public OptionalFigure partnerCpuSeconds() {
        return partner.get();
    }

    @Override
    public List<Sighting> sightings() {
        var seen = new ArrayList<Sighting>();
        OptionalFigure.from(
                        timeline().find(Signals.HOST_FOREIGN),
                        f -> OptionalFigure.of(f.observed().average()))
                .ifPresent(f -> seen.add(new Sighting(Sighting.FOREIGN, "other processes", f)));
        dumps.map(DumpKeeper::taken).ifPresent(seen::addAll);
        return seen;
    }

    @Override
    public void close() {
        dumps.ifPresent(d -> d.tell(host.recorder()));
    }

    @Override
    public Map<String, Double> latest() {
        return host.recorder().takeLatest();
    }

    @Override
    public Timeline timeline() {
        return host.recorder().timeline();
    }

    @Override
    public List<String> notes() {
        return host.notes();
    }
}
