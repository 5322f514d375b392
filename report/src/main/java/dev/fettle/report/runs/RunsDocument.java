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
        long open = runs.stream().filter(r -> r.state() == ListedRun.State.OPEN).count();
        String headline = runs.isEmpty()
                ? "There are no runs yet."
                : HistoryWords.runs(runs.size()) + (open == 0 ? "" : ", " + open + " of them not finished") + ".";
        var head =
                new Head("runs", List.of("runs in " + places), "Runs", "calm", headline, List.of(), List.of(), notes);
        List<Block> blocks = runs.isEmpty()
                ? List.of()
                : List.of(new Block.Section(
                        "runs", "Newest first", List.of(new Block.Figures("Runs", table(runs, links)))));
        return new Document(head, blocks, Checks.NONE);
    }

    /** What is known of a run of which there is its JSON alone, and where else to go. */
    public static Document of(ListedRun run, Block nextTo) {
        var head = new Head(
                run.kind() + " " + run.plan(),
                List.of(run.kind() + " " + run.plan() + ", from " + run.place()),
                run.state() == ListedRun.State.DONE ? "Kept as JSON" : "Not finished",
                "calm",
                run.headline(),
                List.of(),
                run.started().map(s -> List.of(Head.WHEN.format(s))).orElse(List.of()),
                List.of());
        return new Document(head, List.of(nextTo), Checks.NONE);
    }

    /**
     * Where to go from a run: its other forms, the list, and it next to others of its plan.
     *
     * @param journalled whether there is more than its JSON
     * @param up from its page to the list
     * @param key of it
     * @param others of its plan, newest first
     * @param keys of them
     */
    public static Block nextTo(
            ListedRun run,
            boolean journalled,
            String up,
            String key,
            List<ListedRun> others,
            Function<ListedRun, String> keys) {
        record Place(String what, String to) {}
        var places = new ArrayList<Place>();
        places.add(new Place("All runs", up));
        places.add(new Place("This plan over time", up + "plan/" + key));
        places.add(new Place("As JSON", up + "run/" + key + ".json"));
        if (journalled) {
            places.add(new Place("As Markdown, for a wiki", up + "run/" + key + ".md"));
            places.add(new Place("Its trials as CSV", up + "run/" + key + ".csv"));
        }
        var blocks = new ArrayList<Block>();
        if (!run.marks().isEmpty()) {
            blocks.add(new Block.Facts(List.of(
                    new Block.Fact("tags", String.join(" ", run.marks().tags())),
                    new Block.Fact("note", run.marks().note()))));
        }
        blocks.add(new Block.Figures(
                "Where to go",
                Table.<Place>of(places)
                        .cells("page", p -> Value.link(p.what(), p.to()))
                        .build()));
        if (!others.isEmpty()) {
            blocks.add(new Block.Figures(
                    "Other runs of this plan",
                    Table.<ListedRun>of(others)
                            .cells("run", r -> Value.link(r.id(), up + "run/" + keys.apply(r)))
                            .figure("started", RunsDocument::started)
                            .words("answer", ListedRun::headline)
                            .cells(
                                    "next to this one",
                                    r -> Value.link("compare", up + "two/" + keys.apply(r) + "/" + key))
                            .sortable()));
        }
        return new Block.Section("runs", "Other runs", blocks);
    }

    /** The table of runs, in this order. */
    private static Table table(List<ListedRun> runs, Function<ListedRun, Links> links) {
        return Table.<ListedRun>of(runs)
                .cells("run", r -> linked(r.id(), links.apply(r).run()))
                .words("kind", ListedRun::kind)
                .cells("plan", r -> linked(r.plan(), links.apply(r).plan()))
                .figure("started", RunsDocument::started)
                .figure("trials", Where.IF_ROOM, r -> r.trials() == 0 ? Value.NONE : Value.count(r.trials()))
                .cells(
                        "answer",
                        r -> Value.words(r.headline(), r.state() == ListedRun.State.DONE ? Tone.PLAIN : Tone.QUIET))
                .remarks("commit", Where.NOT_IN_TERMINALS, ListedRun::commit)
                .remarks(
                        "tags",
                        Where.EVERYWHERE,
                        r -> String.join(" ", r.marks().tags()))
                .remarks("note", Where.EVERYWHERE, r -> r.marks().note())
                .cells("before it", Where.ON_PAGE, r -> against(links.apply(r).before()))
                .remarks("place", Where.NOT_IN_TERMINALS, r -> several(runs) ? r.place() : "")
                .sortable();
    }

    private static Value started(ListedRun run) {
        return run.started()
                .map(s -> new Value(HistoryWords.when(s), s.getEpochSecond()))
                .orElse(Value.NONE);
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
