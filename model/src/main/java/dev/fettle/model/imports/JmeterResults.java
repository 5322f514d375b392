package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.load.Csv;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Results of JMeter: the summariser's lines, the aggregate report's table, and a JTL file in CSV. */
final class JmeterResults {
    private static final Pattern SUMMARY = Pattern.compile("summary =\\s+([0-9]+) in\\s+([0-9:.]+)s? =\\s+([0-9.]+)/s"
            + " Avg:\\s+([0-9]+) Min:\\s+([0-9]+) Max:\\s+([0-9]+) Err:\\s+([0-9]+)");

    private JmeterResults() {}

    /** The results; empty if the text is none of these. */
    static Optional<List<Published>> read(String text) {
        Matcher m = SUMMARY.matcher(text);
        Optional<Published> last = Optional.empty();
        while (m.find()) {
            last = Optional.of(summary(m, text)); // the lines with '=' count from the beginning: the last has all
        }
        if (last.isPresent()) {
            return Optional.of(List.of(last.get()));
        }
        String head = text.lines().findFirst().orElse("");
        if (head.contains("timeStamp,elapsed")) {
            return Optional.of(List.of(jtl(text)));
        }
        return head.contains("# Samples") && head.contains(",") ? Optional.of(aggregate(text)) : Optional.empty();
    }

    private static Published summary(Matcher m, String text) {
        Published p = Published.of("JMeter", "")
                .with(Figure.RESPONSES, Double.parseDouble(m.group(1)))
                .with(Figure.SECONDS, clock(m.group(2)))
                .with(Figure.THROUGHPUT, Double.parseDouble(m.group(3)))
                .with(Figure.MIN, Double.parseDouble(m.group(5)) / 1e3)
                .with(Figure.MAX, Double.parseDouble(m.group(6)) / 1e3)
                .with(Figure.FAILED, Double.parseDouble(m.group(7)));
        p = Amounts.cutMean(p, m.group(4), 1e-3); // a division of whole milliseconds
        double clients = 0;
        Matcher threads = Pattern.compile("Active: [0-9]+ Started: ([0-9]+)").matcher(text);
        while (threads.find()) {
            clients = Math.max(clients, Double.parseDouble(threads.group(1)));
        }
        return clients > 0 ? p.with(Figure.CLIENTS, clients) : p;
    }

    /** {@code 00:01:30} or {@code 30}. */
    private static double clock(String text) {
        double seconds = 0;
        for (String part : text.split(":", -1)) {
            seconds = seconds * 60 + Double.parseDouble(part);
        }
        return seconds;
    }

    private static Published jtl(String text) {
        List<List<String>> rows = Csv.lines(text);
        List<String> head = rows.getFirst();
        int time = head.indexOf("timeStamp");
        int took = head.indexOf("elapsed");
        int code = head.indexOf("responseCode");
        int success = head.indexOf("success");
        int threads = head.indexOf("allThreads");
        int bytes = head.indexOf("bytes");
        int connect = head.indexOf("Connect");
        double first = Double.MAX_VALUE;
        double last = 0;
        double sum = 0;
        double read = 0;
        double clients = 0;
        double answers = 0;
        double wrong = 0;
        double failed = 0;
        double slowest = 0;
        var all = new ArrayList<Double>();
        for (List<String> row : rows.subList(1, rows.size())) {
            if (row.size() < head.size()) {
                continue; // the last line of a file that was cut off
            }
            double at = cell(row, time) / 1e3;
            double elapsed = cell(row, took) / 1e3;
            first = Math.min(first, at);
            last = Math.max(last, at + elapsed);
            sum += elapsed;
            all.add(elapsed);
            read += bytes < 0 ? 0 : cell(row, bytes);
            clients = Math.max(clients, threads < 0 ? 0 : cell(row, threads));
            slowest = Math.max(slowest, connect < 0 ? 0 : cell(row, connect) / 1e3);
            boolean answered = code < 0 || row.get(code).matches("[0-9]{3}");
            boolean good = success < 0 || row.get(success).equalsIgnoreCase("true");
            answers += answered ? 1 : 0;
            wrong += answered && !good ? 1 : 0;
            failed += good ? 0 : 1;
        }
        if (all.isEmpty()) {
            throw new ImportException("the JTL file has no samples");
        }
        double[] sorted = all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double seconds = Math.max(last - first, 1e-3);
        Published p = Published.of("JMeter (JTL)", "")
                .with(Figure.RESPONSES, answers)
                .with(Figure.SECONDS, seconds)
                .with(Figure.THROUGHPUT, all.size() / seconds)
                .with(Figure.MEAN, sum / all.size())
                .with(Figure.MIN, sorted[0])
                .with(Figure.MAX, sorted[sorted.length - 1])
                .with(Figure.WRONG, wrong)
                .with(Figure.FAILED, failed);
        for (double q : new double[] {50, 90, 99}) {
            p = p.with(q, sorted[(int) Math.min(sorted.length - 1, Math.ceil(q / 100 * sorted.length) - 1)]);
        }
        p = clients > 0 ? p.with(Figure.CLIENTS, clients) : p;
        p = slowest > 0 ? p.with(Figure.CONNECT_MAX, slowest) : p;
        return read > 0 ? p.with(Figure.BYTES, read) : p;
    }

    private static List<Published> aggregate(String text) {
        List<List<String>> rows = Csv.lines(text);
        List<String> head = rows.getFirst();
        var all = new ArrayList<Published>();
        for (List<String> row : rows.subList(1, rows.size())) {
            if (row.size() < head.size()) {
                continue;
            }
            Published p = Published.of("JMeter", row.getFirst());
            for (int i = 1; i < head.size(); i++) {
                p = aggregated(p, head.get(i).toLowerCase(Locale.ROOT), row.get(i));
            }
            all.add(p);
        }
        return all;
    }

    private static Published aggregated(Published p, String name, String text) {
        String t = text.replaceAll("[%,]|/sec", "").strip();
        if (!t.matches("[0-9.]+")) {
            return p;
        }
        double v = Double.parseDouble(t);
        return switch (name) {
            case "# samples" -> p.with(Figure.RESPONSES, v);
            case "average" -> Amounts.cutMean(p, t, 1e-3);
            case "median" -> p.with(50, v / 1e3);
            case "min" -> p.with(Figure.MIN, v / 1e3);
            case "max" -> p.with(Figure.MAX, v / 1e3);
            case "throughput" -> p.with(Figure.THROUGHPUT, v);
            case "received kb/sec", "kb/sec" -> p.with(Figure.BYTES_PER_SECOND, v * 1024);
            case "error %" ->
                p.has(Figure.RESPONSES)
                        ? p.with(
                                Figure.FAILED, v / 100 * p.get(Figure.RESPONSES).orElse(0))
                        : p;
            default -> {
                Matcher line = Pattern.compile("([0-9.]+)%? line|p([0-9.]+)").matcher(name);
                yield line.matches()
                        ? p.with(Double.parseDouble(line.group(1) == null ? line.group(2) : line.group(1)), v / 1e3)
                        : p;
            }
        };
    }

    private static double cell(List<String> row, int at) {
        String text = row.get(at).strip();
        if (!text.matches("[0-9.]+")) {
            throw new ImportException("the JTL file has '%s' where a number is expected: %s"
                    .formatted(text, Arrays.toString(row.toArray())));
        }
        return Double.parseDouble(text);
    }
}
