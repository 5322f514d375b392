package dev.fettle.watch.host;

import dev.fettle.watch.signal.LookRate;
import dev.fettle.watch.signal.SignalSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The kernel's figures of a host and of one process, at most twice a second. */
public final class HostSignals implements SignalSource {
    /** Shorter ones say little: the clock of {@code /proc} ticks every 10 ms. */
    private static final long SHORTEST_PAUSE_NANOS = 480_000_000;

    private final LongSupplier clock;
    private final List<SignalSource> parts = new ArrayList<>();
    private OptionalLong last = OptionalLong.empty();

    private HostSignals(LongSupplier clock) {
        this.clock = clock;
    }

    /** Signals of the host alone. */
    public static HostSignals ofHost(Proc proc) {
        var signals = new HostSignals(System::nanoTime);
        signals.parts.add(new MachineSignals(proc, System::nanoTime));
        return signals;
    }

    /**
     * Signals of the host and a process.
     *
     * @param names whole names of its threads by the kernel's ids, if known; the kernel cuts them
     */
    public static HostSignals of(Proc proc, long pid, Supplier<Map<Long, String>> names) {
        return of(proc, pid, names, System::nanoTime);
    }

    static HostSignals of(Proc proc, long pid, Supplier<Map<Long, String>> names, LongSupplier clock) {
        var signals = new HostSignals(clock);
        var cpu = new ThreadCpu(proc, pid, names, clock);
        var sockets = new SocketSignals(proc, pid, clock);
        signals.parts.addAll(List.of(
                new MachineSignals(proc, clock),
                cpu,
                new ProcessSignals(proc, pid),
                sockets,
                new GroupSignals(proc, pid)));
        return signals;
    }

    @Override
    public void sample(Sink sink) {
        long now = clock.getAsLong();
        if (last.isPresent() && now - last.getAsLong() < SHORTEST_PAUSE_NANOS) {
            return;
        }
        last = OptionalLong.of(now);
        parts.forEach(p -> p.sample(sink));
    }

    @Override
    public List<String> notes() {
        return parts.stream().flatMap(p -> p.notes().stream()).toList();
    }

    @Override
    public void close() {
        parts.forEach(SignalSource::close);
    }

    @Override
    public List<LookRate.Slowed> slowed() {
        return parts.stream().flatMap(p -> p.slowed().stream()).toList();
    }
}
