package dev.fettle.report.text;

import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.document.CapacityDocument;
import java.util.Locale;

/** A capacity search and the effect of a spike, for a terminal. Every text ends with a line feed. */
public final class CapacityText {
    private final TextReport text;

    /** See {@link TextReport#TextReport}. */
    public CapacityText(int width, boolean colour) {
        this.text = new TextReport(width, colour);
    }

    /** The whole run: what was run, the answer, and its basis. */
    public String report(CapacityReport r) {
        return "\n" + text.document(CapacityDocument.of(r));
    }

    /** One probe, as it ends. */
    public String line(int ordinal, Judged j) {
        Probe p = j.probe();
        return text.styled(TerminalStyle.DIM, String.format(Locale.ROOT, "%3d  ", ordinal))
                + String.format(
                        Locale.ROOT,
                        "%9s  p50 %7s  p99 %7s  errors %-7s  ",
                        NumberText.rate(p.rate()),
                        NumberText.latency(p.latency().known(LatencySummary::p50)),
                        NumberText.latency(p.latency().known(LatencySummary::p99)),
                        NumberText.share(p.errorShare()))
                + text.styled(style(j.verdict()), ProbeWording.verdict(j.verdict()));
    }

    private static TerminalStyle style(ProbeVerdict v) {
        return switch (v.result()) {
            case MET -> TerminalStyle.GOOD;
            case BROKEN -> TerminalStyle.BAD;
            case VOID, DISTURBED -> TerminalStyle.WARN;
        };
    }
}
