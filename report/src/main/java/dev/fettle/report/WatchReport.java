package dev.fettle.report;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Timeline;
import java.util.List;
import java.util.Optional;

/**
 * What was observed of a process without load, the input of all its outputs.
 *
 * @param about what was watched
 * @param meta when, and for how long, in a few words each; may be empty
 * @param profiles recorded meanwhile; may be empty
 * @param diagnosis what the rules say of it, if they were asked
 */
public record WatchReport(
        String about,
        List<String> meta,
        Timeline timeline,
        List<Profile> profiles,
        Optional<DiagnoseConclusion> diagnosis) {
    public WatchReport {
        meta = List.copyOf(meta);
        profiles = List.copyOf(profiles);
    }

    /** Without a diagnosis. */
    public WatchReport(String about, List<String> meta, Timeline timeline, List<Profile> profiles) {
        this(about, meta, timeline, profiles, Optional.empty());
    }

    /** Without profiles. */
    public WatchReport(String about, List<String> meta, Timeline timeline) {
        this(about, meta, timeline, List.of());
    }
}
