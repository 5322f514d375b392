package dev.fettle.report.text;

import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Histograms;
import dev.fettle.report.NumberText;
import dev.fettle.report.Wording;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The latency part of a bench's summary: percentiles, where the time went, and the distribution as bars. */
final class BenchLatency {
    private static final int ROWS = 12;
    private static final int WIDEST_BAR = 50;
    private static final int BESIDE_BAR = 28;

    /**
     * A gap between latency and service time is explained from this ratio on, if it also exceeds {@link
     * #NOTABLE_NANOS}.
     */
    private static final double MUCH = 1.5;

    private static final long NOTABLE_NANOS = 1_000_000;

    private final BenchReport report;
    private final Measurement m;
    private final TerminalLines out;

    BenchLatency(BenchReport report, TerminalLines out) {
        this.report = report;
        this.m = report.measurement();
        this.out = out;
    }

    void write() {
        if (m.latency().count() == 0) {
            out.gap();
            out.raw("No valid response, so no latency.");
            connect(m.connect());
            return;
        }
        Optional<Histogram> histogram = Histograms.decode(m);
        percentiles(histogram);
        phases();
        connect(m.connect());
        histogram.filter(h -> h.getTotalCount() > 0).ifPresent(this::bars);
    }

    private void percentiles(Optional<Histogram> histogram) {
        LatencySummary s = m.detail().service();
        boolean pair = report.open() && s.count() > 0;
        out.heading(
                pair
                        ? "Latency, from when a request was due, and service time, from its send"
                        : "Latency of valid responses");
        if (pair) {
            out.raw(String.format(Locale.ROOT, "  %-8s%10s%12s", "", "latency", "service"));
        }
        LatencySummary l = m.latency();
        row("mean", Math.round(l.mean()), pair, Math.round(s.mean()));
        histogram.ifPresent(h -> out.raw(String.format(
                Locale.ROOT, "  %-8s%10s%s", "sd", NumberText.latency(h.getStdDeviation()), "  (standard deviation)")));
        row("50 %", l.p50(), pair, s.p50());
        row("75 %", l.p75(), pair, s.p75());
        row("90 %", l.p90(), pair, s.p90());
        row("95 %", l.p95(), pair, s.p95());
        row("99 %", l.p99(), pair, s.p99());
        row("99.9 %", l.p999(), pair, s.p999());
        row("99.99 %", l.p9999(), pair, s.p9999());
        row("max", l.max(), pair, s.max());
        if (pair && l.p99() > MUCH * s.p99() && l.p99() - s.p99() > NOTABLE_NANOS) {
            out.paragraph(
                    "The two differ because requests that were due had to wait before they could be sent: "
                            + slow()
                            + " did not keep up with the schedule. Latency is what a user would see; service time is what a"
                            + " tool without a schedule would report.",
                    TerminalStyle.PLAIN);
        }
    }

    private String slow() {
        boolean generator =
                report.verdict().reasons().stream().anyMatch(x -> x.rule().equals("send-lag"));
        return generator
                ? "the generator"
                : "the server with " + Wording.plural(report.load().connections(), "connection");
    }

    private void row(String name, long nanos, boolean pair, long service) {
        out.raw(String.format(
                Locale.ROOT,
                "  %-8s%10s%12s",
                name,
                NumberText.latency(nanos),
                pair ? NumberText.latency(service) : ""));
    }

    private void phases() {
        out.heading("Where the time goes");
        out.raw(String.format(Locale.ROOT, "  %-18s%10s%12s%12s%12s", "", "mean", "50 %", "99 %", "max"));
        phase("connect", m.connect());
        phase("to the first byte", m.detail().firstByte());
        phase("to the last byte", m.detail().service());
        phase("in all", m.latency());
    }

    private void phase(String name, LatencySummary s) {
        if (s.count() > 0) {
            out.raw(String.format(
                    Locale.ROOT,
                    "  %-18s%10s%12s%12s%12s",
                    name,
                    NumberText.latency(s.mean()),
                    NumberText.latency(s.p50()),
                    NumberText.latency(s.p99()),
                    NumberText.latency(s.max())));
        }
    }

    /** Only where a connect is TCP's alone: a TLS handshake may take a second, too. */
    private void connect(LatencySummary c) {
        if (c.max() >= 1_000_000_000L && report.load().wire().connectsByTcpAlone()) {
            out.paragraph(
                    "A connect of a second or more is a retransmitted SYN: "
                            + (report.evidence().acceptQueueWasFull()
                                    ? "the server's accept queue was full."
                                    : "it was lost, as when a server's accept queue is full."),
                    TerminalStyle.WARN);
        }
    }

    /** Bars over logarithmic buckets. */
    private void bars(Histogram h) {
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
        int widest = Math.clamp(out.width() - BESIDE_BAR, 10, WIDEST_BAR);
        out.heading("How latency is distributed");
        for (int i = 0; i < ROWS; i++) {
            // every bucket that is not empty gets a bar: the rare and slow ones are of interest
            int length = counts[i] == 0 ? 0 : Math.max(1, (int) Math.round((double) widest * counts[i] / most));
            out.raw(String.format(
                    Locale.ROOT,
                    "  up to %9s  %-" + widest + "s  %s",
                    NumberText.latency(low * Math.pow(step, i + 1)),
                    "#".repeat(length),
                    NumberText.share((double) counts[i] / h.getTotalCount())));
        }
    }
}
