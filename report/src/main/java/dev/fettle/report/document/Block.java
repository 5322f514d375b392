package dev.fettle.report.document;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A part of a document. Which blocks there are, in which order, and what they say is decided once for each kind of result; an output
 * decides what a block looks like.
 */
public sealed interface Block {
    /**
     * Blocks under a title. A terminal and markup leave the title out where the first of them has one of its own.
     *
     * @param id of its place on a page
     */
    record Section(String id, String title, List<Block> blocks) implements Block {
        public Section(String id, String title, Block... blocks) {
            this(id, title, List.of(blocks));
        }
    }

    /**
     * Blocks that only some outputs show.
     *
     * @param details whether a terminal shows them only with all details
     */
    record Part(Where where, boolean details, List<Block> blocks) implements Block {}

    /** Blocks side by side, if there is room. */
    record Abreast(String css, List<Block> blocks) implements Block {}

    /** A title inside a section. */
    record Heading(String text, Tone tone) implements Block {}

    /** A sentence or more. */
    record Paragraph(String text, Tone tone) implements Block {
        public Paragraph(String text) {
            this(text, Tone.PLAIN);
        }
    }

    /** A list of sentences; the title may be empty. */
    record Points(String title, List<String> points) implements Block {}

    /** What is compared with what. */
    record Sides(String one, String other) implements Block {}

    /** Names and values. */
    record Facts(List<Fact> facts) implements Block {
        /** Leaves out those without a value. */
        public Facts {
            facts = facts.stream().filter(f -> !f.value().isEmpty()).toList();
        }
    }

    /** A name and its value; without a value it is left out. */
    record Fact(String name, String value, Tone tone) {
        public Fact(String name, String value) {
            this(name, value, Tone.PLAIN);
        }
    }

    /**
     * A table.
     *
     * @param title in a terminal and markup; may be empty
     * @param label what it is called on a page
     */
    record Figures(String title, String label, Table table) implements Block {
        public Figures(String title, Table table) {
            this(title, title, table);
        }
    }

    /**
     * A plot of a table; where nothing is plotted, the table.
     *
     * @param chart the id of its data
     * @param title of the plot
     * @param label what it shows, for those who can't see it
     * @param heading of the table, where there is no plot; may be empty
     */
    record Plot(String chart, String title, String label, String heading, Table table) implements Block {}

    /**
     * A flame graph of a profile; where there is none, the first rows of the table.
     *
     * @param place of its data
     * @param about how much it is of, and where it comes from
     * @param table its heaviest frames
     */
    record Flame(int place, String title, String about, Table table) implements Block {}

    /**
     * A choice of what the plots after it show.
     *
     * @param what its id for the page's script
     * @param names what there is; empty if any number of them may be shown, which the page's script lists
     */
    record Choice(String label, String what, List<String> names) implements Block {}

    /**
     * Why something is as it is.
     *
     * @param badge the kind of the reason, in a few words; may be empty
     * @param names what it is true of; empty if the title says it
     * @param brief how many of the points are in an answer without details; 0 for all
     * @param refutedBy what would refute it; may be blank
     */
    record Reason(
            String title,
            String badge,
            List<String> names,
            List<String> points,
            int brief,
            List<Fact> facts,
            String refutedBy)
            implements Block {}

    /** Blocks that a page folds away, under these words. */
    record Folded(String summary, List<Block> blocks) implements Block {}

    /** The course of these signals, which a page plots. */
    record Courses(List<String> signals) implements Block {}

    /** Text to paste; without a title, text as it was received. */
    record Snippet(String title, String text) implements Block {}

    /** Blocks for some outputs. */
    static Block on(Where where, Block... blocks) {
        return new Part(where, false, List.of(blocks));
    }

    /** Blocks that a terminal shows only with all details. */
    static Block details(Block... blocks) {
        return new Part(Where.EVERYWHERE, true, List.of(blocks));
    }

    /** The blocks that an output shows: parts for others and what is empty are left out. */
    static List<Block> drawn(List<Block> blocks, Medium medium, boolean details) {
        var drawn = new ArrayList<Block>();
        for (Block b : blocks) {
            switch (b) {
                case Part p
                when p.where().isOn(medium) && (details || !p.details()) ->
                    drawn.addAll(drawn(p.blocks(), medium, details));
                case Part _ -> {}
                case Points p when p.points().isEmpty() -> {}
                case Section s ->
                    unlessEmpty(s.blocks(), medium, details, in -> new Section(s.id(), s.title(), in), drawn);
                case Folded f -> unlessEmpty(f.blocks(), medium, details, in -> new Folded(f.summary(), in), drawn);
                case Abreast a -> unlessEmpty(a.blocks(), medium, details, in -> new Abreast(a.css(), in), drawn);
                default -> drawn.add(b);
            }
        }
        return drawn;
    }

    private static void unlessEmpty(
            List<Block> blocks, Medium medium, boolean details, Function<List<Block>, Block> around, List<Block> to) {
        List<Block> inside = drawn(blocks, medium, details);
        if (!inside.isEmpty()) {
            to.add(around.apply(inside));
        }
    }

    /** Whether it begins with a title of its own where there are no plots. */
    default boolean isTitled() {
        return switch (this) {
            case Section _, Flame _ -> true;
            case Snippet s -> !s.title().isEmpty();
            case Points p -> !p.title().isEmpty();
            case Figures f -> !f.title().isEmpty();
            case Plot p -> !p.heading().isEmpty();
            case Reason r -> r.names().isEmpty();
            case Abreast a -> !a.blocks().isEmpty() && a.blocks().getFirst().isTitled();
            case Part _, Heading _, Paragraph _, Sides _, Facts _, Choice _, Folded _, Courses _ -> false;
        };
    }
}
