package dev.fettle.lab;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.CoRunner;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A load of three stages, base, spike and base, of a target that is warmed up at the base rate before. */
final class SpikeRun {
    private final Trial trial;
    private final Slo good;
    private Duration warmedUp = Duration.ZERO;
    private Optional<Verdict.Reason> notSteady = Optional.empty();

    /** @param good decides which answers are good, and when the target has recovered */
    SpikeRun(Trial trial, Slo good) {
        this.trial = trial;
        this.good = good;
    }

    /** The load to warm up with. */
    Load base() {
        return trial.spec().load().atFirstRate();
    }

    void warmUp() throws TrialFailure, LabException, InterruptedException {
        try (LoadedTarget warming = trial.begin(base())) {
            warming.warmUp(Duration.ZERO);
            warmedUp = warming.warmedUp();
            notSteady = warming.notSteady();
        }
    }

    /** Offers the stages until the target has recovered, and hands the result to the trial. */
    void measure() throws TrialFailure, LabException, InterruptedException {
        Load stages = trial.spec().load();
        LoadedTarget spiked = // ended with the trial
                trial.begin(stages, trial.progress(), CoRunner.nothing(stages), trial.manner(true));
        spiked.measureSpike(stages.measure(), good);
        Seen all = spiked.seen(trial.acceptQueue(), Set.of());
        trial.spiked(new Seen(warmedUp, notSteady, Optional.empty(), all.measurement(), all.evidence()), good);
    }
}
