package dev.fettle.report.document;

import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.Wording;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables of a capacity search and of a spike. */
public final class CapacityTables {
    private static final double NANOS_OF_MILLIS = 1e6;

    private CapacityTables() {}

    private record Numbered(int number, Judged judged) {
        Probe probe() {
            return judged.probe();
        }
    }

    /** Every probe, in the order in which they were made. */
    public static Table probes(CapacityReport r) {
        return probes(r, numbered(r).toList());
    }

    /** Every probe, by the rate that was offered. */
    public static Table probesByRate(CapacityReport r) {
        return probes(
                r,
                numbered(r)
                        .sorted(Comparator.comparingDouble(n -> n.probe().rate()))
                        .toList());
    }

    private static Stream<Numbered> numbered(CapacityReport r) {
        return IntStream.range(0, r.probes().size())
                .mapToObj(i -> new Numbered(i + 1, r.probes().get(i)));
    }

    private static Table probes(CapacityReport r, List<Numbered> probes) {
        var table = Table.<Numbered>of(probes)
                .figure("#", Where.NOT_IN_TERMINALS, n -> Value.count(n.number()))
                .words(
                        "for",
                        Where.NOT_IN_TERMINALS,
                        n -> n.probe().phase().name().toLowerCase(Locale.ROOT));
        if (r.processes()) {
            table.figure("process", n -> Value.count(n.judged().process() + 1L));
        }
        return table.figure(
                        r.iterations() ? "iterations offered" : "offered",
                        n -> Value.rate(n.probe().rate()))
                .figure(
                        r.iterations() ? "requests achieved" : "achieved",
                        n -> Value.rate(n.probe().throughput()))
                .figure("p50", n -> latency(n.probe().latency(), LatencySummary::p50))
                .figure("p99", n -> latency(n.probe().latency(), LatencySummary::p99))
                .figure("errors", n -> Value.share(n.probe().errorShare()))
                .known("send lag p99", n -> millis(n.probe().sendLagP99Millis()))
                .known(
                        "busy threads",
                        n -> new Value(
                                ProbeWording.busy(n.probe()),
                                n.probe()
                                        .server()
                                        .map(e -> e.get(Aggregate.BUSY_WORKERS).orElse(Double.NaN))
                                        .orElse(Double.NaN)))
                .known(
                        "CPU",
                        n -> new Value(
                                ProbeWording.cpu(n.probe()),
                                n.probe().cpuShare().orElse(Double.NaN)))
                .words("verdict", n -> ProbeWording.verdict(n.judged().verdict()))
                .tone(n -> tone(n.judged()))
                .sortable();
    }

    private static Value millis(OptionalFigure millis) {
        return millis.isPresent() ? Value.time(millis.getAsDouble() * NANOS_OF_MILLIS) : Value.NONE;
    }

    private static Value latency(LatencySummary latency, ToDoubleFunction<LatencySummary> percentile) {
        return Value.time(latency.known(percentile));
    }

    private static Tone tone(Judged j) {
        return switch (j.verdict().result()) {
            case MET -> Tone.GOOD;
            case BROKEN -> Tone.BAD;
            case VOID, DISTURBED -> Tone.CAUTION;
        };
    }

    private record Stage(String name, double offered, Slice seen) {}

    /**
     * What a spike did.
     *
     * @param iterations whether what is offered is iterations of several requests
     */
    public static Table overload(OverloadResult o, boolean iterations) {
        return Table.of(List.of(
                        new Stage("before", o.base(), o.before()),
                        new Stage("spike", o.spike(), o.during()),
                        new Stage("after", o.base(), o.after())))
                .words("", Stage::name)
                .figure(iterations ? "iterations offered" : "offered", s -> Value.rate(s.offered()))
                .figure(
                        iterations ? "requests valid" : "valid",
                        s -> Value.rate(s.seen().throughput()))
                .figure("in time", s -> Value.rate(s.seen().goodput()))
                .figure("p50", s -> latency(s.seen().latency(), LatencySummary::p50))
                .figure("p99", s -> latency(s.seen().latency(), LatencySummary::p99))
                .figure("max", s -> latency(s.seen().latency(), LatencySummary::max))
                .figure("errors", s -> Value.share(s.seen().errorShare()))
                .known("given up or unsent", s -> Value.count(s.seen().lost()))
                .remarks(
                        "by kind",
                        Where.EVERYWHERE,
                        s -> Wording.errors(s.seen().errors()))
                .build();
    }
}
