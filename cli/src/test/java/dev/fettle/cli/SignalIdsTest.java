package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the watch writes and a rule reads is joined by a signal's id. The ids are written in {@link Signals}, the kinds of sightings in
 * {@link Sighting}, and nowhere else: then the compiler knows them, and each that is read is one that somebody writes.
 */
class SignalIdsTest {
    /** Keys of a plan that have the name of a signal. */
    private static final Set<String> ALSO_IN_PLANS = Set.of("load.rate");

    private static final Pattern QUALIFIED = Pattern.compile("\\b(?:Signals|Sighting)\\.\\w++");

    private static Map<String, String> constants(Class<?> of) throws IllegalAccessException {
        var all = new TreeMap<String, String>();
        for (Field f : of.getDeclaredFields()) {
            if (Modifier.isStatic(f.getModifiers())
                    && Modifier.isPublic(f.getModifiers())
                    && f.getType() == String.class) {
                all.put(of.getSimpleName() + "." + f.getName(), (String) f.get(null));
            }
        }
        return all;
    }

    private static Map<Path, String> sources(String... rooms) throws IOException {
        var all = new TreeMap<Path, String>();
        for (String room : rooms) {
            try (Stream<Path> files = Files.walk(Path.of("..", room, "src/main/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    all.put(file, Files.readString(file));
                }
            }
        }
        return all;
    }

    @Test
    void theIdsAreThoseOfTheCatalogue() throws IllegalAccessException {
        assertThat(constants(Signals.class).values())
                .filteredOn(i -> !i.endsWith("."))
                .containsExactlyInAnyOrderElementsOf(
                        Signal.all().stream().map(Signal::id).toList());
    }

    @Test
    void nobodyWritesAnIdOut() throws IOException, IllegalAccessException {
        var ids = new TreeSet<String>();
        ids.addAll(constants(Signals.class).values());
        ids.addAll(constants(Sighting.class).values());
        Set<String> dotted = ids.stream()
                .filter(i -> i.contains(".") && !ALSO_IN_PLANS.contains(i))
                .collect(Collectors.toSet());
        var written = new TreeSet<String>();
        sources("watch", "insight", "lab", "report", "cli").forEach((file, text) -> {
            for (String id : dotted) {
                if (text.contains("\"" + id + "\"")) {
                    written.add(id + " in " + file.getFileName());
                }
            }
        });
        assertThat(written).isEmpty();
    }

    @Test
    void eachIsWrittenBySomebody() throws IOException, IllegalAccessException {
        Set<String> written = QUALIFIED
                .matcher(String.join("\n", sources("watch", "lab").values()))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        assertThat(written).contains("Signals.HEAP_USED");
        for (Class<?> of : List.of(Signals.class, Sighting.class)) {
            assertThat(written).containsAll(constants(of).keySet());
        }
    }
}
