package dev.fettle.lab.journal;

import java.util.Optional;

/**
 * A run in the list of a journal, where one that can't be read must not hide the others.
 *
 * @param run empty if it can't be read, as it is damaged or another Fettle's
 * @param why it can't be read; empty if it can
 */
public record KeptRun(String id, Optional<RunRecord> run, String why) {
    static KeptRun read(RunRecord run) {
        return new KeptRun(run.id(), Optional.of(run), "");
    }

    static KeptRun unreadable(String id, String why) {
        return new KeptRun(id, Optional.empty(), why);
    }
}
