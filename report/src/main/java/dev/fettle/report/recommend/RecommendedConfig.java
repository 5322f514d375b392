package dev.fettle.report.recommend;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.config.render.ConfigRenderer;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The configuration that a run hands over: what was shown to help, in the words of the place where it goes, with the reason
 * and the way back beside it.
 */
public final class RecommendedConfig {
    private final RunReport run;
    private final Recommendation found;
    private final ConfigPlace place;
    private final RecommendationReasons reasons;
    private final Setting setting;

    /**
     * Of a tune or a comparison.
     *
     * @param all also what was held and what the winner shares with the baseline, of which nothing was shown
     * @throws IllegalArgumentException with a message for the user, if the run is neither, is not finished, or says nothing
     *     about the place
     */
    public RecommendedConfig(RunReport run, ConfigPlace place, boolean all) {
        this.found = Recommendation.of(run);
        Target target = run.plan().target();
        if (place.server().isPresent()
                && target.knownServer().isPresent()
                && !place.server().equals(target.knownServer())) {
            throw new IllegalArgumentException("%s was measured on %s; that says nothing about %s"
                    .formatted(run.runId(), target.knownServer().get().id(), place.id()));
        }
        if (place == ConfigPlace.SPRING_BOOT && target.knownServer().isEmpty()) {
            throw new IllegalArgumentException(
                    "the server of %s is not known, and Spring Boot's properties are named after it"
                            .formatted(target.label()));
        }
        if (place == ConfigPlace.COMMAND_LINE && !(target instanceof Target.Command)) {
            throw new IllegalArgumentException("%s has no command line of its own; for its configuration: --for %s"
                    .formatted(target.label(), ConfigPlace.of(target).id()));
        }
        this.run = run;
        this.place = place;
        this.reasons = new RecommendationReasons(run, found);
        this.setting = all ? found.winner() : shown();
    }

    /** The knobs whose effect was shown, with their values. */
    private Setting shown() {
        return found.better() ? Wording.beyond(found.winner(), found.baseline()) : Setting.DEFAULT;
    }

    /** What is written; empty when nothing was shown to help. */
    public Setting setting() {
        return setting;
    }

    /** Why nothing is written, or what was found. */
    public String headline() {
        return found.headline();
    }

    /** The run, the reasons and the way back, as lines of a comment that begin with {@code #}. */
    public String about() {
        return ConfigFile.Kind.JAVA_COMMAND.comment(comment());
    }

    private List<String> comment() {
        var lines = new ArrayList<>(reasons.lines(setting));
        lines.addFirst(reasons.provenance());
        return lines;
    }

    /** Why each knob has its value, what it was, and what to do to go back. */
    public List<RecommendationReasons.Reason> reasons() {
        return reasons.of(setting);
    }

    /** The files; none when there is nothing to write. */
    public List<ConfigFile> files() {
        return setting.isDefault()
                ? List.of()
                : new ConfigRenderer(
                                run.plan().target(),
                                setting,
                                executor(run),
                                run.plan().own())
                        .at(place).stream().map(f -> f.after(comment())).toList();
    }

    /** The Executor that the Connector of the run's Tomcat runs on, as its trials found. */
    static Optional<String> executor(RunReport run) {
        return run.outcomes().stream()
                .flatMap(o -> o.evidence().stream())
                .flatMap(e -> Optional.ofNullable(e.facts().get("executor")).stream())
                .findFirst();
    }
}
