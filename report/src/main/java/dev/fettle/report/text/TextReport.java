package dev.fettle.report.text;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.Causes;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.document.Table;
import dev.fettle.report.recommend.ConfigSnippet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Results for a terminal. Every text ends with a line feed; no text contains control characters other than line feeds and, with
 * colour, the escape sequences of this class: a message printed by a target can't move the cursor.
 */
public final class TextReport {
    private static final int MOST_NOTES = 8;

    /** Notes on the first screen. */
    private static final int FIRST_NOTES = 2;

    /** How much of a result is printed. */
    public enum Detail {
        /** The answer, its proof, why, and what to paste: one screen for a tune. */
        ANSWER,
        /** Also all settings tried, what limits the winner, and every note. */
        ALL
    }

    /** Beginnings of notes that nobody has to act on; the page has them. */
    private static final List<String> ORDINARY = List.of("transport: ", "read less often");

    /** Figures that differ between notes that say the same. */
    private static final Pattern FIGURE = Pattern.compile("(?<![\\w.:])\\d++(?:[.,]\\d++)*+");

    private static final int MOST_OF_A_BODY = 120;
    private static final int LEAST_WIDTH = 40;
    /** Width from which a trial's line also shows the trial's phase. */
    private static final int ROOMY = 92;
    /** Columns of a trial's line that its figures and verdict need. */
    private static final int FIGURES_WIDTH = 56;

    private final int width;
    private final boolean colour;
    private final Detail detail;

    /**
     * Creates a report for a terminal, with all details.
     *
     * @param width columns; less than 40 counts as 40
     * @param colour whether to use ANSI colours
     */
    public TextReport(int width, boolean colour) {
        this(width, colour, Detail.ALL);
    }

    /** The same with as much detail as this. */
    public TextReport(int width, boolean colour, Detail detail) {
        this.width = Math.max(LEAST_WIDTH, width);
        this.colour = colour;
        this.detail = detail;
    }

    /**
     * One trial, as it ends: what was tried, throughput, latency and errors; for a void one also the reasons, on separate
     * lines.
     *
     * @param n number shown in front
     * @param hold knobs held in every trial of the plan, which are left out
     */
    public String trialLine(TrialOutcome outcome, int n, Setting hold) {
        String what = Wording.clean(Wording.trial(outcome.spec(), hold));
        String figures = outcome.measurement().map(TextReport::figures).orElse("");
        boolean roomy = width >= ROOMY;
        String head = String.format(Locale.ROOT, "%3d  ", n)
                + (roomy ? String.format(Locale.ROOT, "%-9s ", Wording.cut(Wording.phase(outcome.spec()), 9)) : "");
        int room = Math.max(12, Math.min(44, width - head.length() - FIGURES_WIDTH));
        String label = Wording.cut(what, room);
        var out = new StringBuilder();
        out.append(TerminalStyle.DIM.on(head, colour)).append(label).append(" ".repeat(room - Wording.length(label)));
        out.append(figures.isEmpty() ? "" : "  " + figures).append("  ");
        out.append((outcome.valid() || outcome.cameUp()
                        ? TerminalStyle.GOOD
                        : EarlyStopping.is(outcome) ? TerminalStyle.DIM : TerminalStyle.BAD)
                .on(Wording.verdict(outcome), colour));
        out.append('\n');
        if (!outcome.valid()) {
            var style = EarlyStopping.is(outcome) ? TerminalStyle.DIM : TerminalStyle.WARN;
            Wording.reasons(outcome).forEach(r -> out.append(note("     ", r, style)));
        }
        outcome.measurement().ifPresent(m -> {
            Wording.lost(m).ifPresent(lost -> out.append(note("     ", lost, TerminalStyle.DIM)));
            m.errorExamples()
                    .forEach((kind, example) ->
                            out.append(note("     ", kind.text() + ", first: " + example, TerminalStyle.DIM)));
            WrongAnswerWords.of(m).stream()
                    .findFirst()
                    .ifPresent(s -> out.append(note(
                            "     ",
                            "answered: " + WrongAnswerWords.title(s) + ": "
                                    + WrongAnswerWords.line(s.answer(), MOST_OF_A_BODY),
                            TerminalStyle.DIM)));
        });
        return out.toString();
    }

    private static String figures(Measurement m) {
        return String.format(
                Locale.ROOT,
                "%8s  p50 %7s  p99 %7s  errors %s",
                NumberText.rate(m.throughput()),
                NumberText.latency(m.latency().known(LatencySummary::p50)),
                NumberText.latency(m.latency().known(LatencySummary::p99)),
                NumberText.share(m.errorShare()));
    }

    /** The whole run: the answer, then its basis. */
    public String report(RunReport run) {
        if (CapacityReport.is(run)) {
            return new CapacityText(width, colour).report(CapacityReport.of(run));
        }
        var out = new StringBuilder();
        out.append(heading(run));
        if (run.conclusion().isEmpty()) {
            out.append(unfinished(run));
        } else {
            switch (run.conclusion().get()) {
                case TuneConclusion c -> {
                    var tune = new TuneText(this, run, c);
                    out.append(detail == Detail.ALL ? tune.render() : tune.answer());
                }
                case SweepConclusion c ->
                    out.append(new SweepText(this, run, c).render()).append(why(run));
                case CompareConclusion c ->
                    out.append(new CompareText(this, run, c).render()).append(why(run));
                case CapacityConclusion c -> out.append(paragraph("", c.headline()));
                case DiagnoseConclusion c -> out.append(new DiagnoseText(this, c).render());
            }
            List<String> notes = run.conclusion().get().notes();
            List<String> noted = noted(
                    run.outcomes().stream().flatMap(o -> o.evidence().stream()).flatMap(e -> e.notes().stream()));
            if (detail == Detail.ALL) {
                out.append(notes("Notes", notes)).append(notes("Noted during the trials", noted));
            } else {
                out.append(notes("Notes", notes.stream().limit(FIRST_NOTES).toList()));
                out.append(more(run, Math.max(0, notes.size() - FIRST_NOTES) + noted.size()));
            }
        }
        return out.toString();
    }

    /** Where the rest is. */
    private String more(RunReport run, int notes) {
        var rest = new ArrayList<String>();
        if (run.conclusion().get() instanceof TuneConclusion c
                && !c.candidates().isEmpty()) {
            rest.add("all " + Wording.plural(c.candidates().size(), "setting") + " tried");
        }
        if (notes > 0) {
            rest.add(Wording.plural(notes, "more note"));
        }
        return rest.isEmpty()
                ? ""
                : "\n"
                        + note(
                                "",
                                "With " + String.join(" and ", rest) + ": fettle show " + run.runId() + " --details",
                                TerminalStyle.DIM);
    }

    private String heading(RunReport run) {
        long voids = run.voids().size();
        int early = run.early().size();
        String trials = Wording.plural(run.outcomes().size(), "trial")
                + (voids == 0 ? "" : ", " + voids + " of them void")
                + (early == 0 ? "" : ", " + early + " ended early");
        var out = new StringBuilder();
        out.append(note("", run.kind() + " " + run.plan().name(), TerminalStyle.HEAD));
        out.append(note(
                "",
                "run " + run.runId() + " · " + run.plan().target().label() + " · " + trials + " · "
                        + NumberText.duration(run.took()),
                TerminalStyle.DIM));
        if (!run.plan().target().configured().isDefault()) {
            out.append(note(
                    "",
                    "default: what it is configured to, "
                            + Wording.clean(run.plan().target().configured().toString()),
                    TerminalStyle.DIM));
        }
        out.append('\n');
        run.conclusion()
                .ifPresent(c -> Wording.wrap(c.headline(), width)
                        .forEach(line ->
                                out.append(TerminalStyle.BOLD.on(line, colour)).append('\n')));
        return out.toString();
    }

    private String unfinished(RunReport run) {
        var out = new StringBuilder();
        out.append(paragraph(
                "",
                run.complete()
                        ? "The run came to no conclusion."
                        : "The run is not finished; nothing is concluded yet. What was measured so far:"));
        out.append('\n');
        if (run.outcomes().isEmpty()) {
            out.append("  no trial has ended yet\n");
        }
        for (TrialOutcome o : run.outcomes()) {
            out.append(trialLine(o, o.ordinal(), run.plan().hold()));
        }
        if (!run.outcomes().isEmpty() && run.valid().isEmpty()) {
            out.append('\n')
                    .append(note(
                            "",
                            "Every trial so far is void: there is nothing to draw a conclusion from.",
                            TerminalStyle.WARN));
        }
        return out.toString();
    }

    /** Notes on the targets: an Executor that its Connector ignores, a figure that could not be read; alike ones once. */
    static List<String> noted(Stream<String> notes) {
        var alike = new LinkedHashMap<String, List<String>>();
        notes.filter(n -> ORDINARY.stream().noneMatch(n::startsWith))
                .forEach(n -> alike.computeIfAbsent(FIGURE.matcher(n).replaceAll("#"), k -> new ArrayList<>())
                        .add(n));
        List<String> all = alike.values().stream()
                .map(n -> n.stream().distinct().toList())
                .map(n -> n.size() == 1
                        ? n.getFirst()
                        : n.getFirst() + " (and " + (n.size() - 1) + " more with other figures)")
                .toList();
        return all.size() <= MOST_NOTES
                ? all
                : Stream.concat(
                                all.stream().limit(MOST_NOTES - 1),
                                Stream.of((all.size() - MOST_NOTES + 1) + " more are in the report's page"))
                        .toList();
    }

    private String notes(String title, List<String> notes) {
        if (notes.isEmpty()) {
            return "";
        }
        var out = new StringBuilder(section(title));
        notes.forEach(n -> out.append(item(n)));
        return out.toString();
    }

    /** Pieces of configuration with their headings. */
    String snippets(List<ConfigSnippet> snippets) {
        var out = new StringBuilder();
        for (ConfigSnippet s : snippets) {
            out.append(section(s.title()));
            s.text()
                    .lines()
                    .forEach(l -> out.append("  ").append(Wording.clean(l)).append('\n'));
        }
        return out.toString();
    }

    String section(String title) {
        return "\n" + TerminalStyle.HEAD.on(Wording.clean(title), colour) + "\n";
    }

    String paragraph(String indent, String text) {
        return note(indent, text, TerminalStyle.PLAIN);
    }

    String item(String text) {
        var lines = new ArrayList<>(Wording.wrap(text, width - 4));
        var out = new StringBuilder("  • ").append(lines.removeFirst()).append('\n');
        lines.forEach(l -> out.append("    ").append(l).append('\n'));
        return out.toString();
    }

    String note(String indent, String text, TerminalStyle style) {
        var out = new StringBuilder();
        Wording.wrap(text, width - indent.length())
                .forEach(l -> out.append(indent).append(style.on(l, colour)).append('\n'));
        return out.toString();
    }

    String table(TextTable table) {
        return table.render(width, "  ", colour);
    }

    String table(Table table) {
        return table(TextTable.of(table));
    }

    String styled(TerminalStyle style, String text) {
        return style.on(text, colour);
    }

    int width() {
        return width;
    }

    /** What limits each cell or variant, by cause. */
    private String why(RunReport run) {
        List<Causes.Group> groups = Causes.groups(run);
        if (groups.isEmpty()) {
            return "";
        }
        var out = new StringBuilder(section("Why"));
        for (Causes.Group g : groups) {
            int more = g.names().size() - 1;
            out.append(note(
                    "  ",
                    g.names().getFirst()
                            + (more == 0 ? "" : " (and " + Wording.plural(more, "other") + " alike)") + ": " + g.title()
                            + ".",
                    TerminalStyle.BOLD));
            out.append(why(g.shown().sentences(), g.shown().refutedBy()));
        }
        return out.toString();
    }

    /** An explanation, sentence by sentence, and what would refute it, if that is known. */
    String why(List<String> sentences, String refutedBy) {
        var out = new StringBuilder();
        sentences.forEach(s -> out.append(item(s)));
        if (!refutedBy.isBlank()) {
            out.append(note("    ", "It would be refuted by: " + refutedBy, TerminalStyle.DIM));
        }
        return out.toString();
    }
}
