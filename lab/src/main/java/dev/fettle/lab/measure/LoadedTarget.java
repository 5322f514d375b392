package dev.fettle.lab.measure;

import dev.fettle.insight.GiveUp;
import dev.fettle.insight.gate.Settling;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.Verdict;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A trial's target under load. Its driver warms it up and measures it, in one stretch or in slices; its health is checked in
 * every window.
 */
public final class LoadedTarget implements AutoCloseable {
    /** Length of the windows by which a warm-up is judged. */
    static final Duration WINDOW = Duration.ofMillis(500);

    private static final Duration TICK = Duration.ofMillis(250);

    /** Within this time the engine has ended a load that was asked to end. */
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(5);

    private final LabEnvironment env;
    private final TargetHandle target;
    private final Load load;
    private final LoadMode manner;
    private final LoadRun run;
    private final WatchPort watch;
    private final CheckedWindows windows;
    private final Measuring measuring;
    private final StretchSightings looks;

    /** The warm-up's windows that are judged. */
    private final List<Measurement.Window> warming = new ArrayList<>();

    private EarlyEnd early;
    private Duration warmedUp = Duration.ZERO;
    private Optional<Verdict.Reason> notSteady = Optional.empty();
    private int notQuiet;

    /**
     * The result.
     *
     * @param notSteady why the trial can't be used, if the warm-up reached its bound
     * @param early why it was ended early, if it was
     */
    public record Seen(
            Duration warmUp,
            Optional<Verdict.Reason> notSteady,
            Optional<Verdict.Reason> early,
            Measurement measurement,
            Evidence evidence) {
        /** With more notes. */
        public Seen noted(List<String> notes) {
            return new Seen(warmUp, notSteady, early, measurement, evidence.noted(notes));
        }

        /** Of a trial that was run so at the same time as others. */
        public Seen under(Conditions conditions) {
            var all = conditions.withAtBest(evidence.conditions().atBest());
            return new Seen(warmUp, notSteady, early, measurement, evidence.withConditions(all));
        }
    }

    private LoadedTarget(
            LabEnvironment env,
            LoadPort loads,
            TargetHandle target,
            Load load,
            TrialHooks hooks,
            BiConsumer<Measuring, LiveWindow> each,
            CoRunner beside,
            LoadMode manner) {
        this.env = env;
        this.target = target;
        this.load = load;
        this.early = new EarlyEnd(Optional.empty(), load);
        this.manner = manner;
        var own = hooks.processes(target);
        own.addAll(own.isEmpty() ? List.of() : beside.processes());
        this.watch = target.watch(new WatchPort.Order(
                manner.cpus().isEmpty() ? env.proc().allowedCpus("self") : manner.cpus(),
                own.stream().distinct().toList(),
                load,
                beside.partner()));
        // before the load: the first samples pause the target's JVM for a moment, and near the limit of its rate the
        // queue from such a moment lasts for seconds
        watch.begin();
        this.looks = new StretchSightings(env.clock(), watch);
        this.measuring = new Measuring(load, beside.since());
        this.run = loads.start(new LoadPort.Order(
                load, target.about().address(), OptionalLong.empty(), beside.atMost(), manner.drain(), manner.cpus()));
        var taken = new LoadWindows(run, watch, TICK, env.clock());
        var health = new TargetHealth(target, load, hooks);
        this.windows = new CheckedWindows(taken, health, env.cpus().generator(), manner.kept(), measuring, each);
    }

    /**
     * Starts the load on a target that answers.
     *
     * @param loads starts it
     * @param each receives every window
     * @throws IllegalArgumentException if the engine can't send such a request to a kept target
     */
    public static LoadedTarget begin(
            LabEnvironment env,
            LoadPort loads,
            TargetHandle target,
            Load load,
            TrialHooks hooks,
            BiConsumer<Measuring, LiveWindow> each,
            CoRunner beside,
            LoadMode manner)
            throws TrialFailure {
        try {
            return new LoadedTarget(env, loads, target, load, hooks, each, beside, manner);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            if (manner.kept() && e instanceof IllegalArgumentException cannot) {
                throw cannot; // every other trial would fail too
            }
            throw new TrialFailure(Kind.LAB, "the load can't be offered: " + e.getMessage());
        }
    }

    /** Warms up until the target is steady, for a minimum time, up to the bound. */
    public void warmUp(Duration atLeast) throws TrialFailure, LabException, InterruptedException {
        warmUp(atLeast, Optional.empty());
    }

    /**
     * The same for a trial that may be ended early, in the warm-up or while it is measured.
     *
     * @param giveUp empty: it runs to its end
     */
    public void warmUp(Duration atLeast, Optional<GiveUp> giveUp)
            throws TrialFailure, LabException, InterruptedException {
        early = new EarlyEnd(giveUp, load);
        while (!early.ended()
                && (warmedUp.compareTo(atLeast) < 0 || (!steady() && warmedUp.compareTo(load.warmUpAtMost()) < 0))) {
            warmFor(WINDOW);
            early.warmedUp(measuring.last());
        }
        if (early.ended()) {
            target.measuringBegins(); // whether it had become steady does not matter any more
        } else if (!manner.kept()) {
            endWarmUp();
        }
    }

    /** Offers the load to a target that is warm, until it has settled on a setting that was changed, up to a bound. */
    public void settleWarm(Duration atMost) throws TrialFailure, LabException, InterruptedException {
        while (!Settling.settled(warming) && warmedUp.compareTo(atMost) < 0) {
            warmFor(WINDOW);
        }
        if (!Settling.settled(warming)) {
            target.note("throughput had not settled on the setting after " + atMost.toMillis() / 1000.0
                    + " s, and was measured as it was");
        }
    }

    /** Warms up for a fixed time. */
    void warmFor(Duration time) throws TrialFailure, LabException, InterruptedException {
        long begin = env.clock().nanos();
        windows.during(time, window -> {
            measuring.add(window, false);
            warming.add(measuring.last());
        });
        warmedUp = warmedUp.plus(env.clock().since(begin));
    }

    /** Whether the target is steady by now. */
    public boolean steady() {
        return SteadyState.judge(warming).steady();
    }

    /** Ends the warm-up and records how it ended. */
    public void endWarmUp() {
        SteadyState.AtBound atBound = SteadyState.atBound(warming);
        atBound.note().ifPresent(target::note);
        notSteady = atBound.reason();
        target.measuringBegins();
    }

    /** Resumes after a rest and warms up for a time; settling is part of the warm-up but is not judged. */
    public void warmUpSlice(Duration settling, Duration time) throws TrialFailure, LabException, InterruptedException {
        goOn(settling, window -> measuring.add(window, false));
        warmedUp = warmedUp.plus(settling);
        warmFor(time);
    }

    /** Resumes after a rest, lets the load settle, and measures for a time. */
    public void measureSlice(Duration settling, Duration time) throws TrialFailure, LabException, InterruptedException {
        goOn(settling, measuring::addSettling);
        measure(time);
    }

    private void goOn(Duration settling, Consumer<Window> taking)
            throws TrialFailure, LabException, InterruptedException {
        measuring.addEnded(run.takeWindow(), false);
        watch.gap();
        run.resume();
        windows.during(settling, taking);
    }

    /**
     * Sends nothing new and waits until nothing is in flight, so that a partner has the machine to itself.
     *
     * @param atMost longest wait
     */
    public void rest(Duration atMost) throws TrialFailure, InterruptedException {
        run.pause();
        boolean quiet = run.awaitQuiet(atMost);
        if (!quiet) {
            notQuiet++;
        }
        Window ended = run.takeWindow();
        measuring.addEnded(ended, !quiet);
        windows.silence(ended);
    }

    /** Measures for the load's measuring time, without a break, or until the trial is ended early. */
    public void measure() throws TrialFailure, LabException, InterruptedException {
        boolean ended = early.ended();
        measure(early.measure(), window -> !ended && early.measured(measuring.last(), window));
        windows.words();
    }

    private void measure(Duration time) throws TrialFailure, LabException, InterruptedException {
        measure(time, window -> false);
        windows.words();
    }

    /**
     * Measures for a time or until enough was seen; returns whether it was.
     *
     * @param enough asked after each window
     */
    public boolean measure(Duration time, Predicate<Window> enough)
            throws TrialFailure, LabException, InterruptedException {
        looks.begin();
        boolean ended = windows.until(time, window -> {
            measuring.add(window, true);
            return enough.test(window);
        });
        looks.end();
        return ended;
    }

    /**
     * Measures again after a short time in which no answer came, right or wrong, once one does: a machine that was busy with other
     * things may leave a fraction of a second without any. Gives up after as long as a target may be silent.
     *
     * @return the stretches without an answer, but for the last, to be left out of the figures: half a silence would halve them
     */
    public Set<Integer> measureUntilAnswered(Duration step) throws TrialFailure, LabException, InterruptedException {
        long begin = env.clock().nanos();
        long most = longestSilence(load).toNanos();
        var silent = new HashSet<Integer>();
        while (!measuring.answeredInLastStretch() && env.clock().nanos() - begin < most) {
            silent.add(looks.size() - 1);
            while (measuring.silentFor() > 0 && env.clock().nanos() - begin < most) {
                settle(step);
            }
            measure(step);
        }
        return silent;
    }

    /** Offers the load for a time before it is measured. */
    public void settle(Duration time) throws TrialFailure, LabException, InterruptedException {
        windows.during(time, measuring::addRunUp);
    }

    /** Waits for answers to requests that were due before the load ended. */
    public void drain(Duration atMost) throws InterruptedException {
        run.awaitDone(atMost);
        measuring.addEnded(run.takeWindow(), true);
    }

    /**
     * Measures a load of three stages, base, spike and base, until the target has recovered or the time is over. The
     * measurement has the figures of each window and of each stage.
     *
     * @param slo decides when it has recovered
     * @return whether it has recovered
     */
    public boolean measureSpike(Duration time, Slo slo) throws TrialFailure, LabException, InterruptedException {
        var spike = new SpikeWindows(slo, ((Arrivals.Open) load.arrivals()).stages());
        boolean recovered = measure(time, spike::recovered);
        measuring.sliced(spike.slices(), spike.stages());
        return recovered;
    }

    /** Whether there was a valid answer in the warm-up. */
    public boolean answered() {
        return warming.stream().anyMatch(w -> w.responses() > 0);
    }

    /** The message of the first request that failed. */
    public Optional<String> firstError() {
        return windows.firstError();
    }

    /** How long it was warmed up. */
    public Duration warmedUp() {
        return warmedUp;
    }

    /** Why the trial can't be used, if the warm-up reached its bound. */
    public Optional<Verdict.Reason> notSteady() {
        return notSteady;
    }

    /** Observations of the host, by stretch. */
    public StretchSightings looks() {
        return looks;
    }

    /** Mean latency of the last window with a response, in seconds; 0 before there is one. */
    public double meanLatency() {
        return windows.meanLatency();
    }

    /** Adds a note to the evidence. */
    public void note(String text) {
        target.note(text);
    }

    /** How often requests were still in flight after the longest wait of a {@link #rest}. */
    public int notQuiet() {
        return notQuiet;
    }

    /**
     * The result so far.
     *
     * @param acceptQueue the listening socket's limit, if known
     * @param takenOut stretches to leave out, by number from 0
     */
    public Seen seen(OptionalInt acceptQueue, Set<Integer> takenOut) throws InterruptedException {
        if (!run.isDone()) {
            watch.last();
        }
        measuring.takeOut(takenOut);
        looks.takeOut(takenOut);
        int connections = run.connectionsOpen();
        if (load.arrivals() instanceof Arrivals.Open && !manner.kept()) {
            run.endIn(Duration.ZERO);
            // at once, unless the engine's threads get no CPU: without what they then say, nothing would be left over
            run.awaitDone(ENDED_WITHIN);
            measuring.addEnd(run.takeWindow());
        }
        List<String> engine = run.notes();
        Measurement measurement = measuring.measurement(connections, engine);
        if (!manner.kept()) {
            engine.forEach(target::note);
            watch.notes().forEach(target::note);
        }
        windows.end();
        Evidence all = evidence(looks.sum(), acceptQueue).withConditions(Conditions.ALONE.withAtBest(early.atBest()));
        return new Seen(warmedUp, notSteady, early.reason(), measurement, all);
    }

    /**
     * What was watched until the target failed. There are no figures of the whole measured time, as it came to no end. It may be
     * closed by now, and it may have been {@link #seen}, if the target failed soon after.
     *
     * @param acceptQueue the listening socket's limit, if known
     */
    public Evidence untilFailure(OptionalInt acceptQueue) {
        windows.end();
        return evidence(Aggregates.NOTHING, acceptQueue);
    }

    private Evidence evidence(Aggregates host, OptionalInt acceptQueue) {
        return TrialEvidence.of(
                env,
                target,
                host,
                measuring,
                measuring.agents(run.senders()),
                acceptQueue,
                manner.kept(),
                watch.timeline());
    }

    /** Checks that the target and its hooks are alive, under load or not. */
    public void lookAfter() throws TrialFailure, LabException, InterruptedException {
        windows.lookAfter();
    }

    @Override
    public void close() {
        run.close();
    }

    /** How long a target may be silent under this load before it is taken for hung. */
    public static Duration longestSilence(Load load) {
        return TargetHealth.longestSilence(load);
    }
}
