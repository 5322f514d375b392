package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.Units;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.Wording;
import dev.fettle.report.html.PageHead.Big;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The page of a capacity search: the answer, every probe, the effect of a spike, and the environment.
 *
 * @param plotted whether the probes have data to plot
 */
record HtmlCapacity(CapacityReport r, boolean plotted, HtmlWatch watch) {
    String title() {
        return "Fettle: capacity of " + r.target();
    }

    /** Writes the page between its head and foot. */
    void write(Html html) {
        header(html);
        html.open("main");
        if (!r.probes().isEmpty()) {
            html.section("probes", "Probes", this::probes);
        }
        r.overload().ifPresent(o -> html.section("overload", "Overload", s -> overload(s, o)));
        watch.write(html);
        html.section("setup", "What was loaded, and where", s -> s.facts(facts()));
        html.close();
    }

    private void header(Html html) {
        var meta = List.of(
                "Run " + r.runId(),
                PageHead.WHEN.format(r.started()),
                "probes took " + NumberText.duration(r.took()),
                Wording.plural(r.probes().size(), "probe"));
        new PageHead("capacity · " + r.target(), badge(), tone(), r.headline(), bigs(), meta, notes()).write(html);
    }

    private List<String> notes() {
        var notes = new ArrayList<String>();
        r.capacity().ifPresent(c -> notes.addAll(c.notes()));
        r.overload().ifPresent(o -> notes.addAll(o.notes()));
        r.found().ifPresent(f -> notes.addAll(f.notes()));
        return notes;
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
                    NumberText.rate(c.rate()),
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
                            NumberText.rate(i.estimate()),
                            "95 %: " + NumberText.rate(i.low()) + " to " + NumberText.rate(i.high()))));
        });
        r.capacity()
                .flatMap(CapacityResult::brokeFirst)
                .ifPresent(b -> list.add(new Big(
                        "Broke first",
                        NumberText.rate(b.rate()),
                        b.what() + b.server().map(w -> "; " + w).orElse(""))));
        r.found()
                .ifPresent(f -> f.idleMillis()
                        .ifPresent(ms -> list.add(
                                new Big("A single client", NumberText.latency(ms * 1e6), "median, before all load"))));
        r.overload()
                .filter(o -> o.voided().isEmpty())
                .ifPresent(o -> list.add(new Big(
                        "After the spike",
                        o.recovery().isPresent()
                                ? NumberText.latency(o.recovery().getAsDouble() * 1e9)
                                : "not recovered",
                        "until it met the SLO again")));
        return list;
    }

    private void probes(Html s) {
        r.capacity().flatMap(CapacityResult::limit).ifPresent(i -> s.el("p", ProbeWording.limit(i, r.longRun())));
        String title = CapacityCharts.shown(r).metric().id() + " of each probe by the rate offered";
        if (plotted) {
            s.plot("probes", title, title + "; those that met the SLO, broke it, or do not count", table());
        } else {
            s.table("Probes", table());
        }
    }

    private HtmlTable table() {
        var table = HtmlTable.sortable()
                .figures("#")
                .words("for")
                .figures(offered(), r.iterations() ? "requests achieved" : "achieved", "p50", "p99", "errors")
                .knownFigures("send lag p99", "busy threads", "CPU")
                .words("verdict");
        for (int n = 0; n < r.probes().size(); n++) {
            Judged j = r.probes().get(n);
            Probe p = j.probe();
            double lag = p.sendLagP99Millis().orElse(Double.NaN);
            table.row(
                    "",
                    figure(Integer.toString(n + 1), (long) n + 1),
                    words(p.phase().name().toLowerCase(Locale.ROOT)
                            + (r.processes() ? ", process " + (j.process() + 1) : "")),
                    figure(NumberText.rate(p.rate()), p.rate()),
                    figure(NumberText.rate(p.throughput()), p.throughput()),
                    latency(p.latency().known(LatencySummary::p50)),
                    latency(p.latency().known(LatencySummary::p99)),
                    figure(NumberText.share(p.errorShare()), p.errorShare()),
                    figure(Double.isNaN(lag) ? NumberText.NONE : NumberText.latency(lag * 1e6), lag),
                    figure(
                            ProbeWording.busy(p),
                            p.server()
                                    .flatMap(e -> e.get(Aggregate.BUSY_WORKERS).stream()
                                            .boxed()
                                            .findFirst())
                                    .orElse(Double.NaN)),
                    figure(ProbeWording.cpu(p), p.cpuShare().orElse(Double.NaN)),
                    words(ProbeWording.verdict(j.verdict())));
        }
        return table;
    }

    private static HtmlTable.Cell latency(double nanos) {
        return figure(NumberText.latency(nanos), nanos);
    }

    private String offered() {
        return r.iterations() ? "iterations offered" : "offered";
    }

    private void overload(Html s, OverloadResult o) {
        s.el("p", o.headline());
        var table = HtmlTable.plain()
                .words("")
                .figures(offered(), r.iterations() ? "requests valid" : "valid", "in time", "p50", "p99", "max")
                .figures("errors", "given up or unsent")
                .remarks("by kind");
        row(table, "before", o.base(), o.before());
        row(table, "spike", o.spike(), o.during());
        row(table, "after", o.base(), o.after());
        String title = "Answers a second and p99, before, during and after the spike";
        if (o.slices().isEmpty()) {
            s.table(title, table); // nothing to plot
        } else {
            s.plot("overload", title, title, table);
        }
    }

    private static void row(HtmlTable table, String name, double offered, Slice s) {
        table.row(
                "",
                words(name),
                figure(NumberText.rate(offered), offered),
                figure(NumberText.rate(s.throughput()), s.throughput()),
                figure(NumberText.rate(s.goodput()), s.goodput()),
                latency(s.latency().known(LatencySummary::p50)),
                latency(s.latency().known(LatencySummary::p99)),
                latency(s.latency().known(LatencySummary::max)),
                figure(NumberText.share(s.errorShare()), s.errorShare()),
                figure(NumberText.count(s.lost()), s.lost()),
                words(Wording.errors(s.errors())));
    }

    private List<String[]> facts() {
        var load = r.plan().load();
        var facts = new ArrayList<String[]>();
        facts.add(new String[] {"target", r.target()});
        facts.add(new String[] {"SLO", r.slo().toString()});
        facts.add(new String[] {
            "request",
            load.scenario().isPresent()
                    ? "a scenario"
                    : load.request().method() + " " + load.request().path()
        });
        facts.add(new String[] {"connections at most", Integer.toString(load.connections())});
        facts.add(new String[] {"time-out", Units.text(load.timeout())});
        facts.addAll(HtmlSetup.machine(r.environment()));
        return facts;
    }
}
