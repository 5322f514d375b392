package dev.fettle.config.boot;

import dev.fettle.config.ConfigException;
import dev.fettle.config.boot.BootConfiguration.Place;
import dev.fettle.model.text.Secrets;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Reads an app's configuration files in Spring Boot's order: groups of places, and in each group first what applies to
 * all profiles and then what applies to the active ones; the last value wins.
 *
 * @param notes receives a line for everything that could not be read
 */
record BootConfigReader(List<List<Place>> groups, Collection<String> notes) {
    /** Lowest precedence first: in the same place, {@code .properties} wins. */
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".properties");

    private static final String ON_PROFILE = BootProperties.canonical("spring.config.activate.on-profile");
    private static final String ON_CLOUD = BootProperties.canonical("spring.config.activate.on-cloud-platform");
    private static final String IMPORT = "spring.config.import";
    private static final String ACTIVE = "spring.profiles.active";
    private static final String INCLUDE = "spring.profiles.include";
    private static final String DEFAULT = "spring.profiles.default";
    private static final String GROUP = "spring.profiles.group.";
    /** Stands for profiles that only the app resolves; no profile has such a name. */
    private static final String UNRESOLVED = "${}";

    /** One document of a file; a properties file, like YAML, may contain several. */
    private record Document(String where, Map<String, String> properties) {
        /** A value by name, in any of Spring Boot's spellings. */
        Optional<String> get(String canonical) {
            return properties.entrySet().stream()
                    .filter(e -> BootProperties.canonical(e.getKey()).equals(canonical))
                    .map(Map.Entry::getValue)
                    .findFirst();
        }
    }

    /** Adds the files' values to the layers. Values already there take precedence. */
    void into(PropertyLayers layers) {
        List<String> names = words(layers.beyondFiles("spring.config.name").map(PropertyLayers.Value::text));
        List<String> bases = names.isEmpty() ? List.of("application") : names;
        List<String> profiles = profiles(layers, bases);
        for (List<Place> group : groups) {
            var documents = new ArrayList<Document>();
            group.forEach(place -> bases.forEach(base -> documents.addAll(documents(place, base))));
            for (String profile : profiles) {
                group.forEach(place -> bases.forEach(base -> documents.addAll(documents(place, base + "-" + profile))));
            }
            documents.stream().filter(d -> holds(d, profiles)).forEach(d -> {
                d.get(IMPORT)
                        .ifPresent(what ->
                                notes.add(d.where() + " imports " + Secrets.redact(what) + ", which is not read here"));
                layers.file(d.where(), d.properties());
            });
        }
    }

    /** The profiles named without placeholders, with what they include; the default ones if there are none. */
    private List<String> profiles(PropertyLayers layers, List<String> bases) {
        var documents = new ArrayList<Document>();
        for (List<Place> group : groups) {
            group.forEach(place -> bases.forEach(base -> documents(place, base).stream()
                    .filter(d -> d.get(ON_PROFILE).isEmpty() && d.get(ON_CLOUD).isEmpty())
                    .forEach(documents::add)));
        }
        var files = new PropertyLayers();
        documents.forEach(d -> files.file(d.where(), d.properties()));
        UnaryOperator<String> told = property -> layers.beyondFiles(property)
                .or(() -> files.get(property))
                .map(v -> plain(property, v))
                .orElse("");
        // each place's counts, and they come before the active ones, which thus override them
        var wanted = new ArrayList<>(words(layers.beyondFiles(INCLUDE).map(v -> plain(INCLUDE, v))));
        documents.forEach(d -> d.get(BootProperties.canonical(INCLUDE))
                .ifPresent(text -> wanted.addAll(
                        words(Optional.of(plain(INCLUDE, new PropertyLayers.Value(INCLUDE, text, d.where())))))));
        wanted.addAll(words(Optional.of(told.apply(ACTIVE))));
        if (wanted.isEmpty()) {
            wanted.addAll(words(Optional.of(told.apply(DEFAULT))));
        }
        if (wanted.isEmpty()) {
            wanted.add("default");
        }
        var all = new LinkedHashSet<String>();
        wanted.forEach(p -> withMembers(p, told, all));
        return all.contains(UNRESOLVED) ? List.of() : List.copyOf(all);
    }

    /** Adds a profile and, after it, those of the group of its name. */
    private static void withMembers(String profile, UnaryOperator<String> told, Set<String> all) {
        var next = new ArrayDeque<String>(List.of(profile));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (all.add(one)) {
                words(Optional.of(told.apply(GROUP + one))).reversed().forEach(next::push);
            }
        }
    }

    /** A list of profiles, unless only the app resolves it. */
    private String plain(String property, PropertyLayers.Value value) {
        if (!value.text().contains("${")) {
            return value.text();
        }
        notes.add("%s is %s in %s, which only the app resolves: files of a profile are not read"
                .formatted(property, value.text(), value.where()));
        return UNRESOLVED;
    }

    private static List<String> words(Optional<String> list) {
        return list.stream()
                .flatMap(l -> Arrays.stream(l.split(",")))
                .map(String::strip)
                .filter(w -> !w.isEmpty())
                .toList();
    }

    private List<Document> documents(Place place, String base) {
        var all = new ArrayList<Document>();
        for (String ending : ENDINGS) {
            String file = base + ending;
            String where = file + " in " + place.label();
            try {
                Optional<String> text = place.files().text(file);
                if (text.isPresent()) {
                    BootConfigText.documents(file, text.get())
                            .forEach(d -> all.add(new Document(where, new LinkedHashMap<>(d))));
                }
            } catch (IOException | ConfigException | IllegalArgumentException e) {
                notes.add(where + " cannot be read: " + e.getMessage());
            }
        }
        return all;
    }

    /** Whether a document applies to these profiles. */
    private boolean holds(Document document, List<String> profiles) {
        if (document.get(ON_CLOUD).isPresent()) {
            return false;
        }
        Optional<String> wanted = document.get(ON_PROFILE);
        if (wanted.isEmpty()) {
            return true;
        }
        if (wanted.get().matches(".*[&|()$].*")) {
            notes.add("%s is for the profiles '%s', which is more than a list of names: not read here"
                    .formatted(document.where(), wanted.get()));
            return false;
        }
        return words(wanted).stream()
                .anyMatch(p ->
                        p.startsWith("!") ? !profiles.contains(p.substring(1).strip()) : profiles.contains(p));
    }
}
