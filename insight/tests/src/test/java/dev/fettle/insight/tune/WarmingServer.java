package dev.fettle.insight.tune;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.Swings;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * A server whose JVMs come up slowly, stall, and differ: what trials are ended early on. A trial goes in windows of half a second:
 * warm-up until steady or at the bound, then the measuring, as the lab does it.
 */
final class WarmingServer {
    /** Seconds that a trial takes besides its load. */
    private static final double OVERHEAD = 3;

    private static final double DEPTH = 0.6;
    private static final double STALL = 3;
    /** Windows that are measured at least. */
    private static final int EVIDENCE = 2;

    /**
     * What is around the settings.
     *
     * @param noise deviation of a trial
     * @param drift deviation of an AR(1) from trial to trial, ρ = 0.8
     * @param swings of the windows
     * @param tauFrom time constant of the warm-ups, 1 − 0.6·exp(−t/τ), drawn for each trial evenly on a log scale
     * @param stalls share of the trials that answer nothing for 3 s, anywhere in the first 20 s
     * @param slow share of the trials that do next to nothing in their first 1 to 4 s
     */
    record World(
            String name,
            double noise,
            double drift,
            Swings swings,
            double tauFrom,
            double tauTo,
            double stalls,
            double slow) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final Simulated shape;
    private final ToDoubleFunction<Setting> factor;
    private final World world;
    private final long seed;
    private double machine;

    WarmingServer(Simulated shape, ToDoubleFunction<Setting> factor, World world, long seed) {
        this.shape = shape;
        this.factor = factor;
        this.world = world;
        this.seed = seed;
    }

    /** Throughput without noise, once warm. */
    double truth(Setting s) {
        return shape.throughput(shape.threadsOf(s)) * factor.applyAsDouble(s);
    }

    TrialOutcome run(int ordinal, Step.Run step) {
        var random = new Random(seed * 1_000_003 + ordinal * 7919L);
        random.nextInt();
        machine = 0.8 * machine + 0.6 * world.drift() * random.nextGaussian();
        var load = step.spec().load();
        int warmUpAtMost = (int) (load.warmUpAtMost().toMillis() / 500);
        int measure = (int) (load.measure().toMillis() / 500);
        double[] all = course(random, warmUpAtMost + measure);
        double level = truth(step.spec().setting())
                * Math.exp(world.noise() * random.nextGaussian() + machine)
                / Swings.PER_SECOND;

        var windows = new ArrayList<Window>();
        OptionalFigure atBest = OptionalFigure.empty();
        int n = 0;
        while (n < warmUpAtMost
                && atBest.isEmpty()
                && !SteadyState.judge(windows).steady()) {
            windows.add(window(n, all[n++] * level, false));
            atBest = judged(step, windows, warmUpAtMost + measure - n);
        }
        Optional<Verdict.Reason> reason = atBest.isPresent()
                ? Optional.empty()
                : SteadyState.atBound(windows).reason();
        double warmUp = n * Swings.WINDOW;
        int measured = 0;
        int most = atBest.isPresent() ? EVIDENCE : measure;
        boolean ended = atBest.isPresent();
        while (measured < most) {
            windows.add(window(n, all[n++] * level, true));
            measured++;
            if (!ended && measured >= EVIDENCE && measured < measure) {
                atBest = judged(step, windows, measure - measured);
                if (atBest.isPresent()) {
                    break;
                }
            }
        }
        double at = n * Swings.WINDOW;
        if (atBest.isPresent()) {
            reason = Optional.of(EarlyStopping.reason(step.giveUp().orElseThrow(), atBest.getAsDouble(), at));
        }
        return outcome(ordinal, step, windows, warmUp, at, atBest, reason, random);
    }

    private static OptionalFigure judged(Step.Run step, List<Window> windows, int left) {
        return step.giveUp().isEmpty()
                ? OptionalFigure.empty()
                : EarlyStopping.judge(step.giveUp().get(), windows, left * Swings.WINDOW);
    }

    private double[] course(Random random, int windows) {
        double tau = world.tauFrom() * Math.pow(world.tauTo() / world.tauFrom(), random.nextDouble());
        double stall = random.nextDouble() < world.stalls() ? 20 * random.nextDouble() : Double.POSITIVE_INFINITY;
        double late = random.nextDouble() < world.slow() ? 1 + 3 * random.nextDouble() : 0;
        return world.swings()
                .throughputs(
                        random,
                        windows,
                        t -> t < late
                                ? 0.03
                                : t >= stall && t < stall + STALL ? 0 : 1 - DEPTH * Math.exp(-(t - late) / tau));
    }

    private static Window window(int i, double rate, boolean measured) {
        return new Window(i * Swings.WINDOW, Swings.WINDOW, Math.round(rate * Swings.WINDOW), 0, 1, measured);
    }

    private TrialOutcome outcome(
            int ordinal,
            Step.Run step,
            List<Window> windows,
            double warmUp,
            double loaded,
            OptionalFigure atBest,
            Optional<Verdict.Reason> reason,
            Random random) {
        List<Window> measured = windows.stream().filter(Window::measured).toList();
        double rate = measured.stream().mapToLong(Window::responses).sum() / (measured.size() * Swings.WINDOW);
        TrialOutcome whole = shape.outcome(
                ordinal,
                step.spec(),
                shape.threadsOf(step.spec().setting()),
                Math.max(rate, 1),
                shape.cpu(),
                false,
                random);
        TrialOutcome seen = Simulated.with(
                Tamper.windows(whole, whole.measurement().orElseThrow(), windows), e -> withFact(e, atBest));
        return new TrialOutcome(
                ordinal,
                step.spec(),
                Instant.EPOCH,
                Duration.ofMillis((long) (1000 * (OVERHEAD + loaded))),
                Duration.ofMillis((long) (1000 * warmUp)),
                seen.measurement(),
                seen.evidence(),
                Optional.empty(),
                new Verdict(reason.stream().toList()),
                List.of());
    }

    private static Evidence withFact(Evidence e, OptionalFigure atBest) {
        return e.withConditions(e.conditions().withAtBest(atBest));
    }
}
