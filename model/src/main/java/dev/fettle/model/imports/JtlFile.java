package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.load.Csv;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * A JTL file of JMeter in CSV, a row at a time. Rate, latencies and responses are those of the samples that were answered, so
 * that they fit each other.
 */
final class JtlFile {
    /** From this share of the most threads on, those that were still to start or had ended don't matter. */
    private static final double ALL = 0.98;

    private Optional<Columns> columns = Optional.empty();
    private final DoubleStream.Builder all = DoubleStream.builder();
    private final Map<String, double[]> lives = new HashMap<>();
    private double first = Double.MAX_VALUE;
    private double last;
    private double sum;
    private double read;
    private double fewest = Double.MAX_VALUE;
    private double most;
    private double samples;
    private double answers;
    private double wrong;
    private double failed;
    private double slowest;

    /** Where the columns are that count; -1 for one that is missing. */
    private record Columns(
            int number, int time, int took, int code, int success, int threads, int bytes, int connect, int name) {
        static Columns of(List<String> head) {
            return new Columns(
                    head.size(),
                    head.indexOf("timeStamp"),
                    head.indexOf("elapsed"),
                    head.indexOf("responseCode"),
                    head.indexOf("success"),
                    head.indexOf("allThreads"),
                    head.indexOf("bytes"),
                    head.indexOf("Connect"),
                    head.indexOf("threadName"));
        }
    }

    Published read(String text) {
        Csv.each(text, row -> {
            if (columns.isEmpty()) {
                columns = Optional.of(Columns.of(row));
            } else if (row.size() >= columns.get().number()) { // less has the last line of a file that was cut off
                sample(columns.get(), row);
            }
        });
        if (samples == 0) {
            throw new ImportException("the JTL file has no samples");
        }
        double seconds = Math.max(last - first, 1e-3);
        Published p = Published.of("JMeter (JTL)", "")
                .with(Figure.RESPONSES, answers)
                .with(Figure.SECONDS, seconds)
                .withDerived(Figure.THROUGHPUT, answers / seconds)
                .with(Figure.WRONG, wrong)
                .with(Figure.FAILED, failed);
        double[] sorted = all.build().sorted().toArray();
        if (sorted.length > 0) {
            p = p.withDerived(Figure.MEAN, sum / answers) // as the percentiles are, from the same samples
                    .with(Figure.MIN, sorted[0])
                    .with(Figure.MAX, sorted[sorted.length - 1]);
            for (double q : new double[] {50, 90, 99}) {
                p = p.with(q, sorted[(int) Math.min(sorted.length - 1, Math.ceil(q / 100 * sorted.length) - 1)]);
            }
        }
        p = samples > answers ? p.with(Figure.LOST, samples - answers) : p;
        p = slowest > 0 ? p.with(Figure.CONNECT_MAX, slowest) : p;
        return clients(read > 0 ? p.with(Figure.BYTES, read) : p, seconds);
    }

    private void sample(Columns at, List<String> row) {
        double start = number(row, at.time()) / 1e3;
        double elapsed = number(row, at.took()) / 1e3;
        double end = start + elapsed;
        first = Math.min(first, start);
        last = Math.max(last, end);
        boolean good = at.success() < 0 || row.get(at.success()).equalsIgnoreCase("true");
        boolean answered = at.code() < 0 || isStatus(row.get(at.code())) || at.success() >= 0 && good;
        samples++;
        if (answered) {
            answers++;
            sum += elapsed;
            all.add(elapsed);
        }
        wrong += answered && !good ? 1 : 0;
        failed += good && answered ? 0 : 1;
        read += at.bytes() < 0 ? 0 : number(row, at.bytes());
        slowest = Math.max(slowest, at.connect() < 0 ? 0 : number(row, at.connect()) / 1e3);
        if (at.threads() >= 0) {
            double threads = number(row, at.threads());
            most = Math.max(most, threads);
            fewest = Math.min(fewest, threads);
        }
        if (at.name() >= 0) {
            double[] life = lives.computeIfAbsent(row.get(at.name()), n -> new double[] {start, end});
            life[0] = Math.min(life[0], start);
            life[1] = Math.max(life[1], end);
        }
    }

    /** Where threads come and go, as in a ramp-up, how many there were on average, from the first and last sample of each. */
    private Published clients(Published p, double seconds) {
        if (most <= 0 || fewest == most) {
            return most > 0 ? p.with(Figure.CLIENTS, most) : p;
        }
        double average = lives.values().stream().mapToDouble(l -> l[1] - l[0]).sum() / seconds;
        return average > 0
                ? p.with(Figure.CLIENTS, average > ALL * most ? most : average)
                : p.with(Figure.CLIENTS, most).with(Clients.AT_MOST);
    }

    private static boolean isStatus(String code) {
        return code.length() == 3 && code.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static double number(List<String> row, int at) {
        if (at < 0) {
            throw new ImportException("the JTL file has no column timeStamp, or none elapsed");
        }
        String text = row.get(at).strip();
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.')) {
            throw new ImportException(
                    "the JTL file has '%s' where a number is expected: %s".formatted(text, row.toString()));
        }
        return Double.parseDouble(text);
    }
}
