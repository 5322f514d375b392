package dev.fettle.report;

import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.JvmFlags;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration that a tune hands over: what was shown to help, in the words of the place where it goes, with the reason
 * and the way back beside it.
 */
public final class ConfigFiles {
    /** The path of Tomcat's file among {@link #files()}. */
    public static final String SERVER_XML = "conf/server.xml";

    private static final String STARTER = "the command that starts it";

    private final RunReport run;
    private final TuneConclusion found;
    private final ConfigPlace place;
    private final ConfigReasons reasons;
    private final Setting setting;

    /**
     * Of a tune.
     *
     * @param all also what was held and what the winner shares with the baseline, of which nothing was shown
     * @throws IllegalArgumentException with a message for the user, if the run is no finished tune or its result says nothing
     *     about the place
     */
    public ConfigFiles(RunReport run, ConfigPlace place, boolean all) {
        if (run.conclusion().isEmpty() || !(run.conclusion().get() instanceof TuneConclusion t)) {
            throw new IllegalArgumentException(run.runId() + " is "
                    + (run.kind().equals("tune")
                            ? "an unfinished tune: 'fettle resume' goes on with it"
                            : "a " + run.kind())
                    + "; a configuration comes from a finished tune");
        }
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
        this.found = t;
        this.place = place;
        this.reasons = new ConfigReasons(run, t);
        this.setting = all ? t.winner() : shown();
    }

    /** The knobs whose effect was shown, with their values. */
    private Setting shown() {
        return found.result() == TuneConclusion.Result.IMPROVED
                ? Words.beyond(found.winner(), found.baseline())
                : Setting.DEFAULT;
    }

    /** What is written; empty when nothing was shown to help. */
    public Setting setting() {
        return setting;
    }

    /** Why nothing is written, or what the winner gave. */
    public String headline() {
        return found.headline();
    }

    /** The run, the reasons and the way back, as lines of a comment that begin with {@code #}. */
    public String about() {
        return about("shell");
    }

    private String about(String language) {
        var lines = new ArrayList<>(reasons.lines(setting));
        lines.addFirst(reasons.provenance());
        return ConfigReasons.comment(language, lines);
    }

    /** Why each knob has its value, what it was, and what to do to go back. */
    public List<ConfigReasons.Reason> reasons() {
        return reasons.of(setting);
    }

    /** The files; none when there is nothing to write. */
    public List<ConfigFile> files() {
        if (setting.isDefault()) {
            return List.of();
        }
        var files = new ArrayList<ConfigFile>();
        switch (place) {
            case TOMCAT, JETTY, UNDERTOW -> {
                files.addAll(server(place.server().orElseThrow()));
                deployment().process().ifPresent(f -> files.add(explained(f)));
            }
            case SPRING_BOOT -> {
                files.addAll(boot());
                deployment().process().ifPresent(f -> files.add(explained(f)));
            }
            case SYSTEMD -> files.addAll(deployed(deployment().systemd()));
            case KUBERNETES -> files.addAll(deployed(deployment().kubernetes()));
            case DOCKER -> files.addAll(deployed(deployment().docker()));
            case COMMAND_LINE -> files.addAll(commandLine());
        }
        ConfigJava.file(place, setting).ifPresent(f -> files.add(explained(f)));
        return files;
    }

    private ConfigDeployment deployment() {
        return new ConfigDeployment(target(), setting);
    }

    private Target target() {
        return run.plan().target();
    }

    private List<ConfigFile> server(ServerKind server) {
        var files = new ArrayList<>(ownFile(server));
        List<String> flags = JvmFlags.of(setting);
        if (!flags.isEmpty()) {
            files.add(explained(
                    switch (server) {
                        case TOMCAT -> setenv(flags);
                        case JETTY ->
                            new ConfigFile(
                                    "start.d/fettle-jvm.ini",
                                    true,
                                    "properties",
                                    "--exec\n" + String.join("\n", flags) + "\n");
                        case UNDERTOW -> starting("java " + Escapes.shell(flags));
                    }));
        }
        return files;
    }

    /** The server's own file, if a knob belongs there. */
    private List<ConfigFile> ownFile(ServerKind server) {
        if (!ofServer()) {
            return List.of();
        }
        Snippet s = ServerConfig.snippets(server, setting, reasons.provenance()).getFirst();
        String path = switch (server) {
            case TOMCAT -> SERVER_XML;
            case JETTY -> "start.d/fettle.ini";
            case UNDERTOW -> "the code that builds the server";
        };
        return List.of(own(path, server == ServerKind.JETTY, s));
    }

    private List<ConfigFile> boot() {
        var files = new ArrayList<ConfigFile>();
        if (ofServer()) {
            target().knownServer()
                    .ifPresent(s -> ServerConfig.ofBootApp(s, setting, reasons.provenance())
                            .forEach(f -> files.add(own("application.properties", false, f))));
        }
        List<String> flags = JvmFlags.of(setting);
        if (!flags.isEmpty()) {
            files.add(explained(starting("java " + Escapes.shell(flags) + " -jar app.jar")));
        }
        return files;
    }

    /** What the deployment can't say for the server goes into the server's own file, beside it. */
    private List<ConfigFile> deployed(ConfigFile file) {
        var files = new ArrayList<ConfigFile>();
        if (!file.text().isEmpty()) {
            files.add(explained(file));
        }
        if (!(target() instanceof Target.Boot)) {
            target().knownServer().ifPresent(s -> files.addAll(ownFile(s)));
        }
        files.addAll(commandLine());
        return files;
    }

    private List<ConfigFile> commandLine() {
        return target() instanceof Target.Command c
                ? List.of(own(STARTER, false, CommandLines.snippet(c, setting, reasons.provenance())))
                : List.of();
    }

    private static ConfigFile setenv(List<String> flags) {
        // inside double quotes of a shell
        String safe = String.join(" ", flags).replaceAll("([\\\\\"$`])", "\\\\$1");
        return new ConfigFile("bin/setenv.sh", false, "shell", "CATALINA_OPTS=\"$CATALINA_OPTS " + safe + "\"\n");
    }

    private static ConfigFile starting(String command) {
        return new ConfigFile(STARTER, false, "shell", command + "\n");
    }

    private boolean ofServer() {
        return setting.values().keySet().stream().anyMatch(NativeNames::ofServer);
    }

    /** A piece that names its run itself. */
    private ConfigFile own(String path, boolean whole, Snippet s) {
        return new ConfigFile(
                path, whole, s.language(), ConfigReasons.comment(s.language(), reasons.lines(setting)) + s.text());
    }

    private ConfigFile explained(ConfigFile f) {
        return new ConfigFile(f.path(), f.whole(), f.language(), about(f.language()) + f.text());
    }
}
