package dev.fettle.lab;

import dev.fettle.insight.ProbeEvidence;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.Proc;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Watches a target's process over the measured time of one probe after the other. */
final class ProbeWatch {
    private final Proc proc;
    private final RunningTarget target;
    private final OptionalInt acceptQueue;
    private final HostWatch watch;
    private long began;

    ProbeWatch(Proc proc, RunningTarget target, OptionalInt acceptQueue) {
        this.proc = proc;
        this.target = target;
        this.acceptQueue = acceptQueue;
        this.watch = new HostWatch(proc, target.pid(), Set.of(), List.of(), target.probe);
    }

    void begin() {
        began = System.nanoTime();
        watch.begin();
    }

    void sample() {
        watch.sample();
    }

    ProbeEvidence end() {
        double seconds = (System.nanoTime() - began) / 1e9;
        HostWatch.Seen seen = watch.end();
        int cpus = proc.allowedCpus(Long.toString(target.pid())).size();
        return new ProbeEvidence(
                cpus,
                over(seen.cpuSeconds(), cpus * seconds),
                seen.busyWorkers(),
                seen.workers(),
                mostWorkers(),
                seen.queued(),
                over(seen.gcMillis(), 1000 * seconds),
                seen.listenOverflows(),
                acceptQueue);
    }

    private static OptionalDouble over(OptionalDouble part, double whole) {
        return part.isPresent() && whole > 0 ? OptionalDouble.of(part.getAsDouble() / whole) : OptionalDouble.empty();
    }

    private OptionalLong mostWorkers() {
        return Optional.ofNullable(target.effective.get("threads.max"))
                .filter(v -> v.matches("[0-9]{1,9}"))
                .map(v -> OptionalLong.of(Long.parseLong(v)))
                .orElse(OptionalLong.empty());
    }
}
