package dev.fettle.lab.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of starting a real server from a rendered configuration.
 *
 * @param started what was started, in words: {@code Tomcat 11.0.24}; empty if it did not start
 * @param failure why it did not start
 * @param knobs the values read back, ordered by name; none if it did not start
 * @param notes what the check leaves open, one line each
 * @param folder where the files were written, with the server's log
 */
public record ConfigVerdict(
        String started, Optional<String> failure, List<ReadBack> knobs, List<String> notes, Path folder) {
    public ConfigVerdict {
        knobs = List.copyOf(knobs);
        notes = List.copyOf(notes);
    }

    /** Result for one value. */
    public enum Outcome {
        OK,
        DIFFERS,
        /** The running server does not expose it. */
        UNREADABLE,
        /** The files say that they can't set it, and it is not in force. */
        NOT_WRITTEN
    }

    /**
     * One knob.
     *
     * @param written the value the files should produce, in canonical form
     * @param effective the value in force, in canonical form
     * @param why what is known about a value that differs or can't be read; may be empty
     */
    public record ReadBack(String knob, String written, Optional<String> effective, Outcome outcome, String why) {}

    /** Whether the server started and no value differs. */
    public boolean holds() {
        return failure.isEmpty() && knobs.stream().noneMatch(k -> k.outcome() == Outcome.DIFFERS);
    }
}
