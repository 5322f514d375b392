package dev.fettle.lab.measure;

import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.HostWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The windows of one load, of a trial, a probe or a bench. The host is watched while waiting for a window; each window
 * is put on the host's timeline and shown to the {@link DumpKeeper}.
 *
 * @param look samples the host and the target between two windows
 * @param tick time from one sample to the next
 */
record LoadWindows(LoadRun run, HostWatch watch, Optional<DumpKeeper> dumps, Runnable look, Duration tick) {
    /**
     * Waits, and samples at every tick.
     *
     * @param nanos until this {@link System#nanoTime()}
     * @return false if the load ended before that
     */
    boolean await(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        do {
            if (run.awaitDone(Duration.ofNanos(Math.clamp(left, 0, tick.toNanos())))) {
                return false;
            }
            look.run();
            left = nanos - System.nanoTime();
        } while (left > 0);
        return true;
    }

    /** The window since the last one. */
    Window next() {
        Window window = run.takeWindow();
        LoadSignals.put(watch.recorder(), window);
        dumps.ifPresent(d -> {
            d.window(window);
            watch.recorder().last(Signals.THREADS_DEADLOCKED).ifPresent(d::deadlocked);
        });
        return window;
    }

    /** What may explain a silence: how busy others were, and what the target's threads did. */
    List<Sighting> sightings() {
        var seen = new ArrayList<Sighting>();
        watch.recorder()
                .timeline()
                .find(Signals.HOST_FOREIGN)
                .map(f -> f.observed().average())
                .orElse(OptionalDouble.empty())
                .ifPresent(f -> seen.add(new Sighting(Sighting.FOREIGN, "other processes", f)));
        dumps.map(DumpKeeper::taken).ifPresent(seen::addAll);
        return seen;
    }

    /** Adds the thread dumps to the timeline, at the end. */
    void end() {
        dumps.ifPresent(d -> d.tell(watch.recorder()));
    }
}
