package dev.fettle.lab;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.measure.LiveWindow;
import dev.fettle.lab.measure.Measuring;
import dev.fettle.lab.measure.Session;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialStage;
import java.time.Duration;

/** Reports a trial's progress to the listener. */
final class ProgressReporter implements Session.Follower {
    private final int ordinal;
    private final LabListener listener;
    private TrialStage stage = TrialStage.LAUNCH;
    private Duration bound = Duration.ZERO;
    private int slice;
    private int slices;
    private final Clock clock;
    private long stageBegin;

    ProgressReporter(Clock clock, int ordinal, LabListener listener) {
        this.clock = clock;
        this.stageBegin = clock.nanos();
        this.ordinal = ordinal;
        this.listener = listener;
    }

    /** The stage that it is in. */
    TrialStage stage() {
        return stage;
    }

    @Override
    public void stage(TrialStage next, Duration atMost) {
        stage = next;
        bound = atMost;
        stageBegin = clock.nanos();
        tell(0, 0, 0);
    }

    /** From now on slice i of n is measured; n may grow. */
    void slice(int i, int n) {
        slice = i;
        slices = n;
    }

    void window(Measuring measuring, LiveWindow seen) {
        Measurement.Window last = measuring.last();
        listener.trialLoaded(ordinal, stage, seen);
        tell(last.throughput(), last.p99() / 1e6, measuring.failedSoFar());
    }

    private void tell(double throughput, double p99Millis, long failed) {
        double seconds = (clock.nanos() - stageBegin) / 1e9;
        listener.trialGoesOn(new LabListener.Progress(
                ordinal, stage, seconds, bound.toNanos() / 1e9, throughput, p99Millis, failed, slice, slices));
    }
}
