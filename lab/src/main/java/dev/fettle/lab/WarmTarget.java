package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.lab.guest.LiveKnobs;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.lab.port.LiveSettings;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The JVM in which a search sets its knobs, one setting after the other. */
final class WarmTarget implements AutoCloseable {
    private static final String MOST = "threads.max";

    /** Within this time, and after so many looks, a pool has shrunk to its new maximum, or it does not. */
    private static final Duration SHRINKS_WITHIN = Duration.ofSeconds(2);

    /** A machine that is stalled takes time, and not samples, from the pool. */
    private static final int SHRINKS_WITHIN_LOOKS = 20;

    private static final Duration LOOK = Duration.ofMillis(50);

    private final LabEnvironment env;
    private final Trial trial;
    private final Calm calm;
    private final Setting base;
    private @Nullable LiveSettings control;
    private @Nullable WarmValues values;
    private List<HookOutcome> hookRuns = List.of();
    private String id = "";
    private int notes;
    private int trials;
    private boolean warm;
    private boolean disturbed;

    /**
     * Creates it without launching it.
     *
     * @param trial determines the launch: the setting to begin with, and the load to prepare for
     */
    WarmTarget(LabEnvironment env, Trial trial, Calm calm) {
        this.env = env;
        this.trial = trial;
        this.calm = calm;
        this.base = trial.spec().setting();
    }

    /** Its launch's trial. */
    Trial trial() {
        return trial;
    }

    /** Launches it and reads back the setting that it begins with. */
    void launch(TrialStart start) throws TrialFailure, LabException, InterruptedException {
        start.launching(trial, Optional.of(calm)).run();
        TargetHandle up = trial.up();
        LiveSettings port = up.live()
                .orElseThrow(() -> new TrialFailure(Kind.NOT_EFFECTIVE, "nothing can be set in it while it runs"));
        control = port;
        try {
            values = new WarmValues(trial.spec().target().knownServer(), port.values(), base, port.live());
        } catch (IOException e) {
            throw new TrialFailure(Kind.LAB, "its control port does not answer: " + e.getMessage());
        }
        id = env.clock().instant().toString();
        hookRuns = trial.hookRuns();
        notes = up.notes().size();
    }

    /**
     * Sets the values of a setting and reads them back, the size of the pool included.
     *
     * @throws TrialFailure if a value is not in force: then a fresh JVM is needed
     */
    void set(Setting setting) throws TrialFailure, InterruptedException {
        TargetHandle up = trial.up();
        up.keepNotes(notes);
        LiveSettings port = port();
        if (!up.alive()) {
            throw new TrialFailure(Kind.DIED, up.ended("between two trials"));
        }
        try {
            Map<String, String> now = port.values();
            var wanted = new TreeMap<String, String>();
            if (values != null) {
                wanted.putAll(values.wanted(setting));
            }
            for (var change : LiveKnobs.changes(now, wanted)) {
                port.set(change.getKey(), change.getValue());
            }
            if (wanted.containsKey(MOST)) {
                awaitSize(port, Integer.parseInt(wanted.getOrDefault(MOST, "0")));
            }
        } catch (IOException e) {
            throw new TrialFailure(Kind.NOT_EFFECTIVE, String.valueOf(e.getMessage()));
        }
        up.confirm(setting);
    }

    /**
     * Waits until the pool has at most so many threads. Tomcat's and Undertow's end at once; Jetty's stay, and go on with requests,
     * until they were idle for a minute.
     */
    private void awaitSize(LiveSettings port, int most) throws IOException, TrialFailure, InterruptedException {
        long begin = env.clock().nanos();
        double workers = port.workers().orElse(0);
        for (int looks = 1;
                workers > most
                        && (looks < SHRINKS_WITHIN_LOOKS
                                || env.clock().since(begin).compareTo(SHRINKS_WITHIN) < 0);
                looks++) {
            env.clock().sleep(LOOK);
            workers = port.workers().orElse(0);
        }
        if (workers > most) {
            throw TrialFailure.notEffective(
                    MOST,
                    MOST + " was set to " + most + ", but the pool still has " + Math.round(workers) + " threads");
        }
    }

    /**
     * Measures a trial whose values were {@link #set}: warms up if the JVM is new, else lets it settle.
     *
     * @param said notes for its evidence
     * @param took the time charged to it, once it is over
     */
    TrialOutcome measure(
            int ordinal,
            Step.Live step,
            Instant started,
            Supplier<Duration> took,
            List<String> said,
            LabListener listener)
            throws TrialFailure, LabException, InterruptedException {
        TrialSpec spec = step.run().spec();
        Load load = spec.load();
        TargetHandle up = trial.up();
        said.forEach(up::note);
        if (disturbed) {
            calm.await(load.measure(), trial.processes()).ifPresent(up::note);
        }
        trials++;
        trial.under(Conditions.ALONE.withWarm(Optional.of(new Conditions.Warm(id, trials, port().live()))));
        trial.progress(new ProgressReporter(env.clock(), ordinal, listener));
        Seen seen;
        try {
            trial.session()
                    .then(TrialStage.WARM_UP, warm ? step.settle() : load.warmUpAtMost(), () -> warmUp(step))
                    .then(
                            TrialStage.MEASURE,
                            load.measure(),
                            () -> trial.underLoad().measure())
                    .run();
            seen = trial.underLoad().seen(trial.acceptQueue(), Set.of()).under(trial.conditions());
        } finally {
            trial.rests();
        }
        var end = new TrialEnd(ordinal, spec, started, took.get(), hookRuns);
        TrialOutcome outcome = end.measured(seen, Trial.verdict(end.spec(), seen, Optional.empty()));
        hookRuns = List.of();
        AttemptStatus fate = AttemptStatus.of(outcome);
        disturbed = fate == AttemptStatus.DISTURBED || fate == AttemptStatus.OUTSIDE;
        return outcome;
    }

    private void warmUp(Step.Live step) throws TrialFailure, LabException, InterruptedException {
        LoadedTarget loaded = trial.begin(step.run().spec().load());
        if (warm) {
            loaded.settleWarm(step.settle());
        } else {
            loaded.warmUp(Duration.ZERO);
            warm = loaded.notSteady().isEmpty();
        }
    }

    private LiveSettings port() {
        if (control == null) {
            throw new IllegalStateException("not launched");
        }
        return control;
    }

    @Override
    public void close() {
        trial.close();
    }
}
