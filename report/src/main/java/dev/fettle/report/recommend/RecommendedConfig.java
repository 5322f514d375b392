package dev.fettle.report.recommend;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.config.render.ConfigRenderer;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The configuration that a run recommends: what was shown to help, in the format of its destination, with comments giving the
 * reason and how to undo it.
 */
public final class RecommendedConfig {
    private final RunReport run;
    private final Recommendation found;
    private final ConfigPlace place;
    private final RecommendationReasons reasons;
    private final Setting setting;

    /**
     * From a tune or a comparison.
     *
     * @param all whether to include held knobs and those that winner and baseline share, about which nothing was shown
     * @throws IllegalArgumentException with a message for the user, if the run is neither, is not finished, or says
     *     nothing about the place
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

    /**
     * A run with its target on the server for which its configuration is: that of the setting that is written. Unchanged if that is the
     * plan's own.
     *
     * @param all whether to write what was tried, too, although nothing was shown about it
     */
    public static RunReport moved(RunReport run, boolean all) {
        if (run.conclusion().orElse(null) instanceof TuneConclusion t
                && (all || t.shown())
                && t.winner().get(ServerKind.CHOICE).isPresent()) {
            return run.withPlan(run.plan().withTargets(target -> target.under(t.winner())));
        }
        return run;
    }

    /** The knobs whose effect was shown, with their values. */
    private Setting shown() {
        return found.better() ? Wording.beyond(found.winner(), found.baseline()) : Setting.DEFAULT;
    }

    /** The knobs to write; empty if nothing was shown to help. */
    public Setting setting() {
        return setting;
    }

    /** The result of the run, or why nothing is written. */
    public String headline() {
        return found.headline();
    }

    /** The run, the reasons and how to undo it, as comment lines that begin with {@code #}. */
    public String about() {
        return ConfigFile.Kind.JAVA_COMMAND.comment(comment());
    }

    private List<String> comment() {
        var lines = new ArrayList<>(reasons.lines(setting));
        lines.addFirst(reasons.provenance());
        lines.addAll(1, measured(run, place));
        return lines;
    }

    /** What has to be known of releases: properties and modules have other names, or none, in others. */
    static List<String> measured(RunReport run, ConfigPlace place) {
        if (place == ConfigPlace.SPRING_BOOT) {
            return run
                    .plan()
                    .target()
                    .knownServer()
                    .filter(s -> s.rules().bootModule().isEmpty())
                    .stream()
                    .map(s -> "Spring Boot 4 has no " + s.title() + ", and ignores server." + s.id() + ".*")
                    .toList();
        }
        return place.config().map(c -> c.remarks(fact(run, "serverVersion"))).orElse(List.of());
    }

    /** Why each knob has its value, and what it was. */
    public List<RecommendationReasons.Reason> reasons() {
        return reasons.of(setting);
    }

    /** The files; none if there is nothing to write. */
    public List<ConfigFile> files() {
        Setting written = setting.without(ServerKind.CHOICE);
        return written.isDefault()
                ? List.of()
                : new ConfigRenderer(
                                run.plan().target(),
                                written,
                                executor(run),
                                run.plan().own())
                        .measured(found.winner(), found.baseline()).at(place).stream()
                                .map(f -> f.after(comment()))
                                .toList();
    }

    /** The Executor used by the Connector of the run's Tomcat, as read in its trials. */
    static Optional<String> executor(RunReport run) {
        return fact(run, "executor");
    }

    private static Optional<String> fact(RunReport run, String name) {
        boolean ofSeveral = run.plan().knobs().stream().anyMatch(k -> k.knob().equals(ServerKind.CHOICE));
        return run.outcomes().stream()
                .filter(o -> !ofSeveral
                        || o.spec()
                                .target()
                                .knownServer()
                                .equals(run.plan().target().knownServer()))
                .flatMap(o -> o.evidence().stream())
                .flatMap(e -> Optional.ofNullable(e.facts().get(name)).stream())
                .findFirst();
    }
}
