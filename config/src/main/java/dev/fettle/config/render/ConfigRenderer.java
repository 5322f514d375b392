package dev.fettle.config.render;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.Escapes;
import dev.fettle.config.OwnKnobs;
import dev.fettle.config.ServerConfig;
import dev.fettle.config.boot.ApplicationProperties;
import dev.fettle.config.process.JvmLine;
import dev.fettle.config.undertow.WildFly;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renders a setting as pieces of configuration, according to the place where they go. The pieces say nothing about the
 * run: callers add that as a comment.
 */
public final class ConfigRenderer {
    /** How the command begins that extracts a Spring Boot jar. */
    public static final String EXTRACT = "java -Djarmode=tools -jar";

    private final Target target;
    private final Setting setting;
    private final OwnPlaces own;
    private final List<OwnKnob> ownKnobs;
    private final Optional<String> executor;
    private Setting whole;
    private Setting baseline = Setting.DEFAULT;

    /**
     * Creates a renderer.
     *
     * @param executor the Executor that a Tomcat's Connector runs on, if it is known to run on one
     * @param own the application's knobs that the plan declares
     */
    public ConfigRenderer(Target target, Setting setting, Optional<String> executor, List<OwnKnob> own) {
        this.own = new OwnPlaces(own, setting);
        this.target = target;
        this.setting = setting;
        this.executor = executor;
        this.ownKnobs = List.copyOf(own);
        this.whole = setting;
    }

    /**
     * Tells what else was in force when the setting was measured. A user who has the baseline's value has to be given the
     * server's own default as well, a command is written as it was run, and some knobs have another name next to others.
     *
     * @param whole the setting with all that was held
     * @param baseline what it was compared with
     */
    public ConfigRenderer measured(Setting whole, Setting baseline) {
        this.whole = whole;
        this.baseline = baseline;
        return this;
    }

    /** The pieces for a place, the server's own file first. */
    public List<ConfigFile> at(ConfigPlace place) {
        var files = new ArrayList<ConfigFile>();
        switch (place) {
            case WILDFLY -> {
                files.addAll(WildFly.files(setting, whole, flags()));
                deployment().process().ifPresent(files::add);
            }
            case SPRING_BOOT -> {
                boot(true).ifPresent(files::add);
                bootStart(flags()).ifPresent(files::add);
                deployment().process().ifPresent(files::add);
            }
            case SYSTEMD -> files.addAll(deployed(deployment().systemd()));
            case KUBERNETES -> files.addAll(deployed(deployment().kubernetes()));
            case DOCKER -> files.addAll(deployed(deployment().docker()));
            case COMMAND_LINE -> {
                files.addAll(commandLine());
                deployment().process().ifPresent(files::add);
            }
            default -> {
                ServerConfig server = place.config().orElseThrow();
                ownFile(server).ifPresent(files::add);
                List<String> flags = flags();
                if (!flags.isEmpty()) {
                    files.add(server.flags(takenOut(), flags));
                }
                deployment().process().ifPresent(files::add);
            }
        }
        for (ConfigFile piece : own.pieces()) {
            if (files.stream()
                    .noneMatch(f -> f.kind() == Kind.TEMPLATE && f.path().equals(piece.path()))) {
                files.add(piece); // else it is in the template
            }
        }
        JdkChoice.file(place, setting).ifPresent(files::add);
        return files;
    }

    /**
     * Spring Boot's properties for the server.
     *
     * @param defaultsToo also values that are the server's defaults, and that neither the baseline nor Spring Boot is known to have
     *     others for: an app may
     */
    public Optional<ConfigFile> boot(boolean defaultsToo) {
        Optional<ConfigFile> servers =
                target.knownServer().flatMap(s -> ApplicationProperties.of(s, defaultsToo ? setting : differing(s)));
        String lines = own.propertyLines();
        return lines.isEmpty()
                ? servers
                : Optional.of(new ConfigFile(
                        Kind.BOOT_PROPERTIES,
                        "application.properties",
                        servers.map(ConfigFile::text).orElse("") + lines,
                        servers.map(ConfigFile::without).orElse(Map.of())));
    }

    /** The setting without what the server has anyway. */
    private Setting differing(ServerKind server) {
        var out = new LinkedHashMap<String, String>();
        setting.values().forEach((knob, value) -> {
            boolean changed = baseline.get(knob).filter(b -> !b.equals(value)).isPresent();
            boolean others = OwnKnobs.on(server, knob)
                    .filter(n -> n.defaults().containsKey("boot"))
                    .isPresent();
            if (changed || others || !OwnKnobs.isDefault(server, knob, value)) {
                out.put(knob, value);
            }
        });
        return Setting.of(out);
    }

    /** A comment on flags of the target's that were left out when the setting was measured; empty if there are none. */
    private String takenOut() {
        return Kind.JAVA_COMMAND.comment(takenOut(displaced()));
    }

    /** Flags of the target's that were left out when the setting was measured. */
    private List<String> displaced() {
        return target.hasConnector() ? JvmLine.displaced(target.jvm().flags(), setting) : List.of();
    }

    /** A remark on flags that have to go because others take their place; none if there are no such flags. */
    public static List<String> takenOut(List<String> flags) {
        return flags.isEmpty() ? List.of() : List.of("take out of what is there: " + Escapes.shell(flags));
    }

    /** The JVM flags of the catalogue's knobs and of the user's application. */
    private List<String> flags() {
        var flags = new ArrayList<>(JvmFlags.of(setting));
        flags.addAll(own.flags());
        return flags;
    }

    private ContainerTexts deployment() {
        return new ContainerTexts(target, setting, own);
    }

    /** The server's own file, if a knob belongs there. */
    private Optional<ConfigFile> ownFile(ServerConfig server) {
        if (setting.values().keySet().stream().noneMatch(OwnKnobs::ofServer)) {
            return Optional.empty();
        }
        Setting configured = target.configured();
        for (var e : baseline.values().entrySet()) {
            if (setting.get(e.getKey()).filter(v -> !v.equals(e.getValue())).isPresent()) {
                configured = configured.with(e.getKey(), e.getValue());
            }
        }
        return Optional.of(server.knobs(new ServerConfig.Wanted(setting, configured, whole, executor)));
    }

    /** Settings that the deployment can't express go into the server's own file next to it. */
    private List<ConfigFile> deployed(ConfigFile file) {
        var files = new ArrayList<ConfigFile>();
        if (!file.text().isEmpty()) {
            files.add(file.after(takenOut(displaced())));
        }
        if (!target.takesProperties()) {
            target.knownServer().map(ConfigPlace::config).flatMap(this::ownFile).ifPresent(files::add);
        }
        bootStart(List.of()).filter(_ -> BootLayout.isExtracted(setting)).ifPresent(files::add);
        files.addAll(commandLine());
        return files;
    }

    /** How a Spring Boot app is started; empty if that is as it was. */
    private Optional<ConfigFile> bootStart(List<String> flags) {
        boolean extracted = BootLayout.isExtracted(setting);
        if (flags.isEmpty() && !extracted) {
            return Optional.empty();
        }
        String java = flags.isEmpty() ? "java" : takenOut() + "java " + Escapes.shell(flags);
        return Optional.of(ConfigFile.starting((extracted ? EXTRACT + " app.jar extract\n" : "")
                + java
                + (extracted ? " -jar app/app.jar" : " -jar app.jar")));
    }

    /** The command, and the files that it reads. */
    private List<ConfigFile> commandLine() {
        if (!(target instanceof Target.Command c)) {
            return List.of();
        }
        var files = new ArrayList<ConfigFile>();
        var all = new OwnPlaces(ownKnobs, whole);
        var remarks = new ArrayList<String>();
        c.templates().forEach((path, text) -> files.add(template(c, path, text, all, remarks)));
        files.addFirst(new ConfigFile(
                Kind.COMMAND_LINE,
                ConfigFile.STARTER,
                Kind.COMMAND_LINE.comment(remarks) + CommandTargetText.text(c, whole, all)));
        return files;
    }

    /** @param remarks receives why a value has no place: the file may be of any format, so nothing is added to it */
    private ConfigFile template(Target.Command c, String path, String text, OwnPlaces all, List<String> remarks) {
        String filled = CommandTargetText.template(c, text, whole, all);
        try {
            return new ConfigFile(Kind.TEMPLATE, path, all.in(path, filled));
        } catch (ConfigException e) {
            remarks.add(String.valueOf(e.getMessage()));
            return new ConfigFile(Kind.TEMPLATE, path, filled);
        }
    }
}
