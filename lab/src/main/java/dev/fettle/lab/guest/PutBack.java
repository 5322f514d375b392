package dev.fettle.lab.guest;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of one debt to a process.
 *
 * @param pid the process
 * @param values that were put back, or could not be; by common knob name, empty for a recording
 * @param detail in words: what was done, or why not
 */
public record PutBack(long pid, Debts.Kind kind, State state, Map<String, String> values, String detail) {
    /** How it stands. */
    public enum State {
        /** The process is as it was before. */
        DONE,
        /** It could not be put back; the debt is kept. */
        FAILED,
        /** The Fettle that owes it is alive and puts it back itself. */
        IN_USE,
        /** It is for another machine or container, or from before this one was started. */
        ELSEWHERE;

        /** Its name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public PutBack {
        values = Map.copyOf(values);
    }

    /** Whether something may still have to be done here. */
    public boolean isOwed() {
        return state == State.FAILED || state == State.IN_USE;
    }

    /** The values in the order of their names. */
    public SortedMap<String, String> sorted() {
        return new TreeMap<>(values);
    }

    /** One line. */
    public String text() {
        return state == State.IN_USE ? detail : "process " + pid + " " + detail;
    }
}
