package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Probing;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.CoRunner;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.lab.measure.Session;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A target that is launched and warmed up once for all trials of a run. */
final class KeptTarget implements AutoCloseable {
    private final LabEnvironment env;
    private final Trial trial;
    private final boolean bare;
    private final Prober prober;
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
        this.bare = Prober.bare(trial, !alone);
        this.prober = new Prober(env, trial, bare, Optional.empty());
    }

    /** Whether it is a bare URL: then nothing is launched, pinned or awaited. */
    boolean bare() {
        return bare;
    }

    /** Refuses a setting that is known to be impossible before anything starts. */
    void check() throws LabException {
        try {
            Trial.checkConstraints(env, trial.spec());
        } catch (TrialFailure e) {
            throw new LabException("impossible setting: " + e.getMessage(), e);
        }
    }

    void launch() throws TrialFailure, LabException, InterruptedException {
        Session<TrialFailure> session = trial.session().then(TrialStage.LAUNCH, TrialStart.LAUNCHED_WITHIN, () -> {
            trial.launch(Optional.empty());
            trial.up().fact(CapacityExperiment.LAUNCHED, env.clock().instant().toString());
        });
        if (!bare) {
            TrialStart.inForce(trial, session);
        }
        session.run();
        hookRuns = trial.hookRuns();
    }

    /** One trial on it. */
    private final class Run {
        private final TrialSpec spec;
        private final Probing how;
        private final ProgressReporter teller;
        private final List<String> told = new ArrayList<>();
        private Instant started = Instant.EPOCH;
        private long begin;
        private Optional<Seen> seen = Optional.empty();

        Run(Step.Kept step, ProgressReporter teller) {
            this.spec = step.run().spec();
            this.how = step.probing();
            this.teller = teller;
        }

        void warmUp() throws TrialFailure, LabException, InterruptedException {
            Load few = how.clients(Probing.WARM_UP_CLIENTS);
            try (LoadedTarget load = prober.begin(few, CoRunner.nothing(few).atMost(), Duration.ZERO, teller)) {
                KeptTarget.this.warmUp(load, how, told);
            }
        }

        void rest() throws TrialFailure, LabException, InterruptedException {
            awaitCalm(spec, how, told);
            started = env.clock().instant();
            begin = env.clock().nanos();
            prober.rest(how).ifPresent(t -> told.add("A" + t.substring(1) + "."));
        }

        void measure() throws TrialFailure, LabException, InterruptedException {
            seen = Optional.of(prober.measure(spec.load(), how, teller));
        }
    }

    /** Runs a trial on it: rests, settles, measures, and waits for outstanding answers. */
    TrialOutcome run(int ordinal, Step.Kept step, LabListener listener)
            throws TrialFailure, LabException, InterruptedException {
        var teller = new ProgressReporter(env.clock(), ordinal, listener);
        var run = new Run(step, teller);
        Probing how = run.how;
        TrialSpec spec = run.spec;
        var session = new Session<TrialFailure>(teller);
        if (!warm) {
            session.then(TrialStage.WARM_UP, how.load().warmUpAtMost(), run::warmUp);
        }
        session.then(TrialStage.REST, how.rest().map(Probing.Rest::atMost).orElse(Duration.ZERO), run::rest)
                .then(
                        Judged.isProbe(spec.phase()) ? TrialStage.PROBE : TrialStage.MEASURE,
                        how.settle().plus(how.measure()),
                        run::measure)
                .run();
        TrialOutcome outcome = new TrialEnd(
                        ordinal, spec, run.started, env.clock().since(run.begin), hookRuns)
                .measured(run.seen.orElseThrow(), Verdict.VALID);
        hookRuns = List.of();
        TrialOutcome judged = outcome.withVerdict(verdict(outcome, how, run.told));
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
        Verdict verdict = verdict(outcome, how.slo());
        var advisories = new ArrayList<>(verdict.advisories());
        told.forEach(t -> advisories.add(new Verdict.Advisory(CapacityExperiment.NOTE, t)));
        return new Verdict(verdict.reasons(), advisories);
    }

    /** The verdict on a probe or a spike; nothing is concluded from the other trials alone. */
    private static Verdict verdict(TrialOutcome outcome, Slo slo) {
        TrialSpec spec = outcome.spec();
        Measurement measured = outcome.measurement().orElseThrow();
        if (Judged.isProbe(spec.phase())) {
            Verdict probe = ProbeVerdict.of(Probe.of(outcome), slo).asVerdict();
            var advisories = new ArrayList<>(probe.advisories());
            advisories.addAll(ValidityGate.ofProbe(spec, measured, outcome.evidence()));
            return new Verdict(probe.reasons(), advisories);
        }
        return spec.phase() == TrialSpec.Phase.SPIKE
                ? ValidityGate.judgeSpike(spec, measured, outcome.evidence(), slo)
                : Verdict.VALID;
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

    @Override
    public void close() {
        trial.close();
    }
}
