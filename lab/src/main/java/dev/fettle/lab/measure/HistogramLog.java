package dev.fettle.lab.measure;

import dev.fettle.lab.machine.KeptFailure;
import dev.fettle.load.Window;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes windows as an HdrHistogram log (V2) in nanoseconds, with maxima in milliseconds: latency untagged, so that every tool
 * reads it, and its parts tagged {@code service}, {@code first-byte} and {@code connect}.
 */
final class HistogramLog implements AutoCloseable {
    private static final double NANOS_PER_MILLI = 1e6;

    private record Open(PrintStream out, HistogramLogWriter writer, KeptFailure to) {}

    private final Optional<Open> log;
    private long begin;
    private boolean begun;

    /** @param file the log; empty: nothing is written */
    HistogramLog(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            log = Optional.empty();
            return;
        }
        var to = new KeptFailure(Files.newOutputStream(file.get()));
        var out = new PrintStream(to, true, StandardCharsets.US_ASCII);
        var writer = new HistogramLogWriter(out);
        writer.outputComment("[latency of valid responses in nanoseconds; Interval_Max in milliseconds]");
        writer.outputComment("[no tag: from the intended send time; service: from the actual one]");
        writer.outputLogFormatVersion();
        writer.outputLegend();
        log = Optional.of(new Open(out, writer, to));
    }

    void add(Window window) {
        if (!begun) {
            begun = true;
            begin = window.startNanos();
        }
        if (log.isPresent()) {
            write(window, window.latency(), "");
            write(window, window.service(), "service");
            write(window, window.firstByte(), "first-byte");
            write(window, window.connect(), "connect");
        }
    }

    private void write(Window window, Histogram histogram, String tag) {
        if (tag.isEmpty()) {
            output(window, histogram);
        } else if (histogram.getTotalCount() > 0) {
            Histogram tagged = histogram.copy();
            tagged.setTag(tag);
            output(window, tagged);
        }
    }

    private void output(Window window, Histogram histogram) {
        log.orElseThrow()
                .writer()
                .outputIntervalHistogram(
                        (window.startNanos() - begin) / 1e9,
                        (window.endNanos() - begin) / 1e9,
                        histogram,
                        NANOS_PER_MILLI);
    }

    /** Why not all of it could be written; empty if all was. */
    Optional<String> failure() {
        return log.flatMap(l -> l.to().failure()).map(e -> String.valueOf(e.getMessage()));
    }

    @Override
    public void close() {
        log.ifPresent(l -> l.out().close());
    }
}
