package dev.fettle.lab.check;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.process.ProcessStart;
import dev.fettle.config.process.ShellReader;
import dev.fettle.config.render.ConfigRenderer;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A rendered configuration, and what its texts say about how the process is started.
 *
 * @param files all rendered files
 * @param environment the process's environment variables
 * @param process the process knobs
 * @param flags JVM flags, from the start command
 */
record RenderedConfig(List<ConfigFile> files, Map<String, String> environment, Setting process, List<String> flags) {
    /** A placeholder for a JDK home that only the reader knows; it ends with the release. */
    private static final Pattern JDK = Pattern.compile(
            "(?:eclipse-temurin:|JAVA_HOME=['\"]?/path/to/jdk-)(?<release>\\d+)|JAVA_HOME=['\"]?(?<home>/[^'\"\n]*)");

    RenderedConfig {
        files = List.copyOf(files);
        environment = Map.copyOf(environment);
        flags = List.copyOf(flags);
    }

    /** @throws ConfigException if a text does not match its kind */
    static RenderedConfig read(List<ConfigFile> files) throws ConfigException {
        var environment = new LinkedHashMap<String, String>();
        Setting process = Setting.DEFAULT;
        var flags = new ArrayList<String>();
        for (ConfigFile file : files) {
            switch (file.kind()) {
                case SYSTEMD_UNIT, KUBERNETES_PATCH, DOCKER_RUN -> {
                    ProcessStart start = start(file);
                    environment.putAll(start.environment());
                    process = process.with(start.process());
                }
                case JAVA_COMMAND -> {
                    List<String> extracts = file.text()
                            .lines()
                            .filter(l -> l.contains(ConfigRenderer.EXTRACT))
                            .toList();
                    process = extracts.isEmpty() ? process : process.with(BootLayout.KNOB, BootLayout.EXTRACTED);
                    flags.addAll(flags(file.text()
                            .lines()
                            .filter(l -> !extracts.contains(l))
                            .collect(Collectors.joining("\n"))));
                }
                default -> {
                    // copied as is
                }
            }
        }
        return new RenderedConfig(files, environment, process, flags);
    }

    private static ProcessStart start(ConfigFile file) throws ConfigException {
        return switch (file.kind()) {
            case KUBERNETES_PATCH -> ProcessStart.ofKubernetes(file.text());
            case DOCKER_RUN -> ProcessStart.ofDocker(file.text());
            default -> ProcessStart.ofUnit(file.text());
        };
    }

    /** The arguments between {@code java} and what it runs. */
    private static List<String> flags(String command) throws ConfigException {
        List<String> words = ShellReader.words(ShellReader.uncommented(command));
        int end = words.indexOf("-jar");
        return words.subList(Math.min(1, words.size()), end < 0 ? words.size() : end);
    }

    /** The named JDK: a release, or a home. */
    Optional<String> java() {
        return of(Kind.JAVA_HOME).stream()
                .map(f -> JDK.matcher(f.text()))
                .filter(Matcher::find)
                .map(m -> m.group("release") == null ? m.group("home") : m.group("release"))
                .findFirst();
    }

    List<ConfigFile> of(Kind kind) {
        return files.stream().filter(f -> f.kind() == kind).toList();
    }
}
