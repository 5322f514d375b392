package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.measure.Bench;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.NumberText;
import dev.fettle.report.table.BenchCsv;
import dev.fettle.report.text.Sparkline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Shows the progress of a bench: on a terminal a line that is redrawn each second, elsewhere a line every few seconds.
 * Also writes the CSV file as it goes, so that a run that is cut off leaves its data.
 */
public final class BenchProgress implements Consumer<Bench.Second>, AutoCloseable {
    private static final int MOST_BARS = 30;
    private static final double PLAIN_EVERY_SECONDS = 5;

    private final Screen screen;
    private final boolean quiet;
    private final Optional<Writer> csv;
    private final List<Double> rates = new ArrayList<>();
    private double nextPlain = PLAIN_EVERY_SECONDS;

    /** @param file where to write CSV */
    public BenchProgress(Screen screen, boolean quiet, Optional<Path> file) throws IOException {
        this.screen = screen;
        this.quiet = quiet;
        this.csv = file.isEmpty()
                ? Optional.empty()
                : Optional.of(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8));
        if (csv.isPresent()) {
            csv.get().write(BenchCsv.HEADING);
        }
    }

    @Override
    public void accept(Bench.Second second) {
        if (csv.isPresent()) {
            try {
                csv.get().write(BenchCsv.row(second.window(), second.connections()));
                csv.get().flush(); // a run that is killed leaves what it had
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write the CSV file: " + e.getMessage(), e);
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
                "%6.1f s  this second: %8s  p50 %s  p99 %s  max %s  in all: %s failed  %s connections%s",
                now,
                NumberText.rate(w.throughput()),
                NumberText.latency(w.p50()),
                NumberText.latency(w.p99()),
                NumberText.latency(w.max()),
                NumberText.count(second.failed()),
                NumberText.count(second.connections()),
                w.measured() ? "" : "  (warm-up)");
        int room = screen.width() - 2 - figures.length();
        return room < 4 || !screen.terminal()
                ? figures
                : figures + "  " + Sparkline.of(rates, Math.min(room - 2, MOST_BARS));
    }

    @Override
    public void close() throws IOException {
        if (csv.isPresent()) {
            csv.get().close();
        }
    }
}
