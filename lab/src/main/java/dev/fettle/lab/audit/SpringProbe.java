package dev.fettle.lab.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.lab.machine.Archive;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Checks Spring Boot properties against the metadata that the libraries in an app's jar contain. Nothing is started. */
final class SpringProbe {
    private static final Set<String> METADATA = Set.of(
            "META-INF/spring-configuration-metadata.json", "META-INF/additional-spring-configuration-metadata.json");
    private static final int MOST_BYTES = 8 << 20;
    private static final int MOST_ENTRIES = 100_000;

    /** A property: its default, whether it is a map, and why it has no effect any more. */
    private record Known(Optional<String> byDefault, boolean map, Optional<String> gone) {}

    private final Map<String, Known> known = new HashMap<>();
    private String version = "";

    /**
     * Reads a jar's metadata.
     *
     * @throws IOException if it can't be read
     */
    SpringProbe(Path jar) throws IOException {
        try (Archive archive = Archive.open(jar)) {
            for (String name : archive.names(MOST_ENTRIES)) {
                boolean own = METADATA.contains(name);
                if (!own && !name.endsWith(".jar")) {
                    continue;
                }
                try (InputStream in = archive.entry(name).orElseGet(InputStream::nullInputStream)) {
                    if (own) {
                        metadata(in.readNBytes(MOST_BYTES));
                    } else {
                        library(archive.within(in), name.substring(name.lastIndexOf('/') + 1));
                    }
                }
            }
        }
    }

    /** The release of Spring Boot in the jar; empty if there is none. */
    Optional<String> version() {
        return Optional.of(version).filter(v -> !v.isEmpty());
    }

    private void library(ZipInputStream inner, String name) throws IOException {
        if (name.matches("spring-boot-\\d.*\\.jar")) {
            version = name.substring("spring-boot-".length(), name.length() - ".jar".length());
        }
        for (ZipEntry e = inner.getNextEntry(); e != null; e = inner.getNextEntry()) {
            if (METADATA.contains(e.getName())) {
                metadata(inner.readNBytes(MOST_BYTES));
            }
        }
    }

    private void metadata(byte[] json) throws IOException {
        for (JsonNode p : Json.mapper().readTree(json).path("properties")) {
            JsonNode deprecation = p.path("deprecation");
            String instead = deprecation.path("replacement").asText("");
            Optional<String> gone = deprecation.path("level").asText("").equals("error")
                    ? Optional.of("it does nothing any more" + (instead.isEmpty() ? "" : ": it is " + instead))
                    : Optional.empty();
            JsonNode value = p.path("defaultValue");
            var one = new Known(
                    value.isValueNode() && !value.isNull() ? Optional.of(value.asText()) : Optional.empty(),
                    p.path("type").asText("").startsWith("java.util.Map"),
                    gone);
            known.merge(
                    plain(p.path("name").asText("")), one, (a, b) -> b.gone().isPresent() ? b : a);
        }
    }

    /** The metadata's answers for the settings; none for properties that no library declares. */
    List<Probe> probe(List<FoundSetting> found) {
        var out = new ArrayList<Probe>();
        String on = version.isEmpty() ? "The jar's metadata" : "Spring Boot " + version;
        Set<String> names = new TreeSet<>();
        found.stream().filter(f -> f.kind() == SettingKind.SPRING).forEach(f -> names.add(f.name()));
        for (String name : names) {
            String plain = plain(name);
            Known k = known.get(plain);
            boolean inMap =
                    known.entrySet().stream().anyMatch(e -> e.getValue().map() && plain.startsWith(e.getKey() + "."));
            if (k != null) {
                out.add(new Probe(
                        name,
                        on,
                        k.gone().isPresent() ? Outcome.IGNORED : Outcome.ACCEPTED,
                        k.gone().orElse(""),
                        k.byDefault()));
            } else if (!inMap && !version.isEmpty() && (name.startsWith("server.") || name.startsWith("spring."))) {
                out.add(new Probe(
                        name, on, Outcome.ABSENT, "the libraries in this jar have no such property", Optional.empty()));
            }
        }
        return out;
    }

    /** Names as Spring binds them. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "").replaceAll("\\[\\d+\\]", "");
    }
}
