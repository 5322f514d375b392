package dev.fettle.report.text;

import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.ProbeWording;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.Table;
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

    /** Most frames of a profile: a page has more of them. */
    private static final int HOTTEST = 8;

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
    /** Columns that a value has next to its name. */
    private static final int LEAST_VALUE = 20;
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

    /** One probe of a capacity search, as it ends. */
    public String probeLine(Judged j, int n) {
        Probe p = j.probe();
        TerminalStyle style = switch (j.verdict().result()) {
            case MET -> TerminalStyle.GOOD;
            case BROKEN -> TerminalStyle.BAD;
            case VOID, DISTURBED -> TerminalStyle.WARN;
        };
        return TerminalStyle.DIM.on(String.format(Locale.ROOT, "%3d  ", n), colour)
                + String.format(
                        Locale.ROOT,
                        "%9s  p50 %7s  p99 %7s  errors %-7s  ",
                        Format.rate(p.rate()),
                        Format.time(p.latency().known(LatencySummary::p50)),
                        Format.time(p.latency().known(LatencySummary::p99)),
                        Format.share(p.errorShare()))
                + style.on(ProbeWording.verdict(j.verdict()), colour);
    }

    private static String figures(Measurement m) {
        return String.format(
                Locale.ROOT,
                "%8s  p50 %7s  p99 %7s  errors %s",
                Format.rate(m.throughput()),
                Format.time(m.latency().known(LatencySummary::p50)),
                Format.time(m.latency().known(LatencySummary::p99)),
                Format.share(m.errorShare()));
    }

    /** The whole run: the answer, then its basis; the answer alone fits a screen. */
    public String report(RunReport run) {
        Document document = RunDocument.of(run);
        return run.conclusion().isPresent() || CapacityReport.is(run)
                ? document(document, "fettle show " + run.runId() + " --details")
                : brief(document.head()) + unfinished(run);
    }

    /** A document: what was run, the answer, and its basis. */
    public String document(Document d) {
        return document(d, "");
    }

    /**
     * The same; of an answer so much that it fits a screen.
     *
     * @param where the rest is; empty: nothing is left out but details
     */
    public String document(Document d, String where) {
        if (all() || where.isEmpty()) {
            return draw(d, Block.drawn(d.blocks(), Medium.TERMINAL, all()), all() ? Integer.MAX_VALUE : FIRST_NOTES);
        }
        List<Block> all = Block.drawn(d.blocks(), Medium.TERMINAL, false);
        String text = "";
        for (FirstScreen screen : FirstScreen.EACH) {
            List<Block> some = screen.of(all);
            int before;
            do {
                before = some.size();
                text = draw(d, some, screen.notes()) + more(d, screen, where);
                if (lines(text) <= FirstScreen.LINES) {
                    return text;
                }
                some = screen.isLast() ? FirstScreen.shorter(some) : some;
            } while (some.size() < before);
        }
        return text;
    }

    private String draw(Document d, List<Block> blocks, int notes) {
        var out = new StringBuilder(brief(d.head()));
        out.append(note("", d.head().headline(), TerminalStyle.BOLD));
        blocks.forEach(b -> draw(out, b, ""));
        out.append(notes("Notes", d.head().notes().stream().limit(notes).toList()));
        return out.append(notes("Noted during the trials", all() ? noted(d.noted().stream()) : List.of()))
                .toString();
    }

    /** Blocks alone. */
    public String blocks(List<Block> blocks) {
        var out = new StringBuilder();
        Block.drawn(blocks, Medium.TERMINAL, all()).forEach(b -> draw(out, b, ""));
        return out.toString();
    }

    private boolean all() {
        return detail == Detail.ALL;
    }

    /** Lines of a terminal: one that is too long takes several. */
    private long lines(String text) {
        return text.lines()
                .mapToLong(l -> 1 + (Math.max(1, l.length()) - 1) / width)
                .sum();
    }

    /** Where the rest is. */
    private String more(Document d, FirstScreen screen, String where) {
        var rest = new ArrayList<>(d.more());
        int notes = Math.max(0, d.head().notes().size() - screen.notes())
                + noted(d.noted().stream()).size();
        if (notes > 0) {
            rest.add(Wording.plural(notes, screen.notes() == 0 ? "note" : "more note"));
        }
        if (!screen.all()) {
            rest.add("what is left out here");
        }
        if (rest.isEmpty()) {
            return "";
        }
        String with = "With " + Format.list(rest, "and") + ":";
        boolean fits = with.length() + 1 + where.length() <= width; // a command is copied in one piece
        return "\n"
                + note("", fits ? with + " " + where : with, TerminalStyle.DIM)
                + (fits ? "" : note("  ", where, TerminalStyle.DIM));
    }

    private String brief(Head head) {
        var out = new StringBuilder(note("", head.brief().getFirst(), TerminalStyle.HEAD));
        head.brief().stream().skip(1).forEach(l -> out.append(note("", l, TerminalStyle.DIM)));
        return out.append('\n').toString();
    }

    private void draw(StringBuilder out, Block block, String indent) {
        switch (block) {
            case Block.Section s -> {
                if (!s.blocks().getFirst().isTitled() && !s.title().isEmpty()) {
                    out.append(section(s.title()));
                }
                s.blocks().forEach(b -> draw(out, b, "  "));
            }
            case Block.Heading h -> out.append(note(indent, h.text(), TerminalStyle.of(h.tone())));
            case Block.Paragraph p -> out.append(note(indent, p.text(), TerminalStyle.of(p.tone())));
            case Block.Points p -> out.append(notes(p.title(), p.points()));
            case Block.Sides s ->
                out.append(indent)
                        .append(styled(TerminalStyle.BOLD, Wording.clean(s.one())))
                        .append("  against  ")
                        .append(Wording.clean(s.other()))
                        .append('\n');
            case Block.Facts f -> facts(out, f.facts(), indent);
            case Block.Figures f -> table(out, f.title(), f.table());
            case Block.Plot p -> table(out, p.heading(), p.table());
            case Block.Reason r -> reason(out, r);
            case Block.Flame f -> {
                out.append(section(f.title())).append(note("  ", f.about(), TerminalStyle.DIM));
                table(out, "", f.table().first(HOTTEST));
            }
            case Block.Snippet s -> {
                out.append(s.title().isEmpty() ? "" : section(s.title()));
                s.text()
                        .lines()
                        .forEach(l -> out.append("  ").append(Wording.clean(l)).append('\n'));
            }
            case Block.Part p -> p.blocks().forEach(b -> draw(out, b, indent));
            case Block.Abreast a -> a.blocks().forEach(b -> draw(out, b, indent));
            case Block.Folded f -> f.blocks().forEach(b -> draw(out, b, indent));
            case Block.Choice _, Block.Courses _ -> {} // a page's
        }
    }

    /** Names and values; a long value goes on below. */
    private void facts(StringBuilder out, List<Block.Fact> facts, String indent) {
        int names = facts.stream().mapToInt(f -> f.name().length()).max().orElse(0) + 2;
        for (Block.Fact f : facts) {
            String name = indent + f.name() + " ".repeat(names - f.name().length());
            for (String line : Wording.wrap(f.value(), Math.max(LEAST_VALUE, width - name.length()))) {
                out.append(name)
                        .append(styled(TerminalStyle.of(f.tone()), line))
                        .append('\n');
                name = " ".repeat(name.length());
            }
        }
    }

    private void table(StringBuilder out, String title, Table table) {
        out.append(title.isEmpty() ? "" : section(title)).append(new TextTable(table).render(width, "  ", colour));
    }

    private void reason(StringBuilder out, Block.Reason r) {
        int more = r.names().size() - 1;
        out.append(
                r.names().isEmpty()
                        ? section(r.title())
                        : note(
                                "  ",
                                r.names().getFirst()
                                        + (more == 0 ? "" : " (and " + Wording.plural(more, "other") + " alike)") + ": "
                                        + r.title() + ".",
                                TerminalStyle.BOLD));
        boolean brief = !all() && r.brief() > 0;
        r.points().stream().limit(brief ? r.brief() : Long.MAX_VALUE).forEach(p -> out.append(item(p)));
        if (!brief && !r.refutedBy().isBlank()) {
            out.append(note("    ", "It would be refuted by: " + r.refutedBy(), TerminalStyle.DIM));
        }
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
        var out = new StringBuilder(title.isEmpty() ? "" : section(title));
        notes.forEach(n -> out.append(item(n)));
        return out.toString();
    }

    private String section(String title) {
        return "\n" + TerminalStyle.HEAD.on(Wording.clean(title), colour) + "\n";
    }

    private String paragraph(String indent, String text) {
        return note(indent, text, TerminalStyle.PLAIN);
    }

    private String item(String text) {
        var lines = new ArrayList<>(Wording.wrap(text, width - 4));
        var out = new StringBuilder("  • ").append(lines.removeFirst()).append('\n');
        lines.forEach(l -> out.append("    ").append(l).append('\n'));
        return out.toString();
    }

    private String note(String indent, String text, TerminalStyle style) {
        var out = new StringBuilder();
        Wording.wrap(text, width - indent.length())
                .forEach(l -> out.append(indent).append(style.on(l, colour)).append('\n'));
        return out.toString();
    }

    private String styled(TerminalStyle style, String text) {
        return style.on(text, colour);
    }
}
