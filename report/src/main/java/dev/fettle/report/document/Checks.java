package dev.fettle.report.document;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What of a result passes or fails, for programs that count tests.
 *
 * @param kind of result: {@code bench}, {@code tune}, …
 * @param name what was judged
 * @param started when it began; empty where nothing was run
 * @param took how long
 * @param figures to keep next to it, by name
 * @param all the checks; none of what has no verdict
 * @param notes what to know of those that passed
 */
public record Checks(
        String kind,
        String name,
        Optional<Instant> started,
        Duration took,
        Map<String, String> figures,
        List<Check> all,
        List<String> notes) {
    /** Of what has no verdict. */
    public static final Checks NONE = of("", "", List.of());

    public Checks {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        all = List.copyOf(all);
        notes = List.copyOf(notes);
    }

    /** Of what was judged without running anything. */
    public static Checks of(String kind, String name, List<Check> all) {
        return new Checks(kind, name, Optional.empty(), Duration.ZERO, Map.of(), all, List.of());
    }

    /** How a check ended. */
    public enum Outcome {
        PASSED,
        FAILED,
        /** There is no valid figure that could pass or fail. */
        VOID,
        /** It was not tried, or not observed. */
        SKIPPED
    }

    /**
     * A check.
     *
     * @param name what holds if it passes
     * @param type the kind of the reason, an id; empty if it passed
     * @param why it did not pass; empty if it did
     */
    public record Check(String name, Outcome outcome, String type, String why) {
        /** One that passed. */
        public static Check passed(String name) {
            return new Check(name, Outcome.PASSED, "", "");
        }

        /** One that passed, unless there is something against it. */
        public static Check unless(String name, Outcome otherwise, String type, List<String> against) {
            return against.isEmpty() ? passed(name) : new Check(name, otherwise, type, String.join("\n", against));
        }
    }
}
