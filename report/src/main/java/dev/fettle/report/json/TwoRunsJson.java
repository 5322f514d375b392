package dev.fettle.report.json;

import dev.fettle.insight.history.TwoRuns;
import dev.fettle.insight.stats.Interval;
import dev.fettle.report.JsonFields;

/** Two runs held against each other, for programs. Figures are in the metric's unit: per second, nanoseconds, seconds, a share. */
public final class TwoRunsJson {
    /** Value of {@code schema} in the document. */
    public static final String SCHEMA = "fettle.two-runs/1";

    private TwoRunsJson() {}

    /** The document. */
    public static String of(TwoRuns two) {
        return new JsonFields()
                        .put("schema", SCHEMA, "comparable", two.refused().isEmpty())
                        .put("one", two.one().id(), "other", two.other().id())
                        .put("startedOne", two.one().started())
                        .put("startedOther", two.other().started())
                        .put("refused", two.refused())
                        .each("conditions", two.differing(), TwoRunsJson::differing)
                        .each("facts", two.facts(), TwoRunsJson::differing)
                        .each("figures", two.rows(), TwoRunsJson::row)
                        .document()
                + "\n";
    }

    private static JsonFields differing(TwoRuns.Differing d) {
        return new JsonFields().put("name", d.name(), "one", d.one()).put("other", d.other());
    }

    private static JsonFields row(TwoRuns.Row r) {
        Interval ratio = r.ratio();
        var fields = new JsonFields()
                .unlessBlank("of", r.arm())
                .put("metric", r.metric().id(), "one", r.one())
                .put("other", r.other())
                .put("trialsOne", r.trials(), "trialsOther", r.otherTrials())
                .known("ratio", ratio.estimate());
        return ratio.bounded()
                ? fields.put("low", ratio.low(), "high", ratio.high())
                        .put("level", ratio.level(), "differs", r.isApart())
                : fields;
    }
}
