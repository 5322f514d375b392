package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Usl;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.trials.ScalingWords;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class GridExperimentsTest {
    static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    static Plan sweep(Simulated s, int repeats, String... threads) {
        var grid = List.of(
                new Dimension("threads.max", List.of(threads)),
                new Dimension("load.keep-alive", List.of("true", "false")));
        return plan(s, Optional.of(new Plan.Sweep(grid, repeats)), Optional.empty());
    }

    static Plan compare(Simulated s, int pairs, List<Dimension> grid, String... threads) {
        var variants = IntStream.range(0, threads.length)
                .mapToObj(i -> new Variant("v" + i, Simulated.target(), Setting.of("threads.max", threads[i])))
                .toList();
        return plan(
                s,
                Optional.empty(),
                Optional.of(new Plan.Compare(variants, grid, pairs, Optional.empty(), false, Optional.empty())));
    }

    private static Plan plan(Simulated s, Optional<Plan.Sweep> sweep, Optional<Plan.Compare> compare) {
        return Plan.of("p", Simulated.target(), Simulated.load(s.clients()))
                .with()
                .sweep(sweep)
                .compare(compare)
                .seed(s.seed())
                .build();
    }

    private static SweepConclusion sweep(Simulated.Run run) {
        return (SweepConclusion) run.conclusion();
    }

    private static CompareConclusion compare(Simulated.Run run) {
        return (CompareConclusion) run.conclusion();
    }

    /** Fewer statements that have to hold together: narrower intervals from the same trials. */
    @Test
    void withABaselineTheOthersAreComparedWithItAlone() {
        Plan each = compare(SERVER, 4, List.of(), "64", "8", "300", "512");
        Plan one = each.withCompare(each.compare().map(c -> c.withBaseline(Optional.of("v0"))));
        var all = compare(SERVER.drive(new CompareExperiment(each)));
        var found = compare(SERVER.drive(new CompareExperiment(one)));
        assertThat(new CompareExperiment(each).contrasts()).isEqualTo(6);
        assertThat(new CompareExperiment(one).contrasts()).isEqualTo(3);
        var contrasts = found.conditions().getFirst().contrasts();
        assertThat(contrasts).extracting(CompareConclusion.Contrast::a).containsOnly("v0");
        assertThat(contrasts).extracting(CompareConclusion.Contrast::b).containsExactly("v1", "v2", "v3");
        for (int i = 0; i < 3; i++) {
            var wide = all.conditions().getFirst().contrasts().get(i);
            assertThat(contrasts.get(i).ratio().estimate())
                    .isEqualTo(wide.ratio().estimate());
            assertThat(contrasts.get(i).ratio().level()).isCloseTo(1 - 0.05 / 3, within(1e-12));
            assertThat(wide.ratio().level()).isCloseTo(1 - 0.05 / 6, within(1e-12));
            assertThat(contrasts.get(i).ratio().high()).isLessThan(wide.ratio().high());
        }
        assertThat(found.notes()).contains("Each variant is compared with 'v0' alone, and not with the others.");
    }

    @Test
    void aSweepMeasuresEachCellOnceABlockInAnOrderOfItsOwn() {
        Simulated.Run run = SERVER.drive(new SweepExperiment(sweep(SERVER, 3, "8", "64", "300", "512")));
        assertThat(run.seen()).hasSize(24);
        var orders = new HashSet<List<Map<String, String>>>();
        for (int block = 0; block < 3; block++) {
            int b = block;
            var order = run.seen().stream()
                    .filter(t -> t.spec().block() == b)
                    .map(t -> t.spec().point())
                    .toList();
            assertThat(order).hasSize(8).doesNotHaveDuplicates();
            orders.add(order);
        }
        assertThat(orders).hasSize(3);
        assertThat(run.seen().subList(0, 8)).allMatch(t -> t.spec().block() == 0);
        assertThat(run.seen())
                .allMatch(t -> t.spec()
                                .setting()
                                .get("threads.max")
                                .equals(Optional.of(t.spec().point().get("threads.max")))
                        && Boolean.toString(t.spec().load().keepAlive())
                                .equals(t.spec().point().get("load.keep-alive")));
        assertThat(run.steps())
                .extracting(Experiment.Step.Run::leftAtMost)
                .first()
                .isEqualTo(24);
        SweepConclusion c = sweep(run);
        assertThat(c.cells())
                .extracting(x -> x.point().get("threads.max"))
                .containsExactly("8", "8", "64", "64", "300", "300", "512", "512");
        assertThat(c.cells()).allSatisfy(x -> {
            assertThat(x.trials()).isEqualTo(3);
            assertThat(x.littles().orElseThrow()).isCloseTo(1, within(1e-9));
            assertThat(x.throughput().bounded()).isTrue();
        });
        assertThat(c.headline()).startsWith("Best: threads.max=").contains("not distinguishable from the next");
    }

    @Test
    void trialsInOneJvmAreSaidNotToBeFresh() {
        var process = new Target.Running(17, Optional.empty(), true, false, Optional.empty());
        Plan grid = sweep(SERVER, 1, "8", "64");
        Plan pairs = compare(SERVER, 2, List.of(), "8", "64");
        for (Experiment one :
                List.of(new SweepExperiment(grid.on(process)), new CompareExperiment(pairs.on(process)))) {
            assertThat(SERVER.drive(one).conclusion().notes()).anyMatch(n -> n.contains("none is fresh"));
        }
        var up = new Target.Url(URI.create("http://127.0.0.1:8080"));
        assertThat(SERVER.drive(new SweepExperiment(grid.on(up))).conclusion().notes())
                .anyMatch(n -> n.startsWith("All trials ran on a server that Fettle did not start: none is fresh."));
        for (Experiment fresh : List.of(new SweepExperiment(grid), new CompareExperiment(pairs))) {
            assertThat(SERVER.drive(fresh).conclusion().notes()).noneMatch(n -> n.contains("one JVM"));
        }
    }

    @Test
    void aSweepNamesTheKneeBesideTheBest() {
        Simulated quiet = SERVER.noise(0.001).seed(7);
        String headline = sweep(quiet.drive(new SweepExperiment(sweep(quiet, 3, "8", "64", "260", "280", "300"))))
                .headline();
        assertThat(headline).contains("Knee: threads.max=260");
        Simulated.Run clear = quiet.drive(new SweepExperiment(plan(
                quiet,
                Optional.of(new Plan.Sweep(List.of(new Dimension("threads.max", List.of("8", "64", "300"))), 3)),
                Optional.empty())));
        assertThat(sweep(clear).headline())
                .containsPattern("times the next, threads\\.max=64 \\(95 % interval \\d\\.\\d+ to \\d\\.\\d+\\)")
                .doesNotContain("Knee");
    }

    /** Why a sweep shows no law of scalability. */
    private static String noLaw(Simulated s, Plan plan) {
        SweepConclusion.Scaling scaling =
                sweep(s.drive(new SweepExperiment(plan))).scaling().orElseThrow();
        assertThat(scaling.fit()).isEmpty();
        return scaling.words();
    }

    private static Plan over(Simulated s, String dimension, String... values) {
        var grid = List.of(new Dimension(dimension, List.of(values)));
        return plan(s, Optional.of(new Plan.Sweep(grid, 1)), Optional.empty());
    }

    /** The rate that is offered, pauses, and threads without clients make flat lines, which fit the law with all work waiting. */
    @Test
    void theLawOfScalabilityIsNotClaimedWhereItDoesNotApply() {
        Simulated exact = SERVER.noise(0);
        Plan closed = over(exact, "threads.max", "4", "16", "64", "150", "300");
        assertThat(noLaw(exact, open(closed))).contains("the load is open");
        var pauses = new Arrivals.Closed(Duration.ofMillis(100));
        assertThat(noLaw(exact, closed.withLoad(closed.load().withArrivals(pauses))))
                .contains("the clients pause between requests");
        assertThat(noLaw(exact, over(exact, "threads.max", "300", "400", "800", "1600", "3200")))
                .contains("keep at most 300 threads busy, so only 1 of 5 numbers can be used, and it takes 5.");
        // the simulated server has its 300 clients whatever a plan says
        assertThat(noLaw(exact, over(exact, "load.connections", "20", "40", "80", "160", "320")))
                .contains("throughput is too flat");
    }

    @Test
    void aPoolThatIsProportionalUpToItsCeilingGetsNoLawOfScalability() {
        Simulated quiet = SERVER.noise(0.001).seed(7);
        var grid = List.of(new Dimension("threads.max", List.of("4", "16", "64", "150", "300", "600")));
        Plan plan = plan(quiet, Optional.of(new Plan.Sweep(grid, 2)), Optional.empty());
        assertThat(noLaw(quiet, plan))
                .startsWith("No law of scalability is shown over threads.max: the law does not fit")
                .endsWith(" Numbers above 300 are left out: the clients keep no more threads busy.");
        // two dimensions, or few numbers: nothing is said
        assertThat(sweep(quiet.drive(new SweepExperiment(sweep(quiet, 1, "8", "64"))))
                        .scaling())
                .isEmpty();
    }

    @Test
    void aSweepThatFollowsTheLawIsToldWithItsPeakAndReadBack() throws Exception {
        var usl = new Usl(
                100,
                new Interval(0.02, 0.01, 0.03, 0.95, Interval.Method.BOOTSTRAP),
                new Interval(4.5e-7, 1e-12, 2e-4, 0.95, Interval.Method.BOOTSTRAP),
                0.01,
                128,
                Optional.of(new Usl.Peak(new Interval(99, 80, 120, 0.95, Interval.Method.BOOTSTRAP), 2500)));
        Conclusion told = new SweepConclusion(
                "h",
                List.of(),
                List.of(),
                Optional.of(new SweepConclusion.Scaling("load.connections", Optional.of(usl), "words")),
                List.of(),
                List.of());
        assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(told), Conclusion.class))
                .isEqualTo(told);
        assertThat(ScalingWords.follows(usl, "clients"))
                .contains("2 % [1, 3] of the work waits", "each pair costs 0.000045 % [0, 0.02] (coherence)");
    }

    @Test
    void oneTrialACellHasNoInterval() {
        SweepConclusion c = sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, 1, "8", "64"))));
        assertThat(c.cells()).noneMatch(x -> x.throughput().bounded());
        assertThat(c.headline()).contains("one trial per cell can't show whether they differ");
        assertThat(c.notes())
                .anyMatch(n -> n.contains("there are no intervals"))
                .noneMatch(n -> n.startsWith("The intervals are of the JVMs"));
        assertThat(sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, 2, "8", "64"))))
                        .notes())
                .anyMatch(n -> n.startsWith("The intervals are of the JVMs"));
    }

    /** Two repeats, in one of which the better cell is void: that is not one trial per cell. */
    @Test
    void oneRepeatWithBothTellsNothingEither() {
        UnaryOperator<TrialOutcome> once =
                o -> SERVER.threadsOf(o.spec().setting()) > 400 && o.spec().block() == 1
                        ? Tamper.voided(o, "generator-limit", false)
                        : o;
        SweepConclusion c = sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, 2, "64", "512")), once));
        assertThat(c.headline()).contains("one repeat with both can't show whether they differ");
    }

    @Test
    void nothingIsSaidOfLuckWhereOneCellAloneCouldBeTheBest() {
        for (int alive = 1; alive <= 2; alive++) {
            var cells = new HashSet<Map<String, String>>();
            int most = alive;
            UnaryOperator<TrialOutcome> fails = o -> {
                boolean lives = cells.contains(o.spec().point())
                        || cells.size() < most && cells.add(o.spec().point());
                return lives || o.spec().block() == 0 ? o : Tamper.failed(o, Kind.OUT_OF_MEMORY, "the heap is full");
            };
            SweepConclusion c = sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, 2, "64", "512")), fails));
            boolean several = alive > 1;
            assertThat(c.headline()).startsWith("Best: ");
            assertThat(c.notes().stream().anyMatch(n -> n.contains("luckiest"))).isEqualTo(several);
        }
    }

    @Test
    void failedCellsKeepTheirProblem() {
        UnaryOperator<TrialOutcome> nproc = o -> SERVER.threadsOf(o.spec().setting()) > 400
                ? Tamper.failed(o, Kind.OUT_OF_MEMORY, "unable to create native thread")
                : o;
        SweepConclusion c = sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, 2, "64", "512")), nproc));
        assertThat(c.cells().getLast().problems()).containsExactly("unable to create native thread");
        assertThat(c.cells().getLast().trials()).isZero();
        assertThat(c.cells().getLast().throughput().estimate()).isZero();
        assertThat(c.headline()).contains("threads.max=64");
        for (int repeats : List.of(1, 2)) {
            SweepConclusion none = sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, repeats, "512")), nproc));
            assertThat(none.headline()).startsWith("No cell");
            assertThat(none.notes())
                    .as("there is no best, nor an interval")
                    .noneMatch(n -> n.contains("luckiest") || n.contains("intervals"));
        }
    }

    @Test
    void clientsAreNotCountedAsConnections() {
        var capacity = new Objective(Objective.Metric.CAPACITY, Optional.of(Duration.ofMillis(50)), 0.001);
        Plan p = judged(sweep(SERVER, 1, "8"), capacity);
        var streams = new Wire(Protocol.HTTP_2, 20, Optional.empty(), TransportKind.AUTO, List.of());
        assertThat(RunNotes.meaning(p.withLoad(Simulated.load(10).withWire(streams)))
                        .orElseThrow())
                .contains("what all 200 clients of a closed load got");
    }

    @Test
    void aPlanWithoutTheExperimentIsRefused() {
        Plan none = plan(SERVER, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> new SweepExperiment(none)).hasMessageContaining("no 'sweep'");
        assertThatThrownBy(() -> new CompareExperiment(none)).hasMessageContaining("no 'compare'");
    }

    @Property(tries = 30)
    void everyPrefixGoesOnAsTheRunDidAndVoidDataAreNeverUsed(
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed,
            @ForAll @DoubleRange(min = 0, max = 0.6) double voids) {
        Simulated s = SERVER.seed(seed).voids(voids);
        var grid = List.of(new Dimension("load.keep-alive", List.of("true", "false")));
        for (Experiment e : List.of(
                new SweepExperiment(sweep(s, 2, "8", "64", "300")),
                new CompareExperiment(compare(s, 3, grid, "25", "50", "100")))) {
            Simulated.Run run = s.drive(e);
            for (int n = 0; n < run.seen().size(); n++) {
                assertThat(e.next(run.seen().subList(0, n)))
                        .isEqualTo(run.steps().get(n));
            }
            double possible = 1.2 * s.throughput(300);
            if (run.conclusion() instanceof SweepConclusion c) {
                assertThat(c.cells()).allMatch(x -> x.throughput().estimate() < possible);
            }
            if (run.conclusion() instanceof CompareConclusion c) {
                assertThat(c.conditions())
                        .allSatisfy(x -> assertThat(x.variants())
                                .allMatch(v -> v.throughput().estimate() < possible));
            }
        }
    }

    @Test
    void compareHoldsEveryVariantOnceABlockAndReversesEverySecond() {
        var grid = List.of(new Dimension("load.keep-alive", List.of("true", "false")));
        Simulated.Run run = SERVER.drive(new CompareExperiment(compare(SERVER, 4, grid, "25", "50", "100")));
        assertThat(run.seen()).hasSize(4 * 2 * 3);
        for (String keep : List.of("true", "false")) {
            var orders = new ArrayList<List<String>>();
            for (int block = 0; block < 4; block++) {
                int b = block;
                orders.add(run.seen().stream()
                        .filter(t -> t.spec().block() == b
                                && keep.equals(t.spec().point().get("load.keep-alive")))
                        .map(t -> t.spec().variant())
                        .toList());
            }
            assertThat(orders.get(0)).containsExactlyInAnyOrder("v0", "v1", "v2");
            assertThat(orders.get(1)).isEqualTo(orders.get(0).reversed());
            assertThat(orders.get(3)).isEqualTo(orders.get(2).reversed());
        }
        CompareConclusion c = compare(run);
        assertThat(c.conditions()).hasSize(2).allSatisfy(x -> {
            assertThat(x.contrasts()).hasSize(3).allMatch(CompareConclusion.Contrast::differenceShown);
            assertThat(x.contrasts()).allMatch(k -> k.ratio().level() > 0.98);
            assertThat(x.variants())
                    .extracting(CompareConclusion.VariantResult::name)
                    .containsExactly("v0", "v1", "v2");
            assertThat(x.variants()).allMatch(v -> v.cpuMicrosPerRequest() > 200 && v.cpuMicrosPerRequest() < 250);
        });
        assertThat(c.headline()).contains("v1 gives 2").contains("and 3 more differences");
    }

    @Test
    void equalVariantsShowNoDifference() {
        int shown = 0;
        int runs = 300;
        for (int seed = 0; seed < runs; seed++) {
            Simulated s = SERVER.noise(0.05).seed(seed);
            CompareConclusion c =
                    compare(s.drive(new CompareExperiment(compare(s, 5, List.of(), "400", "401", "402"))));
            boolean any = c.conditions().getFirst().contrasts().stream()
                    .anyMatch(CompareConclusion.Contrast::differenceShown);
            shown += any ? 1 : 0;
            assertThat(c.headline().startsWith("No difference shown")).isEqualTo(!any);
        }
        System.out.printf("compare A/A/A: a difference in %d of %d%n", shown, runs);
        assertThat(shown).isLessThanOrEqualTo(runs / 20);
    }

    /** A plan with an open load of which nothing is said to be best. */
    private static Plan open(Plan p) {
        var arrivals = Arrivals.Open.constant(100);
        return judged(p.withLoad(p.load().withArrivals(arrivals)), Objective.unnamed(arrivals, Optional.empty()));
    }

    /** A plan with another objective. */
    private static Plan judged(Plan p, Objective objective) {
        return p.withObjective(objective);
    }

    /** All variants answer the same rate, what is offered; "v1" or 64 threads have half the p99. */
    private static UnaryOperator<TrialOutcome> halfTheP99(long seed) {
        var random = new Random(seed);
        return o -> {
            boolean half = o.spec().variant().equals("v1")
                    || o.spec().setting().get("threads.max").equals(Optional.of("64"));
            return Tamper.p99(o, Math.round((half ? 50e6 : 100e6) * Math.exp(0.1 * random.nextGaussian())));
        };
    }

    @Test
    void anOpenLoadWhoseRateAllServeIsJudgedByP99() {
        Simulated same = Simulated.server(64, 0, 0.001, 2, 64).noise(0.001);
        int shown = 0;
        for (int seed = 0; seed < 200; seed++) {
            Plan plan = open(compare(same.seed(seed), 5, List.of(), "100", "101"));
            CompareConclusion c = compare(same.drive(new CompareExperiment(plan), halfTheP99(seed)));
            var contrast = c.conditions().getFirst().contrasts().getFirst();
            assertThat(c.metric()).isEqualTo(Objective.Metric.P99);
            assertThat(c.notes()).anyMatch(n -> n.startsWith("Judged by p99") && n.contains("the load is open"));
            if (contrast.differenceShown()) {
                shown++;
                assertThat(contrast.ratio().estimate()).isGreaterThan(1.5);
                assertThat(c.headline()).startsWith("v1 has ").contains("times the p99 of v0");
            }
        }
        System.out.printf("compare, open load, half the p99: shown in %d of 200%n", shown);
        assertThat(shown).isGreaterThanOrEqualTo(195);
        SweepConclusion grid = sweep(same.drive(
                new SweepExperiment(open(sweep(same, 4, "8", "64", "300").withLoad(Simulated.load(64)))),
                halfTheP99(1)));
        assertThat(grid.notes()).anyMatch(n -> n.startsWith("Judged by p99"));
    }

    @Test
    void limitsThatAVariantDoesNotKeepAreSaid() {
        Plan p = compare(SERVER, 4, List.of(), "25", "300");
        var limited = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(300)), 0.001);
        CompareConclusion c = compare(SERVER.drive(new CompareExperiment(judged(p, limited))));
        assertThat(c.headline()).contains("Not within the limits: v0 (p99 ").contains("for a limit of 300 ms");
        assertThat(c.conditions().getFirst().variants())
                .extracting(v -> v.broken().size())
                .containsExactly(1, 0);
        SweepConclusion grid =
                sweep(SERVER.drive(new SweepExperiment(judged(over(SERVER, "threads.max", "25", "300"), limited))));
        assertThat(grid.cells()).extracting(SweepConclusion.Cell::allowed).containsExactly(false, true);
        assertThat(grid.cells().getFirst().broken()).singleElement().asString().contains("for a limit of 300 ms");
    }

    @Test
    void whereNothingIsShownItSaysWhatCouldHaveBeen() {
        Simulated s = SERVER.noise(0.05).seed(3);
        CompareConclusion two = compare(s.drive(new CompareExperiment(compare(s, 5, List.of(), "400", "401"))));
        assertThat(two.headline())
                .startsWith("No difference shown: v0 over v1")
                .contains("5 blocks show a difference of");
        CompareConclusion three =
                compare(s.drive(new CompareExperiment(compare(s, 5, List.of(), "400", "401", "402"))));
        assertThat(three.headline()).contains("in any of 3 contrasts; at worst, with this scatter");
        assertThat(three.notes()).anyMatch(n -> n.startsWith("All 3 contrasts are judged together"));
        assertThat(three.notes()).anyMatch(n -> n.contains("5 starts") && n.contains("45 %"));
        assertThat(sweep(s.drive(new SweepExperiment(sweep(s, 3, "400", "401"))))
                        .headline())
                .contains("not distinguishable from", "in four runs of five");
    }

    @Test
    void aContrastUsesBlocksInWhichBothAreValid() {
        UnaryOperator<TrialOutcome> lost =
                o -> o.spec().block() == 1 && o.spec().variant().equals("v0") ? Tamper.voided(o, "disturbed", true) : o;
        CompareConclusion c =
                compare(SERVER.drive(new CompareExperiment(compare(SERVER, 4, List.of(), "25", "50", "100")), lost));
        assertThat(c.conditions().getFirst().contrasts())
                .extracting(CompareConclusion.Contrast::pairs)
                .containsExactly(3, 3, 4);
        assertThat(c.conditions().getFirst().variants().getFirst()).satisfies(v -> {
            assertThat(v.voids()).isEqualTo(3);
            assertThat(v.problems()).containsExactly("disturbed: because");
        });
        CompareConclusion nothing = compare(SERVER.drive(
                new CompareExperiment(compare(SERVER, 2, List.of(), "25", "50")),
                o -> Tamper.failed(o, Kind.DIED, "gone")));
        assertThat(nothing.headline()).startsWith("Nothing could be compared");
    }

    @Test
    void whereNoCellHasFiguresNothingIsSaidOfTheBest() {
        SweepConclusion c = sweep(SERVER.drive(
                new SweepExperiment(sweep(SERVER, 1, "8", "64")), o -> Tamper.failed(o, Kind.DIED, "gone")));
        assertThat(c.headline()).contains("no best one");
        assertThat(c.notes()).noneMatch(n -> n.contains("best of many") || n.contains("measured once"));
        SweepConclusion measured = sweep(SERVER.drive(new SweepExperiment(sweep(SERVER, 1, "8", "64"))));
        assertThat(measured.notes())
                .anyMatch(n -> n.contains("best of many"))
                .anyMatch(n -> n.contains("measured once"));
    }
}
