package dev.fettle.cli.run;

import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.measure.Bench;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.table.CsvReport;
import dev.fettle.report.text.Sparkline;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a bench: on a terminal a line that is redrawn each second, elsewhere a line every few seconds.
 * Also writes the CSV file as it goes, so that a run that is cut off leaves its data. Where that fails, the load goes on: what it
 * measures is worth more than the file.
 */
public final class BenchProgress implements Consumer<Bench.Second>, AutoCloseable {
    private static final int MOST_BARS = 30;
    private static final double PLAIN_EVERY_SECONDS = 5;

    private final Screen screen;
    private final boolean quiet;
    private final Optional<Path> file;
    private final Optional<Writer> csv;
    private final List<Double> rates = new ArrayList<>();
    private double nextPlain = PLAIN_EVERY_SECONDS;
    private @Nullable IOException failure;

    /**
     * Begins the CSV file.
     *
     * @param file where to write CSV
     */
    public BenchProgress(Screen screen, boolean quiet, Optional<Path> file) {
        this.screen = screen;
        this.quiet = quiet;
        this.file = file;
        this.csv = file.map(BenchProgress::begun);
    }

    private static Writer begun(Path file) {
        try {
            Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
            writer.write(CsvReport.SECONDS);
            return writer;
        } catch (IOException e) {
            throw UserFile.unwritable(file, e);
        }
    }

    /** Reports a CSV file that could not be written completely; to be called when the result has been shown. */
    public void check() {
        if (failure != null) {
            throw new CliException(
                    ExitCodes.FAILED, "cannot write " + file.orElseThrow() + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public void accept(Bench.Second second) {
        if (csv.isPresent() && failure == null) {
            try {
                csv.get().write(CsvReport.second(second.window(), second.connections()));
                csv.get().flush(); // a run that is killed leaves what it had
            } catch (IOException e) {
                failure = e;
            }
        }
        if (quiet) {
            return;
        }
        rates.add(second.window().throughput());
        if (rates.size() > MOST_BARS) {
            rates.removeFirst();
        }
        Measurement.Window w = second.window();
        double now = w.at() + w.seconds();
        if (screen.terminal()) {
            screen.live(line(second, now));
        } else if (now >= nextPlain - 0.5) {
            screen.say(line(second, now));
            nextPlain = now + PLAIN_EVERY_SECONDS;
        }
    }

    private String line(Bench.Second second, double now) {
        Measurement.Window w = second.window();
        String figures = String.format(
                Locale.ROOT,
                "%8s  this second: %8s  p50 %s  p99 %s  max %s  in all: %s failed  %s connections%s",
                Format.seconds(now),
                Format.rate(w.throughput()),
                latency(w, w.p50()),
                latency(w, w.p99()),
                latency(w, w.max()),
                Format.whole(second.failed()),
                Format.whole(second.connections()),
                w.measured() ? "" : "  (warm-up)");
        int room = screen.width() - 2 - figures.length();
        return room < 4 || !screen.terminal()
                ? figures
                : figures + "  " + Sparkline.of(rates, Math.min(room - 2, MOST_BARS));
    }

    /** Without an answer there is no latency, not one of zero. */
    private static String latency(Measurement.Window w, long nanos) {
        return w.responses() == 0 ? Format.NONE : Format.time(nanos);
    }

    @Override
    public void close() {
        try {
            if (csv.isPresent()) {
                csv.get().close();
            }
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }
}
