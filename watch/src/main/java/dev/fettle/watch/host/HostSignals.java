package dev.fettle.watch.host;

import dev.fettle.watch.signal.SamplingRate;
import dev.fettle.watch.signal.SignalSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The kernel's figures of a host and of one process, at most twice a second. */
public final class HostSignals implements SignalSource {
    /** Shorter ones say little: the clock of {@code /proc} ticks every 10 ms. */
    private static final long SHORTEST_PAUSE_NANOS = 480_000_000;

    private final LongSupplier clock;
    private final List<Part> parts = new ArrayList<>();
    private OptionalLong last = OptionalLong.empty();

    /** @param rate empty for one that keeps its own */
    private record Part(SignalSource source, Optional<SamplingRate> rate) {
        Part(SignalSource source) {
            this(source, Optional.empty());
        }

        Part(SignalSource source, String what) {
            this(source, Optional.of(SamplingRate.fromOutside(what)));
        }

        void sample(Sink sink, long now) {
            if (rate.isPresent() && !rate.get().due(now)) {
                return;
            }
            long cpu = OwnCpu.nanos();
            source.sample(sink);
            rate.ifPresent(r -> r.looked(now, OwnCpu.nanos() - cpu));
        }
    }

    private HostSignals(LongSupplier clock) {
        this.clock = clock;
    }

    /** Signals of the host alone. */
    public static HostSignals ofHost(Proc proc) {
        var signals = new HostSignals(System::nanoTime);
        signals.parts.add(new Part(new MachineSignals(proc, System::nanoTime), "the host's figures"));
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
                new Part(new MachineSignals(proc, clock, proc.allowedCpus(Long.toString(pid))), "the host's figures"),
                new Part(cpu),
                new Part(new ProcessSignals(proc, pid), "the process's figures"),
                new Part(sockets),
                new Part(new GroupSignals(proc, pid), "control groups"),
                new Part(new PerfCounters(proc, pid), "the JVM's counters"),
                new Part(new WrittenFiles(proc, pid), "files that it writes"),
                new Part(new StallMeter())));
        return signals;
    }

    @Override
    public void sample(Sink sink) {
        long now = clock.getAsLong();
        if (last.isPresent() && now - last.getAsLong() < SHORTEST_PAUSE_NANOS) {
            return;
        }
        last = OptionalLong.of(now);
        parts.forEach(p -> p.sample(sink, now));
    }

    @Override
    public void last(Sink sink) {
        parts.forEach(p -> p.source().last(sink));
    }

    @Override
    public void gap() {
        last = OptionalLong.empty();
        for (Part p : parts) {
            p.source().gap();
            p.rate().ifPresent(SamplingRate::rested);
        }
    }

    @Override
    public List<String> notes() {
        return parts.stream().flatMap(p -> p.source().notes().stream()).toList();
    }

    @Override
    public void close() {
        parts.forEach(p -> p.source().close());
    }

    @Override
    public List<SamplingRate.Slowed> slowed() {
        return parts.stream()
                .flatMap(p ->
                        Stream.concat(p.source().slowed().stream(), p.rate().flatMap(SamplingRate::slowed).stream()))
                .toList();
    }
}
