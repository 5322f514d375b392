package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.load.Csv;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Results of JMeter: the summariser's lines, the aggregate report's table, and a {@link JtlFile}. */
final class JmeterResults {
    private static final Pattern SUMMARY = Pattern.compile("summary =\\s+([0-9]+) in\\s+([0-9:.]+)s? =\\s+([0-9.]+)/s"
            + " Avg:\\s+([0-9]+) Min:\\s+([0-9]+) Max:\\s+([0-9]+) Err:\\s+([0-9]+)");

    private static final Pattern SINCE = Pattern.compile("summary \\+\\s+([0-9]+) in");

    private static final Pattern THREADS = Pattern.compile("Active: [0-9]+ Started: ([0-9]+)");

    private JmeterResults() {}

    /** The results; empty if the text is none of these. */
    static Optional<List<Published>> read(String text) {
        List<Published> summaries = summaries(text);
        if (!summaries.isEmpty()) {
            return Optional.of(summaries);
        }
        String head = text.lines().findFirst().orElse("");
        if (head.contains("timeStamp,elapsed")) {
            return Optional.of(List.of(new JtlFile().read(text)));
        }
        return head.contains("# Samples") && head.contains(",") ? Optional.of(aggregate(text)) : Optional.empty();
    }

    /**
     * The lines with '=' count from the beginning, so that the last one has all of a test. One that is not the one before it and the
     * lines with '+' in between together, or is earlier, is of another test; in a text without lines with '+', one that has less or
     * is earlier.
     */
    private static List<Published> summaries(String text) {
        var all = new ArrayList<Published>();
        Matcher m = SUMMARY.matcher(text);
        Optional<MatchResult> last = Optional.empty();
        int from = 0;
        boolean intervals = SINCE.matcher(text).find();
        while (m.find()) {
            if (last.isPresent() && isOfAnother(m, last.get(), text, intervals)) {
                int end = last.get().end();
                all.add(summary(last.get(), text.substring(from, end)));
                ResultSplit.checkNumber(all.size());
                from = end;
            }
            last = Optional.of(m.toMatchResult());
        }
        if (last.isPresent()) {
            all.add(summary(last.get(), text.substring(from)));
        }
        return ResultSplit.numbered(all);
    }

    /** @param intervals whether the text has lines with '+' */
    private static boolean isOfAnother(MatchResult m, MatchResult before, String text, boolean intervals) {
        double then = parsed(before, 1);
        return clock(m.group(2)) < clock(before.group(2))
                || (intervals
                        ? parsed(m, 1) != then + since(text.substring(before.end(), m.start()))
                        : parsed(m, 1) < then);
    }

    private static double since(String text) {
        return SINCE.matcher(text).results().mapToDouble(m -> parsed(m, 1)).sum();
    }

    private static double parsed(MatchResult m, int group) {
        return Double.parseDouble(m.group(group));
    }

    private static Published summary(MatchResult m, String text) {
        Published p = Published.of("JMeter", "")
                .with(Figure.RESPONSES, parsed(m, 1))
                .with(Figure.SECONDS, clock(m.group(2)))
                .with(Figure.THROUGHPUT, parsed(m, 3))
                .with(Figure.MIN, parsed(m, 5) / 1e3)
                .with(Figure.MAX, parsed(m, 6) / 1e3)
                .with(Figure.FAILED, parsed(m, 7));
        p = Amounts.cutMean(p, m.group(4), 1e-3); // a division of whole milliseconds
        double clients = 0;
        double first = Double.MAX_VALUE;
        Matcher threads = THREADS.matcher(text);
        while (threads.find()) {
            double started = parsed(threads, 1);
            clients = Math.max(clients, started);
            first = Math.min(first, started);
        }
        p = clients > 0 ? p.with(Figure.CLIENTS, clients) : p;
        return first < clients ? p.with(Clients.AT_MOST) : p;
    }

    /** {@code 00:01:30} or {@code 30}. */
    private static double clock(String text) {
        double seconds = 0;
        for (String part : text.split(":", -1)) {
            seconds = seconds * 60 + Double.parseDouble(part);
        }
        return seconds;
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
            ResultSplit.checkNumber(all.size());
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
                Matcher line =
                        Pattern.compile("^(?:([0-9.]++)%? line|p([0-9.]++))").matcher(name);
                yield line.matches()
                        ? p.with(Double.parseDouble(line.group(1) == null ? line.group(2) : line.group(1)), v / 1e3)
                        : p;
            }
        };
    }
}
