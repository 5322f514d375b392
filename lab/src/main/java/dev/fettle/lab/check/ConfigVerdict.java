package dev.fettle.lab.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What became of a rendered configuration when a real server was started from it.
 *
 * @param started what was started, in words: {@code Tomcat 11.0.24}; empty if it did not start
 * @param failure why it did not start from the files
 * @param knobs what each of them is, in the order of their names; none if it did not start
 * @param notes what the check leaves open, a line each
 * @param folder where the files were laid down, with the server's log
 */
public record ConfigVerdict(
        String started, Optional<String> failure, List<ReadBack> knobs, List<String> notes, Path folder) {
    public ConfigVerdict {
        knobs = List.copyOf(knobs);
        notes = List.copyOf(notes);
    }

    /** How a value came out. */
    public enum Outcome {
        OK,
        DIFFERS,
        /** Nothing in the running server tells it. */
        UNREADABLE,
        /** The files say themselves that they have no place for it, and it is not in force. */
        NOT_WRITTEN
    }

    /**
     * One knob.
     *
     * @param written the value that the files should bring about, in its common form
     * @param effective the value in force, in the same form
     * @param why what is known about a value that differs or can't be read; may be empty
     */
    public record ReadBack(String knob, String written, Optional<String> effective, Outcome outcome, String why) {}

    /** Whether the server started and no value differs. */
    public boolean holds() {
        return failure.isEmpty() && knobs.stream().noneMatch(k -> k.outcome() == Outcome.DIFFERS);
    }
}
