package dev.fettle.lab;

import dev.fettle.insight.Probing;
import dev.fettle.insight.capacity.ProbeOutlook;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.CoRunner;
import dev.fettle.lab.measure.LoadMode;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Puts one load after another on a trial's target, which stays warm between them.
 *
 * @param bare whether the target is a bare URL
 * @param partner the trial that shares the machine with it
 */
record Prober(LabEnvironment env, Trial trial, boolean bare, Optional<Trial> partner) {
    private static final Duration LOOK = Duration.ofMillis(200);

    /** Whether a trial's target is a bare URL: then nothing is launched, pinned or awaited. */
    static boolean bare(Trial trial, boolean hooked) {
        return !hooked && !trial.spec().target().hasProcess();
    }

    /** Settles, measures, and waits for outstanding answers. */
    Seen measure(Load load, Probing how, ProgressReporter teller)
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
            return ProbeOutlook.isLost(
                    slo, rate, load.requestsAtMost(), length.toNanos() / 1e9, soFar.latency(), soFar.failed());
        };
    }

    private static List<Stage> stages(Load load) {
        return load.arrivals() instanceof Arrivals.Open open ? open.stages() : List.of();
    }

    /** Rests before a trial, if it is to; what to tell if that was not enough. */
    Optional<String> rest(Probing how) throws TrialFailure, LabException, InterruptedException {
        return how.rest().isEmpty() || rest(how, how.rest().get())
                ? Optional.empty()
                : Optional.of("a single client was not served as fast as before within "
                        + how.rest().get().atMost().toSeconds()
                        + " s of rest: what followed began with the target still loaded");
    }

    /**
     * Waits until a single client is served about as fast as before any load; returns whether it is.
     *
     * @throws TrialFailure also if there is no response within a trial's timeout
     */
    private boolean rest(Probing how, Probing.Rest rest) throws TrialFailure, LabException, InterruptedException {
        Load one = how.clients(1);
        Duration most = LoadedTarget.longestSilence(one);
        long begin = env.clock().nanos();
        boolean answered = false;
        while (true) {
            long median = median(one);
            if (median <= rest.medianAtMost().toNanos()) {
                return true;
            }
            answered |= median < Long.MAX_VALUE;
            Duration waited = env.clock().since(begin);
            if (answered && waited.compareTo(rest.atMost()) >= 0) {
                return false;
            }
            if (!answered && waited.compareTo(rest.atMost()) >= 0 && waited.compareTo(most) >= 0) {
                throw new TrialFailure(
                        TrialOutcome.Kind.HUNG,
                        "no valid answer to a single client for " + waited.toSeconds()
                                + " s, though there was no other load");
            }
            env.clock().sleep(LOOK);
        }
    }

    /** Median latency in nanoseconds; the maximum value if there is no valid answer. */
    long median(Load one) throws TrialFailure, LabException, InterruptedException {
        var silent = new ProgressReporter(env.clock(), 0, new LabListener() {});
        try (LoadedTarget load = trial.aside(one, silent, beside(LOOK.plusSeconds(1)), manner(Duration.ZERO))) {
            load.measure(LOOK, w -> false);
            Measurement seen = load.seen(trial.acceptQueue(), Set.of()).measurement();
            return seen.responses() == 0 ? Long.MAX_VALUE : seen.latency().p50();
        }
    }

    /**
     * Starts a load; the caller closes it.
     *
     * @param atMost upper bound on its length
     * @param drain how long to wait for answers when its time is over
     */
    LoadedTarget begin(Load load, Duration atMost, Duration drain, ProgressReporter teller) throws TrialFailure {
        return trial.begin(load, teller, beside(atMost), manner(drain));
    }

    private CoRunner beside(Duration atMost) {
        return new CoRunner(
                OptionalLong.empty(),
                partner.map(p -> OptionalLong.of(p.pid())).orElse(OptionalLong.empty()),
                partner.map(Trial::processes).orElse(List.of()),
                atMost);
    }

    private LoadMode manner(Duration drain) {
        // an already running process keeps its CPUs, usually all: pinning would only shrink the generator's share
        boolean pinned = !bare && trial.up().about().origin() != TargetHandle.Origin.VISITED;
        return new LoadMode(pinned ? env.cpus().generator() : Set.of(), drain, true);
    }
}
