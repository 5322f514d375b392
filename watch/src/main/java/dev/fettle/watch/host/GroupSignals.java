package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The limits of a process's control groups: CPU quota, memory and tasks, each of the tightest group. */
final class GroupSignals implements SignalSource {
    private static final String NO_QUOTA = "no control group limits its CPU time";
    private static final String NO_LIMIT = "no control group limits its memory";
    private static final String NO_TASKS = "no control group limits its tasks";

    private final Optional<Path> cpu;
    private final Optional<Path> memory;
    private final Optional<Path> pids;
    private final CpuBounds bounds;
    private final int hostCpus;
    private long periods = -1;
    private long throttled;

    GroupSignals(Proc proc, long pid) {
        this(proc, pid, ControlGroups.MOUNT);
    }

    GroupSignals(Proc proc, long pid, Path mount) {
        String id = Long.toString(pid);
        bounds = CpuBounds.of(proc, pid, proc.allowedCpus(id));
        hostCpus = proc.cpuTimes().map(Map::size).orElse(0);
        cpu = ControlGroups.upwards(proc, id, mount, "cpu")
                .filter(g -> CpuBounds.quota(g) < Double.POSITIVE_INFINITY)
                .min(Comparator.comparingDouble(CpuBounds::quota));
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
        cpu.ifPresentOrElse(g -> throttled(g, sink), () -> sink.notObserved(Signals.CGROUP_THROTTLED, NO_QUOTA));
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
        periods = -1;
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
            sink.notObserved(Signals.CPU_CORES, "the machine does not tell which CPUs share a core");
        }
    }

    private void throttled(Path group, Sink sink) {
        Map<String, Long> stat =
                Fields.space(ControlGroups.text(group.resolve("cpu.stat")).orElse(""));
        Long all = stat.get("nr_periods");
        Long held = stat.get("nr_throttled");
        if (all == null || held == null) {
            sink.notObserved(Signals.CGROUP_THROTTLED, "the kernel does not tell");
            return;
        }
        if (periods >= 0 && all > periods) {
            sink.value(Signals.CGROUP_THROTTLED, (double) (held - throttled) / (all - periods));
        } else if (periods >= 0 && all == periods) {
            sink.value(Signals.CGROUP_THROTTLED, 0); // it did nothing in that time
        }
        periods = all;
        throttled = held;
    }
}
