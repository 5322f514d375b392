package dev.fettle.watch.accesslog;

import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which words of a log's lines say how long a request took, and in which unit. Patterns do not say that in the log itself: what decides are names
 * ({@code rt=}), decimal places (seconds), and of whole numbers their size.
 *
 * @param total how long the request took
 * @param behind how long a proxy waited for what is behind it
 * @param first how long it took to the first byte of the answer
 * @param unclear why there is no {@code total}; empty if there is
 */
record TimeColumns(Optional<Column> total, Optional<Column> behind, Optional<Column> first, String unclear) {
    /** Lines from which on whole numbers tell their unit. */
    private static final int ENOUGH = 50;

    /** The part of the lines that have to have a figure in a column that is one of times. */
    private static final double MOST = 0.8;

    /** No server answers one request in a hundred in fewer microseconds. */
    private static final double FEWEST_MICROS = 20;

    /** Nine requests in ten take fewer milliseconds. */
    private static final double MOST_MILLIS = 20_000;

    private static final Set<String> TOTAL = Set.of("""
            rt request_time req_time requesttime time duration took elapsed d total latency response_time resp_time
            time_taken processing_time""".split("\\s+"));
    private static final Set<String> BEHIND = Set.of(
            "urt", "upstream_response_time", "upstream_time", "upstream", "ut", "upstream_resp_time", "backend_time");
    private static final Set<String> FIRST = Set.of("f", "ttfb", "first_byte", "commit", "commit_time");

    /** Units in which times are written, as seconds. */
    enum Unit {
        SECONDS(1),
        MILLIS(1e-3),
        MICROS(1e-6);

        private final double seconds;

        Unit(double seconds) {
            this.seconds = seconds;
        }
    }

    /** A column and its unit. */
    record Column(String name, Unit unit) {
        /** Seconds; empty if a line has none there. */
        OptionalFigure seconds(AccessLine line) {
            return figure(line.columns().get(name)).map(v -> v * unit.seconds);
        }
    }

    static final TimeColumns NONE = new TimeColumns(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "its lines do not have how long a request took: %D, or $request_time of nginx, adds it");

    /** A figure, or the sum of several: {@code 0.012}, {@code 0.1, 0.2}, {@code 0.1 : 0.2}, {@code 12ms}; empty if it is none. */
    static OptionalFigure figure(@org.jspecify.annotations.Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > 200) {
            return OptionalFigure.empty();
        }
        double sum = 0;
        boolean any = false;
        for (String part : text.replace(',', ' ').replace(':', ' ').strip().split(" ", -1)) {
            if (part.isEmpty() || part.equals("-")) {
                continue;
            }
            int digits = 0;
            while (digits < part.length() && (Character.isDigit(part.charAt(digits)) || part.charAt(digits) == '.')) {
                digits++;
            }
            if (digits == 0 || digits > 15 || !Set.of("", "s", "ms", "us", "µs").contains(part.substring(digits))) {
                return OptionalFigure.empty();
            }
            try {
                sum += Double.parseDouble(part.substring(0, digits));
            } catch (NumberFormatException e) {
                return OptionalFigure.empty(); // 1.2.3
            }
            any = true;
        }
        return any ? OptionalFigure.of(sum) : OptionalFigure.empty();
    }

    /** What one column of the lines holds. */
    private record Held(String name, double[] sorted, long decimals, String suffix) {
        boolean isDecimal() {
            return decimals * 2 > sorted.length;
        }

        double at(double share) {
            return sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))];
        }
    }

    /**
     * Decides by the first lines of a log.
     *
     * @param asked the unit that the user named for whole numbers
     */
    static TimeColumns of(List<AccessLine> lines, Optional<Unit> asked) {
        List<Held> all = held(lines);
        Optional<Held> total = named(all, TOTAL);
        Optional<Held> behind = named(all, BEHIND);
        Optional<Held> first = named(all, FIRST);
        if (total.isEmpty()) {
            List<Held> places = all.stream()
                    .filter(h -> Character.isDigit(h.name.charAt(0)) && h.sorted.length >= MOST * lines.size())
                    .toList();
            List<Held> decimal = places.stream().filter(Held::isDecimal).toList();
            List<Held> whole = decimal.isEmpty() ? places : decimal;
            if (whole.size() > 2) {
                return unclear("it has " + whole.size() + " columns of figures after the size, and none is named"
                        + " (rt=$request_time would be)");
            }
            total = whole.stream().findFirst();
            if (whole.size() == 2) {
                Optional<Held> larger = larger(lines, whole);
                if (larger.isEmpty()) {
                    return unclear(
                            "it has two columns of figures after the size, and neither is always the larger one");
                }
                total = larger;
                Optional<Held> other =
                        whole.stream().filter(h -> h != larger.get()).findFirst();
                behind = behind.isPresent() || decimal.isEmpty() ? behind : other;
                first = first.isPresent() || !decimal.isEmpty() ? first : other;
            } else if (behind.isEmpty() && decimal.size() == 1) {
                // the upstream's time of a request that needed none is "-", so that column is not full
                behind = all.stream()
                        .filter(h -> Character.isDigit(h.name.charAt(0)) && h.isDecimal() && h != decimal.getFirst())
                        .filter(h -> h.name.compareTo(decimal.getFirst().name) > 0)
                        .findFirst();
            }
        }
        if (total.isEmpty()) {
            return NONE;
        }
        Optional<Unit> unit = unit(total.get(), asked);
        if (unit.isEmpty()) {
            return unclear("its whole numbers may be milliseconds or microseconds: --time-in ms or us says which");
        }
        Unit of = unit.get();
        Held chosen = total.get();
        return new TimeColumns(
                total.map(h -> new Column(h.name, of)),
                behind.map(h -> new Column(h.name, unit(h, Optional.of(of)).orElse(of))),
                first.map(h -> new Column(h.name, ofFirst(lines, chosen, of, h))),
                "");
    }

    /** Tomcat writes %D in microseconds since 10.1, and %F in milliseconds as ever: the first byte is not after the last. */
    private static Unit ofFirst(List<AccessLine> lines, Held total, Unit of, Held first) {
        Unit own = unit(first, Optional.of(of)).orElse(of);
        if (own != Unit.MICROS || of != Unit.MICROS) {
            return own;
        }
        var all = new Column(total.name, of);
        var millis = new Column(first.name, Unit.MILLIS);
        long fit = lines.stream()
                .filter(l -> millis.seconds(l).orElse(0) <= all.seconds(l).orElse(0) + Unit.MILLIS.seconds)
                .count();
        return fit >= 0.95 * lines.size() ? Unit.MILLIS : own;
    }

    private static TimeColumns unclear(String why) {
        return new TimeColumns(Optional.empty(), Optional.empty(), Optional.empty(), why);
    }

    private static List<Held> held(List<AccessLine> lines) {
        var values = new TreeMap<String, List<String>>();
        for (AccessLine l : lines) {
            l.columns().forEach((name, text) -> {
                if (values.size() < 100 && figure(text).isPresent()) {
                    values.computeIfAbsent(name, _ -> new ArrayList<>()).add(text);
                }
            });
        }
        var all = new ArrayList<Held>();
        for (Map.Entry<String, List<String>> e : values.entrySet()) {
            double[] sorted = e.getValue().stream()
                    .mapToDouble(t -> figure(t).orElse(0))
                    .sorted()
                    .toArray();
            String one = e.getValue().getFirst();
            String suffix = one.endsWith("ms") ? "ms" : one.endsWith("us") || one.endsWith("µs") ? "us" : "";
            all.add(new Held(
                    e.getKey(),
                    sorted,
                    e.getValue().stream().filter(t -> t.contains(".")).count(),
                    suffix.isEmpty() && one.endsWith("s") ? "s" : suffix));
        }
        return all;
    }

    private static Optional<Held> named(List<Held> all, Set<String> names) {
        return all.stream().filter(h -> names.contains(bare(h.name))).findFirst();
    }

    /** {@code request_time} for {@code request_time_ms}. */
    private static String bare(String name) {
        String low = name.toLowerCase(Locale.ROOT);
        for (String unit : List.of("_ms", "_us", "_s", "_sec", "_micros", "_millis")) {
            if (low.endsWith(unit)) {
                return low.substring(0, low.length() - unit.length());
            }
        }
        return low;
    }

    /** The column that has the larger figure in nearly all lines. */
    private static Optional<Held> larger(List<AccessLine> lines, List<Held> two) {
        int firstLarger = 0;
        int secondLarger = 0;
        int both = 0;
        for (AccessLine l : lines) {
            OptionalFigure a = figure(l.columns().get(two.get(0).name));
            OptionalFigure b = figure(l.columns().get(two.get(1).name));
            if (a.isPresent() && b.isPresent()) {
                both++;
                firstLarger += a.getAsDouble() >= b.getAsDouble() ? 1 : 0;
                secondLarger += b.getAsDouble() >= a.getAsDouble() ? 1 : 0;
            }
        }
        return firstLarger >= 0.95 * both
                ? Optional.of(two.get(0))
                : secondLarger >= 0.95 * both ? Optional.of(two.get(1)) : Optional.empty();
    }

    private static Optional<Unit> unit(Held column, Optional<Unit> asked) {
        String name = column.name.toLowerCase(Locale.ROOT);
        if (column.suffix.equals("ms") || name.endsWith("_ms") || name.endsWith("_millis")) {
            return Optional.of(Unit.MILLIS);
        }
        if (column.suffix.equals("us") || name.endsWith("_us") || name.endsWith("_micros")) {
            return Optional.of(Unit.MICROS);
        }
        if (column.suffix.equals("s") || column.isDecimal() || name.endsWith("_s") || name.endsWith("_sec")) {
            return Optional.of(Unit.SECONDS);
        }
        if (asked.isPresent()) {
            return asked;
        }
        double[] answered = Arrays.stream(column.sorted).filter(v -> v > 0).toArray();
        if (column.sorted.length < ENOUGH || answered.length * 10L < column.sorted.length && column.at(1) < 100) {
            return Optional.empty(); // too few, or nearly all zero: seconds, or a server that answers at once
        }
        return column.at(0.01) < FEWEST_MICROS
                ? Optional.of(Unit.MILLIS)
                : column.at(0.1) >= MOST_MILLIS ? Optional.of(Unit.MICROS) : Optional.empty();
    }
}
