package dev.fettle.report;

import dev.fettle.model.LatencySummary;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The summary of {@code fettle bench URL}: the figures that people know from ab and wrk, in their order. */
public final class BenchSummary {
    private static final int ROWS = 10;
    private static final int BAR = 40;

    private BenchSummary() {}

    /**
     * The summary as text, each line ended.
     *
     * @param label what was loaded, usually the URL
     * @param load how requests were offered
     * @param m what came of it
     * @param colour whether to use ANSI colours
     */
    public static String text(String label, Load load, Measurement m, boolean colour) {
        var out = new StringBuilder();
        Optional<Histogram> histogram = Histograms.merge(List.of(m));
        line(out, "Target", label);
        line(out, "Request", load.request().method() + " " + load.request().path());
        line(
                out,
                "Connections",
                Figures.count(load.connections()) + (load.keepAlive() ? ", keep-alive" : ", no keep-alive") + ", "
                        + Words.plural(load.threads(), "generator thread"));
        line(out, "Time", Figures.duration(m.elapsed()));
        line(out, "Complete requests", Figures.count(m.responses()));
        failures(out, m, colour);
        if (m.reconnects() > 0) {
            line(out, "Reconnects", Figures.count(m.reconnects()) + " (closed by the server in an orderly way)");
        }
        if (m.connectionsOpen() < load.connections() && load.keepAlive()) {
            line(
                    out,
                    "Connections open",
                    Figures.count(m.connectionsOpen()) + " of " + Figures.count(load.connections()) + " at the end");
        }
        double seconds = m.elapsed().toNanos() / 1e9;
        line(out, "Throughput", Style.BOLD.on(Figures.rate(m.throughput()), colour));
        line(
                out,
                "Transfer rate",
                Figures.bytes(seconds > 0 ? m.bytesRead() / seconds : 0) + "/s (" + Figures.bytes(m.bytesRead())
                        + " in all)");
        latency(out, m.latency(), histogram, colour);
        connect(out, m.connect(), colour);
        histogram.ifPresent(h -> bars(out, h, colour));
        return out.toString();
    }

    private static void failures(StringBuilder out, Measurement m, boolean colour) {
        String share = m.failed() == 0 ? "" : " (" + Figures.share(m.errorShare()) + ")";
        line(
                out,
                "Failed requests",
                (m.failed() == 0 ? Style.PLAIN : Style.BAD).on(Figures.count(m.failed()) + share, colour));
        m.errors().forEach((kind, n) -> {
            if (n > 0) {
                String example = m.errorExamples().getOrDefault(kind, "");
                line(
                        out,
                        "  " + Words.errorKind(kind),
                        Figures.count(n) + (example.isEmpty() ? "" : ", first: " + example));
            }
        });
        if (m.statuses().size() > 1 || m.statuses().keySet().stream().anyMatch(s -> s >= 300)) {
            var all = new ArrayList<String>();
            m.statuses().forEach((status, n) -> all.add(status + " × " + Figures.count(n)));
            line(out, "Statuses", String.join(", ", all));
        }
    }

    private static void latency(StringBuilder out, LatencySummary s, Optional<Histogram> histogram, boolean colour) {
        if (s.count() == 0) {
            out.append("\nNo valid response, so no latency.\n");
            return;
        }
        out.append('\n')
                .append(Style.HEAD.on("Latency of valid responses", colour))
                .append('\n');
        line(
                out,
                "  mean",
                Figures.latency(s.mean())
                        + histogram
                                .map(h -> " ± " + Figures.latency(h.getStdDeviation()) + " (standard deviation)")
                                .orElse(""));
        if (histogram.isPresent()) {
            Histograms.table(histogram.get())
                    .forEach(p -> percentile(out, p.percentile(), Math.round(p.millis() * 1e6)));
            return;
        }
        percentile(out, 50, s.p50());
        percentile(out, 75, s.p75());
        percentile(out, 90, s.p90());
        percentile(out, 95, s.p95());
        percentile(out, 99, s.p99());
        percentile(out, 99.9, s.p999());
        percentile(out, 99.99, s.p9999());
        percentile(out, 100, s.max());
    }

    private static void percentile(StringBuilder out, double percentile, long nanos) {
        boolean whole = percentile == Math.rint(percentile);
        String name = percentile >= 100 ? "max" : String.format(Locale.ROOT, whole ? "%.0f" : "%s", percentile) + " %";
        out.append(String.format(Locale.ROOT, "  %-8s%10s%n", name, Figures.latency(nanos))
                .replace("\r", ""));
    }

    private static void connect(StringBuilder out, LatencySummary c, boolean colour) {
        if (c.count() == 0) {
            return;
        }
        out.append('\n').append(Style.HEAD.on("Time to connect", colour)).append('\n');
        line(
                out,
                "  " + Figures.count(c.count()) + (c.count() == 1 ? " connect" : " connects"),
                "mean "
                        + Figures.latency(c.mean()) + ", 50 % " + Figures.latency(c.p50()) + ", 99 % "
                        + Figures.latency(c.p99())
                        + ", max " + Figures.latency(c.max()));
        if (c.max() >= 1_000_000_000L) {
            out.append("  A connect of a second or more is a retransmitted SYN: the server's accept queue was full.\n");
        }
    }

    /** Bars over buckets that are even on a logarithmic scale. */
    private static void bars(StringBuilder out, Histogram h, boolean colour) {
        double low = Math.max(1.0, (double) h.getMinNonZeroValue());
        double high = Math.max(low * 1.0001, (double) h.getMaxValue());
        double step = Math.pow(high / low, 1.0 / ROWS);
        var counts = new long[ROWS];
        h.recordedValues().forEach(v -> {
            double position = Math.log(Math.max((double) v.getValueIteratedTo(), low) / low) / Math.log(step);
            counts[Math.clamp((long) Math.floor(position), 0, ROWS - 1)] += v.getCountAtValueIteratedTo();
        });
        long most = 1;
        for (long c : counts) {
            most = Math.max(most, c);
        }
        out.append('\n')
                .append(Style.HEAD.on("How latency is distributed", colour))
                .append('\n');
        for (int i = 0; i < ROWS; i++) {
            // a bar for every bucket that is not empty: rare and slow is what one looks for
            int length = counts[i] == 0 ? 0 : Math.max(1, (int) Math.round((double) BAR * counts[i] / most));
            out.append(String.format(
                                    Locale.ROOT,
                                    "  up to %9s  %-" + BAR + "s  %s",
                                    Figures.latency(low * Math.pow(step, i + 1)),
                                    "#".repeat(length),
                                    Figures.share((double) counts[i] / h.getTotalCount()))
                            .stripTrailing())
                    .append('\n');
        }
    }

    private static void line(StringBuilder out, String name, String value) {
        // a value may hold escape sequences of our own, so only its origin is cleaned
        String padded = String.format(Locale.ROOT, "%-20s", name);
        out.append(padded)
                .append(value.startsWith("\u001b") ? value : Words.clean(value))
                .append('\n');
    }
}
