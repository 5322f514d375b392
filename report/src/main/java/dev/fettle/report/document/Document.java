package dev.fettle.report.document;

import java.util.ArrayList;
import java.util.List;

/**
 * What a result says: the answer, then its basis. Outputs draw it; none of them chooses what is said or in which order.
 *
 * @param noted what the trials noted of their targets
 * @param more what there is beyond an answer without details, for example {@code all 6 settings tried}; may be empty
 * @param checks what of it passes or fails
 */
public record Document(Head head, List<Block> blocks, List<String> noted, List<String> more, Checks checks) {
    /** Nothing noted, and nothing beyond. */
    public Document(Head head, List<Block> blocks, Checks checks) {
        this(head, blocks, List.of(), List.of(), checks);
    }

    /** The same while it is being measured: its answer is none yet. */
    public Document soFar(String why) {
        var notes = new ArrayList<>(List.of(why));
        notes.addAll(head.notes());
        var open = new Head(
                head.title(), head.brief(), "So far", "calm", head.headline(), head.bigs(), head.meta(), notes);
        return new Document(open, blocks, noted, more, checks);
    }

    /** The same with other blocks. */
    public Document with(List<Block> others) {
        return new Document(head, others, noted, more, checks);
    }

    public Document {
        blocks = List.copyOf(blocks);
        noted = List.copyOf(noted);
        more = List.copyOf(more);
    }
}
