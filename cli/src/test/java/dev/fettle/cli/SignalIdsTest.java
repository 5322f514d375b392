package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.trial.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the watch writes and a rule reads is joined by a signal's id: one that the catalogue does not have would be a figure that
 * nobody sees. So every literal that looks like an id is one, or is said here to be something else.
 */
class SignalIdsTest {
    private static final Pattern LITERAL = Pattern.compile("\"([a-z]+)\\.([A-Za-z]+|\\*)\"");

    /** What only looks like one: files of control groups, kinds of sightings, and names of settings. */
    private static final Set<String> NO_SIGNALS = Set.of(
            "cpu.max",
            "cpu.stat",
            "memory.max",
            "memory.current",
            "pids.max",
            "memory.stat",
            "pool.*",
            "gc.pause",
            "load.connections",
            "threads.queue");

    @Test
    void everyIdIsInTheCatalogue() throws IOException {
        Set<String> ids = Signal.all().stream().map(Signal::id).collect(Collectors.toSet());
        Set<String> groups =
                ids.stream().map(i -> i.substring(0, i.indexOf('.'))).collect(Collectors.toSet());
        var unknown = new TreeSet<String>();
        var met = new TreeSet<String>();
        for (String room : List.of("watch", "insight", "lab", "report")) {
            try (Stream<Path> files = Files.walk(Path.of("..", room, "src/main/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    Matcher m = LITERAL.matcher(Files.readString(file));
                    while (m.find()) {
                        String id = m.group(1) + "." + m.group(2);
                        boolean known = ids.contains(id) || m.group(2).equals("*") && groups.contains(m.group(1));
                        if (known) {
                            met.add(id);
                        } else if (groups.contains(m.group(1))
                                && !NO_SIGNALS.contains(id)
                                && Knobs.find(id).isEmpty()) {
                            unknown.add(id + " in " + file.getFileName());
                        }
                    }
                }
            }
        }
        assertThat(met).as("it looked").contains("heap.used", "wait.lock", "accept.queue", "heap.*");
        assertThat(unknown).isEmpty();
    }
}
