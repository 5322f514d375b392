package dev.fettle.bench.tuner;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Throughput of every setting of five knobs, by a formula. Choices only, so that every tuner has the same settings. */
interface FormulaSurface extends Surface {
    /** Trials of a run for which there is luck. */
    int MOST = 200;

    int BACKLOG = 100;

    Verdict DISTURBED =
            new Verdict(List.of(new Verdict.Reason(GateRules.DISTURBED, "others used 40 % of the CPUs", true)));

    List<KnobRange> KNOBS = List.of(
            KnobRange.choices("threads.max", numbers(4, 1024, 17)),
            KnobRange.choices("jvm.gc", List.of("g1", "serial", "parallel")),
            KnobRange.choices("backlog", numbers(50, 4000, 11)),
            KnobRange.choices("tcp.nodelay", List.of("true", "false")),
            KnobRange.choices("keepalive.requests", List.of("100", "1000", "-1")));

    /** The server that it is of. */
    Physics physics();

    /** A number of its own among all formulas, by which its trials have luck of their own. */
    long number();

    /** The true throughput; empty where the server dies. */
    OptionalFigure throughput(Setting s);

    @Override
    default List<KnobRange> knobs() {
        return KNOBS;
    }

    @Override
    default OptionalFigure truth(Setting s, long seed) {
        return throughput(s);
    }

    /** The value of a setting, or the server's own. */
    static String value(Setting s, String knob) {
        return s.get(knob).orElseGet(() -> switch (knob) {
            case "backlog" -> Integer.toString(BACKLOG);
            case "jvm.gc" -> "g1";
            case "tcp.nodelay" -> "true";
            default -> "100";
        });
    }

    @Override
    default Plan plan(int trials, long seed) {
        var target = new Target.Command(
                List.of(List.of("{java}", "{jvm}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("worker"),
                Map.of(
                        "threads.max",
                        Integer.toString(physics().threads()),
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
                physics().clients(),
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
    default Server server(Luck luck) {
        double[] lucky = luck(luck);
        var neighbours = new Random(luck.seed() * 7919 + number());
        return (ordinal, spec) -> {
            OptionalFigure x = throughput(spec.setting());
            if (x.isEmpty()) {
                return RecordedTrial.failed(0, List.of(), Physics.DEATH, "DIED").outcome(ordinal, spec, Verdict.VALID);
            }
            double seen = x.getAsDouble() * Math.exp(lucky[ordinal - 1]);
            return neighbours.nextDouble() < luck.voids()
                    ? physics()
                            .trial(spec.setting(), seen * (1 - 0.1 - 0.4 * neighbours.nextDouble()))
                            .outcome(ordinal, spec, DISTURBED)
                    : physics().trial(spec.setting(), seen).outcome(ordinal, spec, Verdict.VALID);
        };
    }

    /** The logarithm of what each trial of a run is lucky by, the same for each tuner; drift has a correlation of 0.8. */
    default double[] luck(Luck of) {
        var random = new Random(of.seed() * 1_000_003 + number());
        double state = of.drift() * random.nextGaussian();
        double[] luck = new double[MOST];
        for (int i = 0; i < MOST; i++) {
            state = 0.8 * state + 0.6 * of.drift() * random.nextGaussian();
            luck[i] = of.noise() * random.nextGaussian() + state;
        }
        return luck;
    }

    @Override
    default Rivals rivals() {
        return Rivals.of(this, (s, half) -> List.of(), s -> throughput(s).isPresent() ? Physics.TRIAL : Physics.DEATH);
    }

    private static List<String> numbers(int from, int to, int n) {
        var all = new ArrayList<String>();
        for (int i = 0; i < n; i++) {
            all.add(Long.toString(Math.round(from * Math.pow((double) to / from, i / (n - 1.0)))));
        }
        return all;
    }
}
