package dev.fettle.report.html;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.Units;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.Wording;
import dev.fettle.report.document.CapacityTables;
import dev.fettle.report.document.Table;
import dev.fettle.report.html.PageHead.Big;
import java.util.ArrayList;
import java.util.List;

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
            s.plot(
                    "probes",
                    title,
                    title + "; those that met the SLO, broke it, or do not count",
                    CapacityTables.probes(r));
        } else {
            s.table("Probes", CapacityTables.probes(r));
        }
    }

    private void overload(Html s, OverloadResult o) {
        s.el("p", o.headline());
        Table table = CapacityTables.overload(o, r.iterations());
        String title = "Answers a second and p99, before, during and after the spike";
        if (o.slices().isEmpty()) {
            s.table(title, table); // nothing to plot
        } else {
            s.plot("overload", title, title, table);
        }
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
