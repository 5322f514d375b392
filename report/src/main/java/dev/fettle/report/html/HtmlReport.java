package dev.fettle.report.html;

import dev.fettle.model.text.Sha256;
import dev.fettle.report.BenchReport;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.Environment;
import dev.fettle.report.JsonFields;
import dev.fettle.report.Markup;
import dev.fettle.report.RunReport;
import dev.fettle.report.UnderWay;
import dev.fettle.report.WatchReport;
import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.FlameGraphs;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.RunSections;
import dev.fettle.report.document.Tone;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One self-contained HTML file: text, figures, plots, style and scripts. It loads nothing, which its Content-Security-Policy
 * enforces; scripts are allowed by hash. The same run gives the same bytes.
 */
public final class HtmlReport {
    private static final String PLOTS = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.min.js";
    private static final String LATENCY = "latency";
    private static final String ROOM = "/dev/fettle/report/";
    private static final List<String> SCRIPTS =
            List.of("axes.js", "charts.js", "time.js", "watch.js", "capacity.js", "history.js", "flame.js", "page.js");

    private static final String UNDER_WAY = "now";

    private final Resources whole;
    private @Nullable Resources live;

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
        String style = resource(ROOM + "report.css") + resource(ROOM + "flame.css");
        var all = new ArrayList<>(probes);
        all.add(resource(PLOTS));
        SCRIPTS.forEach(s -> all.add(resource(ROOM + s)));
        whole = Resources.of(style, all, "");
    }

    /** What a live page has more; few pages are live ones. */
    private synchronized Resources live() {
        if (live == null) {
            var all = new ArrayList<>(whole.scripts());
            all.add(resource(ROOM + "live.js"));
            live = Resources.of(whole.style() + resource(ROOM + "live.css"), all, " connect-src 'self';");
        }
        return live;
    }

    /** Style and scripts of a page, and the policy that allows them alone. */
    private record Resources(String style, List<String> scripts, String policy) {
        static Resources of(String style, List<String> all, String more) {
            List<String> scripts = all.stream().map(HtmlReport::scriptSafe).toList();
            var hashes = scripts.stream().map(s -> "'sha256-" + sha256(s) + "'").toList();
            // style attributes are allowed because the plots' tooltips use them
            return new Resources(
                    style,
                    scripts,
                    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:;" + more + " script-src "
                            + String.join(" ", hashes) + "; style-src-elem 'sha256-" + sha256(style)
                            + "'; style-src-attr 'unsafe-inline'");
        }
    }

    /** A run of any kind, finished or not, as an HTML document in UTF-8. */
    public String render(RunReport run) {
        return render(page(run, List.of()));
    }

    /**
     * The same with more at its end.
     *
     * @param more for example links to other runs
     */
    public String render(RunReport run, List<Block> more) {
        return render(page(run, more));
    }

    /** A document without plots, as an HTML document in UTF-8. */
    public String render(String title, Document document) {
        return render(page(title, "", new JsonFields(), document, List.of(), new Watches(List.of())));
    }

    /** A bench as an HTML document in UTF-8. */
    public String render(BenchReport bench) {
        return render(page(bench));
    }

    /** A watch, or a recording of one, as an HTML document in UTF-8. */
    public String render(WatchReport r) {
        return render(page(r));
    }

    /** Many runs over time, as an HTML document in UTF-8. */
    public String render(HistoryReport r) {
        return render(
                page("history", "", HistoryCharts.of(r), HistoryDocument.of(r), List.of(), new Watches(List.of())));
    }

    /** A capacity search, finished or not, as an HTML document in UTF-8. */
    public String render(CapacityReport capacity) {
        return render(page(capacity, new Watches(List.of()), List.of()));
    }

    /** The page of a run of any kind, finished or not. */
    public HtmlPage page(RunReport run) {
        return page(run, List.of());
    }

    /**
     * The page of a run that goes on.
     *
     * @param run its conclusion is what would be concluded if nothing more came
     * @param now the trial that is under way
     */
    public HtmlPage soFar(RunReport run, Optional<UnderWay> now) {
        var watched = now.map(u -> new Watches.Watched(u.name(), u.timeline()));
        boolean diagnosed = run.conclusion().isPresent() && run.kind().equals("diagnose"); // its plots are of its trial
        Watches watch = RunSections.watched(
                run, diagnosed ? Optional.empty() : watched, diagnosed ? watched : Optional.empty());
        boolean capacity = CapacityReport.is(run);
        JsonFields data = capacity ? CapacityCharts.of(CapacityReport.of(run)) : ChartData.of(run);
        if (!capacity) {
            FlameGraphs.of(run).data(data);
        }
        var blocks = new ArrayList<Block>();
        now.ifPresent(u -> blocks.add(underWay(u))); // its heading alone while it is being launched
        Document document = RunDocument.soFar(run);
        Stream.concat(
                        document.blocks().stream(),
                        (capacity ? RunSections.of(CapacityReport.of(run), watch) : RunSections.of(run, watch))
                                .stream())
                .forEach(blocks::add);
        return page(
                run.kind() + " " + run.plan().name(),
                version(run.environment()),
                data,
                document.with(overTimeFirst(blocks)),
                List.of(),
                watch);
    }

    private static Document first(Document open) {
        return open.with(overTimeFirst(open.blocks()));
    }

    private static Block underWay(UnderWay now) {
        var all = new ArrayList<Block>();
        now.voiding()
                .forEach(why ->
                        all.add(new Block.Paragraph("This trial will be void if it goes on so: " + why, Tone.BAD)));
        if (all.isEmpty() && !now.timeline().isEmpty()) {
            all.add(new Block.Paragraph("Nothing that would void it so far.", Tone.GOOD));
        }
        return new Block.Section(UNDER_WAY, "Now: trial " + now.ordinal() + ", " + now.purpose(), all);
    }

    /** What happens now, and over time, comes first while it goes on. */
    private static List<Block> overTimeFirst(List<Block> blocks) {
        List<Block> all = Block.drawn(blocks, Medium.PAGE, true);
        return Stream.of(true, false)
                .flatMap(first -> all.stream().filter(b -> isOverTime(b) == first))
                .toList();
    }

    private static boolean isOverTime(Block b) {
        return b instanceof Block.Section s
                && Set.of(UNDER_WAY, Watches.SECTION).contains(s.id());
    }

    private HtmlPage page(RunReport run, List<Block> more) {
        Watches watch = RunSections.watched(run);
        if (CapacityReport.is(run)) {
            return page(CapacityReport.of(run), watch, more);
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

    /** The page of a bench. */
    public HtmlPage page(BenchReport bench) {
        return page(bench, BenchDocument.of(bench));
    }

    /** The page of a bench that goes on. */
    public HtmlPage soFar(BenchReport bench) {
        return page(bench, first(BenchDocument.of(bench).soFar(RunDocument.NOT_FINAL)));
    }

    private static HtmlPage page(BenchReport bench, Document document) {
        var watch = new Watches(
                List.of(new Watches.Watched("bench", bench.evidence().timeline())));
        JsonFields data = ChartData.of(bench);
        FlameGraphs.of(bench.evidence().profiles()).data(data);
        return page("bench " + bench.target(), "", data, document, List.of(), watch);
    }

    /** The page of a watch. */
    public HtmlPage page(WatchReport r) {
        return page(r, WatchDocument.of(r));
    }

    /** The page of a watch that goes on. */
    public HtmlPage soFar(WatchReport r) {
        return page(r, first(WatchDocument.of(r).soFar(RunDocument.NOT_FINAL)));
    }

    private static HtmlPage page(WatchReport r, Document document) {
        var data = new JsonFields();
        FlameGraphs.of(r.profiles()).data(data);
        return page(
                (r.diagnosis().isPresent() ? "diagnose " : "watch of ") + r.about(),
                "",
                data,
                document,
                List.of(),
                WatchDocument.watches(r));
    }

    private HtmlPage page(CapacityReport r, Watches watch, List<Block> more) {
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

    private static String version(Environment e) {
        return "Fettle " + e.fettleVersion() + " · ";
    }

    /**
     * A document, and what follows it on a page.
     *
     * @param foot what the last line begins with
     * @param data of the plots, to which that of what was watched is added
     */
    private static HtmlPage page(
            String title, String foot, JsonFields data, Document document, List<Block> more, Watches watch) {
        var blocks = new HtmlBlocks(firstScreen(document.blocks(), more), watch);
        if (!watch.isEmpty()) {
            data.put("watch", watch.data());
        }
        var top = new PageHead(document.head());
        var header = new Html();
        top.write(header);
        var parts = new ArrayList<>(blocks.each());
        if (top.isFolded()) {
            var notes = new Html();
            top.notes(notes);
            parts.add(Math.min(1, parts.size()), notes.toString());
        }
        return new HtmlPage("Fettle: " + title, foot, header.toString(), parts, data.line());
    }

    /** All blocks, with the proof and the latency next to each other at the top where there are both. */
    private static List<Block> firstScreen(List<Block> blocks, List<Block> more) {
        Optional<Block> latency = more.stream()
                .filter(b -> b instanceof Block.Section s && s.id().equals(LATENCY))
                .findFirst();
        if (latency.isEmpty() || blocks.isEmpty() || !(blocks.getFirst() instanceof Block.Section s) || !hasPlot(s)) {
            return both(blocks, more);
        }
        var all = new ArrayList<Block>();
        all.add(new Block.Abreast("firsts", List.of(s, latency.get())));
        all.addAll(blocks.subList(1, blocks.size()));
        more.stream().filter(b -> b != latency.get()).forEach(all::add);
        return all;
    }

    private static boolean hasPlot(Block.Section section) {
        return section.blocks().stream().anyMatch(Block.Plot.class::isInstance);
    }

    /** A page as a document that stands alone. */
    public String render(HtmlPage page) {
        return written(page, whole, "", "This file is complete: it loads nothing.");
    }

    /**
     * A page that goes on: its script follows the changes of its parts.
     *
     * @param state how far it is
     * @param secret what a button's request has to bring; empty for a reader without buttons
     */
    public String live(HtmlPage page, LiveState state, String secret) {
        // each part has a place of its own, whatever is in it
        var placed = page.main().stream()
                .map(part -> new Html().in("div", "part", p -> p.trusted(part)).toString())
                .toList();
        return written(
                new HtmlPage(page.title(), page.foot(), page.header(), placed, page.data()),
                live(),
                state.bar(secret),
                "");
    }

    private static String written(HtmlPage page, Resources with, String bar, String foot) {
        var html = new Html().trusted("<!doctype html>\n");
        html.open("html", "lang", "en");
        head(html, page.title(), with);
        html.open("body");
        html.trusted(bar);
        html.trusted(page.header());
        html.in("main", m -> page.main().forEach(m::trusted));
        html.in(
                "footer",
                f -> f.text(page.foot() + foot + (foot.isEmpty() ? "" : " · ")
                        + "Plots: Apache ECharts 5.3.1, Apache-2.0"));
        html.trusted(
                "\n<script type=\"application/json\" id=\"data\">" + Markup.scriptJson(page.data()) + "</script>\n");
        with.scripts().forEach(s -> html.trusted("<script>" + s + "</script>\n"));
        return html.close().close().toString() + "\n";
    }

    private static void head(Html html, String title, Resources with) {
        html.open("head");
        html.empty("meta", "charset", "utf-8");
        html.empty("meta", "http-equiv", "Content-Security-Policy", "content", with.policy());
        html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.empty("meta", "name", "color-scheme", "content", "light dark");
        html.empty("meta", "name", "referrer", "content", "no-referrer");
        html.el("title", title);
        html.trusted("<style>" + with.style() + "</style>");
        html.close();
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
