package dev.fettle.report.runs;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A run in a list.
 *
 * @param id its own, or the name of the file that it was read from
 * @param place the folder or file that it was read from
 * @param kind {@code tune}, {@code bench}; empty if it can't be read
 * @param plan the name of its plan, or the address that was loaded; empty if it can't be read
 * @param started when it began; empty if it can't be read
 * @param state whether it has its answer
 * @param trials how many were counted; 0 if there were none, or that is not known
 * @param headline the answer, or why there is none
 * @param commit which was measured; empty if that is not known
 * @param marks what the user wrote about it
 */
public record ListedRun(
        String id,
        String place,
        String kind,
        String plan,
        Optional<Instant> started,
        State state,
        int trials,
        String headline,
        String commit,
        Marks marks) {
    /** Whether a run has its answer. */
    public enum State {
        /** It is finished. */
        DONE,
        /** It was stopped before its end. */
        OPEN,
        /** It is measured now. */
        RUNNING,
        /** It is damaged, or another Fettle's. */
        UNREADABLE;

        /** As JSON and tables have it. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What a user wrote about a run.
     *
     * @param tags in the order in which they were given, each without spaces
     * @param note one line; may be empty
     */
    public record Marks(List<String> tags, String note) {
        /** Nothing was written. */
        public static final Marks NONE = new Marks(List.of(), "");

        /** Copies the tags. */
        public Marks {
            tags = List.copyOf(tags);
        }

        /** Whether nothing was written. */
        public boolean isEmpty() {
            return tags.isEmpty() && note.isEmpty();
        }
    }

    /** Whether each of some words, in lower case, occurs in what the list says of it. */
    public boolean has(List<String> words) {
        String all = String.join("\n", id, place, kind, plan, state.id(), headline, commit, marks.note()) + "\n"
                + String.join("\n", marks.tags());
        return words.stream().allMatch(all.toLowerCase(Locale.ROOT)::contains);
    }

    /** The same with what the user wrote about it. */
    public ListedRun withMarks(Marks written) {
        return new ListedRun(id, place, kind, plan, started, state, trials, headline, commit, written);
    }
}
