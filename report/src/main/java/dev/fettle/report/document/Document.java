package dev.fettle.report.document;

import java.util.List;

/**
 * What a result says: the answer, then its basis. Outputs draw it; none of them chooses what is said or in which order.
 *
 * @param noted what the trials noted of their targets
 * @param more what there is beyond an answer without details, for example {@code all 6 settings tried}; may be empty
 */
public record Document(Head head, List<Block> blocks, List<String> noted, List<String> more) {
    /** Nothing noted, and nothing beyond. */
    public Document(Head head, List<Block> blocks) {
        this(head, blocks, List.of(), List.of());
    }

    public Document {
        blocks = List.copyOf(blocks);
        noted = List.copyOf(noted);
        more = List.copyOf(more);
    }
}
