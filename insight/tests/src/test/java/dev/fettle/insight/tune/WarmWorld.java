package dev.fettle.insight.tune;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A lab with a virtual clock: each JVM has a speed of its own, a warm one drifts, each trial is noisy. A fresh JVM costs its start
 * and its warm-up, a warm one a moment.
 */
final class WarmWorld {
    /** Start, warm-up, 10 s of measuring. */
    private static final double FRESH = 19;
    /** Set, settle, half of that. */
    private static final double WARM = 7;

    /** How far a warm JVM has moved after some seconds (a factor); random ones take what they need from the source. */
    interface Drift {
        Drift NONE = (seconds, random, before) -> 1;
        /** It goes on compiling: 8 % faster in the end. */
        Drift WARMS_UP = (seconds, random, before) -> 1 + 0.08 * (1 - Math.exp(-seconds / 40));
        /** A heap that fills up: 6 % a minute. */
        Drift FALLS = (seconds, random, before) -> Math.exp(-0.001 * seconds);

        Drift WALKS = (seconds, random, before) -> before * Math.exp(0.01 * random.nextGaussian());
        /** Code is thrown away once, after about a minute. */
        Drift DROPS = (seconds, random, before) -> before < 1 || seconds > 30 && random.nextInt(5) == 0 ? 0.9 : 1;

        double at(double seconds, Random random, double before);
    }

    private final Simulated server;
    private final ToDoubleFunction<Setting> factor;
    private final Drift drift;
    private final double jvms;
    private final double trials;
    private final Random random;
    private String jvm = "";
    private double speed;
    private double moved;
    private double seconds;
    private int inJvm;
    /** The warm JVM is gone before the trial with this number. */
    private int gone = -1;
    /** The trial with this number fails in the JVM that is launched for it. */
    private int fails = -1;

    private boolean refuses;

    /**
     * @param factor what other knobs give
     * @param jvms deviation between JVMs
     * @param trials deviation between trials of 10 s in one
     */
    WarmWorld(Simulated server, ToDoubleFunction<Setting> factor, Drift drift, double jvms, double trials, long seed) {
        this.server = server.seed(seed).noise(0);
        this.factor = factor;
        this.drift = drift;
        this.jvms = jvms;
        this.trials = trials;
        this.random = new Random(seed * 7_919);
    }

    /** The warm JVM is gone before this trial. */
    WarmWorld goneBefore(int ordinal) {
        gone = ordinal;
        return this;
    }

    /** This trial's setting fails in the warm JVM, and then in the fresh one. */
    WarmWorld failingAt(int ordinal) {
        fails = ordinal;
        return this;
    }

    /** The server takes no knob while it runs. */
    WarmWorld refusing() {
        refuses = true;
        return this;
    }

    static Plan plan(Simulated server, List<KnobRange> knobs, Budget budget, boolean live) {
        var with = new Budget(budget.trials(), budget.time(), budget.pairs(), Optional.of(live), budget.wholeTrials());
        return server.plan(knobs, Objective.DEFAULT, with)
                .on(new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME));
    }

    double truth(Setting s) {
        return server.throughput(server.threadsOf(s)) * factor.applyAsDouble(s);
    }

    /** A whole run. */
    record Run(TuneConclusion conclusion, List<TrialOutcome> seen, List<Experiment.Step> steps) {
        double seconds() {
            return seen.stream().mapToDouble(t -> t.took().toMillis() / 1e3).sum();
        }

        long trials(TrialSpec.Phase phase) {
            return seen.stream().filter(t -> t.spec().phase() == phase).count();
        }
    }

    Run run(Experiment experiment) {
        var seen = new ArrayList<TrialOutcome>();
        var steps = new ArrayList<Experiment.Step>();
        while (seen.size() < 500) {
            Experiment.Step step = experiment.next(List.copyOf(seen));
            steps.add(step);
            switch (step) {
                case Experiment.Step.Stop(Conclusion c) -> {
                    return new Run((TuneConclusion) c, seen, steps);
                }
                case Experiment.Step.Run run -> seen.add(fresh(seen.size() + 1, run.spec()));
                case Experiment.Step.Kept _ -> throw new AssertionError("a tune has no such step");
                case Experiment.Step.Live live ->
                    seen.add(live(seen.size() + 1, live.run().spec()));
                case Experiment.Step.Pair pair -> {
                    seen.add(fresh(seen.size() + 1, pair.first().spec()));
                    seen.add(fresh(seen.size() + 1, pair.second().spec()));
                }
            }
        }
        throw new AssertionError("no end");
    }

    private TrialOutcome fresh(int ordinal, TrialSpec spec) {
        jvm = "";
        return outcome(ordinal, spec, lucky(jvms) * lucky(trials), FRESH, Optional.empty());
    }

    private TrialOutcome live(int ordinal, TrialSpec spec) {
        if (refuses) {
            return fresh(ordinal, spec);
        }
        boolean launches = jvm.isEmpty() || ordinal == gone || ordinal == fails;
        if (launches) {
            jvm = "launched " + ordinal;
            speed = lucky(jvms);
            moved = 1;
            seconds = 0;
            inJvm = 0;
        }
        inJvm++;
        double took = launches ? FRESH : WARM;
        moved = drift.at(seconds, random, moved);
        seconds += took;
        double noise = lucky(launches ? trials : trials * Math.sqrt(2));
        TrialOutcome o = outcome(
                ordinal,
                spec,
                speed * moved * noise,
                took,
                Optional.of(new Conditions.Warm(
                        jvm, inJvm, Set.of("threads.max", "threads.min", "connections.max", "cache.processors"))));
        if (ordinal != fails) {
            return o;
        }
        jvm = "";
        return new TrialOutcome(
                ordinal,
                spec,
                o.started(),
                o.took(),
                Duration.ZERO,
                Optional.empty(),
                o.evidence(),
                Optional.of(new TrialOutcome.Failure(TrialOutcome.Kind.DIED, "the target exited with code 1")),
                new Verdict(List.of(new Verdict.Reason("died", "the target exited with code 1", false))),
                List.of());
    }

    private double lucky(double deviation) {
        return Math.exp(deviation * random.nextGaussian());
    }

    private TrialOutcome outcome(
            int ordinal, TrialSpec spec, double luck, double took, Optional<Conditions.Warm> warm) {
        int threads = server.threadsOf(spec.setting());
        TrialOutcome o = server.outcome(
                ordinal, spec, threads, truth(spec.setting()) * luck, 0.000227, false, new Random(ordinal));
        Evidence e = o.evidence().orElseThrow();
        var effective = new HashMap<>(e.effective());
        effective.putAll(spec.setting().asMap());
        return o.with()
                .ordinal(ordinal)
                .spec(spec)
                .took(Duration.ofMillis(Math.round(took * 1000)))
                .evidence(Optional.of(e.with()
                        .effective(effective)
                        .conditions(Conditions.ALONE.withWarm(warm))
                        .build()))
                .build();
    }
}
