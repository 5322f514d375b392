package dev.fettle.report.recommend;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The comments in a configuration: why each value was chosen, and how to undo it. */
public record RecommendationReasons(RunReport run, Recommendation found) {
    /**
     * The reason for one knob.
     *
     * @param value the value written
     * @param was the baseline's value: read back, held, as the plan gives it, or {@code the default}
     * @param shown whether the winner differs from the baseline in this knob
     */
    public record Reason(String knob, String value, String was, boolean shown) {}

    /** One line: the run and its gain. */
    String provenance() {
        Setting hold = run.plan().hold();
        boolean held = found.better()
                && !hold.isDefault()
                && Wording.beyond(hold, found.baseline()).isDefault()
                && Wording.beyond(hold, found.winner()).isDefault();
        return "Fettle run " + run.runId() + ": " + found.gain() + (held ? ", with " + hold + " held in both" : "");
    }

    List<Reason> of(Setting setting) {
        return setting.values().entrySet().stream()
                .map(e -> new Reason(
                        e.getKey(),
                        shownValue(e.getKey(), e.getValue()),
                        was(e.getKey()),
                        !found.baseline().get(e.getKey()).equals(Optional.of(e.getValue())) && found.better()))
                .toList();
    }

    /** The lines of a comment: each value's predecessor, the reason, and how to undo it. */
    List<String> lines(Setting setting) {
        var lines = new ArrayList<String>();
        for (Reason r : of(setting)) {
            lines.add(
                    r.knob() + " = " + r.value() + ", was " + r.was() + (r.shown() ? "" : notShown(r.knob(), setting)));
        }
        lines.addAll(found.why());
        lines.add("Undo: put back "
                + of(setting).stream().map(r -> r.knob() + " = " + r.was()).collect(Collectors.joining(", "))
                + ", and restart");
        return lines;
    }

    /** Why a value is not among those shown to be better. */
    private String notShown(String knob, Setting setting) {
        if (run.plan().hold().get(knob).isPresent()) {
            return " (held: its effect was not tested)";
        }
        return found.baseline().get(knob).equals(setting.get(knob))
                ? " (the same in both: its effect was not tested)"
                : " (tried: no effect was shown)";
    }

    private String was(String knob) {
        return found.baseline()
                .get(knob)
                .or(() -> run.outcomes().stream()
                        .filter(found.ofBaseline())
                        .flatMap(o -> o.evidence().stream())
                        .flatMap(e -> Optional.ofNullable(e.effective().get(knob)).stream())
                        .filter(_ -> !isFoundByTheJvm(knob))
                        .findFirst())
                .or(() -> run.plan().target().configured().get(knob))
                .or(() -> run.plan().ownDefault(knob))
                .or(() -> knob.equals(ServerKind.CHOICE) ? serverOfBaseline() : Optional.empty())
                .map(v -> shownValue(knob, v))
                .orElse("the default");
    }

    /** Whether the JVM finds an amount itself: to set the one that it found is not the same (a heap would be that large from the start). */
    private static boolean isFoundByTheJvm(String knob) {
        return Knobs.find(knob)
                .filter(k -> k.option().isPresent() && k.hasInterval())
                .isPresent();
    }

    private Optional<String> serverOfBaseline() {
        return run.outcomes().stream()
                .filter(found.ofBaseline())
                .flatMap(o -> o.spec().target().knownServer().stream())
                .map(ServerKind::id)
                .findFirst();
    }

    private static String shownValue(String knob, String value) {
        try {
            return Knobs.find(knob).map((Knob k) -> k.shown(value)).orElse(value);
        } catch (IllegalArgumentException e) {
            return value; // shown as is
        }
    }
}
