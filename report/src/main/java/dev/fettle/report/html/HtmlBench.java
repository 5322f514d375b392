package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Histograms;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.Wording;
import dev.fettle.report.text.BenchSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The page of a bench: its figures, the latency curve (with service time beside it in the open model), and throughput. */
final class HtmlBench {
    private static final String LATENCY = "latency, from when it was due";
    private static final String SERVICE = "service time, from its send";

    private final BenchReport r;
    private final Measurement m;
    private final Optional<Histogram> latency;
    private final Optional<Histogram> service;

    HtmlBench(BenchReport report) {
        r = report;
        m = report.measurement();
        latency = Histograms.decode(m.histogram()).filter(h -> h.getTotalCount() > 0);
        service = Histograms.decode(m.detail().serviceHistogram()).filter(h -> h.getTotalCount() > 0);
    }

    String title() {
        return "Fettle: bench " + r.target();
    }

    /** What the plots draw. */
    JsonFields data() {
        var curves = new ArrayList<JsonFields>();
        latency.ifPresent(h -> {
            curves.add(curve(LATENCY, "winner", h));
            service.ifPresent(s -> curves.add(curve(SERVICE, "baseline", s)));
        });
        var root = new JsonFields().eachIfAny("latency", curves, c -> c);
        if (m.windows().isEmpty()) {
            return root;
        }
        double zero = Timelines.measuringFrom(m);
        return root.put(
                "time",
                List.of(new JsonFields()
                        .put("name", "throughput", "role", "winner", "valid", r.valid())
                        .put("on", true, "hue", 0)
                        .each(
                                "points",
                                m.windows(),
                                w -> List.of(
                                        w.at() + w.seconds() / 2 - zero,
                                        w.throughput(),
                                        w.p99() / 1e6,
                                        w.measured()))));
    }

    private static JsonFields curve(String name, String role, Histogram h) {
        return ChartData.percentiles(new JsonFields().put("name", name, "role", role), h);
    }

    /** The page between its head and its foot. */
    void write(Html html) {
        html.open("header");
        html.in("p", p -> p.el("span", "Fettle", "class", "mark").text(" bench · " + r.target()), "class", "eyebrow");
        html.in("p", p -> p.el("span", badge(), "class", "badge " + tone()), "class", "verdict");
        html.el(
                "h1",
                NumberText.rate(m.throughput()) + " of "
                        + (r.load().wire().protocol().isWebSocket()
                                ? "messages on"
                                : r.load().request().method())
                        + " " + r.load().request().path());
        html.in(
                "ul",
                ul -> bigs().forEach(b -> ul.in("li", li -> {
                    li.el("span", b[0], "class", "name");
                    li.el("span", b[1], "class", "value");
                    li.el("span", b[2], "class", "below");
                })),
                "class",
                "bigs");
        html.close();
        html.open("main");
        plots(html);
        html.section(
                "summary", "All figures", s -> s.in("pre", pre -> pre.verbatim(new BenchSummary(110, false).text(r))));
        html.close();
    }

    private void plots(Html html) {
        latency.ifPresent(h -> html.section(
                "latency",
                "Latency",
                s -> s.plot("latency", "Latency by percentile", "Latency by percentile", percentiles())));
        if (!m.windows().isEmpty()) {
            html.section(
                    "time",
                    "Throughput",
                    s -> s.plot("time", "Throughput over time", "Throughput over time, warm-up shaded", timeline()));
        }
    }

    private String badge() {
        if (r.failed()) {
            return "A condition is met";
        }
        return calm() ? "Valid" : r.valid() ? "Valid, with caution" : "Void";
    }

    private String tone() {
        return r.failed() || !r.valid() ? "bad" : calm() ? "good" : "warn";
    }

    private boolean calm() {
        return r.verdict().valid() && r.verdict().advisories().isEmpty();
    }

    /** Name, value, what is below. */
    private List<String[]> bigs() {
        var list = new ArrayList<String[]>();
        list.add(new String[] {
            "Throughput", NumberText.rate(m.throughput()), NumberText.count(m.responses()) + " valid responses"
        });
        if (r.open()) {
            list.add(new String[] {"Offered", NumberText.rate(m.offeredPerSecond()), unsent()});
        }
        if (m.latency().count() > 0) {
            list.add(new String[] {"p50", NumberText.latency(m.latency().p50()), service(LatencySummary::p50)});
            list.add(new String[] {"p99", NumberText.latency(m.latency().p99()), service(LatencySummary::p99)});
        }
        list.add(new String[] {"Failed", NumberText.count(m.failed()), Wording.errors(m.errors())});
        r.verdict().reasons().stream()
                .filter(x -> !x.passing())
                .map(Verdict.Reason::rule)
                .findFirst()
                .ifPresent(rule -> list.add(new String[] {"Void", rule, "see below"}));
        return list;
    }

    private String unsent() {
        long unsent = m.detail().offered().map(Measurement.Offered::unsent).orElse(0L);
        return unsent == 0 ? "all of it was sent" : NumberText.count(unsent) + " never sent";
    }

    private String service(ToLongFunction<LatencySummary> figure) {
        LatencySummary s = m.detail().service();
        return r.open() && s.count() > 0 ? "service time " + NumberText.latency(figure.applyAsLong(s)) : "";
    }

    private HtmlTable percentiles() {
        var table = HtmlTable.plain()
                .words("from")
                .figures("50 %", "66 %", "75 %", "80 %", "90 %", "95 %", "98 %", "99 %", "99.9 %", "99.99 %", "max");
        latency.ifPresent(h -> percentiles(table, LATENCY, h));
        service.ifPresent(h -> percentiles(table, SERVICE, h));
        return table;
    }

    private static void percentiles(HtmlTable table, String name, Histogram h) {
        var row = new ArrayList<HtmlTable.Cell>();
        row.add(words(name));
        Histograms.table(h).forEach(p -> row.add(figure(NumberText.number(p.millis()) + " ms", p.millis())));
        table.row("", row);
    }

    private HtmlTable timeline() {
        var measured = m.windows().stream()
                .filter(Measurement.Window::measured)
                .mapToDouble(Measurement.Window::throughput)
                .summaryStatistics();
        boolean any = measured.getCount() > 0;
        var table = HtmlTable.plain().words("").figures("least /s", "mean /s", "most /s");
        table.row(
                "",
                List.of(
                        words("throughput"),
                        figure(any ? NumberText.number(measured.getMin()) : NumberText.NONE, 0L),
                        figure(NumberText.number(m.throughput()), 0L),
                        figure(any ? NumberText.number(measured.getMax()) : NumberText.NONE, 0L)));
        return table;
    }
}
