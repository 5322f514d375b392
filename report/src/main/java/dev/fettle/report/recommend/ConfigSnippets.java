package dev.fettle.report.recommend;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.config.render.ConfigRenderer;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A setting as native server configuration, ready to paste. Knobs not in the setting keep the server's default and are not
 * written; a knob that has no line in a file is named in a comment, never left out silently.
 */
public final class ConfigSnippets {
    private ConfigSnippets() {}

    /**
     * What a tune recommends: what the winner has and the default has not, as {@code fettle config} writes it; what was held in both stands
     * in the comment. Empty if the run is unfinished, of another kind, or showed no improvement.
     */
    public static List<ConfigSnippet> of(RunReport whole) {
        RunReport run = RecommendedConfig.moved(whole, false);
        if (run.conclusion().isPresent() && run.conclusion().get() instanceof TuneConclusion t && t.shown()) {
            var comment = new ArrayList<String>();
            comment.add(new RecommendationReasons(run, Recommendation.of(run)).provenance());
            comment.addAll(
                    RecommendedConfig.measured(run, ConfigPlace.of(run.plan().target())));
            return of(
                    run.plan().target(),
                    Wording.beyond(t.winner(), t.baseline()),
                    t.baseline(),
                    comment,
                    RecommendedConfig.executor(run),
                    run.plan().own());
        }
        return List.of();
    }

    /**
     * A setting for a target; nothing can be written for a URL.
     *
     * @param setting the knobs to write
     * @param comment one line for each piece: the run and its gain
     */
    static List<ConfigSnippet> of(
            Target target,
            Setting setting,
            Setting baseline,
            List<String> comment,
            Optional<String> executor,
            List<OwnKnob> own) {
        Setting written = setting.without(ServerKind.CHOICE);
        if (!target.hasProcess() || written.isDefault() && !setting.isDefault()) {
            return List.of();
        }
        var pieces = new ConfigRenderer(target, written, executor, own).measured(written, baseline);
        var files = new ArrayList<>(pieces.at(ConfigPlace.of(target)));
        if (target.sample().isPresent()) { // an embedded target represents every server of its kind
            pieces.boot(false).ifPresent(files::add);
        }
        return files.stream()
                .map(f -> new ConfigSnippet(title(f, target.knownServer()), f.language(), text(f.after(comment))))
                .toList();
    }

    /** A report keeps no secrets, and a file without them would be a wrong one. */
    private static String text(ConfigFile file) {
        return file.kind() == ConfigFile.Kind.TEMPLATE && file.text().contains(Secrets.MASK)
                ? file.kind().comment(List.of("not shown, as it may hold secrets: fettle config writes it"))
                : file.text();
    }

    private static String of(Optional<ServerKind> server) {
        return server.map(s -> s.title() + ": ").orElse("");
    }

    private static String title(ConfigFile file, Optional<ServerKind> server) {
        return switch (file.kind()) {
            case SERVER_XML, SETENV, JETTY_INI -> of(server) + file.path();
            case SERVER_CODE -> of(server) + "builder";
            case BOOT_PROPERTIES ->
                (server.filter(s -> s.rules().bootModule().isEmpty()).isPresent()
                                ? "Spring Boot 3.5: "
                                : "Spring Boot: ")
                        + file.path();
            case JAVA_COMMAND -> "JVM flags";
            case COMMAND_LINE -> "Command line";
            case JAVA_HOME -> "Java: " + file.path();
            case SYSTEMD_UNIT -> "systemd: a drop-in of the unit";
            case PATCH, OWN_FILE, TEMPLATE, KUBERNETES_PATCH, DOCKER_RUN, JBOSS_CLI, STANDALONE_CONF -> file.path();
        };
    }
}
