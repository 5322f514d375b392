package dev.fettle.bench.fuzz;

import java.util.List;

/**
 * What a parser reads from a stream.
 *
 * @param answers complete responses
 * @param end the parser's state at the end of the stream
 * @param last the response that the end completes, for {@link End#OPEN} only; else a blank one
 * @param why the parser's message, for {@link End#BAD} only
 * @param badAt how far the parser had read then
 */
record Reading(List<Answer> answers, End end, Answer last, String why, int badAt) {

    /** A parser's state at the end of the stream. */
    enum End {
        /** Between two responses. */
        CLEAN,
        /** Within a response that has an end. */
        TORN,
        /** Within a body that the end of the stream completes. */
        OPEN,
        /** It has already refused the stream. */
        BAD
    }

    /**
     * A complete response.
     *
     * @param length length of its body; after HEAD the announced one
     * @param hash hash of its body
     * @param keep whether the connection can be reused
     * @param endsAt where in the stream it ends; 0 if the end of the stream completes it
     */
    record Answer(int status, long length, int hash, boolean keep, int endsAt) {
        static final Answer NONE = new Answer(0, 0, 0, false, 0);

        @Override
        public String toString() {
            return status + " with " + length + " bytes (" + Integer.toHexString(hash) + ")"
                    + (keep ? ", kept" : ", closed") + " at " + endsAt;
        }
    }

    @Override
    public String toString() {
        return answers + " " + end + (end == End.OPEN ? " " + last : "") + (end == End.BAD ? " (" + why + ")" : "");
    }

    /** Whether both read the same, ignoring how they word what is bad. */
    boolean sameAs(Reading other) {
        return end == other.end && answers.equals(other.answers) && last.equals(other.last);
    }
}
