package dev.fettle.report;

import dev.fettle.model.trial.Timeline;
import java.util.List;

/**
 * A trial of a run that goes on.
 *
 * @param ordinal its number, from 1
 * @param purpose what it is for, in a phrase
 * @param timeline what was watched of it so far
 * @param voiding why it will be void, if it goes on so; may be empty
 */
public record UnderWay(int ordinal, String purpose, Timeline timeline, List<String> voiding) {
    public UnderWay {
        voiding = List.copyOf(voiding);
    }

    /** What it is called. */
    public String name() {
        return "#" + ordinal + " " + purpose + " (under way)";
    }
}
