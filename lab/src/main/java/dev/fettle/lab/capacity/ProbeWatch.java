package dev.fettle.lab.capacity;

import dev.fettle.insight.capacity.ProbeEvidence;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.Proc;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Watches a target's process over the measured time of one probe after the other. */
final class ProbeWatch {
    private final Proc proc;
    private final RunningTarget target;
    private final OptionalInt acceptQueue;
    private final HostWatch watch;
    private long began;

    /** @param disturbances tells what others did to the CPUs of target and generator */
    ProbeWatch(Proc proc, RunningTarget target, OptionalInt acceptQueue, DisturbanceMeter disturbances) {
        this.proc = proc;
        this.target = target;
        this.acceptQueue = acceptQueue;
        this.watch = new HostWatch(
                proc, target.pid(), disturbances, new ListenQueue(target.address.getPort())::state, target.probe);
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
                acceptQueue,
                seen.disturbance().serverSteal(),
                seen.disturbance().generatorSteal(),
                // what runs beside a process that is somebody else's may be its database
                target.guest.isPresent()
                        ? OptionalDouble.empty()
                        : seen.disturbance().foreign(),
                seen.acceptQueueMax(),
                seen.acceptQueueDrops());
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
