package dev.fettle.insight.history;

import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;

/**
 * Benches of a reference program, which say what the machine did when other programs were benched: each bench has the one that was started
 * next to it in time, on the same machine.
 *
 * @param target of the reference: scheme, host and port
 * @param within the longest time between the starts of the two
 */
public record BenchReference(String target, Duration within) {
    private static final String TARGET = "target";

    /** Of those that are kept together, an hour apart at most. */
    public static BenchReference of(String target) {
        return new BenchReference(target, Duration.ofHours(1));
    }

    /** Whether a run is a bench of the reference. */
    public boolean isOf(PastRun run) {
        return target.equals(run.conditions().get(TARGET));
    }

    /** The other runs, each with the figures of the reference next to it; one without any is left as it is. */
    public List<PastRun> nextTo(List<PastRun> runs) {
        List<PastRun> references =
                runs.stream().filter(r -> isOf(r) && r.unused().isEmpty()).toList();
        var out = new ArrayList<PastRun>();
        for (PastRun run : runs) {
            if (!isOf(run)) {
                out.add(
                        run.conditions().containsKey(TARGET)
                                ? nearest(run, references)
                                        .map(r -> with(run, r))
                                        .orElse(run)
                                : run);
            }
        }
        return out;
    }

    private Optional<PastRun> nearest(PastRun run, List<PastRun> references) {
        return references.stream()
                .filter(r -> r.isOnSameMachine(run) && apart(r, run).compareTo(within) <= 0)
                .min(Comparator.comparing(r -> apart(r, run)));
    }

    private static Duration apart(PastRun one, PastRun other) {
        return Duration.between(one.started(), other.started()).abs();
    }

    private PastRun with(PastRun run, PastRun reference) {
        var figures = new EnumMap<GateMetric, PastRun.Figure>(GateMetric.class);
        run.figures()
                .forEach((m, f) -> figures.put(
                        m,
                        new PastRun.Figure(
                                f.value(),
                                Optional.ofNullable(reference.figures().get(m))
                                        .map(r -> OptionalFigure.of(r.value()))
                                        .orElse(OptionalFigure.empty()),
                                f.answer())));
        return new PastRun(
                run.id(),
                run.place(),
                run.started(),
                run.commit(),
                run.open(),
                run.conditions(),
                run.memory(),
                run.facts(),
                figures,
                "bench of " + target + ", " + reference.conditions().getOrDefault("load", ""),
                run.verdict(),
                run.unused());
    }
}
