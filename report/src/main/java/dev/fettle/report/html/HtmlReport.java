package dev.fettle.report.html;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.BenchReport;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.JsonFields;
import dev.fettle.report.Markup;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.TrialTables;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One self-contained HTML file: text, figures, plots, style and scripts. It loads nothing, which its Content-Security-Policy
 * enforces; scripts are allowed by hash. The same run gives the same bytes.
 */
public final class HtmlReport {
    private static final String PLOTS = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.min.js";
    private static final String ROOM = "/dev/fettle/report/";
    private static final List<String> SCRIPTS =
            List.of("axes.js", "charts.js", "time.js", "watch.js", "capacity.js", "flame.js", "page.js");

    private final String style;
    private final List<String> scripts;
    private final ObjectWriter json = Json.mapper().writer(SerializationFeature.INDENT_OUTPUT);

    /**
     * Reads the style sheet and the scripts from the class path.
     *
     * @throws UncheckedIOException if they are missing: a broken installation
     */
    public HtmlReport() {
        this(List.of());
    }

    /** With extra scripts, run first; for tests that inspect the page from inside. */
    HtmlReport(List<String> probes) {
        style = resource(ROOM + "report.css") + resource(ROOM + "flame.css");
        var all = new ArrayList<>(probes);
        all.add(resource(PLOTS));
        SCRIPTS.forEach(s -> all.add(resource(ROOM + s)));
        scripts = all.stream().map(HtmlReport::scriptSafe).toList();
    }

    /** A run of any kind, finished or not, as an HTML document in UTF-8. */
    public String render(RunReport run) {
        if (CapacityReport.is(run)) {
            return render(CapacityReport.of(run), watched(run));
        }
        var data = ChartData.of(run);
        FlameGraphs.of(run).data(data);
        var watch = watched(run);
        Document document = RunDocument.of(run);
        var blocks = new HtmlBlocks(document, watch);
        if (!watch.isEmpty()) {
            data.put("watch", watch.data());
        }
        return page(
                "Fettle: " + run.kind() + " " + run.plan().name(),
                "Fettle " + run.environment().fettleVersion() + " · ",
                data.line(),
                html -> body(html, run, document.head(), blocks, data, watch));
    }

    /** A bench as an HTML document in UTF-8. */
    public String render(BenchReport bench) {
        var page = new HtmlBench(bench);
        return page(page.title(), "", page.data().line(), page::write);
    }

    /**
     * A recording of a watch as an HTML document in UTF-8.
     *
     * @param about what was watched
     * @param meta when, and for how long
     */
    public String render(String about, List<String> meta, Timeline timeline) {
        return render(about, meta, timeline, List.of());
    }

    /** The same, with profiles recorded meanwhile. */
    public String render(String about, List<String> meta, Timeline timeline, List<Profile> profiles) {
        var watch = new HtmlWatch(List.of(new HtmlWatch.Watched(about, timeline)));
        var data = new JsonFields();
        if (!watch.isEmpty()) {
            data.put("watch", watch.data());
        }
        var flames = FlameGraphs.of(profiles);
        flames.data(data);
        return page("Fettle: watch of " + about, "", data.line(), html -> {
            new PageHead(new Head("watch", List.of(), "Recorded", "", about, List.of(), meta, List.of())).write(html);
            html.open("main");
            watch.write(html);
            flames.write(html);
            html.close();
        });
    }

    /** A capacity search, finished or not, as an HTML document in UTF-8. */
    public String render(CapacityReport capacity) {
        return render(capacity, new HtmlWatch(List.of()));
    }

    private String render(CapacityReport capacity, HtmlWatch watch) {
        JsonFields data = CapacityCharts.of(capacity);
        if (!watch.isEmpty()) {
            data.put("watch", watch.data());
        }
        var page = new HtmlCapacity(capacity, watch);
        return page(page.title(), "Fettle " + capacity.environment().fettleVersion() + " · ", data.line(), page::write);
    }

    private void body(Html html, RunReport run, Head head, HtmlBlocks blocks, JsonFields data, HtmlWatch watch) {
        boolean diagnosis =
                run.conclusion().filter(DiagnoseConclusion.class::isInstance).isPresent();
        new PageHead(head).write(html);
        html.open("main");
        blocks.write(html);
        if (diagnosis) { // where the CPU time went is part of the finding
            FlameGraphs.of(run).write(html);
        }
        new HtmlTrials(run, new TrialTables(run), data, watch).write(html);
        if (!diagnosis) {
            FlameGraphs.of(run).write(html);
        }
        new HtmlHooks(run).write(html);
        new HtmlSetup(run).write(html);
        plan(html, run);
        html.close();
    }

    /** The trials that the page shows first come first; for a diagnosis, the one that it is about. */
    private static HtmlWatch watched(RunReport run) {
        var shown = Timelines.shown(run);
        boolean diagnosis = run.outcomes().stream().anyMatch(o -> o.spec().phase() == Phase.DIAGNOSE);
        return new HtmlWatch(Stream.of(true, false)
                .flatMap(first -> run.outcomes().stream()
                        .filter(o -> (diagnosis ? o.spec().phase() == Phase.DIAGNOSE : shown.contains(o.ordinal()))
                                == first))
                .flatMap(o ->
                        o.evidence().stream().map(e -> new HtmlWatch.Watched(Timelines.name(run, o), e.timeline())))
                .toList());
    }

    private String page(String title, String foot, String data, Consumer<Html> body) {
        var html = new Html().trusted("<!doctype html>\n");
        html.open("html", "lang", "en");
        head(html, title);
        html.open("body");
        body.accept(html);
        html.in(
                "footer",
                f -> f.text(
                        foot + "This file is complete: it loads nothing. · Plots: Apache ECharts 5.3.1, Apache-2.0"));
        html.trusted("\n<script type=\"application/json\" id=\"data\">" + Markup.scriptJson(data) + "</script>\n");
        scripts.forEach(s -> html.trusted("<script>" + s + "</script>\n"));
        return html.close().close().toString() + "\n";
    }

    private void head(Html html, String title) {
        html.open("head");
        html.empty("meta", "charset", "utf-8");
        html.empty("meta", "http-equiv", "Content-Security-Policy", "content", policy());
        html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.empty("meta", "name", "color-scheme", "content", "light dark");
        html.empty("meta", "name", "referrer", "content", "no-referrer");
        html.el("title", title);
        html.trusted("<style>" + style + "</style>");
        html.close();
    }

    /** Allows only what is in the file. Style attributes are allowed because the plots' tooltips use them. */
    private String policy() {
        var hashes = scripts.stream().map(s -> "'sha256-" + sha256(s) + "'").toList();
        return "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src "
                + String.join(" ", hashes) + "; style-src-elem 'sha256-" + sha256(style)
                + "'; style-src-attr 'unsafe-inline'";
    }

    private void plan(Html html, RunReport run) {
        html.section("plan", "The plan", s -> {
            if (!run.plan().about().isBlank()) {
                s.el("p", run.plan().about());
            }
            if (!run.plan().own().isEmpty()) {
                s.el("p", "Knobs of the application's own:");
                s.facts(run.plan().own().stream()
                        .map(k -> new String[] {k.name(), k.described()})
                        .toList());
            }
            s.in(
                    "details",
                    d -> d.el("summary", "Everything that was asked for, as JSON")
                            .in("pre", pre -> pre.verbatim(planJson(run))));
        });
    }

    private String planJson(RunReport run) {
        try {
            return json.writeValueAsString(run.plan());
        } catch (JsonProcessingException e) {
            // every record of the model has a JSON form
            throw new IllegalStateException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is not on the class path");
            }
            // an HTML parser turns CR LF into LF before the hash is computed
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\r\n", "\n")
                    .replace('\r', '\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Escapes what could end the script element or begin a comment; both occur only inside strings. */
    private static String scriptSafe(String script) {
        return script.replaceAll("(?i)</(script)", "<\\\\/$1").replace("<!--", "<\\!--");
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            // every Java platform has SHA-256
            throw new IllegalStateException(e);
        }
    }
}
