package dev.fettle.report.html;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.report.JsonFields;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.SweepTables;

/** The sections of a sweep: curves, heat map, and the whole grid as a table. */
final class HtmlSweep {
    private final RunReport run;
    private final SweepConclusion found;
    private final ObjectiveColumn judged;
    private final JsonFields data;

    HtmlSweep(RunReport run, SweepConclusion found, JsonFields data) {
        this.run = run;
        this.found = found;
        this.judged = ObjectiveColumn.of(run);
        this.data = data;
    }

    void write(Html html) {
        var curves = KnobCurves.of(run, found);
        html.section("grid", "The grid", s -> {
            KnobPlots.write(s, data, curves);
            HeatMap.of(found, judged.metric()).write(s);
            s.table("Every cell", SweepTables.cells(run, found));
        });
    }
}
