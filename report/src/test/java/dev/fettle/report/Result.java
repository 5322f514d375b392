package dev.fettle.report;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.Auditor;
import dev.fettle.insight.judge.Judge;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.imports.Published;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.audit.AuditDocument;
import dev.fettle.report.audit.AuditJson;
import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.JudgeDocument;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.history.HistoryDocument;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.CapacityJson;
import dev.fettle.report.json.HistoryJson;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.json.JudgeJson;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.text.Runs;
import dev.fettle.report.text.TextReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A result of each kind of document, in each form.
 *
 * @param page empty: there is none of this kind
 */
record Result(String name, Document document, String text, String markdown, String page, String json) {
    private static final Timeline SEEN = Timeline.of(
            0,
            1000,
            Map.of(
                    "cpu.total",
                    Series.of(1, 3, 2),
                    "heap.used",
                    Series.of(1 << 20, 3 << 20, 2 << 20),
                    "host.busy",
                    Series.of(0.25, 0.5, 0.125),
                    "pool.orders.active",
                    Series.of(3, 3, 10)),
            Map.of("swap.used", "the kernel does not report it"),
            List.of(new Sighting("peer.closeWait", "10.0.0.5:5432", 40)));

    private static final List<Result> ALL = make();

    @Override
    public String toString() {
        return name;
    }

    static Stream<Result> all() {
        return ALL.stream();
    }

    private static Result of(String name, Document d, String page, String json) {
        return new Result(name, d, new TextReport(500, false).document(d), MarkdownReport.of(d), page, json);
    }

    private static List<Result> make() {
        var html = new HtmlReport();
        var all = new ArrayList<Result>();
        Runs.all().forEach((name, r) -> all.add(of(name, RunDocument.of(r), html.render(r), new JsonReport().run(r))));
        Benches.all()
                .forEach((name, r) ->
                        all.add(of("bench " + name, BenchDocument.of(r), html.render(r), new JsonReport().bench(r))));
        Capacities.all()
                .forEach((name, r) -> all.add(
                        of("capacity " + name, CapacityDocument.of(r), html.render(r), new CapacityJson().text(r))));
        HistoryReport history = Histories.found();
        all.add(of("history", HistoryDocument.of(history), html.render(history), HistoryJson.of(history)));
        var found = (DiagnoseConclusion) Runs.all().get("diagnose").conclusion().orElseThrow();
        all.add(watch("watch", new WatchReport("process 7", List.of("3 seconds"), SEEN)));
        all.add(watch(
                "observed", new WatchReport("process 7", List.of("3 seconds"), SEEN, List.of(), Optional.of(found))));
        var judged = List.of(
                Judge.of(Published.of("ab", "impossible")
                        .with(Published.Figure.CLIENTS, 5)
                        .with(Published.Figure.THROUGHPUT, 10_000)
                        .with(Published.Figure.MEAN, 0.1)),
                Judge.of(Published.of("ab", "few").with(Published.Figure.CLIENTS, 5)));
        all.add(of("judge", JudgeDocument.of(judged), "", JudgeJson.of(judged)));
        Audit audit = audit();
        all.add(of("audit", AuditDocument.of(audit, true, Severity.NOTE), "", AuditJson.of(audit)));
        return all;
    }

    private static Audit audit() {
        var releases = new TreeMap<String, Release>();
        Map.of("kernel", "6.18", "jdk", "25", "tomcat", "11", "jetty", "12.1", "spring", "4.1")
                .forEach((what, release) -> releases.put(what, Release.of(release)));
        var found = Stream.of("-XX:UseConcMarkSweepGC=true", "-Xss=128k", "-XX:PermSize=256m", "-Xmx=1g")
                .map(f -> f.split("="))
                .map(f -> new FoundSetting(SettingKind.JVM, f[0], f[1], new FoundSetting.Place("a.sh", 3), "s"))
                .toList();
        return new Auditor(AuditRules.all(), new AuditContext(releases, Map.of()), List.of())
                .audit(found, List.of("b.sh: not read"));
    }

    private static Result watch(String name, WatchReport r) {
        return of(
                name,
                WatchDocument.of(r),
                new HtmlReport().render(r),
                r.diagnosis()
                        .map(d -> JsonReport.observed(r.about(), Instant.EPOCH, 3, d))
                        .orElseGet(() -> JsonReport.look(r.about(), r.timeline())));
    }
}
