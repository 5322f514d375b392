package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Figure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Results in Markdown tables: a heading says what a column contains, and each row is a test. */
final class ResultTable {
    private static final Pattern PERCENTILE =
            Pattern.compile("p([0-9]{2}(?:\\.[0-9]+)?)|([0-9]{2}(?:\\.[0-9]+)?) ?(?:%|th|st|nd|rd|percentile).*");

    private ResultTable() {}

    /** One result per row of every table with a column that it knows. */
    static List<Published> read(String text) {
        var all = new ArrayList<Published>();
        // siege pauses between requests, which decides what its figures mean
        String tool = Pattern.compile("(?i)\\bsiege\\b").matcher(text).find() ? "siege" : "a table";
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (!lines.get(i).contains("|") || !lines.get(i + 1).matches("\\|?[\\s:|-]*-[\\s:|-]*")) {
                continue;
            }
            List<String> head = cells(lines.get(i));
            i += 2;
            for (; i < lines.size() && lines.get(i).contains("|"); i++) {
                row(tool, head, cells(lines.get(i))).ifPresent(all::add);
            }
        }
        return all;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.replaceAll("^\\||\\|$", "").split("\\|", -1))
                .map(c -> c.replaceAll("[*`]", "").strip())
                .toList();
    }

    private static Optional<Published> row(String tool, List<String> head, List<String> row) {
        Published p = Published.of(tool, "");
        double share = Double.NaN;
        var label = new ArrayList<String>();
        for (int i = 0; i < Math.min(head.size(), row.size()); i++) {
            String name = head.get(i).toLowerCase(Locale.ROOT);
            String cell = row.get(i).replaceAll("(?<=[0-9]),(?=[0-9]{3})", "");
            Optional<Published> next = cell.isEmpty() ? Optional.empty() : known(p, name, cell);
            if (next.isPresent()) {
                p = next.get();
            } else if (name.matches("(errors?|failed|failures?|availability|success).*")
                    && cell.matches("[0-9.]+ ?%")) {
                double v = Double.parseDouble(cell.replaceAll("[ %]", "")) / 100;
                share = name.startsWith("avail") || name.startsWith("success") ? 1 - v : v;
            } else if (!cell.isEmpty()) {
                label.add(i == 0 ? cell : head.get(i) + " " + cell);
            }
        }
        if (p.figures().isEmpty() && p.percentiles().isEmpty()) {
            return Optional.empty();
        }
        if (!Double.isNaN(share)) {
            double n = p.get(Figure.RESPONSES).orElse(1_000_000);
            p = p.with(Figure.RESPONSES, n).with(Figure.FAILED, share * n);
        }
        return Optional.of(p.named(p.tool(), String.join(", ", label)));
    }

    private static Optional<Published> known(Published p, String heading, String cell) {
        String name = heading.replaceAll("\\(.*|\\[.*|/s.*", "").strip();
        double unit = heading.matches(".*[(\\[]\\s*(s|sec|secs|seconds)\\s*[)\\]].*")
                ? 1
                : heading.matches(".*[(\\[]\\s*(us|µs)\\s*[)\\]].*") ? 1e-6 : 1e-3;
        Matcher percentile = PERCENTILE.matcher(name);
        if (percentile.matches()) {
            String q = percentile.group(1) == null ? percentile.group(2) : percentile.group(1);
            OptionalDouble time = Amounts.seconds(cell, unit);
            return time.isPresent() ? Optional.of(p.with(Double.parseDouble(q), time.getAsDouble())) : Optional.empty();
        }
        return switch (name) {
            case "clients",
                    "client threads",
                    "users",
                    "connections",
                    "concurrency",
                    "vus",
                    "threads",
                    "client thread" -> number(p, Figure.CLIENTS, cell);
            case "throughput", "rps", "qps", "tps", "rate", "req", "requests", "transaction rate" ->
                number(
                        p,
                        name.equals("requests") && !heading.contains("/s") ? Figure.RESPONSES : Figure.THROUGHPUT,
                        cell);
            case "responses", "samples", "transactions", "complete" -> number(p, Figure.RESPONSES, cell);
            case "non-2xx", "wrong" ->
                number(p, Figure.WRONG, cell)
                        .map(x -> x.has(Figure.FAILED)
                                ? x
                                : x.with(Figure.FAILED, x.get(Figure.WRONG).orElse(0)));
            case "failed", "errors", "failures" -> number(p, Figure.FAILED, cell);
            case "mean", "average", "avg", "response time", "latency" ->
                Amounts.seconds(cell, unit).isPresent() ? Optional.of(Amounts.mean(p, cell, unit)) : Optional.empty();
            case "median" -> time(cell, unit).map(t -> p.with(50, t));
            case "max", "longest" -> time(cell, unit).map(t -> p.with(Figure.MAX, t));
            case "min", "shortest" -> time(cell, unit).map(t -> p.with(Figure.MIN, t));
            case "think", "think time", "delay" -> time(cell, unit).map(t -> p.with(Figure.THINK, t));
            case "duration", "time", "seconds", "elapsed" -> time(cell, 1).map(t -> p.with(Figure.SECONDS, t));
            case "bandwidth", "transfer", "transfer rate" -> {
                OptionalDouble bytes = Amounts.bytes(cell);
                yield bytes.isPresent() ? Optional.of(p.with(Figure.BYTES_PER_SECOND, bytes)) : Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    private static Optional<Double> time(String cell, double unit) {
        OptionalDouble t = Amounts.seconds(cell, unit);
        return t.isPresent() ? Optional.of(t.getAsDouble()) : Optional.empty();
    }

    private static Optional<Published> number(Published p, Figure figure, String cell) {
        String t = cell.replaceAll("\\s*(/s|/sec|trans/sec|req/s)$", "");
        return t.matches("[0-9]+(\\.[0-9]+)?k?")
                ? Optional.of(p.with(
                        figure,
                        t.endsWith("k")
                                ? Double.parseDouble(t.substring(0, t.length() - 1)) * 1000
                                : Double.parseDouble(t)))
                : Optional.empty();
    }
}
