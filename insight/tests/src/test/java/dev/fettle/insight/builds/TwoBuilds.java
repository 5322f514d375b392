package dev.fettle.insight.builds;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.Simulated;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/**
 * Two builds of one program whose truth is known, on a machine that is not quiet: what a gate is tried against. A pair has the machine's
 * drift in common; what is left in its ratio is each process's own luck, and what the slices of its turns do not cancel.
 */
final class TwoBuilds {
    private static final double SECONDS = 10;

    /**
     * The head's truth.
     *
     * @param cpu more CPU time per request, 0.05 for 5 %; the CPU is full, so throughput suffers, too
     * @param lock throughput lost without any CPU time
     * @param dies share of its starts that die under load
     * @param failing share of its requests that fail
     * @param length of its answers, bytes
     * @param allocates more bytes per request; 0: nobody looks
     * @param starts longer time to the first answer
     */
    record Head(double cpu, double lock, double dies, double failing, long length, double allocates, double starts) {
        static final Head SAME = new Head(0, 0, 0, 0, 2_000);

        Head(double cpu, double lock, double dies, double failing, long length) {
            this(cpu, lock, dies, failing, length, 0, 0);
        }

        static Head slower(double cpu) {
            return new Head(cpu, 0, 0, 0, 2_000);
        }
    }

    /**
     * The machine.
     *
     * @param luck deviation of a process's speed from that of another of the same program
     * @param turns deviation of what is left of the machine's drift in a pair's ratio of throughputs
     * @param cpuNoise the same of CPU time per request: caches and clock
     * @param drift deviation of the drift from pair to pair (AR(1), ρ 0.8), common to both sides
     * @param slowShare share of the processes that run in a slower mode, and by how much
     * @param stalls share of the trials that stand still for a tenth of their time
     * @param disturbed share of the pairs in which others took more than is allowed
     */
    record Machine(
            double luck,
            double turns,
            double cpuNoise,
            double drift,
            double slowShare,
            double slowBy,
            double stalls,
            double disturbed) {
        static final Machine QUIET = new Machine(0.012, 0.012, 0.004, 0.03, 0, 0, 0, 0);
        /** A neighbour that takes a third of one CPU, and bursts. */
        static final Machine NEIGHBOUR = new Machine(0.012, 0.06, 0.012, 0.15, 0, 0, 0.05, 0.4);
        /** Half as fast for some seconds, again and again. */
        static final Machine SWINGS = new Machine(0.012, 0.03, 0.006, 0.1, 0, 0, 0.1, 0.1);
        /** One process in ten compiled badly. */
        static final Machine MODES = new Machine(0.012, 0.012, 0.004, 0.03, 0.1, 0.2, 0, 0);
        /** Few cores that are not one's own. */
        static final Machine HOSTED = new Machine(0.03, 0.1, 0.02, 0.3, 0, 0, 0.05, 0.2);
    }

    private final Head head;
    private final Machine machine;
    private final boolean open;
    private final Random random;
    private double level;

    TwoBuilds(Head head, Machine machine, boolean open, long seed) {
        this.head = head;
        this.machine = machine;
        this.open = open;
        this.random = new Random(seed * 7919 + 11);
        this.level = machine.drift() * random.nextGaussian();
    }

    static Plan plan(Duration time, boolean open, boolean aa) {
        var asked = new GateAsked(time, Map.of(), aa, false, GateAsked.WhenUnsure.SAYS, 0, "old.jar", "new.jar");
        var target = Simulated.target();
        var variants = List.of(
                new Variant(GateAsked.BASE, target, Setting.DEFAULT),
                new Variant(GateAsked.HEAD, target, Setting.DEFAULT));
        var load = open ? Simulated.load(50).withArrivals(Arrivals.Open.constant(500)) : Simulated.load(50);
        return Plan.of("gate", target, load)
                .with()
                .compare(Optional.of(
                        new Plan.Compare(variants, List.of(), 2, Optional.empty(), false, Optional.empty())))
                .gate(Optional.of(asked))
                .build();
    }

    GateConclusion gate(Duration time) {
        return run(new GateExperiment(plan(time, open, false)));
    }

    GateConclusion run(Experiment experiment) {
        var seen = new ArrayList<TrialOutcome>();
        while (seen.size() < 2000) {
            switch (experiment.next(List.copyOf(seen))) {
                case Step.Stop(GateConclusion c) -> {
                    return c;
                }
                case Step.Pair p ->
                    seen.addAll(
                            pair(seen.size() + 1, p.first().spec(), p.second().spec()));
                case Step.Stop _, Step.Run _, Step.Kept _, Step.Live _ -> throw new AssertionError("not a gate's step");
            }
        }
        throw new AssertionError("no end");
    }

    /** Both sides of a pair, which takes about 40 s. */
    List<TrialOutcome> pair(int ordinal, TrialSpec first, TrialSpec second) {
        level = 0.8 * level + 0.6 * machine.drift() * random.nextGaussian();
        double half = 20;
        boolean disturbed = random.nextDouble() < machine.disturbed();
        TrialOutcome one = trial(ordinal, first, half, disturbed);
        TrialOutcome other = trial(ordinal + 1, second, half, disturbed);
        if (one.failure().isPresent() != other.failure().isPresent()) {
            boolean firstFell = one.failure().isPresent();
            TrialOutcome fell = failed(firstFell ? other : one, Kind.LAB, "its partner in the pair failed", true);
            return firstFell ? List.of(one, fell) : List.of(fell, other);
        }
        return List.of(one, other);
    }

    /** One trial alone, as a single run of the field's habits. */
    double throughput(boolean ofHead) {
        level = 0.8 * level + 0.6 * machine.drift() * random.nextGaussian();
        return speed(ofHead) * stall();
    }

    private double speed(boolean ofHead) {
        double slow = random.nextDouble() < machine.slowShare() ? 1 - machine.slowBy() : 1;
        double truth = ofHead ? (1 - head.lock()) / (1 + head.cpu()) : 1;
        return 1000
                * truth
                * slow
                * Math.exp(level
                        + machine.luck() * random.nextGaussian()
                        + machine.turns() / Math.sqrt(2) * random.nextGaussian());
    }

    private double stall() {
        return random.nextDouble() < machine.stalls() ? 0.9 : 1;
    }

    private TrialOutcome trial(int ordinal, TrialSpec spec, double took, boolean disturbed) {
        boolean ofHead = spec.variant().equals(GateAsked.HEAD);
        double speed = speed(ofHead);
        double served = open ? 500 : speed * stall();
        // a process that is fast needs less CPU time, as its luck is how it was compiled
        double cpu = (ofHead ? 1 + head.cpu() : 1)
                * 0.001
                * Math.exp(machine.cpuNoise() / Math.sqrt(2) * random.nextGaussian()
                        + machine.luck() / 2 * random.nextGaussian());
        long responses = Math.round(served * SECONDS);
        long failed = ofHead && head.failing() > 0
                ? Math.round(responses * head.failing() * -Math.log(1 - random.nextDouble()))
                : 0;
        double p50 = 2e6 * 1000 / speed;
        double p99 = 9e6 * 1000 / speed * Math.exp(0.05 * random.nextGaussian());
        var latency = new LatencySummary(
                responses, 1, (long) p50, (long) p50, (long) p99, (long) p99, (long) p99, (long) p99, 1, 1);
        long length = ofHead ? head.length() : 2_000;
        var answers = new Answers(
                "",
                List.of(new Answers.Shape(200, length, length, responses)),
                List.of(new Answers.Content(200, length, "h" + length, responses, false)),
                0,
                List.of());
        var measurement = new Measurement(
                Duration.ofSeconds((long) SECONDS),
                responses,
                failed > 0 ? Map.of(ErrorKind.READ_TIMEOUT, failed) : Map.of(),
                Map.of(),
                Map.of(200, responses),
                responses * 2_000,
                1,
                latency,
                LatencySummary.NONE,
                0,
                50,
                List.of(),
                "",
                Measurement.Detail.NONE.withAnswers(List.of(answers)));
        var evidence = new Evidence(
                1,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING
                        .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(cpu * responses))
                        .with(Aggregate.COMPILER_CPU_SECONDS, OptionalFigure.of(0)),
                OptionalFigure.of(0.3),
                OptionalFigure.empty(),
                OptionalInt.empty(),
                900 * (ofHead ? 1 + head.starts() : 1) * Math.exp(0.06 * random.nextGaussian() + level),
                Map.of(),
                Map.of(),
                List.of(),
                head.allocates() > 0 ? allocation(served, ofHead) : Timeline.NONE,
                List.of(),
                Conditions.ALONE.withPair(Optional.of(Conditions.Pair.SIDE_BY_SIDE)));
        Verdict verdict = disturbed
                ? new Verdict(List.of(new Verdict.Reason("disturbed", "others took CPU time", true)))
                : Verdict.VALID;
        var outcome = new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                Duration.ofMillis((long) (took * 1000)),
                Duration.ofSeconds(4),
                Optional.of(measurement),
                Optional.of(evidence),
                Optional.empty(),
                verdict,
                List.of());
        return ofHead && random.nextDouble() < head.dies() ? failed(outcome, Kind.DIED, "gone", false) : outcome;
    }

    /** What is allocated varies little from process to process. */
    private Timeline allocation(double served, boolean ofHead) {
        double bytes = 20_000 * (ofHead ? 1 + head.allocates() : 1) * Math.exp(0.005 * random.nextGaussian());
        return Timeline.of(
                0,
                1000,
                Map.of(
                        Signals.ALLOC_RATE, Series.of(bytes * served),
                        Signals.LOAD_RATE, Series.of(served)),
                Map.of(),
                List.of());
    }

    static TrialOutcome failed(TrialOutcome o, Kind kind, String why, boolean passing) {
        return o.with()
                .measurement(Optional.empty())
                .failure(Optional.of(new TrialOutcome.Failure(kind, why)))
                .verdict(new Verdict(List.of(new Verdict.Reason("failed", why, passing))))
                .build();
    }

    static GateConclusion.Measured of(GateConclusion c, GateMetric metric) {
        return c.metrics().stream()
                .filter(m -> m.metric() == metric)
                .findFirst()
                .orElseThrow();
    }
}
