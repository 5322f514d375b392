package dev.fettle.lab;

import dev.fettle.load.LoadEngine;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.model.Evidence;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.Proc;
import dev.fettle.watch.WorkerProbe;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.HdrHistogram.HistogramLogWriter;

/** Plain load on something that is already up: no launch, no warm-up, all of it measured. */
public final class Bench {
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final double NANOS_PER_MILLI = 1e6;

    private final Load load;
    private final InetSocketAddress address;
    private final OptionalLong requests;
    private final Duration atMost;
    private final Optional<Path> histogramLog;

    /**
     * A bench that has not begun.
     *
     * @param requests stop after this many; empty: only the time bounds it
     * @param histogramLog where to write an HdrHistogram log (V2, latencies in nanoseconds, maxima shown in milliseconds)
     */
    public Bench(
            Load load, InetSocketAddress address, OptionalLong requests, Duration atMost, Optional<Path> histogramLog) {
        this.load = load;
        this.address = address;
        this.requests = requests;
        this.atMost = atMost;
        this.histogramLog = histogramLog;
    }

    /**
     * What came of it.
     *
     * @param evidence what was seen of this machine: the target itself is not looked into
     */
    public record Result(Measurement measurement, Evidence evidence) {}

    /**
     * Runs it to its end.
     *
     * @param live told once a second
     * @throws IllegalArgumentException if such a request can't be sent; the message says why
     */
    public Result run(Consumer<LabListener.Progress> live) throws LabException, InterruptedException {
        try (var log = new HistogramLog(histogramLog);
                LoadRun run = LoadEngine.start(Loads.spec(load, address, requests, atMost, Set.of()))) {
            var measuring = new Measuring();
            var watch = new HostWatch(new Proc(), ProcessHandle.current().pid(), Set.of(), List.of(), WorkerProbe.NONE);
            watch.begin();
            long begin = System.nanoTime();
            int open = 0;
            boolean done = false;
            while (!done) {
                done = run.awaitDone(WINDOW);
                open = Math.max(open, run.connectionsOpen());
                Window window = run.takeWindow();
                measuring.add(window, true);
                log.add(window);
                live.accept(new LabListener.Progress(
                        0,
                        LabListener.Stage.MEASURE,
                        (System.nanoTime() - begin) / 1e9,
                        atMost.toNanos() / 1e9,
                        measuring.last().throughput(),
                        measuring.last().p99() / NANOS_PER_MILLI,
                        measuring.failedSoFar()));
            }
            Measurement all = measuring.measurement(open);
            // a run that ends by its count has closed them again: then those that were made are those achieved
            int achieved = (int)
                    Math.max(open, Math.min(load.connections(), all.connect().count()));
            return new Result(measuring.measurement(achieved), evidence(watch.end(), measuring, run.notes()));
        } catch (IOException e) {
            throw new LabException("cannot write the histogram log: " + e.getMessage(), e);
        }
    }

    private static Evidence evidence(HostWatch.Seen host, Measuring measuring, List<String> notes) {
        var none = OptionalDouble.empty();
        return new Evidence(
                0,
                none,
                none,
                OptionalDouble.of(measuring.generatorCpuShare()),
                none,
                host.steal(),
                host.foreignCpu(),
                none,
                none,
                none,
                none,
                none,
                host.listenOverflows(),
                host.synRetransmits(),
                OptionalInt.empty(),
                host.loadAverage(),
                0,
                Map.of(),
                Map.of(),
                notes);
    }

    private static final class HistogramLog implements AutoCloseable {
        private final Optional<PrintStream> out;
        private static final long NOT_YET = Long.MIN_VALUE;

        private final Optional<HistogramLogWriter> writer;
        private long begin = NOT_YET;

        HistogramLog(Optional<Path> file) throws IOException {
            out = file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new PrintStream(Files.newOutputStream(file.get()), true, StandardCharsets.US_ASCII));
            writer = out.map(HistogramLogWriter::new);
            writer.ifPresent(w -> {
                w.outputComment("[latency of valid responses in nanoseconds; Interval_Max in milliseconds]");
                w.outputLogFormatVersion();
                w.outputLegend();
            });
        }

        void add(Window window) {
            if (begin == NOT_YET) {
                begin = window.startNanos();
            }
            writer.ifPresent(w -> w.outputIntervalHistogram(
                    (window.startNanos() - begin) / 1e9,
                    (window.endNanos() - begin) / 1e9,
                    window.latency(),
                    NANOS_PER_MILLI));
        }

        @Override
        public void close() {
            out.ifPresent(PrintStream::close);
        }
    }
}
