package dev.fettle.report.json;

import dev.fettle.insight.history.Course;
import dev.fettle.insight.history.Course.Change;
import dev.fettle.insight.history.Levels;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.RunSeries;
import dev.fettle.report.JsonFields;
import dev.fettle.report.history.HistoryReport;

/** What many runs show over time, for programs; its schema is {@code history.schema.json}. */
public final class HistoryJson {
    /** Value of {@code schema} in the document. */
    public static final String SCHEMA = "fettle.history/1";

    private HistoryJson() {}

    /** The whole history; {@code since} leaves out nothing here but the judgement. */
    public static String of(HistoryReport r) {
        Levels l = r.history().levels();
        return new JsonFields()
                        .put("schema", SCHEMA)
                        .put("standing", r.standing(), "since", r.since())
                        .put(
                                "search",
                                new JsonFields()
                                        .put("window", l.window(), "leastRuns", l.least())
                                        .put("level", l.strict(), "candidateLevel", l.weak())
                                        .put("leastChange", r.history().least()))
                        .each("series", r.history().series(), HistoryJson::series)
                        .put("leftOut", r.others(), "foundTwice", r.twice(), "notRead", r.unread())
                        .document()
                + "\n";
    }

    private static JsonFields series(RunSeries s) {
        return new JsonFields()
                .put("conditions", s.conditions())
                .each("runs", s.runs(), HistoryJson::run)
                .each("metrics", s.courses(), c -> course(s, c));
    }

    private static JsonFields run(PastRun r) {
        return new JsonFields()
                .put("id", r.id(), "place", r.place(), "started", r.started())
                .unlessBlank("commit", r.commit())
                .unlessBlank("reference", r.reference())
                .put("verdict", r.verdict(), "void", r.unused());
    }

    private static JsonFields course(RunSeries s, Course c) {
        return new JsonFields()
                .put("metric", c.metric().id(), "now", c.now())
                .each(
                        "points",
                        c.points(),
                        p -> new JsonFields()
                                .put("run", s.runs().indexOf(p.run()))
                                .put("figure", p.figure(), "measured", p.measured()))
                .each("changes", c.changes(), x -> change(s, c, x))
                .put(
                        "drift",
                        c.drift()
                                .map(d -> new JsonFields()
                                        .put("least", d.least(), "most", d.most())
                                        .put("references", d.programs(), "runs", d.runs())));
    }

    private static JsonFields change(RunSeries s, Course c, Change x) {
        return new JsonFields()
                .put("run", s.runs().indexOf(c.points().get(x.at()).run()))
                .put(
                        "firstPossibleRun",
                        s.runs().indexOf(c.points().get(x.from()).run()))
                .put("lastPossibleRun", s.runs().indexOf(c.points().get(x.to()).run()))
                .put(
                        "seenWithRun",
                        s.runs().indexOf(c.points().get(x.seen() - 1).run()))
                .put("loss", x.loss(), "p", x.p(), "change", x.size(c.metric()))
                .put("before", x.before(), "after", x.after())
                .put("alsoNew", x.besides());
    }
}
