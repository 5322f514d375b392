package dev.fettle.bench.tuner;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/** Throughput of every setting of five knobs, by a formula. Choices only, so that every tuner has the same settings. */
enum KnownSurface implements Surface {
    /** The pool alone. */
    POOL,
    /** The last of the knobs gives 15 % alone. */
    LAST,
    /** Two knobs give 8 % each. */
    TWO,
    /** Two knobs give 25 % together, and take 8 % each alone. */
    TOGETHER,
    /** A number that must be large enough. */
    CLIFF,
    /** A number with a best value. */
    PEAK,
    /** Threads cost each other (the law of scalability), so that many are worse than the best number. */
    RETROGRADE,
    /** A gain beside a region in which the server dies. */
    FAILS;

    /** 25 threads by default, each held for 50 ms; 4,400 a second are what the CPU gives. */
    static final int THREADS = 25;

    static final double HOLD = 0.05;
    static final double CEILING = 4400;
    static final int CLIENTS = 300;
    static final int BACKLOG = 100;

    /** Trials of a run for which there is luck. */
    static final int MOST = 200;

    private static final double TRIAL = 15;
    private static final double MEASURED = 10;
    private static final double DEATH = 5;

    private static final Verdict DISTURBED =
            new Verdict(List.of(new Verdict.Reason(GateRules.DISTURBED, "others used 40 % of the CPUs", true)));

    static final List<KnobRange> KNOBS = List.of(
            KnobRange.choices("threads.max", numbers(4, 1024, 17)),
            KnobRange.choices("jvm.gc", List.of("g1", "serial", "parallel")),
            KnobRange.choices("backlog", numbers(50, 4000, 11)),
            KnobRange.choices("tcp.nodelay", List.of("true", "false")),
            KnobRange.choices("keepalive.requests", List.of("100", "1000", "-1")));

    private double factor(long backlog, String gc, String nodelay, String keepAlive) {
        return switch (this) {
            case POOL -> 1;
            case LAST -> keepAlive.equals("1000") ? 1.15 : 1;
            case TWO -> (gc.equals("parallel") ? 1.08 : 1) * (nodelay.equals("false") ? 1.08 : 1);
            case TOGETHER -> {
                boolean a = gc.equals("serial");
                boolean b = keepAlive.equals("1000");
                yield a && b ? 1.25 : a || b ? 0.92 : 1;
            }
            case CLIFF -> backlog >= 600 ? 1.2 : 1;
            case PEAK -> {
                double off = Math.log(backlog / 700.0) / 0.6;
                yield 1 + 0.2 * Math.exp(-off * off);
            }
            case RETROGRADE -> gc.equals("parallel") ? 1.05 : 1;
            case FAILS ->
                backlog > 1500 || nodelay.equals("false") && gc.equals("serial") ? 0 : gc.equals("parallel") ? 1.15 : 1;
        };
    }

    /** What so many threads cost each other. */
    private double crowd(int threads) {
        return this == RETROGRADE ? 1 / (1 + 0.000_005 * threads * (threads - 1.0)) : 1;
    }

    @Override
    public OptionalDouble truth(Setting s, long seed) {
        return throughput(s);
    }

    private OptionalDouble throughput(Setting s) {
        double f = factor(
                s.get("backlog").map(Long::parseLong).orElse((long) BACKLOG),
                s.get("jvm.gc").orElse("g1"),
                s.get("tcp.nodelay").orElse("true"),
                s.get("keepalive.requests").orElse("100"));
        return f == 0 ? OptionalDouble.empty() : OptionalDouble.of(f * pool(threads(s)) * crowd(threads(s)));
    }

    static int threads(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(THREADS);
    }

    /** The lower of the pool's, the clients' and the CPU's ceiling, rounded off as queues do. */
    private static double pool(int threads) {
        double wanted = Math.min(threads, CLIENTS) / HOLD;
        return 1 / Math.pow(Math.pow(wanted, -8) + Math.pow(CEILING, -8), 1 / 8.0);
    }

    @Override
    public List<KnobRange> knobs() {
        return KNOBS;
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Plan plan(int trials, long seed) {
        var target = new Target.Command(
                List.of(List.of("{java}", "{jvm}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("worker"),
                Map.of(
                        "threads.max",
                        Integer.toString(THREADS),
                        "backlog",
                        Integer.toString(BACKLOG),
                        "tcp.nodelay",
                        "true",
                        "jvm.flags",
                        "",
                        "keepalive.requests",
                        "100"),
                Target.Jvm.SAME);
        var load = new Load(
                CLIENTS,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
        return TunerProof.plan("known", target, load, Setting.DEFAULT, KNOBS, trials, seed);
    }

    @Override
    public Server server(Luck luck) {
        double[] lucky = luck(luck);
        var neighbours = new Random(luck.seed() * 7919 + ordinal());
        return (ordinal, spec) -> {
            OptionalDouble x = throughput(spec.setting());
            if (x.isEmpty()) {
                return RecordedTrial.failed(0, List.of(), DEATH, "DIED").outcome(ordinal, spec, Verdict.VALID);
            }
            double seen = x.getAsDouble() * Math.exp(lucky[ordinal - 1]);
            return neighbours.nextDouble() < luck.voids()
                    ? trial(spec.setting(), seen * (1 - 0.1 - 0.4 * neighbours.nextDouble()))
                            .outcome(ordinal, spec, DISTURBED)
                    : trial(spec.setting(), seen).outcome(ordinal, spec, Verdict.VALID);
        };
    }

    /** The logarithm of what each trial of a run is lucky by, the same for each tuner; drift has a correlation of 0.8. */
    double[] luck(Luck of) {
        var random = new Random(of.seed() * 1_000_003 + ordinal());
        double state = of.drift() * random.nextGaussian();
        double[] luck = new double[MOST];
        for (int i = 0; i < MOST; i++) {
            state = 0.8 * state + 0.6 * of.drift() * random.nextGaussian();
            luck[i] = of.noise() * random.nextGaussian() + state;
        }
        return luck;
    }

    @Override
    public Rivals rivals() {
        return Rivals.of(this, (s, half) -> List.of(), s -> throughput(s).isPresent() ? TRIAL : DEATH);
    }

    /** What a trial of 15 s sees: 3 s of starting, 2 s of warm-up, 10 s of measuring. */
    private static RecordedTrial trial(Setting s, double x) {
        int threads = threads(s);
        double ms = 1e3 * CLIENTS / x;
        double busy = Math.min(Math.min(threads, CLIENTS), x * HOLD);
        long n = Math.round(x * MEASURED);
        return new RecordedTrial(
                0,
                List.of(),
                Map.of("threads.max", Integer.toString(threads)),
                TRIAL,
                MEASURED,
                n,
                Map.of(),
                CLIENTS * MEASURED,
                List.of(ms, ms, ms, ms, ms),
                OptionalDouble.of(n / CEILING),
                OptionalDouble.of(0),
                OptionalDouble.of(busy),
                OptionalDouble.of(busy),
                OptionalDouble.of(threads),
                OptionalDouble.of(Math.max(0, CLIENTS - threads)),
                OptionalDouble.of(5),
                OptionalDouble.of(0),
                OptionalDouble.of(0),
                OptionalDouble.of(0),
                500,
                List.of(),
                "");
    }

    private static List<String> numbers(int from, int to, int n) {
        var all = new ArrayList<String>();
        for (int i = 0; i < n; i++) {
            all.add(Long.toString(Math.round(from * Math.pow((double) to / from, i / (n - 1.0)))));
        }
        return all;
    }
}
