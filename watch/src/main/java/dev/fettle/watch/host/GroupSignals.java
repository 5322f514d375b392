package dev.fettle.watch.host;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of a process's control groups: memory and tasks, each of the tightest group, and CPU quotas of all, as one that is larger
 * may be shared with other groups.
 */
final class GroupSignals implements SignalSource {
    private static final String NO_QUOTA = "no control group limits its CPU time";
    private static final String NO_LIMIT = "no control group limits its memory";
    private static final String NO_TASKS = "no control group limits its tasks";

    private final List<Path> cpu;
    private final Optional<Path> memory;
    private final Optional<Path> pids;
    private final CpuBounds bounds;
    private final int hostCpus;

    /** Of each group with a quota, as last read. */
    private Map<Path, Periods> last = Map.of();

    /** Periods of a quota, and those in which it held its group back. */
    private record Periods(long all, long held) {}

    GroupSignals(Proc proc, long pid) {
        this(proc, pid, ControlGroups.MOUNT);
    }

    GroupSignals(Proc proc, long pid, Path mount) {
        String id = Long.toString(pid);
        bounds = CpuBounds.of(proc, pid, proc.allowedCpus(id));
        hostCpus = proc.cpuTimes().map(Map::size).orElse(0);
        cpu = ControlGroups.upwards(proc, id, mount, "cpu")
                .filter(g -> CpuBounds.quota(g) < Double.POSITIVE_INFINITY)
                .toList();
        memory = ControlGroups.upwards(proc, id, mount, "memory")
                .filter(g -> limit(g).isPresent())
                .min(Comparator.comparingLong(g -> limit(g).orElse(Long.MAX_VALUE)));
        pids = ControlGroups.tightest(proc, id, mount, "pids", "pids.max");
    }

    /** {@code memory.max} of version 2, {@code memory.limit_in_bytes} of version 1, whose "none" is a huge number. */
    private static OptionalLong limit(Path group) {
        OptionalLong max = ControlGroups.number(group.resolve("memory.max"));
        OptionalLong old = ControlGroups.number(group.resolve("memory.limit_in_bytes"));
        OptionalLong any = max.isPresent() ? max : old;
        return any.isPresent() && any.getAsLong() < 1L << 60 ? any : OptionalLong.empty();
    }

    @Override
    public void sample(Sink sink) {
        bounds(sink);
        throttled(sink);
        memory.ifPresentOrElse(
                g -> {
                    OptionalLong now = ControlGroups.number(g.resolve("memory.current"));
                    (now.isPresent() ? now : ControlGroups.number(g.resolve("memory.usage_in_bytes")))
                            .ifPresent(v -> sink.value(Signals.CGROUP_MEMORY, v));
                    limit(g).ifPresent(v -> sink.value(Signals.CGROUP_MEMORY_MAX, v));
                },
                () -> {
                    sink.notObserved(Signals.CGROUP_MEMORY, NO_LIMIT);
                    sink.notObserved(Signals.CGROUP_MEMORY_MAX, NO_LIMIT);
                });
        pids.ifPresentOrElse(
                g -> ControlGroups.number(g.resolve("pids.current")).ifPresent(v -> sink.value(Signals.CGROUP_PIDS, v)),
                () -> sink.notObserved(Signals.CGROUP_PIDS, NO_TASKS));
    }

    @Override
    public void gap() {
        last = Map.of();
    }

    /** The share of its CPUs that the process may use. */
    private void bounds(Sink sink) {
        if (bounds.quota().isPresent() && hostCpus > 0) {
            sink.value(Signals.CGROUP_QUOTA, Math.min(hostCpus, bounds.quota().getAsDouble()));
        } else {
            sink.notObserved(Signals.CGROUP_QUOTA, "its control groups can't be read");
        }
        if (bounds.cores().isPresent()) {
            sink.value(Signals.CPU_CORES, bounds.cores().get());
            sink.value(Signals.CPU_NEIGHBOURS, bounds.neighbours().size());
        } else {
            sink.notObserved(Signals.CPU_CORES, "the machine does not report which CPUs share a core");
        }
    }

    /** How often the group was held back that was held back most. */
    private void throttled(Sink sink) {
        var now = new HashMap<Path, Periods>();
        cpu.forEach(g -> periods(g).ifPresent(p -> now.put(g, p)));
        if (now.isEmpty()) {
            sink.notObserved(Signals.CGROUP_THROTTLED, cpu.isEmpty() ? NO_QUOTA : "the kernel does not report it");
            return;
        }
        OptionalFigure most = OptionalFigure.of(now.entrySet().stream()
                .filter(e -> last.containsKey(e.getKey()))
                .mapToDouble(e -> heldBack(last.getOrDefault(e.getKey(), e.getValue()), e.getValue()))
                .max());
        if (most.isPresent()) {
            sink.value(Signals.CGROUP_THROTTLED, most.getAsDouble());
        }
        last = now;
    }

    /** The share of the periods between two looks; 0 if the group did nothing in that time. */
    private static double heldBack(Periods before, Periods now) {
        return now.all > before.all ? (double) (now.held - before.held) / (now.all - before.all) : 0;
    }

    private static Optional<Periods> periods(Path group) {
        Map<String, Long> stat =
                Fields.space(ControlGroups.text(group.resolve("cpu.stat")).orElse(""));
        Long all = stat.get("nr_periods");
        Long held = stat.get("nr_throttled");
        return all == null || held == null ? Optional.empty() : Optional.of(new Periods(all, held));
    }
}
