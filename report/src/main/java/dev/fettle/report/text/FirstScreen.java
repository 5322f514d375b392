package dev.fettle.report.text;

import dev.fettle.report.Wording;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Block.Figures;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Plot;
import dev.fettle.report.document.Block.Reason;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The part of an answer that fits a screen. What is left out is in the details, and the screen says so: of a table the rows around the
 * best one or the limit stay, of the reasons the first ones, of the texts to paste the first one.
 *
 * @param rows most of a table
 * @param reasons most of them
 * @param points most of a reason or a list
 * @param snippets most of them
 * @param notes most of them
 */
record FirstScreen(int rows, int reasons, int points, int snippets, int notes) {
    /** Lines of a screen. */
    static final int LINES = 40;

    private static final int ANY = Integer.MAX_VALUE;

    /** From the widest to the closest. */
    static final List<FirstScreen> EACH = List.of(
            new FirstScreen(ANY, ANY, ANY, ANY, 2),
            new FirstScreen(20, 4, 5, ANY, 2),
            new FirstScreen(12, 2, 3, ANY, 2),
            new FirstScreen(8, 1, 3, 2, 1),
            new FirstScreen(6, 1, 2, 1, 1),
            new FirstScreen(4, 1, 2, 1, 0),
            new FirstScreen(3, 1, 2, 1, 0));

    /** Whether nothing is left out of the blocks. */
    boolean all() {
        return rows == ANY;
    }

    /** Whether none leaves out more. */
    boolean isLast() {
        return equals(EACH.getLast());
    }

    /** What stays of these blocks. */
    List<Block> of(List<Block> blocks) {
        return all() ? blocks : first(blocks, snippets, Block.Snippet.class);
    }

    /** One part less, from the end, but neither the reasons nor what to paste; the same if there is no other. */
    static List<Block> shorter(List<Block> blocks) {
        for (int i = blocks.size() - 1; i > 0; i--) {
            if (!isEssential(blocks.get(i))) {
                var rest = new ArrayList<>(blocks);
                rest.remove(i);
                return rest;
            }
        }
        return blocks;
    }

    private static boolean isEssential(Block block) {
        return switch (block) {
            case Block.Snippet _, Reason _ -> true;
            case Block.Section s -> s.blocks().stream().anyMatch(FirstScreen::isEssential);
            case Block.Abreast a -> a.blocks().stream().anyMatch(FirstScreen::isEssential);
            default -> false;
        };
    }

    private List<Block> first(List<Block> blocks, int most, Class<? extends Block> counted) {
        var all = new ArrayList<Block>();
        int n = 0;
        for (Block b : blocks) {
            if (!counted.isInstance(b) || n++ < most) {
                all.addAll(cut(b));
            } else if (b instanceof Block.Snippet s) {
                all.add(quiet("also: " + s.title()));
            }
        }
        return all;
    }

    private List<Block> cut(Block block) {
        return switch (block) {
            case Block.Section s ->
                List.of(new Block.Section(
                        s.id(),
                        s.title(),
                        s.blocks().getFirst() instanceof Reason ? reasons(s.blocks()) : of(s.blocks())));
            case Block.Abreast a -> List.of(new Block.Abreast(a.css(), of(a.blocks())));
            case Figures f -> rows(f.table(), t -> new Figures(f.title(), f.label(), t));
            case Plot p -> rows(p.table(), t -> new Plot(p.chart(), p.title(), p.label(), p.heading(), t));
            case Reason r -> List.of(brief(r));
            case Block.Points p -> List.of(new Block.Points(p.title(), first(p.points())));
            default -> List.of(block);
        };
    }

    private List<Block> reasons(List<Block> all) {
        var some = new ArrayList<>(first(all, reasons, Reason.class));
        if (all.size() > reasons) {
            some.add(quiet(Wording.plural(all.size() - reasons, "more reason")));
        }
        return some;
    }

    /** A reason without a bound of its own ends with what to do. */
    private Reason brief(Reason r) {
        var some = new ArrayList<>(first(r.points()));
        if (r.brief() == 0 && some.size() < r.points().size()) {
            some.set(some.size() - 1, r.points().getLast());
        }
        return new Reason(r.title(), r.badge(), r.names(), some, r.brief(), r.facts(), "");
    }

    private List<String> first(List<String> all) {
        return all.subList(0, Math.min(points, all.size()));
    }

    /** A row that is left out makes no room for the line that says so. */
    private List<Block> rows(Table table, Function<Table, Block> block) {
        int size = table.rows().size();
        return size - rows <= 1
                ? List.of(block.apply(table))
                : List.of(block.apply(table.around(rows)), quiet(rows + " of " + size + " rows"));
    }

    private static Block quiet(String text) {
        return new Paragraph("… " + text, Tone.QUIET);
    }
}
