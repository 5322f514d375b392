package dev.fettle.watch.host;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** The host's CPUs, those of one process among them, pressure (what tasks wait for), and disk use. */
final class MachineSignals implements SignalSource {
    private static final double MICROS = 1e6;
    private static final double MILLIS_TO_NANOS = 1e6;

    private final Proc proc;
    private final LongSupplier clock;

    /** The CPUs that the process may run on; empty if there is no process, or it is gone. */
    private final Set<Integer> own;

    private Map<String, Long> busyMillis = Map.of();
    private long last;

    MachineSignals(Proc proc, LongSupplier clock) {
        this(proc, clock, Set.of());
    }

    /** @param own the CPUs that a process may run on */
    MachineSignals(Proc proc, LongSupplier clock, Set<Integer> own) {
        this.proc = proc;
        this.clock = clock;
        this.own = Set.copyOf(own);
    }

    @Override
    public void sample(Sink sink) {
        proc.cpuTimes().ifPresent(each -> {
            double cpus = Math.max(1, each.size());
            Proc.CpuTimes all = Proc.CpuTimes.of(each, Set.of());
            sink.value(Signals.HOST_BUSY, all.process() / cpus);
            sink.value(Signals.HOST_STEAL, all.steal() / cpus);
            long there = own.stream().filter(each::containsKey).count();
            if (there > 0) {
                sink.value(Signals.CPUS_BUSY, Proc.CpuTimes.of(each, own).process() / there);
            }
        });
        for (String id : List.of(Signals.PRESSURE_CPU, Signals.PRESSURE_MEMORY, Signals.PRESSURE_IO)) {
            OptionalFigure total =
                    proc.text(id.replace('.', '/')).map(MachineSignals::some).orElse(OptionalFigure.empty());
            if (total.isPresent()) {
                sink.value(id, total.getAsDouble());
            } else {
                sink.notObserved(id, "this kernel keeps no pressure figures (PSI)");
            }
        }
        disks(sink);
    }

    @Override
    public void gap() {
        busyMillis = Map.of();
    }

    /** Seconds in which some task waited: {@code some avg10=… total=MICROSECONDS}. */
    private static OptionalFigure some(String text) {
        int at = text.indexOf("total=");
        if (!text.startsWith("some") || at < 0) {
            return OptionalFigure.empty();
        }
        int end = text.indexOf('\n', at);
        return OptionalFigure.of(Double.parseDouble(text.substring(at + 6, end < 0 ? text.length() : end)) / MICROS);
    }

    /** The busiest device; its busy time in milliseconds is field 13 of {@code /proc/diskstats}. */
    private void disks(Sink sink) {
        Optional<String> text = proc.text("diskstats");
        if (text.isEmpty()) {
            sink.notObserved(Signals.DISK_BUSY, "the kernel does not report it");
            return;
        }
        long now = clock.getAsLong();
        var busy = new HashMap<String, Long>();
        for (int line = 0; line < text.get().length(); line = Fields.end(text.get(), line) + 1) {
            busy(text.get(), line, busy);
        }
        double most = 0;
        for (var e : busy.entrySet()) {
            most = Math.max(most, e.getValue() - busyMillis.getOrDefault(e.getKey(), e.getValue()));
        }
        if (busy.isEmpty()) {
            sink.notObserved(Signals.DISK_BUSY, "this host shows no disk");
        } else if (!busyMillis.isEmpty() && now > last) {
            sink.value(Signals.DISK_BUSY, Math.min(1, most * MILLIS_TO_NANOS / (now - last)));
        }
        busyMillis = busy;
        last = now;
    }

    /** {@code 8 0 sda 1 2 3 4 5 6 7 8 9 10 …}: major and minor number, name, eleven figures or more. */
    private static void busy(String text, int line, Map<String, Long> into) {
        int end = Fields.end(text, line);
        int name = line;
        for (int i = 0; i < 2; i++) {
            name = Fields.blank(text, Fields.past(text, name, end), end);
        }
        name = Fields.past(text, name, end);
        int figures = Fields.blank(text, name, end);
        var first = new long[10];
        if (!text.startsWith("loop", name)
                && !text.startsWith("ram", name)
                && Fields.numbers(text, figures, end, first) == first.length) {
            into.put(text.substring(name, figures), first[9]);
        }
    }
}
