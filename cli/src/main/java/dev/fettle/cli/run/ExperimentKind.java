package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.diagnose.DiagnoseExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Locale;

/** The experiments that a plan can be run as. */
public enum ExperimentKind {
    TUNE,
    SWEEP,
    COMPARE,
    CAPACITY,
    DIAGNOSE;

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What its trials are called. */
    public String said() {
        return this == CAPACITY ? "probe" : "trial";
    }

    /** Those of a run's outcomes that are counted and shown. */
    public List<TrialOutcome> counted(List<TrialOutcome> all) {
        return this == CAPACITY
                ? all.stream().filter(o -> Judged.isProbe(o.spec().phase())).toList()
                : all;
    }

    /** How many there are, in words. */
    String count(List<TrialOutcome> all) {
        int n = counted(all).size();
        return n + " " + said() + (n == 1 ? "" : "s");
    }

    public static ExperimentKind of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }

    /** The strategy; reports what the plan lacks for it. */
    Experiment experiment(Plan plan) {
        return switch (this) {
            case TUNE -> {
                if (plan.knobs().isEmpty()) {
                    throw lacks(plan, "no knobs to tune: add 'knobs: {threads.max: {from: 10, to: 500}}'");
                }
                yield new TuneExperiment(plan);
            }
            case SWEEP -> {
                if (plan.sweep().isEmpty()) {
                    throw lacks(plan, "no sweep: add 'sweep: {grid: {threads.max: [50, 100, 200]}, repeats: 3}'");
                }
                yield new SweepExperiment(plan);
            }
            case COMPARE -> {
                if (plan.compare().isEmpty()) {
                    throw lacks(plan, "nothing to compare: add 'compare: {variants: {a: {…}, b: {…}}, pairs: 6}'");
                }
                yield new CompareExperiment(plan);
            }
            case CAPACITY -> new CapacityExperiment(plan);
            case DIAGNOSE -> new DiagnoseExperiment(plan);
        };
    }

    /** The strategy for a run that goes on; refuses trials of another plan, or of a Fettle that ran them in another order. */
    Experiment experiment(Plan plan, List<TrialOutcome> before) {
        Experiment experiment = experiment(plan);
        try {
            experiment.next(before);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()));
        }
        return experiment;
    }

    private static CliException lacks(Plan plan, String what) {
        return new CliException(ExitCodes.USAGE, "the plan '" + plan.name() + "' has " + what);
    }
}
