package dev.fettle.bench.fuzz;

import java.util.List;

/**
 * What a parser makes of a stream that ends where it ends.
 *
 * @param answers complete responses
 * @param end what the end of the stream finds
 * @param last the response which the end completes, for {@link End#OPEN} only; else a blank one
 * @param why what the parser said, for {@link End#BAD} only
 * @param badAt how far the parser had read when it said so
 */
record Reading(List<Answer> answers, End end, Answer last, String why, int badAt) {

    /** In what state the end of the stream finds a parser. */
    enum End {
        /** Between two responses. */
        CLEAN,
        /** Within a response that has an end. */
        TORN,
        /** Within a body which the end of the stream completes. */
        OPEN,
        /** It had refused the stream before. */
        BAD
    }

    /**
     * A complete response.
     *
     * @param length of its body; after HEAD the announced one
     * @param hash of its body
     * @param keep whether the connection can be used again
     * @param endsAt where in the stream it ends; 0 for one that the end of the stream completes
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

    /** Whether both make the same of it, whatever words they have for what is bad. */
    boolean sameAs(Reading other) {
        return end == other.end && answers.equals(other.answers) && last.equals(other.last);
    }
}
