package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.builds.GateExperiment;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.diagnose.DiagnoseExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The experiments that a plan can be run as. */
public enum ExperimentKind {
    TUNE,
    SWEEP,
    COMPARE,
    GATE,
    CAPACITY,
    DIAGNOSE;

    /** Its name in a journal and in JSON. */
    public String id() {
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

    /** @throws IllegalArgumentException if there is no such kind */
    public static ExperimentKind of(String id) {
        return Arrays.stream(values())
                .filter(k -> k.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + OneLine.of(id) + "' is no kind of run"));
    }

    /** The strategy; reports what the plan lacks for it. */
    Experiment experiment(Plan plan) {
        return switch (this) {
            case TUNE -> {
                if (plan.knobs().isEmpty()) {
                    throw lacks(plan, "no knobs to tune: " + knobs(plan.target()));
                }
                yield new TuneExperiment(plan);
            }
            case SWEEP -> {
                if (plan.sweep().isEmpty()) {
                    String grid = takesThreads(plan.target())
                            ? "threads.max: [50, 100, 200]"
                            : "load.connections: [10, 50, 200]";
                    throw lacks(plan, "no sweep: add 'sweep: {grid: {" + grid + "}, repeats: 3}'");
                }
                yield new SweepExperiment(plan);
            }
            case COMPARE -> {
                if (plan.compare().isEmpty()) {
                    throw lacks(plan, "nothing to compare: add 'compare: {variants: {a: {…}, b: {…}}, pairs: 6}'");
                }
                yield new CompareExperiment(plan);
            }
            case GATE -> new GateExperiment(plan);
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
            throw Parse.usage(String.valueOf(e.getMessage()));
        }
        return experiment;
    }

    /** Which knobs to add for a tune, or why there can be none. */
    private static String knobs(Target target) {
        String threads = "'knobs: {threads.max: {from: 10, to: 500}}'";
        if (takesThreads(target)) {
            return "add " + threads;
        }
        return switch (target) {
            case Target.Url _ ->
                "nothing can be set in a server that is known by its URL only; say how Fettle starts it, or name its"
                        + " process: target: {pid: PID, live: true}";
            case Target.Running r
            when !r.live() ->
                "the process is only watched; add 'live: true' to the target, which lets Fettle set live knobs in it"
                        + " and put them back, and " + threads;
            case Target.Command _ ->
                "put one into the command, such as {threads.max}, or {jvm} for those of the JVM, and add it to 'knobs'";
            default -> "add 'knobs' with one that the target takes (fettle knobs lists them)";
        };
    }

    /** Whether the usual example of a knob can be set in a target. */
    private static boolean takesThreads(Target target) {
        return Constraints.check(target, Setting.of("threads.max", "100"), 1, Integer.MAX_VALUE)
                .isEmpty();
    }

    private static CliException lacks(Plan plan, String what) {
        return Parse.usage("the plan '" + plan.name() + "' has " + what);
    }
}
