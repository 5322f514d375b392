package dev.fettle.report.html;

import dev.fettle.model.text.Sha256;
import dev.fettle.report.BenchReport;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.Environment;
import dev.fettle.report.JsonFields;
import dev.fettle.report.Markup;
import dev.fettle.report.RunReport;
import dev.fettle.report.WatchReport;
import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.FlameGraphs;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.RunSections;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.document.Watches;
import dev.fettle.report.history.HistoryDocument;
import dev.fettle.report.history.HistoryReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * One self-contained HTML file: text, figures, plots, style and scripts. It loads nothing, which its Content-Security-Policy
 * enforces; scripts are allowed by hash. The same run gives the same bytes.
 */
public final class HtmlReport {
    private static final String PLOTS = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.min.js";
    private static final String ROOM = "/dev/fettle/report/";
    private static final List<String> SCRIPTS =
            List.of("axes.js", "charts.js", "time.js", "watch.js", "capacity.js", "history.js", "flame.js", "page.js");

    private final String style;
    private final List<String> scripts;

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
        return render(run, List.of());
    }

    /**
     * The same with more at its end.
     *
     * @param more for example links to other runs
     */
    public String render(RunReport run, List<Block> more) {
        Watches watch = RunSections.watched(run);
        if (CapacityReport.is(run)) {
            return render(CapacityReport.of(run), watch, more);
        }
        var data = ChartData.of(run);
        FlameGraphs.of(run).data(data);
        return page(
                run.kind() + " " + run.plan().name(),
                version(run.environment()),
                data,
                RunDocument.of(run),
                both(RunSections.of(run, watch), more),
                watch);
    }

    /** A bench as an HTML document in UTF-8. */
    public String render(BenchReport bench) {
        var watch = new Watches(
                List.of(new Watches.Watched("bench", bench.evidence().timeline())));
        JsonFields data = ChartData.of(bench);
        FlameGraphs.of(bench.evidence().profiles()).data(data);
        return page("bench " + bench.target(), "", data, BenchDocument.of(bench), List.of(), watch);
    }

    /** A watch, or a recording of one, as an HTML document in UTF-8. */
    public String render(WatchReport r) {
        var data = new JsonFields();
        FlameGraphs.of(r.profiles()).data(data);
        return page(
                (r.diagnosis().isPresent() ? "diagnose " : "watch of ") + r.about(),
                "",
                data,
                WatchDocument.of(r),
                List.of(),
                WatchDocument.watches(r));
    }

    /** Many runs over time, as an HTML document in UTF-8. */
    public String render(HistoryReport r) {
        return page("history", "", HistoryCharts.of(r), HistoryDocument.of(r), List.of(), new Watches(List.of()));
    }

    /** A capacity search, finished or not, as an HTML document in UTF-8. */
    public String render(CapacityReport capacity) {
        return render(capacity, new Watches(List.of()), List.of());
    }

    private String render(CapacityReport r, Watches watch, List<Block> more) {
        return page(
                "capacity of " + r.target(),
                version(r.environment()),
                CapacityCharts.of(r),
                CapacityDocument.of(r),
                both(RunSections.of(r, watch), more),
                watch);
    }

    private static List<Block> both(List<Block> first, List<Block> more) {
        return Stream.concat(first.stream(), more.stream()).toList();
    }

    /** A document without plots, as an HTML document in UTF-8. */
    public String render(String title, Document document) {
        return page(title, "", new JsonFields(), document, List.of(), new Watches(List.of()));
    }

    private static String version(Environment e) {
        return "Fettle " + e.fettleVersion() + " · ";
    }

    /**
     * A document, and what follows it on a page.
     *
     * @param foot what the last line begins with
     * @param data of the plots, to which that of what was watched is added
     */
    private String page(
            String title, String foot, JsonFields data, Document document, List<Block> more, Watches watch) {
        var blocks = new HtmlBlocks(
                Stream.concat(document.blocks().stream(), more.stream()).toList(), watch);
        if (!watch.isEmpty()) {
            data.put("watch", watch.data());
        }
        var html = new Html().trusted("<!doctype html>\n");
        html.open("html", "lang", "en");
        head(html, "Fettle: " + title);
        html.open("body");
        new PageHead(document.head()).write(html);
        html.in("main", blocks::write);
        html.in(
                "footer",
                f -> f.text(
                        foot + "This file is complete: it loads nothing. · Plots: Apache ECharts 5.3.1, Apache-2.0"));
        html.trusted(
                "\n<script type=\"application/json\" id=\"data\">" + Markup.scriptJson(data.line()) + "</script>\n");
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
        return Base64.getEncoder().encodeToString(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
