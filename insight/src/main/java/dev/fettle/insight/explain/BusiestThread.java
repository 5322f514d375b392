package dev.fettle.insight.explain;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;

/**
 * The thread of the server or the application that used most CPU time, at each look anew; the JVM's compilers and collectors
 * serve nobody and are left out.
 *
 * @param cpu CPUs' worth of time that it used, on average
 * @param part its part of the CPU time of all threads that serve, or of the process's where that was not told apart; 0 to 1
 * @param who its name, if it was seen
 */
public record BusiestThread(double cpu, double part, Optional<String> who) {
    /** The CPU time of the groups of threads that run the server's and the application's code. */
    public static final List<String> SERVING =
            List.of(Signals.CPU_APP, Signals.CPU_IO, Signals.CPU_WORKERS, Signals.CPU_ACCEPTOR);

    /** What a trial saw of it; empty if threads were not told apart, or used no CPU time. */
    public static Optional<BusiestThread> of(TrialOutcome trial) {
        Timeline t = trial.evidence().map(Evidence::timeline).orElse(Timeline.NONE);
        OptionalFigure own = t.mean(Signals.BUSIEST_CPU);
        double serving =
                SERVING.stream().mapToDouble(id -> t.mean(id).orElse(0)).sum();
        double all = serving > 0 ? serving : process(trial);
        return own.isEmpty() || all <= 0
                ? Optional.empty()
                : Optional.of(new BusiestThread(
                        own.getAsDouble(),
                        Math.min(1, own.getAsDouble() / all),
                        t.sightings(Sighting.BUSIEST).stream().findFirst().map(Sighting::what)));
    }

    private static double process(TrialOutcome trial) {
        double seconds = trial.measurement()
                .map(Measurement::elapsed)
                .map(d -> d.toNanos() / 1e9)
                .orElse(0.0);
        double used = trial.evidence()
                .map(e -> e.get(Aggregate.SERVER_CPU_SECONDS).orElse(0))
                .orElse(0.0);
        return seconds > 0 ? used / seconds : 0;
    }

    /** Whether it uses at least half of what all threads that serve use. A few that all work are busy, each of them. */
    public boolean hasMost() {
        return part >= Thresholds.MOST_OF_SERVING;
    }

    /** Whether it fills a CPU by itself, and others do no more than it does. */
    public boolean isFull() {
        return cpu >= Thresholds.THREAD_FULL && hasMost();
    }
}
