package dev.fettle.insight.explain;

import dev.fettle.insight.words.FigureText;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Notes for the conclusion on what a run shows against its own plan. */
public final class PoolNotes {
    private PoolNotes() {}

    /**
     * The same of trials some of which ran in a warm JVM.
     *
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput; 0 for one of its own
     */
    public static List<String> of(
            List<TrialOutcome> trials, Objective.Metric metric, ToDoubleFunction<TrialOutcome> moved) {
        var notes = new ArrayList<String>();
        trials.stream()
                .filter(TrialOutcome::valid)
                .flatMap(t -> mistaken(t).stream())
                .limit(1)
                .forEach(notes::add);
        if (metric == Objective.Metric.THROUGHPUT) {
            notes.addAll(KnobEffects.none(trials, moved));
        }
        return notes;
    }

    /** A pool whose size is not what the plan declares or sets, or not the default of a guest's server. */
    public static Optional<String> mistaken(TrialOutcome t) {
        if (!OperatingPoint.poolMistaken(t.spec(), t.evidence())) {
            return Optional.empty();
        }
        Evidence e = t.evidence().orElseThrow();
        String said = OperatingPoint.knob(t.spec(), t.evidence(), OperatingPoint.THREADS)
                .orElse("");
        boolean set = t.spec().setting().get(OperatingPoint.THREADS).isPresent();
        double seen = Math.max(
                e.get(Aggregate.WORKERS).orElse(0),
                e.get(Aggregate.BUSY_WORKERS_MAX).orElse(0));
        if (t.spec().target().running().isPresent()) {
            return Optional.of(
                    "The pool's size could not be read. The server's default is " + OperatingPoint.THREADS + "="
                            + said + ", but " + FigureText.count((int) Math.round(seen), "worker thread") + " were seen"
                            + (seen > KnobValues.number(said).orElse(0) ? "" : ", all of them busy at once")
                            + ": that is taken for its size.");
        }
        return Optional.of(
                (set ? "It was set to " : "The plan says that the default is ") + OperatingPoint.THREADS + "=" + said
                        + ", but " + FigureText.count((int) Math.round(seen), "worker thread") + " were seen"
                        + (seen > KnobValues.number(said).orElse(0) ? "" : ", all of them busy at once") + ": "
                        + (set
                                ? "the target does not take it, or the threads counted are others."
                                : "what it declares is not so."));
    }
}
