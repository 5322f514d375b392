package dev.fettle.report.document;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Histograms;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** The latency of a bench: percentiles, where the time went, and the distribution as bars. */
final class BenchLatency {
    private static final int ROWS = 12;
    private static final int WIDEST_BAR = 40;

    /**
     * A gap between latency and service time is explained from this ratio on, if it also exceeds {@link
     * #NOTABLE_NANOS}.
     */
    private static final double MUCH = 1.5;

    private static final long NOTABLE_NANOS = 1_000_000;

    /** From here on a connect by TCP alone was a SYN that was sent again. */
    private static final long SYN_AGAIN_NANOS = 1_000_000_000;

    private static final Map<String, ToDoubleFunction<LatencySummary>> PERCENTILES = percentiles();

    private final BenchReport r;
    private final Measurement m;
    private final LatencySummary service;

    /** Whether latency and service time are two things: in the closed model a request is sent as soon as it is due. */
    private final boolean pair;

    BenchLatency(BenchReport report) {
        r = report;
        m = report.measurement();
        service = m.detail().service();
        pair = report.open() && service.count() > 0;
    }

    private static Map<String, ToDoubleFunction<LatencySummary>> percentiles() {
        var all = new LinkedHashMap<String, ToDoubleFunction<LatencySummary>>();
        all.put("50 %", LatencySummary::p50);
        all.put("75 %", LatencySummary::p75);
        all.put("90 %", LatencySummary::p90);
        all.put("95 %", LatencySummary::p95);
        all.put("99 %", LatencySummary::p99);
        all.put("99.9 %", LatencySummary::p999);
        all.put("99.99 %", LatencySummary::p9999);
        all.put("max", LatencySummary::max);
        return all;
    }

    List<Block> sections() {
        var all = new ArrayList<Block>();
        Optional<Histogram> histogram = Histograms.decode(m).filter(h -> h.getTotalCount() > 0);
        var latency = new ArrayList<Block>();
        if (m.latency().count() == 0) {
            latency.add(new Paragraph("No valid response, so no latency."));
        } else {
            latency.add(percentiles(histogram));
            apart().ifPresent(words -> latency.add(new Paragraph(words)));
        }
        connects().ifPresent(words -> latency.add(new Paragraph(words, Tone.CAUTION)));
        all.add(new Section("latency", "Latency", latency));
        if (m.latency().count() > 0) {
            all.add(new Section(
                    "phases", "Where the time goes", new Block.Figures("", "Where the time goes", phases())));
            histogram.ifPresent(h -> all.add(Block.on(
                    Where.NOT_ON_PAGE,
                    new Section(
                            "distribution",
                            "How latency is distributed",
                            new Block.Figures("", "How latency is distributed", bars(h))))));
        }
        return all;
    }

    private record Percentile(String name, double latency, OptionalFigure service) {}

    private Block percentiles(Optional<Histogram> histogram) {
        String title = pair
                ? "Latency, from when a request was due, and service time, from its send"
                : "Latency of valid responses";
        var rows = new ArrayList<Percentile>();
        rows.add(new Percentile("mean", m.latency().mean(), OptionalFigure.of(service.mean())));
        histogram.ifPresent(
                h -> rows.add(new Percentile("standard deviation", h.getStdDeviation(), OptionalFigure.empty())));
        PERCENTILES.forEach((name, of) -> rows.add(
                new Percentile(name, of.applyAsDouble(m.latency()), OptionalFigure.of(of.applyAsDouble(service)))));
        Table table = Table.of(rows)
                .words("", Percentile::name)
                .figure("latency", p -> Value.time(p.latency()))
                .figure(
                        pair ? Optional.of("service time") : Optional.empty(),
                        p -> Value.of(p.service(), n -> Value.time(n).text()))
                .build();
        return histogram.isPresent()
                ? new Block.Plot("latency", "Latency by percentile", "Latency by percentile", title, table)
                : new Block.Figures(title, table);
    }

    private Optional<String> apart() {
        LatencySummary l = m.latency();
        if (!pair || l.p99() <= MUCH * service.p99() || l.p99() - service.p99() <= NOTABLE_NANOS) {
            return Optional.empty();
        }
        String slow = r.breaks("send-lag")
                ? "the generator"
                : "the server with " + Wording.plural(r.load().connections(), "connection");
        return Optional.of(
                "The two differ because requests that were due had to wait before they could be sent: " + slow
                        + " did not keep up with the schedule. Latency is what a user would see; service time is what a"
                        + " tool without a schedule would report.");
    }

    /** Only where a connect is TCP's alone: a TLS handshake may take a second, too. */
    private Optional<String> connects() {
        if (m.connect().max() < SYN_AGAIN_NANOS || !r.load().wire().connectsByTcpAlone()) {
            return Optional.empty();
        }
        return Optional.of("A connect of a second or more is a retransmitted SYN: "
                + (r.evidence().acceptQueueWasFull()
                        ? "the server's accept queue was full."
                        : "it was lost, as when a server's accept queue is full."));
    }

    private Table phases() {
        var all = new LinkedHashMap<String, LatencySummary>();
        all.put("connect", m.connect());
        all.put("to the first byte", m.detail().firstByte());
        all.put("to the last byte", service);
        all.put("in all", m.latency());
        return Table.of(all.entrySet().stream()
                        .filter(e -> e.getValue().count() > 0)
                        .toList())
                .words("", Map.Entry::getKey)
                .figure("mean", e -> Value.time(e.getValue().mean()))
                .figure("50 %", e -> Value.time(e.getValue().p50()))
                .figure("99 %", e -> Value.time(e.getValue().p99()))
                .figure("max", e -> Value.time(e.getValue().max()))
                .build();
    }

    /** Bars over logarithmic buckets; every bucket that is not empty has one: the rare and slow ones are of interest. */
    private static Table bars(Histogram h) {
        double low = Math.max(1.0, (double) h.getMinNonZeroValue());
        double high = Math.max(low * 1.0001, (double) h.getMaxValue());
        double step = Math.pow(high / low, 1.0 / ROWS);
        var counts = new long[ROWS];
        h.recordedValues().forEach(v -> {
            double position = Math.log(Math.max((double) v.getValueIteratedTo(), low) / low) / Math.log(step);
            counts[Math.clamp((long) Math.floor(position), 0, ROWS - 1)] += v.getCountAtValueIteratedTo();
        });
        long most = LongStream.of(counts).max().orElse(1);
        return Table.of(IntStream.range(0, ROWS).boxed().toList())
                .figure("up to", i -> Value.time(low * Math.pow(step, i + 1)))
                .words(
                        "",
                        i -> "#"
                                .repeat(
                                        counts[i] == 0
                                                ? 0
                                                : Math.max(
                                                        1, (int) Math.round((double) WIDEST_BAR * counts[i] / most))))
                .figure("share", i -> Value.share((double) counts[i] / h.getTotalCount()))
                .build();
    }
}
