package dev.fettle.model.plan;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What earlier tunes of the same target, load and knobs on the same machine found. It is only a hint: their settings
 * are tried early, and none of their figures is used.
 *
 * @param runs their ids, newest first
 * @param settings what they found, held knobs included, newest first
 * @param versions of server and JDK in their trials; if the default's trial has others, the settings are ignored. None for a command,
 *     of which nothing tells one build from another
 */
public record Earlier(List<String> runs, List<Setting> settings, Map<String, String> versions) {
    /** Nothing is known. */
    public static final Earlier NONE = new Earlier(List.of(), List.of(), Map.of());

    /** Evidence facts that must be equal. */
    public static final List<String> VERSIONS = List.of("server", "serverVersion", "javaVersion");

    public Earlier {
        runs = List.copyOf(runs);
        settings = List.copyOf(settings);
        versions = new TreeMap<>(versions);
    }

    /** The versions in the first valid one of some trials, or else in the first; none if they are not known there. */
    public static Map<String, String> versions(List<TrialOutcome> trials) {
        var some = new TreeMap<String, String>();
        trials.stream()
                .filter(t -> t.evidence().isPresent())
                .min(Comparator.comparing(t -> !t.valid()))
                .flatMap(TrialOutcome::evidence)
                .ifPresent(e -> some.putAll(e.facts()));
        some.keySet().retainAll(VERSIONS);
        return some;
    }
}
