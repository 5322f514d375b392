package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/** The host's CPUs, pressure (what tasks wait for), and disk use. */
final class MachineSignals implements SignalSource {
    private static final double MICROS = 1e6;
    private static final double MILLIS_TO_NANOS = 1e6;

    private final Proc proc;
    private final LongSupplier clock;
    private Map<String, Long> busyMillis = Map.of();
    private long last;

    MachineSignals(Proc proc, LongSupplier clock) {
        this.proc = proc;
        this.clock = clock;
    }

    @Override
    public void sample(Sink sink) {
        proc.cpuTimes().ifPresent(each -> {
            double cpus = Math.max(1, each.size());
            Proc.CpuTimes all = Proc.CpuTimes.of(each, java.util.Set.of());
            sink.value(Signals.HOST_BUSY, all.process() / cpus);
            sink.value(Signals.HOST_STEAL, all.steal() / cpus);
        });
        for (String id : List.of(Signals.PRESSURE_CPU, Signals.PRESSURE_MEMORY, Signals.PRESSURE_IO)) {
            OptionalDouble total =
                    proc.text(id.replace('.', '/')).map(MachineSignals::some).orElse(OptionalDouble.empty());
            if (total.isPresent()) {
                sink.value(id, total.getAsDouble());
            } else {
                sink.notObserved(id, "this kernel keeps no pressure figures (PSI)");
            }
        }
        disks(sink);
    }

    /** Seconds in which some task waited: {@code some avg10=… total=MICROSECONDS}. */
    private static OptionalDouble some(String text) {
        int at = text.indexOf("total=");
        if (!text.startsWith("some") || at < 0) {
            return OptionalDouble.empty();
        }
        int end = text.indexOf('\n', at);
        return OptionalDouble.of(Double.parseDouble(text.substring(at + 6, end < 0 ? text.length() : end)) / MICROS);
    }

    /** The busiest device; its busy time in milliseconds is field 13 of {@code /proc/diskstats}. */
    private void disks(Sink sink) {
        Optional<String> text = proc.text("diskstats");
        if (text.isEmpty()) {
            sink.notObserved(Signals.DISK_BUSY, "the kernel does not tell");
            return;
        }
        long now = clock.getAsLong();
        var busy = new HashMap<String, Long>();
        text.get().lines().forEach(line -> {
            String[] f = line.trim().split(" +");
            if (f.length > 12 && !f[2].startsWith("loop") && !f[2].startsWith("ram")) {
                busy.put(f[2], Long.valueOf(f[12]));
            }
        });
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
}
