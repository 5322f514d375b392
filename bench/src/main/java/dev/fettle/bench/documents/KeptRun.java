package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is kept of a run's JSON: its result, one line a trial, and where it was measured; no histograms or answers, and of the timelines
 * only a few series of one valid trial of each kind.
 */
final class KeptRun {
    /** Folders of the machine it ran on have no place in a page. */
    private static final Pattern OF_THE_MACHINE = Pattern.compile("/(home|root|work|tmp|Users)/|\\.fettle/");

    private static final List<String> MACHINE =
            List.of("kernel", "cpuModel", "cpus", "serverCpus", "generatorCpus", "memory");
    private static final List<String> MEASURED = List.of("responses", "failed", "throughputPerSecond", "reconnects");
    private static final List<String> SEEN =
            List.of("serverCpus", "generatorCpuShare", "foreignCpuShare", "listenOverflows", "gcMillis", "loadAverage");

    private KeptRun() {}

    /** What {@code fettle check} says of a plan, without what the machine was doing just then. */
    static ObjectNode ofCheck(JsonNode check) {
        ObjectNode kept = new ObjectMapper().createObjectNode();
        kept.set("plan", check.path("plan"));
        kept.set("problems", check.path("problems"));
        ArrayNode notes = kept.putArray("notes");
        for (JsonNode note : check.path("notes")) {
            if (!note.asText().startsWith("other processes use")) {
                notes.add(note);
            }
        }
        return kept;
    }

    /**
     * The part of a run's JSON that the pages need.
     *
     * @param command what was run: {@code sweep examples/documents/jetty-threads-io.yaml}, and how, as in {@code bench/documents.sh list}
     * @throws IllegalArgumentException if a folder of this machine is in it
     */
    static ObjectNode of(JsonNode run, String command) {
        ObjectNode kept = new ObjectMapper().createObjectNode();
        kept.put("command", command);
        kept.put("day", run.path("started").asText("").replaceFirst("T.*", ""));
        kept.set("tookSeconds", run.path("tookSeconds"));
        kept.set("machine", some(run.path("environment"), MACHINE));
        kept.set("conclusion", Searches.isCapacity(run) ? Searches.capacity(run) : run.path("conclusion"));
        ArrayNode trials = kept.putArray("trials");
        var drawn = new HashSet<String>();
        for (JsonNode t : run.path("trials")) {
            ObjectNode one = trial(t);
            if (t.path("valid").asBoolean() && drawn.add(t.path("variant").asText() + t.path("point"))) {
                over(t.path("evidence").path("timeline")).ifPresent(o -> one.set("over", o));
            }
            trials.add(one);
        }
        var found = OF_THE_MACHINE.matcher(kept.toString());
        if (found.find()) {
            String text = kept.toString();
            throw new IllegalArgumentException("a folder of this machine is in it: …"
                    + text.substring(Math.max(0, found.start() - 60), Math.min(text.length(), found.end() + 40)) + "…");
        }
        return kept;
    }

    private static ObjectNode trial(JsonNode t) {
        ObjectNode kept = some(t, List.of("variant", "point", "valid"));
        JsonNode m = t.path("measurement");
        JsonNode e = t.path("evidence");
        kept.setAll(some(m, MEASURED));
        kept.setAll(some(e, SEEN));
        for (String of : List.of("p50Millis", "p99Millis", "maxMillis")) {
            if (m.path("latency").has(of)) {
                kept.set(of, m.path("latency").get(of));
            }
        }
        if (m.path("connect").has("p99Millis")) {
            kept.set("connectP99Millis", m.path("connect").get("p99Millis"));
            kept.set("connectMaxMillis", m.path("connect").get("maxMillis"));
        }
        if (e.has("serverCpuSeconds") && m.path("elapsedSeconds").asDouble() > 0) {
            kept.put(
                    "serverCpu",
                    e.get("serverCpuSeconds").asDouble()
                            / m.path("elapsedSeconds").asDouble());
        }
        var why = new ArrayList<String>();
        t.path("voidReasons").forEach(r -> why.add(r.path("rule").asText()));
        if (t.hasNonNull("failure")) {
            kept.put("targetFailed", true);
            why.add(t.path("failure").path("message").asText());
        }
        kept.set("why", new ObjectMapper().valueToTree(why));
        var advisories = new ArrayList<String>();
        t.path("advisories").forEach(a -> advisories.add(a.path("rule").asText()));
        if (!advisories.isEmpty()) {
            kept.set("advisories", new ObjectMapper().valueToTree(advisories));
        }
        kept.set("facts", some(e.path("facts"), List.of("server", "serverVersion", "javaVersion")));
        return kept;
    }

    private static Optional<ObjectNode> over(JsonNode timeline) {
        if (!timeline.path("series").has(Signals.WAIT_IDLE)) {
            return Optional.empty();
        }
        ObjectNode kept = some(timeline, List.of("startMillis", "stepMillis"));
        kept.set("series", some(timeline.path("series"), Bands.SERIES));
        return Optional.of(kept);
    }

    private static ObjectNode some(JsonNode from, List<String> names) {
        ObjectNode kept = new ObjectMapper().createObjectNode();
        for (String name : names) {
            if (from.hasNonNull(name)) {
                kept.set(name, from.get(name));
            }
        }
        return kept;
    }
}
