package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Probing;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeOutlook;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.lab.launch.TargetLauncher;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.Beside;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.lab.measure.Manner;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.load.Window;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Arrivals.Stage;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/** A target that is launched and warmed up once for all trials of a run. */
final class KeptTarget implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final LabEnvironment env;
    private final Trial trial;
    private final boolean bare;
    private List<HookOutcome> hookRuns = List.of();
    private final Calm calm;
    private boolean warm;
    /** Whether the last probe was disturbed, or there was none. */
    private boolean disturbed = true;

    /**
     * Creates it without launching it.
     *
     * @param trial determines the launch, including the load to prepare for
     * @param calm waits for a calm machine after a disturbance; its waits don't count as time of a trial
     * @param alone whether the plan has no hooks
     */
    KeptTarget(LabEnvironment env, Trial trial, Calm calm, boolean alone) {
        this.calm = calm;
        this.env = env;
        this.trial = trial;
        this.bare = alone && trial.spec().target() instanceof Target.Url;
    }

    /** Whether it is a bare URL: then nothing is launched, pinned or awaited. */
    boolean bare() {
        return bare;
    }

    /** Refuses a setting that is known to be impossible before anything starts. */
    void check() throws LabException {
        try {
            trial.checkConstraints();
        } catch (TrialFailure e) {
            throw new LabException("impossible setting: " + e.getMessage(), e);
        }
    }

    void launch(TargetLauncher launcher, EffectiveValues effective)
            throws TrialFailure, LabException, InterruptedException {
        trial.start(
                launcher,
                Optional.empty(),
                Map.of(CapacityExperiment.LAUNCHED, env.clock().instant().toString()));
        if (!bare) {
            trial.ready(effective);
        }
        hookRuns = trial.hookRuns();
    }

    /** Runs a trial on it: rests, settles, measures, and waits for outstanding answers. */
    TrialOutcome run(int ordinal, Step.Kept step, LabListener listener)
            throws TrialFailure, LabException, InterruptedException {
        TrialSpec spec = step.run().spec();
        Probing how = step.probing();
        var teller = new ProgressTeller(ordinal, listener);
        var told = new ArrayList<String>();
        if (!warm) {
            teller.stage(LabListener.Stage.WARM_UP, how.load().warmUpAtMost());
            Load few = how.closed(Probing.WARM_UP_CLIENTS);
            try (LoadedTarget load = begin(few, Beside.nothing(few).atMost(), Duration.ZERO, teller)) {
                warmUp(load, how, told);
            }
        }
        awaitCalm(spec, how, told);
        Instant started = env.clock().instant();
        long begin = System.nanoTime();
        if (how.rest().isPresent() && !rest(how, how.rest().get())) {
            told.add("After a probe that broke the SLO the target did not recover within "
                    + how.rest().get().atMost().toSeconds() + " s: the next probes started with it still loaded.");
        }
        teller.stage(LabListener.Stage.MEASURE, how.settle().plus(how.measure()));
        Seen seen = measure(spec.load(), how, teller);
        var outcome = new TrialOutcome(
                ordinal,
                Redaction.of(spec),
                started,
                Duration.ofNanos(System.nanoTime() - begin),
                seen.warmUp(),
                Optional.of(seen.measurement()),
                Optional.of(seen.evidence()),
                Optional.empty(),
                Verdict.VALID,
                hookRuns);
        hookRuns = List.of();
        TrialOutcome judged = outcome.with(verdict(outcome, how, told));
        disturbed = Judged.isProbe(spec.phase())
                && ProbeVerdict.read(judged.verdict()).result() == ProbeVerdict.Result.DISTURBED;
        return judged;
    }

    /**
     * Waits before the first probe and after a disturbed one: a check takes half a second, and most disturbances
     * outlast a probe.
     */
    private void awaitCalm(TrialSpec spec, Probing how, List<String> told) throws InterruptedException {
        if (disturbed && Judged.isProbe(spec.phase())) {
            calm.await(how.measure(), trial.processes()).ifPresent(told::add);
            disturbed = false;
        }
    }

    private static Verdict verdict(TrialOutcome outcome, Probing how, List<String> told) {
        Verdict verdict = Judged.isProbe(outcome.spec().phase())
                ? ProbeVerdict.of(Probe.of(outcome), how.slo()).asVerdict()
                : Verdict.VALID;
        var advisories = new ArrayList<>(verdict.advisories());
        told.forEach(t -> advisories.add(new Verdict.Advisory(CapacityExperiment.NOTE, t)));
        return new Verdict(verdict.reasons(), advisories);
    }

    private void warmUp(LoadedTarget load, Probing how, List<String> told)
            throws TrialFailure, LabException, InterruptedException {
        load.warmUp(Duration.ZERO);
        if (!load.answered()) {
            throw new LabException("no valid answer in the warm-up"
                    + load.firstError().map(e -> ": " + e).orElse(""));
        }
        if (!load.steady()) {
            told.add("The target was not steady after the warm-up of "
                    + how.load().warmUpAtMost().toMillis() / 1000.0
                    + " s: if it was still warming up, the capacity is too low.");
        }
        warm = true;
    }

    private Seen measure(Load load, Probing how, ProgressTeller teller)
            throws TrialFailure, LabException, InterruptedException {
        Duration length = how.settle().plus(how.measure());
        boolean open = load.arrivals() instanceof Arrivals.Open;
        try (LoadedTarget loaded = begin(load, open ? length : length.plusSeconds(1), how.drain(), teller)) {
            if (how.settle().isPositive()) {
                loaded.settle(how.settle());
            }
            boolean early = switch (how.ends()) {
                case NEVER -> loaded.measure(how.measure(), w -> false);
                case WHEN_LOST -> loaded.measure(how.measure(), lost(load, how.slo(), length));
                case WHEN_RECOVERED -> loaded.measureSpike(how.measure(), how.slo());
            };
            if (!early && how.drain().isPositive()) {
                loaded.drain(how.drain().plusSeconds(5));
            }
            return loaded.seen(trial.acceptQueue(), Set.of());
        }
    }

    private static Predicate<Window> lost(Load load, Slo slo, Duration length) {
        double rate = stages(load).getLast().to();
        var seen = new ArrayList<Window>();
        return w -> {
            seen.add(w);
            Window soFar = Window.merge(seen);
            seen.clear();
            seen.add(soFar);
            return ProbeOutlook.isLost(slo, rate, length.toNanos() / 1e9, soFar.latency(), soFar.failed());
        };
    }

    private static List<Stage> stages(Load load) {
        return load.arrivals() instanceof Arrivals.Open open ? open.stages() : List.of();
    }

    /** Waits until a single client is served about as fast as before any load; returns whether it is. */
    private boolean rest(Probing how, Probing.Rest rest) throws TrialFailure, LabException, InterruptedException {
        long end = System.nanoTime() + rest.atMost().toNanos();
        while (System.nanoTime() < end) {
            if (median(how.closed(1)) <= rest.medianAtMost().toNanos()) {
                return true;
            }
            Thread.sleep(LOOK);
        }
        return false;
    }

    /** Median latency in nanoseconds; the maximum value if there is no valid answer. */
    private long median(Load one) throws TrialFailure, LabException, InterruptedException {
        var silent = new ProgressTeller(0, new LabListener() {});
        try (LoadedTarget load = begin(one, LOOK.plusSeconds(1), Duration.ZERO, silent)) {
            load.measure(LOOK, w -> false);
            Measurement seen = load.seen(trial.acceptQueue(), Set.of()).measurement();
            return seen.responses() == 0 ? Long.MAX_VALUE : seen.latency().p50();
        }
    }

    private LoadedTarget begin(Load load, Duration atMost, Duration drain, ProgressTeller teller) throws TrialFailure {
        // an already running process keeps its CPUs, usually all: pinning would only shrink the generator's share
        boolean pinned = !bare && trial.up().guest().isEmpty();
        var manner = new Manner(pinned ? env.cpus().generator() : Set.of(), drain, true);
        return trial.begin(
                load, teller, new Beside(OptionalLong.empty(), OptionalLong.empty(), List.of(), atMost), manner);
    }

    @Override
    public void close() {
        trial.close();
    }
}
