package dev.fettle.report.html;

import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Causes;
import dev.fettle.report.Histograms;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Head.Big;
import dev.fettle.report.document.MeasuredTables;
import dev.fettle.report.document.MeasuredTables.Course;
import dev.fettle.report.document.MeasuredTables.Latency;
import dev.fettle.report.document.Table;
import dev.fettle.report.text.BenchSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The page of a bench: its figures, the latency curve (plus service time in the open model), and throughput. */
final class HtmlBench {
    private static final String LATENCY = "latency, from when it was due";
    private static final String SERVICE = "service time, from its send";

    private final BenchReport r;
    private final Measurement m;
    private final HtmlWatch watch;
    private final Optional<Histogram> latency;
    private final Optional<Histogram> service;

    HtmlBench(BenchReport report) {
        r = report;
        m = report.measurement();
        watch = new HtmlWatch(
                List.of(new HtmlWatch.Watched("bench", report.evidence().timeline())));
        latency = Histograms.decode(m.histogram()).filter(h -> h.getTotalCount() > 0);
        service = Histograms.decode(m.detail().serviceHistogram()).filter(h -> h.getTotalCount() > 0);
    }

    String title() {
        return "Fettle: bench " + r.target();
    }

    /** The data of the plots. */
    JsonFields data() {
        var curves = new ArrayList<JsonFields>();
        latency.ifPresent(h -> {
            curves.add(curve(latencyName(), "winner", h));
            service.ifPresent(s -> curves.add(curve(SERVICE, "baseline", s)));
        });
        var root = new JsonFields().eachIfAny("latency", curves, c -> c);
        FlameGraphs.of(r.evidence().profiles()).data(root);
        if (!watch.isEmpty()) {
            root.put("watch", watch.data());
        }
        if (m.windows().isEmpty()) {
            return root;
        }
        return root.put(
                "time",
                List.of(ChartData.timeline(
                        new JsonFields()
                                .put("name", "throughput", "role", "winner", "valid", r.valid())
                                .put("on", true, "hue", 0),
                        m)));
    }

    /** In the closed model a request is sent as soon as it is due. */
    private String latencyName() {
        return r.open() ? LATENCY : "latency";
    }

    private static JsonFields curve(String name, String role, Histogram h) {
        return ChartData.percentiles(new JsonFields().put("name", name, "role", role), h);
    }

    /** Writes the page between its head and foot. */
    void write(Html html) {
        String what = r.load().wire().protocol().isWebSocket()
                ? "messages on"
                : r.load().request().method();
        String headline = NumberText.rate(m.throughput()) + " of " + what + " "
                + r.load().request().path();
        new PageHead(new Head(
                        "bench · " + r.target(), List.of(), badge(), tone(), headline, bigs(), List.of(), List.of()))
                .write(html);
        html.open("main");
        Causes.of(r)
                .ifPresent(c -> html.section(
                        "why",
                        "Why",
                        s -> HtmlBlocks.reason(
                                s,
                                new Block.Reason(
                                        c.brief().title(),
                                        "",
                                        List.of(),
                                        c.brief().sentences(),
                                        0,
                                        List.of(),
                                        c.brief().refutedBy()))));
        plots(html);
        HtmlWrongAnswers.write(html, WrongAnswerWords.of(m));
        FlameGraphs.of(r.evidence().profiles()).write(html);
        watch.write(html);
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
        return r.verdict().valid();
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        list.add(new Big(
                "Throughput", NumberText.rate(m.throughput()), NumberText.count(m.responses()) + " valid responses"));
        if (r.open()) {
            list.add(new Big(
                    r.load().scenario().isPresent() ? "Iterations offered" : "Offered",
                    NumberText.rate(m.offeredPerSecond()),
                    Wording.lost(m).orElse("no backlog at the end")));
        }
        if (m.latency().count() > 0) {
            list.add(new Big("p50", NumberText.latency(m.latency().p50()), service(LatencySummary::p50)));
            list.add(new Big("p99", NumberText.latency(m.latency().p99()), service(LatencySummary::p99)));
        }
        list.add(new Big("Failed", NumberText.count(m.failed()), failed()));
        r.verdict().reasons().stream()
                .filter(x -> !x.passing())
                .map(Verdict.Reason::rule)
                .findFirst()
                .ifPresent(rule -> list.add(new Big("Void", rule, "see below")));
        return list;
    }

    /** Of what kinds, and the share of all requests that failed or were lost: that of a server that hangs is in no count. */
    private String failed() {
        String kinds = Wording.errors(m.errors());
        String all = m.lost() > 0 ? NumberText.share(m.errorShare()) + " with those lost" : "";
        return kinds + (kinds.isEmpty() || all.isEmpty() ? "" : "; ") + all;
    }

    private String service(ToLongFunction<LatencySummary> figure) {
        LatencySummary s = m.detail().service();
        return r.open() && s.count() > 0 ? "service time " + NumberText.latency(figure.applyAsLong(s)) : "";
    }

    private Table percentiles() {
        return MeasuredTables.percentiles(
                "from",
                Stream.concat(
                                latency.map(h -> new Latency(latencyName(), h)).stream(),
                                service.map(h -> new Latency(SERVICE, h)).stream())
                        .toList());
    }

    private Table timeline() {
        return MeasuredTables.overTime("", List.of(new Course("throughput", Optional.empty(), m, true)));
    }
}
