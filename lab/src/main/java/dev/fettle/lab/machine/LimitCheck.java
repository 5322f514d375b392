package dev.fettle.lab.machine;

import dev.fettle.insight.audit.Preflight;
import dev.fettle.insight.audit.Preflight.Disturbed;
import dev.fettle.insight.audit.Preflight.Found;
import dev.fettle.insight.audit.Preflight.Needs;
import dev.fettle.insight.audit.Preflight.Room;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.watch.host.Disturbance;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.HostLimits;
import dev.fettle.watch.host.Proc;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Compares what a run needs with this machine's limits, before any load. */
public final class LimitCheck {
    /** How long others are observed. */
    private static final Duration LOOK = Duration.ofMillis(600);
    /** Processes that use less of a CPU are not named. */
    private static final double NAMED = 0.05;

    private static final int MOST_NAMED = 3;

    private LimitCheck() {}

    /** What a trial needs. */
    public static Needs needs(Target target, Load load, Setting setting) {
        return new Needs(
                target.isLaunched(),
                load.connections(),
                load.arrivals() instanceof Arrivals.Open,
                Math.max(1, load.wire().sources().size()),
                number(setting, "threads.max"),
                number(setting, "process.nproc"),
                number(setting, "backlog"),
                number(setting, "jvm.heap"),
                number(setting, "jvm.stack"));
    }

    /** How many connections an open load may open here if nobody says: {@link Load#OPEN_CONNECTIONS}, or as open files allow. */
    public static int openConnections(Proc proc) {
        return Preflight.openConnections(HostLimits.of(proc, "self").files());
    }

    private static OptionalLong number(Setting setting, String name) {
        return Knobs.find(name).stream()
                .flatMap(k -> setting.get(name).stream().mapToLong(k::number).boxed())
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /**
     * What the machine has.
     *
     * @param pid the target's, if it runs already
     */
    static Room room(Proc proc, OptionalLong pid, Disturbed disturbed) {
        HostLimits own = HostLimits.of(proc, "self");
        return new Room(
                own.files(),
                pid.isPresent() ? proc.softLimit(Long.toString(pid.getAsLong()), "Max open files") : pid,
                own.processes(),
                own.processesNow(),
                own.tasks(),
                own.tasksNow(),
                own.ports(),
                own.memory(),
                own.mostMemory(),
                proc.sysctl("net.core.somaxconn").stream()
                        .mapToLong(Long::parseLong)
                        .findFirst(),
                disturbed);
    }

    /** For one trial: limits only, since {@link Calm} looks after the CPUs. */
    public static Found trial(Proc proc, Target target, Load load, Setting setting) {
        return Preflight.check(needs(target, load, setting), room(proc, pid(target), Disturbed.NOT_LOOKED_AT));
    }

    /** For a whole run. Observes other processes for half a second. */
    public static Found run(Proc proc, CpuLayout cpus, Target target, Load load, Setting setting)
            throws InterruptedException {
        OptionalLong pid = pid(target);
        return Preflight.check(needs(target, load, setting), room(proc, pid, disturbed(proc, cpus, pid)));
    }

    private static OptionalLong pid(Target target) {
        return target.running().stream().mapToLong(Target.Running::pid).findFirst();
    }

    private static Disturbed disturbed(Proc proc, CpuLayout cpus, OptionalLong target) throws InterruptedException {
        long self = ProcessHandle.current().pid();
        List<Long> own = Stream.concat(Stream.of(self), target.stream().boxed()).toList();
        var meter = new DisturbanceMeter(proc, cpus.server(), cpus.generator(), own);
        Map<Long, Double> before = cpuSeconds(proc, own);
        long began = System.nanoTime();
        Disturbance seen = meter.over(LOOK);
        double took = (System.nanoTime() - began) / 1e9;
        Map<Long, Double> after = cpuSeconds(proc, own);
        after.replaceAll((pid, now) -> (now - before.getOrDefault(pid, now)) / took);
        List<String> busiest = after.entrySet().stream()
                .filter(e -> e.getValue() >= NAMED)
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_NAMED)
                .map(e -> name(e.getKey()) + ", pid " + e.getKey() + ", " + Format.share(e.getValue()) + " of a CPU")
                .toList();
        return new Disturbed(seen.foreign(), seen.stealOfEither(), busiest);
    }

    private static Map<Long, Double> cpuSeconds(Proc proc, List<Long> own) {
        var out = new HashMap<Long, Double>();
        ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(p -> !own.contains(p))
                .forEach(p -> proc.cpuSeconds(p).ifPresent(s -> out.put(p, s)));
        return out;
    }

    private static String name(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(p -> p.info().command())
                .map(c -> c.substring(c.lastIndexOf('/') + 1))
                .orElse("a process");
    }

    /** Why a run is refused, in one line; empty if it isn't. */
    public static Optional<String> refused(Found found) {
        return found.refused().isEmpty() ? Optional.empty() : Optional.of(String.join("; ", found.refused()));
    }
}
