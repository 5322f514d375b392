package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** How a search spends its trials: on all knobs there are, and on the smallest pool that does. */
@Tag("long")
class SearchSpreadTest {
    private static final List<KnobRange> FIVE = List.of(
            KnobRange.interval("threads.max", 4, 1024),
            KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
            KnobRange.interval("backlog", 50, 4000),
            KnobRange.choices("tcp.nodelay", List.of("true", "false")),
            KnobRange.choices("keepalive.requests", List.of("100", "1000", "-1")));
    private static final int SEEDS = Integer.getInteger("fettle.runs", 30);
    /** A model of several knobs takes its time to fit. */
    private static final int MODELS = Integer.getInteger("fettle.runs", 8);

    /** Surfaces of several knobs: threads by the queueing law, times what the other knobs give. */
    private record Surface(
            String name, ToDoubleFunction<Setting> factor, double best, double least12, double least20) {}

    private static boolean is(Setting s, String knob, String value) {
        return s.get(knob).filter(value::equals).isPresent();
    }

    private static final List<Surface> SURFACES = List.of(
            new Surface("threads only", s -> 1, 1, 0.98, 0.98),
            new Surface("last knob", s -> is(s, "keepalive.requests", "-1") ? 1.15 : 1, 1.15, 0.96, 0.98),
            new Surface(
                    "two knobs",
                    s -> (is(s, "jvm.gc", "parallel") ? 1.08 : 1) * (is(s, "tcp.nodelay", "false") ? 1.08 : 1),
                    1.08 * 1.08,
                    0.95,
                    0.98),
            new Surface(
                    "together only",
                    s -> {
                        boolean a = is(s, "jvm.gc", "serial");
                        boolean b = is(s, "keepalive.requests", "-1");
                        return a && b ? 1.25 : a || b ? 0.92 : 1;
                    },
                    1.25,
                    0.84,
                    0.9));

    /** What a search saw, and the setting that it would send into the duel. */
    private record Found(List<TrialOutcome> seen, Setting winner) {}

    /** Runs a tune up to its duel: what is judged here comes before. */
    private static Found search(Simulated.Server server, Plan plan) {
        var experiment = new TuneExperiment(plan);
        var seen = new ArrayList<TrialOutcome>();
        while (true) {
            Experiment.Step step = experiment.next(List.copyOf(seen));
            List<Experiment.Step.Run> runs = switch (step) {
                case Experiment.Step.Stop stop -> List.of();
                case Experiment.Step.Run run -> List.of(run);
                case Experiment.Step.Kept kept -> List.of(kept.run());
                case Experiment.Step.Live live -> List.of(live.run());
                case Experiment.Step.Pair pair -> List.of(pair.first(), pair.second());
            };
            var duel = runs.stream()
                    .filter(r ->
                            r.spec().phase() == Phase.DUEL && r.spec().variant().equals("candidate"))
                    .findFirst();
            if (duel.isPresent() || runs.isEmpty()) {
                seen.removeIf(t -> t.spec().phase() == Phase.DUEL);
                return new Found(seen, duel.map(d -> d.spec().setting()).orElse(Setting.DEFAULT));
            }
            runs.forEach(r -> seen.add(server.run(seen.size() + 1, r.spec())));
        }
    }

    private static Plan plan(Simulated s, List<KnobRange> knobs, int trials) {
        Plan p = s.plan(knobs, Objective.DEFAULT, new Budget(trials, Duration.ofHours(3), 4));
        var takes = new Target.Command(
                List.of(List.of("{java}", "{jvm}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("worker"),
                Map.of(
                        "threads.max",
                        "",
                        "backlog",
                        "",
                        "tcp.nodelay",
                        "true",
                        "jvm.flags",
                        "",
                        "keepalive.requests",
                        "100"),
                Target.Jvm.SAME);
        return p.withTarget(takes);
    }

    @TestFactory
    List<DynamicTest> findsWhatIsToBeFoundOnSeveralKnobs() {
        var tests = new ArrayList<DynamicTest>();
        for (int trials : new int[] {12, 20}) {
            for (Surface s : SURFACES) {
                // the hardest of them stands for all with many trials, which take their time
                if (trials == 12 || s.equals(SURFACES.getLast()) || Integer.getInteger("fettle.runs") != null) {
                    tests.add(DynamicTest.dynamicTest(s.name() + ", " + trials + " trials", () -> regret(s, trials)));
                }
            }
        }
        return tests;
    }

    private static void regret(Surface surface, int trials) {
        double sum = 0;
        for (int seed = 1; seed <= MODELS; seed++) {
            Simulated server =
                    Simulated.server(25, 0.050, 0.000227, 1, 300).seed(seed).noise(0.03);
            UnaryOperator<TrialOutcome> knobs = o ->
                    Tamper.faster(o, surface.factor().applyAsDouble(o.spec().setting()));
            Setting winner = search((n, spec) -> knobs.apply(server.run(n, spec)), plan(server, FIVE, trials))
                    .winner();
            double x = server.throughput(server.threadsOf(winner))
                    * surface.factor().applyAsDouble(winner);
            sum += x / (server.throughput(300) * surface.best());
        }
        System.out.printf("%s, %d trials: %.3f of the best on average%n", surface.name(), trials, sum / MODELS);
        assertThat(sum / MODELS).isGreaterThanOrEqualTo(trials == 12 ? surface.least12() : surface.least20());
    }

    /** The CPU is full with 200 threads, which says nothing of how many are needed: with far fewer, other knobs could not be seen. */
    @Test
    void withAFullCpuThePoolStaysAroundTheDefaults() {
        Simulated server =
                Simulated.server(200, 0.002, 0.000227, 1, 300).seed(1).noise(0.03);
        List<TrialOutcome> seen = search(server::run, plan(server, FIVE, 8)).seen();
        assertThat(seen.stream()
                        .flatMap(o -> o.spec().setting().get("threads.max").stream())
                        .mapToLong(Long::parseLong)
                        .limit(4))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(threads -> threads >= 100 && threads <= 400);
    }

    /** A world of which a large part crashes, or breaks the limit on p99, with what its knobs give. */
    private record Failing(String name, Predicate<Setting> crashes, Predicate<Setting> slow, double least) {}

    private static double factor(Setting s) {
        return (is(s, "jvm.gc", "parallel") ? 1.1 : 1) * (is(s, "keepalive.requests", "-1") ? 1.1 : 1);
    }

    private static long backlog(Setting s) {
        return s.get("backlog").map(Long::parseLong).orElse(100L);
    }

    private static final List<Failing> FAILING = List.of(
            new Failing("long backlogs crash", s -> backlog(s) > 400, s -> false, 0.9),
            new Failing(
                    "two collectors of three crash",
                    s -> is(s, "jvm.gc", "serial") || is(s, "jvm.gc", "g1"),
                    s -> false,
                    0.9),
            new Failing(
                    "most settings crash",
                    s -> is(s, "jvm.gc", "serial") || is(s, "tcp.nodelay", "false") || backlog(s) > 1000,
                    s -> false,
                    0.85),
            new Failing(
                    "nearly all settings crash",
                    s -> is(s, "jvm.gc", "serial")
                            || is(s, "jvm.gc", "g1")
                            || is(s, "tcp.nodelay", "false")
                            || backlog(s) > 200
                            || is(s, "keepalive.requests", "1000"),
                    s -> false,
                    0.8),
            new Failing(
                    "most settings break the limit",
                    s -> false,
                    s -> is(s, "tcp.nodelay", "false") || backlog(s) > 400,
                    0.85));

    /** Where much fails, what was not tried is still worth a trial. */
    @TestFactory
    List<DynamicTest> findsWhatIsToBeFoundWhereMuchFails() {
        return (Integer.getInteger("fettle.runs") == null ? Stream.of(16) : Stream.of(16, 30))
                .flatMap(trials -> FAILING.stream()
                        .map(f -> DynamicTest.dynamicTest(
                                f.name() + ", " + trials + " trials", () -> failing(f, trials))))
                .toList();
    }

    private static void failing(Failing world, int budget) {
        double sum = 0;
        double trials = 0;
        double failed = 0;
        for (int seed = 1; seed <= MODELS; seed++) {
            Simulated server =
                    Simulated.server(25, 0.050, 0.000227, 1, 300).seed(seed).noise(0.03);
            UnaryOperator<TrialOutcome> knobs = o -> {
                Setting s = o.spec().setting();
                return world.crashes().test(s)
                        ? Tamper.failed(o, TrialOutcome.Kind.DIED, "gone")
                        : Tamper.p99(Tamper.faster(o, factor(s)), world.slow().test(s) ? 900_000_000L : 300_000_000L);
            };
            Plan plan = plan(server, FIVE, budget)
                    .with()
                    .objective(new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(500)), 0.001))
                    .build();
            Found found = search((n, spec) -> knobs.apply(server.run(n, spec)), plan);
            Setting winner = found.winner();
            assertThat(world.crashes().test(winner)).isFalse();
            sum += server.throughput(server.threadsOf(winner)) * factor(winner) / (server.throughput(300) * 1.21);
            trials += found.seen().size();
            failed += (int) found.seen().stream()
                    .filter(t -> world.crashes().or(world.slow()).test(t.spec().setting()))
                    .count();
        }
        System.out.printf(
                "%s: %.3f of the best on average, %.1f trials of %d, %.1f of which failed%n",
                world.name(), sum / MODELS, trials / MODELS, budget, failed / MODELS);
        assertThat(sum / MODELS).isGreaterThanOrEqualTo(world.least());
    }

    /** Each knob of five is tried at 12 trials, at a value that is not its default. */
    @Test
    void everyKnobIsTouched() {
        int untouched = 0;
        for (int seed = 1; seed <= MODELS; seed++) {
            Simulated server =
                    Simulated.server(25, 0.050, 0.000227, 1, 300).seed(seed).noise(0.05);
            Found found = search(server::run, plan(server, FIVE, 12));
            for (KnobRange knob : FIVE) {
                boolean touched = found.seen().stream()
                        .filter(t -> t.spec().phase() == Phase.SEARCH)
                        .anyMatch(t -> t.spec().setting().get(knob.knob()).isPresent());
                untouched += touched ? 0 : 1;
            }
        }
        System.out.printf("five knobs, 12 trials: %.2f knobs never touched a tune%n", (double) untouched / MODELS);
        assertThat(untouched).isZero();
    }

    /** 20 permits behind the workers: 20 threads do what 300 do, and a smaller pool is what is to be proposed. */
    @TestFactory
    List<DynamicTest> theSmallestPoolOfAPlateauIsFound() {
        var tests = new ArrayList<DynamicTest>();
        for (int threads : new int[] {8, 150}) {
            for (int clients : new int[] {150, 300}) {
                for (double noise : new double[] {0.02, 0.05, 0.10}) {
                    tests.add(DynamicTest.dynamicTest(
                            threads + " threads, " + clients + " clients, noise " + noise,
                            () -> smallest(threads, clients, noise)));
                }
            }
        }
        return tests;
    }

    private static void smallest(int threads, int clients, double noise) {
        double inTheSearch = 0;
        int fewTried = 0;
        int fewProposed = 0;
        int proposals = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            var server = new PermitsBehind(20, 0.020, threads, clients, noise, seed);
            Found found = search(server, plan(server.shape(), FIVE.subList(0, 1), 12));
            int least = found.seen().stream()
                    .mapToInt(t -> server.shape().threadsOf(t.spec().setting()))
                    .filter(m -> m >= 20)
                    .min()
                    .orElse(1000);
            fewTried += least <= 30 ? 1 : 0;
            inTheSearch += found.seen().size();
            if (!found.winner().equals(Setting.DEFAULT)) {
                proposals++;
                int m = server.shape().threadsOf(found.winner());
                fewProposed += m >= 17 && m <= 32 ? 1 : 0;
            }
        }
        System.out.printf(
                "20 permits behind %d threads, %d clients, noise %.0f %%: 20 to 30 threads tried in %.2f, proposed in %d of %d"
                        + " proposals, %.1f trials%n",
                threads, clients, 100 * noise, (double) fewTried / SEEDS, fewProposed, proposals, inTheSearch / SEEDS);
        // at 10 % noise, one trial a setting and no replicates do not tell 24 threads from too few
        assertThat(fewTried).isGreaterThanOrEqualTo(SEEDS * (noise < 0.03 ? 95 : noise < 0.07 ? 80 : 60) / 100);
        if (threads < 20) {
            assertThat(fewProposed)
                    .isGreaterThanOrEqualTo(proposals * (noise < 0.03 ? 90 : noise < 0.07 ? 55 : 30) / 100);
        }
    }

    /** The same with four more knobs that give nothing: the pool that is proposed is small, and they are not in it. */
    @TestFactory
    List<DynamicTest> theSmallestPoolOfAPlateauIsFoundBesideOtherKnobs() {
        var tests = new ArrayList<DynamicTest>();
        for (int trials : Integer.getInteger("fettle.runs") == null ? new int[] {12} : new int[] {12, 20}) {
            for (double noise : new double[] {0.02, 0.05}) {
                tests.add(DynamicTest.dynamicTest(
                        trials + " trials, noise " + noise, () -> smallestOfMany(trials, noise)));
            }
        }
        return tests;
    }

    private static void smallestOfMany(int trials, double noise) {
        var threads = new ArrayList<Integer>();
        double share = 0;
        int extra = 0;
        for (int seed = 1; seed <= MODELS; seed++) {
            var server = new PermitsBehind(20, 0.020, 8, 300, noise, seed);
            Setting found = search(server, plan(server.shape(), FIVE, trials)).winner();
            threads.add(server.shape().threadsOf(found));
            extra += (int) found.values().keySet().stream()
                    .filter(k -> !k.equals("threads.max"))
                    .count();
            share += Math.min(1, server.shape().threadsOf(found) / 20.0);
        }
        threads.sort(null);
        System.out.printf(
                "20 permits behind 8 threads, five knobs, %d trials, noise %.0f %%: proposed %s threads (median %d), %d other knobs,"
                        + " %.3f of the best%n",
                trials, 100 * noise, threads, threads.get(MODELS / 2), extra, share / MODELS);
        // as long as it looked for no smaller pool, no median was below 200
        assertThat(threads.get(MODELS / 2)).isLessThan(noise < 0.03 ? 60 : 250);
        assertThat(share / MODELS).isGreaterThan(0.95);
        assertThat(extra).isLessThanOrEqualTo(noise < 0.03 ? MODELS : 2 * MODELS);
    }

    /** A default that was disturbed tells the law a wrong holding time; what follows must not end there. */
    @Test
    void aBadDefaultTrialDoesNotEndTheSearch() {
        double sum = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Simulated server =
                    Simulated.server(200, 0.050, 0.00013, 1, 300).seed(seed).noise(0.03);
            double lost = 0.5;
            // another program took half the CPU of the second trial, and nobody saw it
            UnaryOperator<TrialOutcome> disturbed = o -> o.ordinal() == 2 ? Tamper.faster(o, lost) : o;
            Found found =
                    search((n, spec) -> disturbed.apply(server.run(n, spec)), plan(server, FIVE.subList(0, 1), 8));
            sum += server.throughput(server.threadsOf(found.winner())) / server.throughput(300);
        }
        System.out.printf("the prediction's own trial at half speed: %.3f of the best on average%n", sum / SEEDS);
        assertThat(sum / SEEDS).isGreaterThanOrEqualTo(0.85);
    }
}
