package dev.fettle.report;

import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Timeline;
import java.util.List;

/**
 * What {@code fettle watch} observed, the input of all its outputs.
 *
 * @param about what was watched
 * @param meta when, and for how long, in a few words each; may be empty
 * @param profiles recorded meanwhile; may be empty
 */
public record WatchReport(String about, List<String> meta, Timeline timeline, List<Profile> profiles) {
    public WatchReport {
        meta = List.copyOf(meta);
        profiles = List.copyOf(profiles);
    }

    /** Without profiles. */
    public WatchReport(String about, List<String> meta, Timeline timeline) {
        this(about, meta, timeline, List.of());
    }
}
