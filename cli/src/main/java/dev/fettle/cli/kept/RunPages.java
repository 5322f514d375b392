package dev.fettle.cli.kept;

import dev.fettle.insight.history.History;
import dev.fettle.insight.history.Levels;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.TwoRuns;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.web.Answer;
import dev.fettle.lab.web.Request;
import dev.fettle.lab.web.Site;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Document;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.HistoryJson;
import dev.fettle.report.json.TwoRunsJson;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.runs.ListedRun;
import dev.fettle.report.runs.RunsDocument;
import dev.fettle.report.runs.TwoRunsDocument;
import dev.fettle.report.table.CsvReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The pages of kept runs: the list, a run's report, two next to each other, the runs of a plan over time. All are read when they are asked
 * for, and nothing is written. Addresses have keys, never paths.
 */
public final class RunPages implements Site {
    private static final Pattern ADDRESS = Pattern.compile(
            "^/(?:(run|plan)/([0-9a-f]{10})(\\.json|\\.md|\\.csv)?|two/([0-9a-f]{10})/([0-9a-f]{10})(\\.json|\\.md)?)?$");
    private static final int MOST_OF_A_PLAN = 300;
    private static final int MOST_NEXT_TO_IT = 100;
    private static final String HTML = "text/html; charset=utf-8";

    private final KeptRuns runs;
    private final String places;
    private final HtmlReport html = new HtmlReport();

    /** Of these folders and files, which must be there. */
    public RunPages(List<Path> places) {
        this.runs = new KeptRuns(places);
        this.places = places.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    @Override
    public Answer answer(Request request) {
        var address = ADDRESS.matcher(request.path());
        if (request.isPost() || !address.matches()) {
            return Answer.plain(404, "there is no such page; the list of runs is at the top of this place");
        }
        KeptRuns.All all = runs.all();
        try {
            if (address.group(1) != null) {
                Optional<KeptRuns.Entry> one = all.with(address.group(2));
                String kind = Optional.ofNullable(address.group(3)).orElse("");
                return one.isEmpty()
                        ? gone()
                        : address.group(1).equals("plan") ? plan(all, one.get(), kind) : run(all, one.get(), kind);
            }
            if (address.group(4) != null) {
                Optional<KeptRuns.Entry> one = all.with(address.group(4));
                Optional<KeptRuns.Entry> other = all.with(address.group(5));
                return one.isEmpty() || other.isEmpty()
                        ? gone()
                        : two(
                                one.get(),
                                other.get(),
                                Optional.ofNullable(address.group(6)).orElse(""));
            }
            return Answer.of(HTML, html.render("runs", list(all)));
        } catch (LabException | IllegalArgumentException e) {
            return Answer.plain(500, "cannot be shown: " + e.getMessage());
        }
    }

    private static Answer gone() {
        return Answer.plain(404, "there is no such run any more");
    }

    private Document list(KeptRuns.All all) {
        Map<ListedRun, KeptRuns.Entry> of = new IdentityHashMap<>();
        all.entries().forEach(e -> of.put(e.run(), e));
        Map<String, KeptRuns.Entry> before = before(all);
        return RunsDocument.of(
                places,
                all.entries().stream().map(KeptRuns.Entry::run).toList(),
                run -> links("", Objects.requireNonNull(of.get(run)), before),
                all.unread());
    }

    /** The run of the same plan and kind before each, by key. */
    private static Map<String, KeptRuns.Entry> before(KeptRuns.All all) {
        var before = new TreeMap<String, KeptRuns.Entry>();
        var last = new TreeMap<String, KeptRuns.Entry>();
        for (KeptRuns.Entry e : all.entries().reversed()) {
            if (e.run().state() == ListedRun.State.DONE) {
                KeptRuns.Entry was = last.put(e.run().kind() + "\n" + e.run().plan(), e);
                if (was != null) {
                    before.put(e.key(), was);
                }
            }
        }
        return before;
    }

    /** @param up from the page to the list: {@code ../} */
    private static RunsDocument.Links links(String up, KeptRuns.Entry e, Map<String, KeptRuns.Entry> before) {
        if (e.run().state() == ListedRun.State.UNREADABLE) {
            return RunsDocument.Links.NONE;
        }
        return new RunsDocument.Links(
                up + "run/" + e.key(),
                Optional.ofNullable(before.get(e.key()))
                        .map(b -> up + "two/" + b.key() + "/" + e.key())
                        .orElse(""),
                up + "plan/" + e.key());
    }

    private Answer run(KeptRuns.All all, KeptRuns.Entry entry, String kind) throws LabException {
        if (kind.equals(".json")) {
            return Answer.of("application/json", runs.json(entry));
        }
        if (!entry.isJournalled()) {
            return kind.isEmpty()
                    ? Answer.of(HTML, html.render(entry.run().id(), RunsDocument.of(entry.run(), nextTo(all, entry))))
                    : Answer.plain(404, "of a file there is its JSON alone");
        }
        RunReport report = runs.report(entry);
        return switch (kind) {
            case ".md" -> Answer.of("text/markdown; charset=utf-8", MarkdownReport.of(report));
            case ".csv" -> Answer.of("text/csv; charset=utf-8", CsvReport.of(report));
            default -> Answer.of(HTML, html.render(report, List.of(nextTo(all, entry))));
        };
    }

    /** Where else to go from a run. */
    private static Block nextTo(KeptRuns.All all, KeptRuns.Entry entry) {
        List<KeptRuns.Entry> others = all.like(entry).stream()
                .filter(e -> !e.key().equals(entry.key()))
                .limit(MOST_NEXT_TO_IT)
                .toList();
        Map<ListedRun, String> keys = new IdentityHashMap<>();
        others.forEach(e -> keys.put(e.run(), e.key()));
        return RunsDocument.nextTo(
                entry.run(),
                entry.isJournalled(),
                "../",
                entry.key(),
                others.stream().map(KeptRuns.Entry::run).toList(),
                other -> Objects.requireNonNull(keys.get(other)));
    }

    private Answer two(KeptRuns.Entry one, KeptRuns.Entry other, String kind) throws LabException {
        TwoRuns two = TwoRuns.of(runs.measured(one), runs.measured(other));
        Document document = TwoRunsDocument.of(two, one.run(), other.run());
        return switch (kind) {
            case ".json" -> Answer.of("application/json", TwoRunsJson.of(two));
            case ".md" -> Answer.of("text/markdown; charset=utf-8", MarkdownReport.of(document));
            default -> Answer.of(HTML, html.render("two runs", document));
        };
    }

    /** The runs of a plan over time: what changed, by the figures of its first setting or program. */
    private Answer plan(KeptRuns.All all, KeptRuns.Entry one, String kind) throws LabException {
        var past = new ArrayList<PastRun>();
        var unread = new ArrayList<String>();
        List<KeptRuns.Entry> like = all.like(one);
        for (KeptRuns.Entry e : like.stream().limit(MOST_OF_A_PLAN).toList()) {
            if (e.run().state() == ListedRun.State.DONE) {
                try {
                    past.add(runs.past(e));
                } catch (LabException x) {
                    unread.add(String.valueOf(x.getMessage()));
                }
            }
        }
        if (like.size() > MOST_OF_A_PLAN) {
            unread.add((like.size() - MOST_OF_A_PLAN) + " older runs: the newest " + MOST_OF_A_PLAN + " are shown");
        }
        var report = new HistoryReport(
                History.of(past, EnumSet.noneOf(GateMetric.class), Levels.usual(), History.usualLeast()),
                Optional.empty(),
                Map.of(),
                0,
                unread);
        return kind.equals(".json")
                ? Answer.of("application/json", HistoryJson.of(report))
                : Answer.of(HTML, html.render(report));
    }
}
