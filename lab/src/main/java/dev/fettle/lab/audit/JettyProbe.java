package dev.fettle.lab.audit;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks up Jetty's properties in the modules of a distribution: a property that none of them reads has no effect.
 * Nothing is started.
 */
public final class JettyProbe {
    private static final Pattern INI = Pattern.compile("(?m)^#?\\s?([a-zA-Z][\\w-]*+(?:\\.[\\w-]++)++)\\s?[?+]?=(.*)$");
    private static final Pattern XML = Pattern.compile(
            "<(?:Property|SystemProperty)\\s(?>[^<>]*?name=\"([\\w.-]++)\")(?:[^<>]*?default=\"([^\"<]*+)\")?|\\sproperty=\"([\\w.-]+)\""
                    + "|deprecated=\"([\\w.,-]+)\"");
    private static final Pattern JAR = Pattern.compile("jetty-server-(\\d++(?:\\.\\d++)*+)\\.jar");
    private static final long LARGEST = 1 << 20;

    /** For each property, its default in the module's template; empty if there is none. */
    private final Map<String, String> properties = new HashMap<>();

    private final String version;

    /** @param home folder of a distribution, see {@link #isHome} */
    JettyProbe(Path home) throws IOException {
        for (Path f : files(home.resolve("etc"), ".xml")) {
            Matcher m = XML.matcher(Files.readString(f, StandardCharsets.UTF_8));
            while (m.find()) {
                for (String name :
                        (m.group(1) != null ? m.group(1) : m.group(3) != null ? m.group(3) : m.group(4)).split(",")) {
                    properties.putIfAbsent(name, m.group(2) == null ? "" : m.group(2));
                }
            }
        }
        for (Path f : files(home.resolve("modules"), ".mod")) {
            Matcher m = INI.matcher(Files.readString(f, StandardCharsets.UTF_8));
            while (m.find()) {
                properties.merge(m.group(1), m.group(2).strip(), (a, b) -> a.isEmpty() ? b : a);
            }
        }
        try (Stream<Path> lib = Files.list(home.resolve("lib"))) {
            version = lib.map(p -> JAR.matcher(p.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(m -> m.group(1))
                    .findFirst()
                    .orElse("");
        }
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder, 4)) {
            return all.filter(p -> p.toString().endsWith(end) && p.toFile().length() < LARGEST)
                    .sorted()
                    .toList();
        }
    }

    /** Whether a folder is a distribution of Jetty 9.3 or later. */
    public static boolean isHome(Path folder) {
        return Files.isReadable(folder.resolve("start.jar"))
                && Files.isDirectory(folder.resolve("modules"))
                && Files.isDirectory(folder.resolve("etc"))
                && Files.isDirectory(folder.resolve("lib"));
    }

    /** The distribution's release; empty if its jars don't name it. */
    String version() {
        return version;
    }

    List<Probe> probe(List<FoundSetting> found) {
        return found.stream()
                .filter(f -> f.kind() == SettingKind.JETTY && f.name().startsWith("jetty."))
                .map(FoundSetting::name)
                .distinct()
                .map(this::one)
                .toList();
    }

    private Probe one(String name) {
        String byDefault = properties.get(name);
        return new Probe(
                name,
                "Jetty " + version,
                byDefault == null ? Outcome.ABSENT : Outcome.ACCEPTED,
                byDefault == null ? "none of its modules reads it" : "",
                Optional.ofNullable(byDefault).filter(d -> !d.isEmpty() && !d.contains("$")));
    }
}
