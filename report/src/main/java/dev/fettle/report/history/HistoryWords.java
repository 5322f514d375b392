package dev.fettle.report.history;

import dev.fettle.insight.builds.GateFigure;
import dev.fettle.insight.history.Course;
import dev.fettle.insight.history.Course.Change;
import dev.fettle.insight.history.Course.Drift;
import dev.fettle.insight.history.History;
import dev.fettle.insight.history.Levels;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.RunSeries;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import dev.fettle.report.NumberText;
import dev.fettle.report.Wording;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How runs, changes and what the machine did read, in every output. */
public final class HistoryWords {
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private HistoryWords() {}

    /** When a run was started, in UTC: names of commits stand next to it, so it is short. */
    public static String when(Instant at) {
        return WHEN.format(at);
    }

    /** A figure with its unit. */
    public static String figure(GateMetric metric, double value) {
        return new GateFigure(metric).text(value);
    }

    /** A change: {@code +5.2 %}; of errors in points. */
    public static String size(GateMetric metric, Change change) {
        double size = change.size(metric);
        return metric == GateMetric.ERRORS || !Double.isFinite(size) || size > Format.MOST_TIMES
                ? metric == GateMetric.ERRORS ? new GateFigure(metric).changeText(size) : NumberText.change(size)
                : new GateFigure(metric).changeText(size);
    }

    /** Which commits a change may have come with: {@code 1a2b3c4d5}, or {@code one of 3 from … to …}. */
    public static String commits(Course course, Change change) {
        String first = course.points().get(change.from()).run().name();
        String last = course.points().get(change.to()).run().name();
        int n = change.to() - change.from() + 1;
        return n == 1 ? first : "one of " + n + " from " + first + " to " + last;
    }

    /** The same in a table: {@code 1a2b3c4d5}, or {@code … to … (3 runs)}. */
    public static String range(Course course, Change change) {
        String first = course.points().get(change.from()).run().name();
        int n = change.to() - change.from() + 1;
        return n == 1
                ? first
                : first + " to " + course.points().get(change.to()).run().name() + " (" + runs(n) + ")";
    }

    /** How far the machine went by itself: {@code -3.1 % to +4.0 %}. */
    public static String drift(GateMetric metric, Drift d) {
        var figure = new GateFigure(metric);
        return figure.changeText(d.least()) + " to " + figure.changeText(d.most());
    }

    /** By what changes were searched. */
    public static String levels(History history) {
        Levels l = history.levels();
        return "a change has p < " + plain(l.strict()) + " (candidates " + plain(l.weak())
                + "), or a part of that where several metrics are searched, in windows of "
                + l.window() + " runs, at least " + l.least() + " runs on each side, and a size of "
                + Format.share(history.least()) + " or more";
    }

    private static String plain(double p) {
        return BigDecimal.valueOf(p).stripTrailingZeros().toPlainString();
    }

    /** What a series is called: what it is of, and in what it differs from others of that name. */
    public static String name(RunSeries series, List<RunSeries> all) {
        String name = plainName(series);
        List<RunSeries> alike =
                all.stream().filter(s -> plainName(s).equals(name)).toList();
        String apart = series.conditions().entrySet().stream()
                .filter(e -> alike.stream()
                        .anyMatch(s -> !e.getValue().equals(s.conditions().get(e.getKey()))))
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
        String memory = alike.size() > 1 && apart.isEmpty()
                ? series.runs()
                        .getLast()
                        .memory()
                        .mapTo(m -> "memory " + Format.bytes(m))
                        .orElse("memory not known")
                : "";
        return name + (apart.isEmpty() ? "" : "; " + apart) + (memory.isEmpty() ? "" : "; " + memory);
    }

    private static String plainName(RunSeries series) {
        var c = series.conditions();
        return c.getOrDefault("what", "") + " " + c.getOrDefault("plan", c.getOrDefault("target", "")) + ", "
                + c.getOrDefault("load", "");
    }

    /** A gate's answer; of a bench nothing. */
    public static String verdict(PastRun run) {
        return run.unused().isPresent()
                ? "void"
                : run.verdict()
                        .map(v -> switch (v) {
                            case NO_WORSE -> "no worse";
                            case WORSE -> "worse";
                            case CANT_TELL -> "can't tell";
                            case NOT_VALID -> "void";
                            case MACHINE_ONLY -> "";
                        })
                        .orElse("");
    }

    /** A change in a sentence: {@code CPU per request +5.2 % with 1a2b3c4d5}. */
    public static String sentence(HistoryReport.Reported t) {
        GateMetric metric = t.course().metric();
        return metric.label() + " " + size(metric, t.change()) + " with " + commits(t.course(), t.change());
    }

    /** How many runs: {@code 34 runs}. */
    public static String runs(long n) {
        return Wording.plural(n, "run");
    }
}
