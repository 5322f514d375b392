package dev.fettle.insight.diagnose;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Explanation.Support;
import dev.fettle.insight.Finding;
import dev.fettle.insight.explain.Explainer;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why a trial has the figures that it has: the first finding of a diagnosis, unless other trials of the run say more
 * about its pool than one trial can.
 *
 * @param title the cause in a few words
 * @param sentences with the figures, most important first
 * @param refutedBy the experiment that would refute it; blank if the run has made it
 * @param finding the rule's finding, if the cause is one
 * @param limit the resource that is full, if one is
 */
public record Cause(
        TrialOutcome trial,
        String title,
        List<String> sentences,
        String refutedBy,
        Optional<Finding> finding,
        Optional<Limit> limit) {
    public Cause {
        sentences = List.copyOf(sentences);
    }

    /**
     * The cause of a trial's figures. Empty if they say nothing about the server, if CPU time that others took affects
     * them, or if nothing was seen of its target.
     *
     * @param run the trials of its run
     */
    public static Optional<Cause> of(TrialOutcome trial, List<TrialOutcome> run) {
        Optional<Explanation> explained = Explainer.explain(trial, run);
        if (explained.isEmpty() || unseen(explained.get())) {
            return Optional.empty();
        }
        Explanation why = explained.get();
        Optional<DiagnoseConclusion> found = diagnosed(trial);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Optional<Finding> first = found.get().bottleneck();
        boolean pool = why.limit() == Limit.THREADS || why.limit() == Limit.BEHIND_THREADS;
        if (pool && why.support() == Support.SHOWN) {
            var sentences = new ArrayList<String>(List.of(why.sentences().getFirst()));
            first.filter(f -> !Diagnosis.limits(f, "workers"))
                    .ifPresent(f -> sentences.add(f.title() + ": " + f.sentence()));
            return Optional.of(new Cause(
                    trial, words(why.limit()), sentences, why.refutedBy(), Optional.empty(), Optional.of(why.limit())));
        }
        if (first.isPresent()) {
            Finding f = first.get();
            var sentences = new ArrayList<String>(List.of(f.sentence()));
            sentences.addAll(f.symptoms());
            if (!f.remedy().isBlank()) {
                sentences.add("What to do: " + f.remedy() + ".");
            }
            return Optional.of(new Cause(trial, f.title(), sentences, f.refutedBy(), first, Optional.of(why.limit())));
        }
        return Optional.of(new Cause(
                trial,
                words(why.limit()),
                List.of(why.sentences().getFirst()),
                why.refutedBy(),
                Optional.empty(),
                Optional.of(why.limit())));
    }

    /** The first finding of a trial's diagnosis that says more than how full its pool, its CPUs or its clients are. */
    public static Optional<Finding> finding(TrialOutcome trial) {
        return diagnosed(trial)
                .flatMap(DiagnoseConclusion::bottleneck)
                .filter(f -> f.severity() != Finding.Severity.LIMIT && !Diagnosis.limits(f, "workers"));
    }

    /** A trial's diagnosis; empty if CPU time that others took affects it, or if nothing is concluded from it. */
    private static Optional<DiagnoseConclusion> diagnosed(TrialOutcome trial) {
        return DiagnoseExperiment.disturbed(trial)
                ? Optional.empty()
                : Optional.of(DiagnoseExperiment.conclude(trial, Optional.empty()))
                        .filter(c -> c.result() != DiagnoseConclusion.Result.NOT_VALID);
    }

    private static boolean unseen(Explanation why) {
        return why.busyThreads().isEmpty() && why.cpuUtilisation().isEmpty();
    }

    private static String words(Limit limit) {
        return switch (limit) {
            case THREADS -> "The pool of worker threads is the limit";
            case BEHIND_THREADS -> "The limit lies behind the worker threads";
            case CPU -> "The CPUs are full";
            case CLIENTS -> "The clients ask for no more";
            case RATE -> "The server kept up with the rate";
            case ACCEPT_QUEUE -> "Connections wait to be accepted";
            case UNKNOWN -> "What limits it was not seen";
        };
    }
}
