package dev.fettle.report.text;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.NumberText;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.Wording;
import dev.fettle.report.document.CapacityTables;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A capacity search and the effect of a spike, for a terminal. Every text ends with a line feed. */
public final class CapacityText {
    private final TextReport text;

    /** See {@link TextReport#TextReport}. */
    public CapacityText(int width, boolean colour) {
        this.text = new TextReport(width, colour);
    }

    /** The whole run: what was run, the answer, and its basis. */
    public String report(CapacityReport r) {
        var out = new StringBuilder("\n");
        out.append(text.note("", "capacity of " + r.target() + " for " + r.slo(), TerminalStyle.HEAD));
        out.append(text.note(
                "",
                "run " + r.runId() + " · " + Wording.plural(r.probes().size(), "probe") + " · "
                        + NumberText.duration(r.took()),
                TerminalStyle.DIM));
        if (r.found().isEmpty()) {
            out.append('\n').append(text.paragraph("", r.headline()));
            if (!r.probes().isEmpty()) {
                out.append(probes(r));
            }
            return out.toString();
        }
        r.capacity().ifPresent(c -> out.append(capacity(c, r)));
        r.overload().ifPresent(o -> out.append(overload(o, r.iterations())));
        List<String> notes = r.found().get().notes();
        if (!notes.isEmpty()) {
            out.append('\n');
            notes.forEach(n -> out.append(text.paragraph("", n)));
        }
        return out.toString();
    }

    /** The answer, then its basis. */
    private String capacity(CapacityResult c, CapacityReport r) {
        var out = new StringBuilder("\n");
        out.append(text.note("", c.headline(), TerminalStyle.BOLD));
        c.limit().ifPresent(i -> out.append(text.paragraph("", ProbeWording.limit(i, r.longRun()))));
        if (!r.probes().isEmpty()) {
            out.append(probes(r));
        }
        out.append(notes(c.notes()));
        return out.toString();
    }

    private String probes(CapacityReport r) {
        return text.section("Probes, by rate") + text.table(CapacityTables.probesByRate(r));
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

    /**
     * The effect of a spike.
     *
     * @param iterations whether what is offered is iterations of several requests
     */
    private String overload(OverloadResult o, boolean iterations) {
        var out = new StringBuilder(text.section("Overload"));
        out.append(text.note("", o.headline(), TerminalStyle.BOLD));
        return out.append(text.table(CapacityTables.overload(o, iterations)))
                .append(notes(o.notes()))
                .toString();
    }

    private String notes(List<String> notes) {
        return notes.isEmpty()
                ? ""
                : notes.stream().map(text::item).collect(Collectors.joining("", text.section("Notes"), ""));
    }
}
