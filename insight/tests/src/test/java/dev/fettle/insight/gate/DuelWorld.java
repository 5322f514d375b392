package dev.fettle.insight.gate;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.tune.SettingSearch;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
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
 * A default and a candidate whose truth is known, on a machine that is not quiet: what a duel is tried against. Time goes in
 * windows of half a second. The search is made to like the candidate, so that every run has its duel.
 */
public final class DuelWorld {
    private static final double WINDOW = 0.5;
    private static final int SLICE = 2;
    private static final int MEASURED = 20;

    /** One side. All figures are of throughput. */
    public record Arm(
            double factor,
            double modeShare,
            double modeFactor,
            double deaths,
            int diesFrom,
            double warmUpShare,
            double warmUpTau,
            double perMinute,
            double sagShare,
            double sagBy,
            double idle,
            double voids,
            double errors) {
        public static final Arm PLAIN = new Arm(1, 0, 1, 0, Integer.MAX_VALUE, 0, 1, 0, 0, 0, 0, 0, 0);

        public Arm times(double f) {
            return new Arm(
                    factor * f,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    sagShare,
                    sagBy,
                    idle,
                    voids,
                    errors);
        }

        /** A share of the JVMs runs at a factor. */
        public Arm modes(double share, double f) {
            return new Arm(
                    factor,
                    share,
                    f,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    sagShare,
                    sagBy,
                    idle,
                    voids,
                    errors);
        }

        /** A trial dies with a chance; in the duel surely from a block on. */
        public Arm dies(double chance, int from) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    chance,
                    from,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    sagShare,
                    sagBy,
                    idle,
                    voids,
                    errors);
        }

        /** 1 − a·exp(−t/τ). */
        public Arm warmsUp(double a, double tau) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    a,
                    tau,
                    perMinute,
                    sagShare,
                    sagBy,
                    idle,
                    voids,
                    errors);
        }

        /** Falls by a share a minute. */
        public Arm leaks(double share) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    share,
                    sagShare,
                    sagBy,
                    idle,
                    voids,
                    errors);
        }

        /** Falls by a share within the measuring, in a share of the trials. */
        public Arm sags(double share, double by) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    share,
                    by,
                    idle,
                    voids,
                    errors);
        }

        /** Leaves a share of its CPUs idle. */
        public Arm idle(double share) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    sagShare,
                    sagBy,
                    share,
                    voids,
                    errors);
        }

        /** A share of the duel's trials gives no figures that can be used. */
        public Arm voids(double share) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    sagShare,
                    sagBy,
                    idle,
                    share,
                    errors);
        }

        /** In the duel a share of the requests fails on average, of some trials many, of others few (exponential). */
        public Arm errors(double share) {
            return new Arm(
                    factor,
                    modeShare,
                    modeFactor,
                    deaths,
                    diesFrom,
                    warmUpShare,
                    warmUpTau,
                    perMinute,
                    sagShare,
                    sagBy,
                    idle,
                    voids,
                    share);
        }
    }

    /**
     * What is around both.
     *
     * @param white deviation of a trial
     * @param machine deviation of an AR(1) from trial to trial, ρ = 0.8
     * @param pair deviation that both sides of a pair have in common
     * @param windows deviation within trials, with a time constant
     * @param steal mean stolen share; it comes in bursts of some seconds
     * @param turns whether two sides can be up at the same time and loaded in turn
     */
    public record Noise(
            double white, double machine, double pair, double windows, double tau, double steal, boolean turns) {
        public static Noise white(double sd) {
            return new Noise(sd, 0, 0, 0, 1, 0, true);
        }

        public Noise machine(double sd) {
            return new Noise(white, sd, pair, windows, tau, steal, turns);
        }

        public Noise pair(double sd) {
            return new Noise(white, machine, sd, windows, tau, steal, turns);
        }

        public Noise windows(double sd, double t) {
            return new Noise(white, machine, pair, sd, t, steal, turns);
        }

        public Noise steal(double mean) {
            return new Noise(white, machine, pair, windows, tau, mean, turns);
        }

        public Noise oneAfterTheOther() {
            return new Noise(white, machine, pair, windows, tau, steal, false);
        }
    }

    private final Arm baseline;
    private final Arm candidate;
    private final Noise noise;
    private final int bound;
    private final Random random;
    private double machine;
    private double swing;
    private double stolen;
    private final double[] common = new double[64];

    public DuelWorld(Arm baseline, Arm candidate, Noise noise, int bound, long seed) {
        this.baseline = baseline;
        this.candidate = candidate;
        this.noise = noise;
        this.bound = bound;
        this.random = new Random(seed * 7919 + 17);
        this.swing = noise.windows() * random.nextGaussian();
        this.machine = noise.machine() * random.nextGaussian();
        for (int i = 0; i < common.length; i++) {
            common[i] = noise.pair() * random.nextGaussian();
        }
    }

    static Plan plan(int pairs) {
        return Simulated.server(25, 0.05, 0.0002, 1, 300)
                .plan(
                        List.of(KnobRange.interval("threads.max", 4, 1024)),
                        Objective.DEFAULT,
                        new Budget(6, Duration.ofHours(2), pairs));
    }

    /** A tune that has one idea. */
    public TuneConclusion tune(int pairs) {
        SettingSearch one = seen -> seen.size() == 1
                ? Optional.of(new SettingSearch.Proposal(Setting.of("threads.max", "50"), Origin.PREDICTION, "the one"))
                : Optional.empty();
        var experiment = new TuneExperiment(plan(pairs), one);
        var seen = new ArrayList<TrialOutcome>();
        while (seen.size() < 500) {
            switch (experiment.next(List.copyOf(seen))) {
                case Experiment.Step.Stop(Conclusion c) -> {
                    return (TuneConclusion) c;
                }
                case Experiment.Step.Run run -> seen.addAll(trials(seen.size() + 1, List.of(run.spec())));
                case Experiment.Step.Kept _, Experiment.Step.Live _ ->
                    throw new AssertionError("a duel keeps no target");
                case Experiment.Step.Pair pair -> {
                    var specs = List.of(pair.first().spec(), pair.second().spec());
                    if (noise.turns()) {
                        seen.addAll(trials(seen.size() + 1, specs));
                    } else {
                        seen.addAll(trials(seen.size() + 1, specs.subList(0, 1)));
                        seen.addAll(trials(seen.size() + 1, specs.subList(1, 2)));
                    }
                }
            }
        }
        throw new AssertionError("no end");
    }

    /** A fresh JVM with its luck, under load. */
    private final class Jvm {
        private final TrialSpec spec;
        private final Arm arm;
        private final double level;
        private final boolean dies;
        private final boolean sags;
        private final boolean isVoid;
        private final double errors;
        private final List<Window> windows = new ArrayList<>();
        private int loaded;
        private int measured;
        private double stolenSum;

        Jvm(TrialSpec spec) {
            this.spec = spec;
            boolean ours = spec.variant().equals("candidate");
            this.arm = ours ? candidate : baseline;
            machine = 0.8 * machine + 0.6 * noise.machine() * random.nextGaussian();
            double luck = noise.white() * random.nextGaussian() + machine;
            double mode = random.nextDouble() < arm.modeShare() ? arm.modeFactor() : 1;
            boolean duel = spec.phase() == Phase.DUEL;
            this.dies = random.nextDouble() < arm.deaths() || duel && spec.block() >= arm.diesFrom();
            this.sags = random.nextDouble() < arm.sagShare();
            // drawn only where they are asked for, so that all else stays as it is
            this.isVoid = duel && arm.voids() > 0 && random.nextDouble() < arm.voids();
            this.errors = duel && arm.errors() > 0 ? -arm.errors() * Math.log(1 - random.nextDouble()) : 0;
            double liked = !duel && ours ? 1.5 : 1;
            this.level = 1000 * arm.factor() * liked * mode * Math.exp(luck + (duel ? common[spec.block()] : 0));
        }

        void window(double clock, boolean counts) {
            double t = loaded++ * WINDOW;
            double x = level
                    * (1 - arm.warmUpShare() * Math.exp(-t / arm.warmUpTau()))
                    * Math.exp(-arm.perMinute() * t / 60 + swing + 0.03 * random.nextGaussian());
            if (counts) {
                double part = measured++ / (double) MEASURED;
                x *= sags ? 1 - 2 * arm.sagBy() * part : 1;
                stolenSum += stolen;
            }
            x *= 1 - Math.max(0, stolen - arm.idle()) / (1 - arm.idle());
            windows.add(new Window(clock, WINDOW, Math.round(x * WINDOW), 0, 50_000_000, counts));
        }

        boolean steady() {
            return SteadyState.judge(windows).steady();
        }

        TrialOutcome outcome(int ordinal, boolean turns) {
            var took = Duration.ofSeconds(20);
            var warmUp = Duration.ofSeconds((loaded - measured) / 2);
            if (dies) {
                return new TrialOutcome(
                        ordinal,
                        spec,
                        Instant.EPOCH,
                        took,
                        warmUp,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new TrialOutcome.Failure(Kind.DIED, "gone")),
                        new Verdict(List.of(new Verdict.Reason("failed", "gone", false))),
                        List.of());
            }
            long responses = windows.stream()
                    .filter(Window::measured)
                    .mapToLong(Window::responses)
                    .sum();
            var summary = new LatencySummary(responses, 1, 1, 1, 1, 1, 50_000_000, 1, 1, 1);
            var m = new Measurement(
                    Duration.ofMillis((long) (measured * WINDOW * 1000)),
                    responses,
                    errors > 0 ? Map.of(ErrorKind.READ_TIMEOUT, Math.round(responses * errors)) : Map.of(),
                    Map.of(),
                    Map.of(),
                    responses * 200,
                    1,
                    summary,
                    LatencySummary.NONE,
                    0,
                    300,
                    windows,
                    "",
                    Measurement.Detail.NONE);
            double steal = stolenSum / measured;
            double busy = Math.min(1 - arm.idle(), 1 - steal);
            var e = new Evidence(
                    2,
                    Evidence.Cpus.UNKNOWN,
                    Aggregates.NOTHING
                            .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(2 * measured * WINDOW * busy))
                            .with(Aggregate.COMPILER_CPU_SECONDS, OptionalFigure.of(0))
                            .with(Aggregate.STEAL, OptionalFigure.of(steal))
                            .with(Aggregate.FOREIGN_CPU, OptionalFigure.of(0))
                            .with(Aggregate.BUSY_WORKERS, OptionalFigure.of(25))
                            .with(Aggregate.BUSY_WORKERS_MAX, OptionalFigure.of(25))
                            .with(Aggregate.WORKERS, OptionalFigure.of(25))
                            .with(Aggregate.QUEUED, OptionalFigure.of(0))
                            .with(Aggregate.GC_MILLIS, OptionalFigure.of(1))
                            .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(0))
                            .with(Aggregate.SYN_RETRANSMITS, OptionalFigure.of(0))
                            .with(Aggregate.LOAD_AVERAGE, OptionalFigure.of(1)),
                    OptionalFigure.of(0.3),
                    OptionalFigure.empty(),
                    OptionalInt.of(100),
                    500,
                    Map.of(),
                    Map.of(),
                    List.of(),
                    Timeline.NONE,
                    List.of(),
                    Conditions.ALONE.withPair(turns ? Optional.of(Conditions.Pair.SIDE_BY_SIDE) : Optional.empty()));
            var reasons = new ArrayList<Verdict.Reason>();
            if (steal > GateRules.STEAL) {
                reasons.add(new Verdict.Reason("disturbed", "stolen", true));
            }
            if (isVoid) {
                reasons.add(new Verdict.Reason("littles-law", "it does not add up", false));
            }
            return new TrialOutcome(
                    ordinal,
                    spec,
                    Instant.EPOCH,
                    took,
                    warmUp,
                    Optional.of(m),
                    Optional.of(e),
                    Optional.empty(),
                    new Verdict(reasons),
                    List.of());
        }
    }

    private List<TrialOutcome> trials(int ordinal, List<TrialSpec> specs) {
        List<Jvm> jvms = specs.stream().map(Jvm::new).toList();
        double clock = 0;
        for (int i = 0; i < 2 * bound; i++) {
            if (jvms.stream().allMatch(Jvm::steady)) {
                break;
            }
            for (Jvm jvm : jvms) {
                tick();
                jvm.window(clock, false);
                clock += WINDOW;
            }
        }
        // first, second, second, first
        for (int slice = 0; slice * SLICE < MEASURED; slice++) {
            for (int k = 0; k < jvms.size(); k++) {
                Jvm jvm = jvms.get(slice % 2 == 0 ? k : jvms.size() - 1 - k);
                for (int w = 0; w < SLICE; w++) {
                    tick();
                    jvm.window(clock, true);
                    clock += WINDOW;
                }
                clock += jvms.size() > 1 ? 0.2 : 0;
            }
        }
        for (int i = 0; i < 12; i++) {
            tick(); // the next launch
        }
        var outcomes = new ArrayList<TrialOutcome>();
        for (Jvm jvm : jvms) {
            outcomes.add(jvm.outcome(ordinal + outcomes.size(), jvms.size() > 1));
        }
        return outcomes;
    }

    private void tick() {
        double keep = Math.exp(-WINDOW / noise.tau());
        swing = keep * swing + noise.windows() * Math.sqrt(1 - keep * keep) * random.nextGaussian();
        if (noise.steal() > 0 && random.nextDouble() < 0.2) {
            stolen = Math.min(0.9, -noise.steal() * Math.log(1 - random.nextDouble()));
        }
    }
}
