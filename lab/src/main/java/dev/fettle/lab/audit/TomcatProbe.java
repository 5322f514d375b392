package dev.fettle.lab.audit;

import dev.fettle.lab.machine.Folders;
import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Asks the classes of a Tomcat whether they have a property for each attribute of a {@code server.xml}; nothing is started. */
public record TomcatProbe(String classes, Path java, Path folder) {
    private static final String PROGRAM = "TomcatAttributes.java";
    private static final int MOST = 300;
    private static final Pattern NAME = Pattern.compile("(?:Connector|Executor)\\.[A-Za-z][\\w.]{1,60}");

    /** The class path of a Tomcat's folder; empty if there is none. */
    public static Optional<String> classes(Path home) {
        return Files.isReadable(home.resolve("lib/catalina.jar"))
                ? Optional.of(home.resolve("lib") + "/*:" + home.resolve("bin") + "/*")
                : Optional.empty();
    }

    /** The class path of the Tomcat that Fettle embeds; empty if it is not built. */
    public static Optional<String> embedded(Path fettle) {
        Path lib = fettle.resolve("servers/build/lib");
        return Files.isDirectory(lib) ? Optional.of(lib + "/*") : Optional.empty();
    }

    /** Tomcat's answers; the key {@code version} holds its release. */
    record Said(Optional<String> version, List<Probe> probes) {}

    Said probe(List<FoundSetting> found) throws IOException, InterruptedException {
        Set<String> others = found.stream()
                .filter(f -> f.name().equals("Connector.protocol") && f.value().startsWith("AJP"))
                .map(f -> f.place().file() + f.scope())
                .collect(Collectors.toSet());
        Map<String, String> asked = new LinkedHashMap<>();
        found.stream()
                .filter(f ->
                        f.kind() == SettingKind.TOMCAT && NAME.matcher(f.name()).matches())
                .filter(f -> !others.contains(f.place().file() + f.scope())
                        && !f.value().contains("${"))
                .limit(MOST)
                .forEach(f -> asked.putIfAbsent(f.name(), f.value()));
        if (asked.isEmpty()) {
            return new Said(Optional.of(""), List.of());
        }
        Path program = folder.resolve(PROGRAM);
        try (InputStream in = TomcatProbe.class.getResourceAsStream(PROGRAM)) {
            Folders.writePrivate(program, in == null ? new byte[0] : in.readAllBytes());
        }
        var command = new ArrayList<String>();
        command.addAll(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-cp", classes, program.toString()));
        asked.forEach((n, v) -> command.add(n + "=" + v));
        Optional<Tried.Said> said = Tried.run(command, folder);
        if (said.isEmpty() || said.get().code() != 0) {
            return new Said(Optional.empty(), List.of());
        }
        Optional<String> version = said.get()
                .text()
                .lines()
                .filter(l -> l.startsWith("version "))
                .findFirst()
                .map(l -> l.substring("version ".length()).replaceFirst("^(\\d+\\.\\d+\\.\\d+)\\.0$", "$1"));
        String on = "Tomcat " + version.orElse("");
        List<Probe> probes = said.get()
                .text()
                .lines()
                .filter(l -> l.startsWith("known ") || l.startsWith("unknown "))
                .map(l -> new Probe(
                        l.substring(l.indexOf(' ') + 1),
                        on,
                        l.startsWith("known ") ? Outcome.ACCEPTED : Outcome.ABSENT,
                        l.startsWith("known ") ? "" : "it has no such property: a warning, and no effect",
                        Optional.empty()))
                .toList();
        return new Said(version, probes);
    }
}
