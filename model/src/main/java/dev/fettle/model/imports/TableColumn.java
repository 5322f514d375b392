package dev.fettle.model.imports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a column of a table contains, told by its heading: the words, and those in brackets, which name a unit or a statistic.
 *
 * @param kind the figure; {@link Kind#OTHER} if it is none that counts, or the heading can mean several
 * @param percent of {@link Kind#PERCENTILE}, or 0
 * @param sure of two columns of one kind, the one that counts: 2 if the heading names it, 1 if it is only taken for it
 * @param unit what a number is multiplied by, if its cell has no unit
 */
record TableColumn(Kind kind, double percent, int sure, double unit) {
    /** A figure. */
    enum Kind {
        CLIENTS,
        RATE,
        RESPONSES,
        WRONG,
        FAILED,
        FAILED_SHARE,
        GOOD_SHARE,
        GOOD,
        MEAN,
        PERCENTILE,
        MAX,
        MIN,
        THINK,
        SECONDS,
        BANDWIDTH,
        OTHER
    }

    private static final String REQUESTS = "(?:requests|responses|answers|calls|hits|transactions|samples)";
    /** How many failed; {@code error rate} and {@code failed (per mille)} are shares. */
    private static final Pattern FAILED_COUNT =
            Pattern.compile("(?:# |number of |total )?(?:errors|failures|failed|(?:failed|unsuccessful|error) "
                    + REQUESTS + "|(?:error|failure) count)");

    private static final Pattern ALL_REQUESTS =
            Pattern.compile("(?:# |number of |total |all |complete )(?:requests|responses|transactions|samples)"
                    + "|(?:request|response|sample) count");

    private static final TableColumn UNKNOWN = new TableColumn(Kind.OTHER, 0, 0, 1);
    private static final Pattern BRACKETS = Pattern.compile("[(\\[]([^)\\]]*)[)\\]]?");
    private static final Pattern PERCENTILE = Pattern.compile("(?<![a-z0-9.])(?:p([0-9]{2}(?:\\.[0-9]+)?|9{3,5})"
            + "|([0-9]{2}(?:\\.[0-9]+)?) ?(?:%-?(?:ile)?|th|st|nd|rd|percentile))(?![a-z0-9])");
    private static final Pattern PER = Pattern.compile("(?:/ ?|\\bper )(s|secs?|seconds?|m|min|minutes?|h|hours?)\\b");
    private static final Pattern BYTES =
            Pattern.compile("(?<![A-Za-z])([KkMG]?i?B|[KkMG]?bytes)(?=\\s*/\\s*s|ps\\b|[)\\]])");
    /** {@code Mb/s} may be bits or bytes. */
    private static final Pattern BITS = Pattern.compile("(?i)bit|(?<![a-z])[kmg]?i?b(?:ps\\b|\\s*/\\s*s)");

    private static final Pattern COUNT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kKM]?)");

    private static final Map<String, Double> TIMES = Map.ofEntries(
            Map.entry("s", 1.0),
            Map.entry("sec", 1.0),
            Map.entry("secs", 1.0),
            Map.entry("second", 1.0),
            Map.entry("seconds", 1.0),
            Map.entry("ms", 1e-3),
            Map.entry("msec", 1e-3),
            Map.entry("millis", 1e-3),
            Map.entry("milliseconds", 1e-3),
            Map.entry("us", 1e-6),
            Map.entry("µs", 1e-6),
            Map.entry("usec", 1e-6),
            Map.entry("microseconds", 1e-6),
            Map.entry("ns", 1e-9));
    private static final Map<String, Kind> STATISTICS = Map.ofEntries(
            Map.entry("mean", Kind.MEAN),
            Map.entry("average", Kind.MEAN),
            Map.entry("avg", Kind.MEAN),
            Map.entry("avg.", Kind.MEAN),
            Map.entry("median", Kind.PERCENTILE),
            Map.entry("max", Kind.MAX),
            Map.entry("max.", Kind.MAX),
            Map.entry("maximum", Kind.MAX),
            Map.entry("longest", Kind.MAX),
            Map.entry("slowest", Kind.MAX),
            Map.entry("min", Kind.MIN),
            Map.entry("min.", Kind.MIN),
            Map.entry("minimum", Kind.MIN),
            Map.entry("shortest", Kind.MIN),
            Map.entry("fastest", Kind.MIN));
    /** Words that may stand next to a statistic of the latency. */
    private static final Set<String> LATENCY = Set.of("""
            latency latencies response resp time times rt percentile line transaction of""".split("\\s+"));

    private static final Set<String> A_LATENCY =
            Set.of("latency", "response time", "response times", "resp time", "rt", "latencies");

    static TableColumn of(String heading) {
        String all = heading.toLowerCase(Locale.ROOT).replace('\u03BC', '\u00B5');
        var inside = new ArrayList<String>();
        BRACKETS.matcher(all).results().forEach(m -> inside.addAll(words(m.group(1))));
        Matcher percentile = PERCENTILE.matcher(all);
        boolean isPercentile = percentile.find();
        Matcher per = PER.matcher(all);
        Optional<String> unitOfTime = per.find() ? Optional.of(per.group(1)) : Optional.empty();
        String plain = BRACKETS.matcher(all).replaceAll(" ");
        List<String> base =
                words(PER.matcher(PERCENTILE.matcher(plain).replaceAll(" ")).replaceAll(" "));
        boolean more = base.size() > 1 || isPercentile;
        Optional<Double> time = time(inside).or(() -> more ? time(base) : Optional.empty());
        List<String> statistics = statistics(base).isEmpty() ? statistics(inside) : statistics(base);
        var rest = new ArrayList<>(base);
        rest.removeAll(STATISTICS.keySet());
        if (more && rest.removeAll(TIMES.keySet())) {
            rest.remove("in"); // in seconds
        }
        String name = String.join(" ", rest);
        TableColumn shared = unitOfTime.isEmpty() ? share(all, name) : UNKNOWN; // a rate is no count
        if (shared.kind != Kind.OTHER) {
            return shared;
        }
        boolean plainTime =
                !isPercentile && statistics(base).isEmpty() && Set.of("min").containsAll(statistics);
        if (plainTime
                && name.matches(
                        "(?:total |test |overall |run ?)?(?:duration|elapsed|seconds|time|runtime)|elapsed time|wall(?: clock)? time|time taken")) {
            return duration(name, inside, time);
        }
        double unit = time.orElse(1e-3);
        if (LATENCY.containsAll(rest) && unitOfTime.isEmpty() && (isPercentile || !statistics.isEmpty())) {
            return isPercentile && statistics(base).isEmpty()
                    ? new TableColumn(Kind.PERCENTILE, percent(percentile), 2, unit)
                    : isPercentile
                                    || statistics.stream()
                                                    .map(STATISTICS::get)
                                                    .distinct()
                                                    .count()
                                            > 1
                            ? UNKNOWN
                            : statistic(STATISTICS.getOrDefault(statistics.getFirst(), Kind.OTHER), unit);
        }
        if (A_LATENCY.contains(name) && statistics.isEmpty()) {
            return new TableColumn(Kind.MEAN, 0, 1, unit);
        }
        boolean average = statistics.stream().allMatch(s -> STATISTICS.get(s) == Kind.MEAN);
        return average ? counted(heading, name, unitOfTime, unit) : UNKNOWN;
    }

    private static TableColumn statistic(Kind kind, double unit) {
        return new TableColumn(kind, kind == Kind.PERCENTILE ? 50 : 0, 2, unit);
    }

    private static double percent(Matcher m) {
        String digits = m.group(1) == null ? m.group(2) : m.group(1);
        return Double.parseDouble(
                digits.length() > 2 && !digits.contains(".")
                        ? digits.substring(0, 2) + "." + digits.substring(2)
                        : digits);
    }

    /** A share of the requests: of its cells, some may be counts, and of its numbers, some have no unit. */
    private static TableColumn share(String all, String name) {
        if (!all.contains("%")
                && name.matches("(?:successful|succeeded|successes|success|answered|completed|ok|passed|good)(?: "
                        + REQUESTS + ")?")) {
            return new TableColumn(Kind.GOOD, 0, 1, 1);
        }
        if (name.matches("(?:availability|success).*")) {
            return new TableColumn(Kind.GOOD_SHARE, 0, 1, all.contains("%") ? 0.01 : 0);
        }
        if (!name.matches("(?:errors?|failed|failures?)(?: .*)?")
                && !FAILED_COUNT.matcher(name).matches()) {
            return UNKNOWN;
        }
        return all.contains("%") || !FAILED_COUNT.matcher(name).matches()
                ? new TableColumn(Kind.FAILED_SHARE, 0, 1, all.contains("%") ? 0.01 : 0)
                : new TableColumn(Kind.FAILED, 0, 1, 1);
    }

    private static TableColumn duration(String name, List<String> inside, Optional<Double> time) {
        boolean minutes = inside.contains("min") || inside.contains("minutes");
        // a time in minutes may be the shortest, and one in milliseconds a latency
        return name.endsWith("time") && (minutes || time.orElse(1.0) < 1)
                ? UNKNOWN
                : new TableColumn(Kind.SECONDS, 0, 1, minutes ? 60 : time.orElse(1.0));
    }

    private static TableColumn counted(String heading, String name, Optional<String> per, double time) {
        Matcher bytes = BYTES.matcher(heading);
        double unit = bytes.find()
                ? Amounts.bytes("1" + bytes.group(1).replace("ytes", "")).orElse(0)
                : BITS.matcher(heading).find() || heading.contains("%") ? 0 : -1;
        double rate = per.map(p -> p.startsWith("m") ? 1.0 / 60 : p.startsWith("h") ? 1.0 / 3600 : 1)
                .orElse(1.0);
        if (ALL_REQUESTS.matcher(name).matches() && per.isEmpty() && unit < 0) {
            return new TableColumn(Kind.RESPONSES, 0, 2, 1);
        }
        return switch (name) {
            case "clients",
                    "client threads",
                    "client thread",
                    "users",
                    "concurrent users",
                    "virtual users",
                    "connections",
                    "concurrency",
                    "vus" -> new TableColumn(Kind.CLIENTS, 0, 2, 1);
            case "threads" -> new TableColumn(Kind.CLIENTS, 0, 1, 1); // of the server or the generator, next to clients
            case "rps", "qps", "tps" -> unit < 0 ? new TableColumn(Kind.RATE, 0, 2, 1) : UNKNOWN;
            case "rpm" -> new TableColumn(Kind.RATE, 0, 2, 1.0 / 60);
            case "throughput",
                    "rate",
                    "transaction rate",
                    "request rate",
                    "req",
                    "reqs",
                    "requests",
                    "transactions" -> {
                if (unit >= 0) {
                    yield unit > 0 && name.equals("throughput") ? new TableColumn(Kind.BANDWIDTH, 0, 1, unit) : UNKNOWN;
                }
                yield per.isPresent()
                        ? new TableColumn(Kind.RATE, 0, 2, rate)
                        : name.endsWith("s")
                                ? new TableColumn(Kind.RESPONSES, 0, 1, 1)
                                : name.equals("req") ? UNKNOWN : new TableColumn(Kind.RATE, 0, 1, 1);
            }
            case "responses", "samples", "complete" ->
                per.isEmpty() ? new TableColumn(Kind.RESPONSES, 0, 2, 1) : new TableColumn(Kind.RATE, 0, 2, rate);
            case "non-2xx", "wrong" -> unit < 0 ? new TableColumn(Kind.WRONG, 0, 1, 1) : UNKNOWN;
            case "think", "think time", "delay" -> new TableColumn(Kind.THINK, 0, 1, time);
            case "bandwidth", "transfer", "transfer rate" ->
                unit == 0 ? UNKNOWN : new TableColumn(Kind.BANDWIDTH, 0, 2, Math.max(1, unit));
            default -> UNKNOWN;
        };
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("[\\s_,:;]+", -1))
                .filter(w -> !w.isEmpty())
                .toList();
    }

    private static Optional<Double> time(List<String> words) {
        return words.stream().filter(TIMES::containsKey).map(TIMES::get).findFirst();
    }

    private static List<String> statistics(List<String> words) {
        return words.stream().filter(STATISTICS::containsKey).toList();
    }

    /** The figure in a cell: seconds, a count, a rate per second, or a share; empty if it is none. */
    OptionalDouble value(String cell) {
        return switch (kind) {
            case OTHER -> OptionalDouble.empty();
            case MEAN, PERCENTILE, MAX, MIN, THINK, SECONDS -> Amounts.seconds(cell, unit);
            case BANDWIDTH -> {
                OptionalDouble bytes = Amounts.bytes(cell);
                boolean bare = cell.matches("[0-9.]+");
                yield bytes.isPresent() ? OptionalDouble.of(bytes.getAsDouble() * (bare ? unit : 1)) : bytes;
            }
            case FAILED_SHARE, GOOD_SHARE -> share(cell, unit);
            default -> number(cell);
        };
    }

    /** Whether a cell of this column is a share, whatever the heading says: {@code 0.5 %} errors. */
    static boolean isShare(String cell) {
        return cell.matches("[0-9]+(?:\\.[0-9]+)? ?%");
    }

    private static OptionalDouble share(String cell, double unit) {
        boolean percent = unit > 0 || isShare(cell);
        String number = cell.replaceAll(" ?%$", "");
        return percent && number.matches("[0-9]+(?:\\.[0-9]+)?")
                ? OptionalDouble.of(Double.parseDouble(number) / 100)
                : OptionalDouble.empty();
    }

    private OptionalDouble number(String cell) {
        String t = cell.replaceFirst(
                kind == Kind.RATE
                        ? "(?i)(?<=[0-9km])\\s*+(?:req(?:uests|s)?|trans(?:actions)?)?\\s*+/\\s*+(?:s(?:ec)?|m(?:in)?)$"
                        : "(?i)(?<=[0-9km])\\s*+(?:requests?|reqs?|responses?|hits|transactions?|calls|users|vus|clients|connections|conns?|threads|errors?|failed|failures|ok)\\.?$",
                "");
        Matcher m = COUNT.matcher(t);
        if (!m.matches()) {
            return OptionalDouble.empty();
        }
        double factor = switch (m.group(2)) {
            case "k", "K" -> 1e3;
            case "M" -> 1e6;
            default -> 1;
        };
        boolean own = kind == Kind.RATE && !t.equals(cell); // a unit in the cell counts more than the heading's
        boolean aMinute = own && cell.matches(".*/\\s*+(?:m|min)$");
        return OptionalDouble.of(Double.parseDouble(m.group(1)) * factor * (own ? aMinute ? 1.0 / 60 : 1 : unit));
    }
}
