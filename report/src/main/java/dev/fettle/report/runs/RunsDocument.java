package dev.fettle.report.runs;

import dev.fettle.report.document.Block;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import dev.fettle.report.document.Where;
import dev.fettle.report.history.HistoryWords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The list of runs, newest first. */
public final class RunsDocument {
    private static final int UNREAD_SHOWN = 10;

    private RunsDocument() {}

    /**
     * Where a page says more of a run.
     *
     * @param run the address of its report; empty if there is none
     * @param before the address of it next to the run of the same plan before it; empty if there is none
     * @param plan the address of its plan's runs over time; empty if there is none
     */
    public record Links(String run, String before, String plan) {
        /** Nowhere. */
        public static final Links NONE = new Links("", "", "");
    }

    /**
     * The whole document.
     *
     * @param places where the runs are kept, in words
     * @param links of a run
     * @param unread what could not be read, and why
     */
    public static Document of(
            String places, List<ListedRun> runs, Function<ListedRun, Links> links, List<String> unread) {
        var notes = new ArrayList<String>();
        unread.stream().limit(UNREAD_SHOWN).forEach(u -> notes.add("Could not be read: " + u));
        if (unread.size() > UNREAD_SHOWN) {
            notes.add((unread.size() - UNREAD_SHOWN) + " more files or folders could not be read.");
        }
        long open = runs.stream()
                .filter(r -> r.state() == ListedRun.State.OPEN)
                .count();
        String headline = runs.isEmpty()
                ? "There are no runs yet."
                : HistoryWords.runs(runs.size()) + (open == 0 ? "" : ", " + open + " of them not finished") + ".";
        var head = new Head("runs", List.of("runs in " + places), "Runs", "calm", headline, List.of(), List.of(), notes);
        List<Block> blocks = runs.isEmpty()
                ? List.of()
                : List.of(new Block.Section(
                        "runs", "Newest first", List.of(new Block.Figures("Runs", table(runs, links)))));
        return new Document(head, blocks, Checks.NONE);
    }

    /** The table of runs, in this order. */
    public static Table table(List<ListedRun> runs, Function<ListedRun, Links> links) {
        return Table.<ListedRun>of(runs)
                .cells("run", r -> linked(r.id(), links.apply(r).run()))
                .words("kind", ListedRun::kind)
                .cells("plan", r -> linked(r.plan(), links.apply(r).plan()))
                .words("started", r -> r.started().map(HistoryWords::when).orElse(""))
                .words("trials", Where.IF_ROOM, ListedRun::trials)
                .cells(
                        "answer",
                        r -> Value.words(
                                r.headline(), r.state() == ListedRun.State.DONE ? Tone.PLAIN : Tone.QUIET))
                .remarks("commit", Where.NOT_IN_TERMINALS, ListedRun::commit)
                .remarks("tags", Where.EVERYWHERE, r -> String.join(" ", r.marks().tags()))
                .remarks("note", Where.EVERYWHERE, r -> r.marks().note())
                .cells("before it", Where.ON_PAGE, r -> against(links.apply(r).before()))
                .remarks("place", Where.NOT_IN_TERMINALS, r -> several(runs) ? r.place() : "")
                .sortable();
    }

    private static Value against(String to) {
        return to.isEmpty() ? Value.EMPTY : Value.link("next to it", to);
    }

    private static boolean several(List<ListedRun> runs) {
        return runs.stream().map(ListedRun::place).distinct().limit(2).count() > 1;
    }

    private static Value linked(String text, String to) {
        return to.isEmpty() ? Value.words(text) : Value.link(text, to);
    }
}
