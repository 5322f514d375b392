package dev.fettle.report.document;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.Format;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Head.Big;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A capacity search, finished or not: every probe, and the effect of a spike. */
public final class CapacityDocument {
    private final CapacityReport r;

    private CapacityDocument(CapacityReport report) {
        r = report;
    }

    /** The whole document. */
    public static Document of(CapacityReport report) {
        var d = new CapacityDocument(report);
        return new Document(d.head(), d.blocks(), Checks.NONE);
    }

    private Head head() {
        String probes = Wording.plural(r.probes().size(), "probe");
        return new Head(
                "capacity · " + r.target(),
                List.of(
                        "capacity of " + r.target() + " for " + r.slo(),
                        "run " + r.runId() + " · " + probes + " · " + Format.time(r.took())),
                badge(),
                tone(),
                r.headline(),
                bigs(),
                List.of(
                        "Run " + r.runId(),
                        Head.WHEN.format(r.started()),
                        "probes took " + Format.time(r.took()),
                        probes),
                Stream.of(
                                r.capacity().map(CapacityResult::notes),
                                r.overload().map(OverloadResult::notes),
                                r.found().map(CapacityConclusion::notes))
                        .flatMap(notes -> notes.stream().flatMap(List::stream))
                        .toList());
    }

    private String badge() {
        if (r.found().isEmpty()) {
            return "Not finished";
        }
        return r.capacity()
                .map(c -> switch (c.outcome()) {
                    case FOUND ->
                        c.atLeastMet()
                                ? "Found and confirmed"
                                : c.missed()
                                        ? "Found, but less than the SLO wants"
                                        : "Found; as much as the SLO wants is not shown";
                    case UNCONFIRMED -> "Not confirmed";
                    case GENERATOR_LIMIT -> "At least: the generator was the limit";
                    case DISTURBED -> "At least: the machine was disturbed";
                    case BUDGET -> "Not confirmed: the budget ran out";
                    case NO_RATE -> "The lowest rate breaks it";
                    case NOTHING_VALID -> "Nothing valid";
                })
                .orElse(spoilt() ? "Void" : "Spike only");
    }

    private String tone() {
        return r.capacity()
                .map(c -> c.outcome() == CapacityResult.Outcome.FOUND && c.atLeastMet()
                        ? "good"
                        : c.rate() > 0 ? "warn" : "bad")
                .orElse(spoilt() ? "bad" : "");
    }

    /** Whether there is a spike that says nothing. */
    private boolean spoilt() {
        return r.overload().flatMap(OverloadResult::voided).isPresent();
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        r.capacity().filter(c -> c.rate() > 0).ifPresent(c -> {
            list.add(new Big(
                    "Capacity",
                    Format.rate(c.rate()),
                    c.outcome().confirmed()
                            ? "confirmed by " + Wording.plural(c.confirmations(), "fresh probe")
                                    + c.held()
                                            .map(h -> " of " + h.seconds() + " s"
                                                    + (h.forGood() ? ", and for good" : "; not shown for good"))
                                            .orElse("")
                            : "not confirmed"));
            c.limit()
                    .filter(Interval::bounded)
                    .ifPresent(i -> list.add(new Big(
                            "Limit",
                            Format.rate(i.estimate()),
                            "95 %: " + Format.rate(i.low()) + " to " + Format.rate(i.high()))));
        });
        r.capacity()
                .flatMap(CapacityResult::brokeFirst)
                .ifPresent(b -> list.add(new Big(
                        "Broke first",
                        Format.rate(b.rate()),
                        b.what() + b.server().map(w -> "; " + w).orElse(""))));
        r.found()
                .ifPresent(f -> f.idleMillis()
                        .ifPresent(ms -> list.add(
                                new Big("A single client", Format.time(ms * 1e6), "median, before all load"))));
        r.overload()
                .filter(o -> o.voided().isEmpty())
                .ifPresent(o -> list.add(new Big(
                        "After the spike",
                        o.recovery().isPresent() ? Format.time(o.recovery().getAsDouble() * 1e9) : "not recovered",
                        "until it met the SLO again")));
        return list;
    }

    private List<Block> blocks() {
        var all = new ArrayList<Block>();
        if (!r.probes().isEmpty()) {
            String title = r.shown().metric().id() + " of each probe by the rate offered";
            var blocks = new ArrayList<Block>();
            r.capacity().flatMap(CapacityResult::limit).ifPresent(i -> {
                var limit = new Paragraph(ProbeWording.limit(i, r.longRun()));
                all.add(Block.on(Where.IN_TERMINALS, limit)); // part of the answer
                blocks.add(Block.on(Where.NOT_IN_TERMINALS, limit));
            });
            blocks.add(
                    Block.on(Where.IN_TERMINALS, new Block.Figures("Probes, by rate", CapacityTables.probesByRate(r))));
            Table table = CapacityTables.probes(r);
            blocks.add(Block.on(
                    Where.NOT_IN_TERMINALS,
                    r.probes().stream().noneMatch(j -> r.plotted(j.probe()).isPresent())
                            ? new Block.Figures("", "Probes", table)
                            : new Block.Plot(
                                    "probes",
                                    title,
                                    title + "; those that met the SLO, broke it, or do not count",
                                    "",
                                    table)));
            all.add(new Block.Section("probes", "Probes", blocks));
        }
        String title = "Answers a second and p99, before, during and after the spike";
        r.overload().ifPresent(o -> {
            Table table = CapacityTables.overload(o, r.iterations());
            all.add(new Block.Section(
                    "overload",
                    "Overload",
                    new Paragraph(o.headline(), Tone.STRONG),
                    o.slices().isEmpty()
                            ? new Block.Figures("", title, table)
                            : new Block.Plot("overload", title, title, "", table)));
        });
        return all;
    }
}
