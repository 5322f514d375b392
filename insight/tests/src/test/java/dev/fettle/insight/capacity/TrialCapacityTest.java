package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.SimulatedQueue.Kind;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.CapacitySeen.End;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Capacity as an objective: searches within one trial on a pool of threads with a queue (M/D/c, request by request), and tunes,
 * sweeps and comparisons of such trials. A build tries few runs; figures to quote are of {@code -Dfettle.runs=200}.
 */
class TrialCapacityTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 3);
    private static final double HOLD = 0.02;
    /** Threads beyond these only cost. */
    private static final int ENOUGH = 40;

    private static final int CLIENTS = 200;
    private static final double BOUND = 0.1;
    private static final Slo SLO = Slo.parse("p99<=100ms,errors<=0.1%");
    private static final Duration MEASURE = Duration.ofSeconds(30);

    /**
     * A server with a pool of threads, each of which holds a request for 20 ms, and CPUs for forty of them.
     *
     * @param flat whether the pool makes no difference
     * @param launch deviation between processes, relative
     * @param drift deviation between the minutes of the run, relative; both sides of a pair have it in common
     * @param fades share that a candidate's closed load loses from before its search to after it
     * @param tamper changes what was found
     */
    private record World(
            boolean flat, double launch, double drift, double fades, long seed, UnaryOperator<TrialOutcome> tamper)
            implements Simulated.Server {
        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            int m = threads(spec.setting());
            var own = new Random(seed * 1_000_003 + ordinal * 7919L);
            own.nextInt();
            int minute = spec.phase() == Phase.DUEL ? 1000 + spec.block() : ordinal;
            var shared = new Random(seed * 31 + minute * 104_729L);
            shared.nextInt();
            double luck = Math.exp(launch * own.nextGaussian() + drift * shared.nextGaussian());
            int used = flat ? ENOUGH : Math.min(m, ENOUGH);
            var queue = new SimulatedQueue(used, hold(m) / luck, BOUND, 2, seed * 7907 + ordinal);
            double most = used / queue.hold();
            boolean fading = !spec.setting().equals(Setting.DEFAULT);
            CapacitySeen found = search(queue, SLO, spec.load(), most, fading ? 1 - fades : 1);
            TrialOutcome o = Simulated.server(10, HOLD, 0.001, 2, CLIENTS)
                    .outcome(ordinal, spec, m, Math.min(most, CLIENTS / HOLD), 0.001, false, own);
            Measurement measured = o.measurement().orElseThrow().with(found);
            return tamper.apply(judged(o, measured));
        }

        /** Threads that are not needed cost a little each. */
        private double hold(int m) {
            return flat ? HOLD : HOLD * (1 + 0.001 * Math.max(0, m - ENOUGH));
        }

        double truth(int m) {
            return (flat ? ENOUGH : Math.min(m, ENOUGH)) / hold(m);
        }
    }

    /** The trial with another measurement, judged by the gate. */
    private static TrialOutcome judged(TrialOutcome o, Measurement measured) {
        var bare = o.with()
                .took(Duration.ofSeconds(40))
                .measurement(Optional.of(measured))
                .build();
        return bare.withVerdict(ValidityGate.judge(o.spec(), measured, o.evidence()));
    }

    private static int threads(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(10);
    }

    private static CapacitySeen search(SimulatedQueue queue, Slo slo, Load load, double most, double left) {
        var search = new TrialCapacity(slo, load, queue.seed());
        var probes = new ArrayList<Probe>();
        Optional<TrialCapacity.Next> next = search.next(most, Duration.ofMillis(20), probes);
        while (next.isPresent()) {
            var offer =
                    new CapacitySearch.Step.Offer(next.get().phase(), next.get().rate(), Duration.ZERO);
            probes.add(queue.probe(offer, probes.size()));
            next = search.next(most, Duration.ofMillis(20), probes);
        }
        return search.found(most, left * most, probes);
    }

    private static World world(boolean flat, long seed) {
        return new World(flat, 0.02, 0.03, 0, seed, o -> o);
    }

    private static Plan plan(Budget budget, long seed) {
        Plan p = Simulated.server(10, HOLD, 0.001, 2, CLIENTS)
                .seed(seed)
                .plan(
                        List.of(KnobRange.interval("threads.max", 4, 400)),
                        new Objective(Metric.CAPACITY, Optional.of(Duration.ofMillis(100)), 0.001),
                        budget);
        return p.withLoad(p.load().withMeasure(MEASURE));
    }

    private static Plan plan(long seed) {
        return plan(new Budget(6, Duration.ofHours(2), 3), seed);
    }

    private static TuneConclusion tune(World world, Plan plan) {
        return Simulated.drive(world, new TuneExperiment(plan)).tune();
    }

    /** One of them in a build: the truth takes as long to simulate as a hundred searches. */
    static Stream<Kind> kinds() {
        return Stream.of(Kind.values()).limit(RUNS >= 100 ? Kind.values().length : 1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aSearchOfHalfAMinuteIsNotFarFromTheLimit(Kind kind) {
        double bound = kind == Kind.HEAVY ? 2 * BOUND : BOUND;
        var queue = new SimulatedQueue(8, 0.0101, bound, 2, 1).of(kind);
        double truth = queue.limit();
        Load load = Simulated.load(CLIENTS).withMeasure(MEASURE);
        List<CapacitySeen> found = LongStream.rangeClosed(1, Math.max(RUNS, 8))
                .mapToObj(seed -> search(queue.seed(seed), queue.slo(), load, 8 / 0.0101, 1))
                .toList();
        double[] logs = found.stream()
                .flatMapToDouble(c -> c.known().stream())
                .map(r -> Math.log(r / truth))
                .toArray();
        double covered = found.stream()
                        .filter(c -> c.low() <= truth && truth <= c.high())
                        .count()
                / (double) found.size();
        System.out.printf(
                "%s: found %d of %d, %.3f of the limit on average, deviation %.3f, covered %.3f, %.1f probes%n",
                kind,
                logs.length,
                found.size(),
                Math.exp(Statistics.average(logs)),
                Statistics.deviation(logs),
                covered,
                found.stream().mapToInt(c -> c.probes().size()).average().orElseThrow());
        assertThat(logs.length).isGreaterThanOrEqualTo((int) (0.95 * found.size()));
        assertThat(Math.exp(Statistics.average(logs))).isBetween(0.95, 1.05);
        assertThat(Statistics.deviation(logs)).isLessThan(kind == Kind.HEAVY ? 0.09 : 0.06);
    }

    @Test
    void aTuneFindsTheThreadsThatBearTheHighestRate() {
        int shown = 0;
        double sum = 0;
        double ratio = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            World world = world(false, seed);
            TuneConclusion c = tune(world, plan(seed));
            double got = world.truth(threads(c.winner())) / world.truth(ENOUGH);
            sum += got;
            if (c.result() == Result.IMPROVED) {
                shown++;
                ratio += c.ratio().orElseThrow().estimate() * world.truth(10) / world.truth(threads(c.winner()));
                assertThat(c.headline())
                        .contains(" times the default's capacity (")
                        .containsPattern("/s at p99<=100ms,errors<=0.1% against [0-9,]+/s\\.$");
                assertThat(c.notes())
                        .anyMatch(
                                n -> n.startsWith("Judged by capacity: the rate of an open load at which a probe of 2"))
                        .noneMatch(n -> n.contains("had no effect"));
            }
        }
        System.out.printf(
                "threads: %.3f of the best capacity, shown in %d of %d, ratio %.3f of the true one%n",
                sum / RUNS, shown, RUNS, ratio / Math.max(1, shown));
        assertThat(sum / RUNS).isGreaterThan(0.93);
        assertThat(shown).isGreaterThanOrEqualTo(RUNS * 9 / 10);
        assertThat(ratio / shown).isBetween(0.93, 1.07);
    }

    @Test
    void whereNothingHelpsNothingIsClaimed() {
        int wrong = 0;
        int duels = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            Simulated.Run run = Simulated.drive(world(true, seed), new TuneExperiment(plan(seed)));
            wrong += run.tune().result() == Result.IMPROVED ? 1 : 0;
            duels += run.trials(Phase.DUEL) > 0 ? 1 : 0;
        }
        System.out.printf("A/A: %d of %d claim an improvement (%d duels)%n", wrong, RUNS, duels);
        assertThat(wrong).isLessThanOrEqualTo((int) Math.ceil(0.05 * RUNS + 2 * Math.sqrt(0.05 * 0.95 * RUNS)));
    }

    @Test
    void aGainThatFadesIsNotClaimed() {
        // four times the capacity, of which more than half is gone by the end
        World fading = new World(false, 0.01, 0.01, 0.6, 3, o -> o);
        TuneConclusion c = tune(fading, plan(3));
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.ratio().orElseThrow().low()).isGreaterThan(1.5);
        assertThat(c.headline()).contains("the gain may be fading");
    }

    /** A pair's limits are those of the answers to the closed load, which asks for all there is: they do not count. */
    @Test
    void whatAllClientsGetNeedNotMeetTheSlo() {
        World late = new World(false, 0.01, 0.01, 0, 5, o -> {
            Measurement m = o.measurement().orElseThrow();
            assertThat(m.latency().p99()).as("of the closed load").isGreaterThan((long) (BOUND * 1e9));
            return o;
        });
        assertThat(tune(late, plan(5)).candidates()).allMatch(TuneConclusion.Candidate::meetsLimits);
    }

    @Test
    void aCandidateThatMeetsTheSloAtNoRateInTheDuelHasLost() {
        World dead = new World(
                false,
                0.01,
                0.01,
                0,
                7,
                o -> o.spec().phase() == Phase.DUEL && !o.spec().setting().equals(Setting.DEFAULT)
                        ? ended(o, End.NO_RATE)
                        : o);
        TuneConclusion c = tune(dead, plan(7));
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.headline()).contains("met the SLO at no rate in 2 of ");
    }

    @Test
    void aDefaultThatMeetsTheSloAtNoRateIsSaid() {
        World dead = new World(
                false, 0.01, 0.01, 0, 7, o -> o.spec().setting().equals(Setting.DEFAULT) ? ended(o, End.NO_RATE) : o);
        TuneConclusion c = tune(dead, plan(7));
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.notes()).anyMatch(n -> n.startsWith("The default itself meets the SLO at no rate: "));
        assertThat(c.candidates().getLast().meetsLimits()).isFalse();
    }

    private static TrialOutcome ended(TrialOutcome o, End end) {
        CapacitySeen c = o.measurement().orElseThrow().detail().capacity().orElseThrow();
        var other = new CapacitySeen(end, 0, 0, 0, "even 50/s broke it", c.before(), c.after(), c.probes());
        return judged(o, o.measurement().orElseThrow().with(other));
    }

    @ParameterizedTest
    @CsvSource({
        "FOUND,       VALID,     ''",
        "NO_RATE,     VALID,     ''",
        "DISTURBED,   DISTURBED, disturbed",
        "GENERATOR,   VOID,      generator-limit",
        "OUT_OF_TIME, VOID,      no-capacity"
    })
    void aTrialIsAsGoodAsItsSearch(End end, AttemptStatus fate, String rule) {
        TrialOutcome o = ended(world(false, 1).run(1, spec(Setting.DEFAULT)), end);
        assertThat(AttemptStatus.of(o)).isEqualTo(fate);
        assertThat(o.verdict().reasons().stream().map(r -> r.rule()).toList())
                .isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
        assertThat(o.verdict().advises("short")).isFalse();
    }

    private static TrialSpec spec(Setting setting) {
        return new TrialSpec(
                Phase.SEARCH,
                "candidate",
                Map.of(),
                0,
                Simulated.target(),
                setting,
                Simulated.load(CLIENTS).withMeasure(MEASURE));
    }

    @Test
    void aJournalledSearchIsJudgedAgainAsItWas() throws Exception {
        TrialOutcome o = world(false, 11).run(1, spec(Setting.DEFAULT));
        TrialOutcome read = Json.mapper().readValue(Json.mapper().writeValueAsString(o), TrialOutcome.class);
        assertThat(read).isEqualTo(o);
        CapacitySeen was = read.measurement().orElseThrow().detail().capacity().orElseThrow();
        assertThat(was.end()).isEqualTo(End.FOUND);
        CapacitySeen again = new TrialCapacity(SLO, o.spec().load(), 99)
                .found(
                        was.before(),
                        was.after(),
                        was.probes().stream()
                                .map(p -> new Probe(
                                        Probe.Phase.valueOf(p.phase().name()),
                                        p.rate(),
                                        p.seen(),
                                        p.took(),
                                        Iteration.of(o.spec().load())))
                                .toList());
        assertThat(again).isEqualTo(was);
        assertThatThrownBy(() -> new TrialCapacity(SLO, o.spec().load(), 99).found(1000, 1000, List.of()))
                .isInstanceOf(IllegalStateException.class);
    }

    /** The clients of the closed load get responses; what arrives are iterations. */
    @Test
    void ofAScenarioTheRatesAreOfIterations() {
        var four = Simulated.scenario(4);
        Load load = Simulated.load(CLIENTS).withMeasure(MEASURE).withScenario(four);
        var search = new TrialCapacity(SLO, load, 1);
        var first = search.next(4000, Duration.ofMillis(20), List.of()).orElseThrow();
        assertThat(first.rate()).isCloseTo(900, within(0.1));
        assertThat(first.spec().scenario()).contains(four);
        assertThat(search.next(10, Duration.ofMillis(20), List.of())
                        .orElseThrow()
                        .rate())
                .as("25 iterations in 2 s have the hundred requests that p99 needs")
                .isEqualTo(12.5);
        var plain = new TrialCapacity(SLO, Simulated.load(CLIENTS).withMeasure(MEASURE), 1);
        assertThat(plain.next(4000, Duration.ofMillis(20), List.of())
                        .orElseThrow()
                        .rate())
                .isCloseTo(3600, within(0.1));
    }

    @Test
    void probesThatSayNothingEndASearchWithoutARate() {
        Load load = Simulated.load(CLIENTS).withMeasure(MEASURE);
        assertThat(ending(load, 0.9, 0).end()).isEqualTo(End.DISTURBED);
        assertThat(ending(load, 0, 50).end()).isEqualTo(End.GENERATOR);
        assertThat(ending(load, 0, 50).why()).startsWith("the generator was the limit in ");
        var hopeless = new SimulatedQueue(8, 0.2, BOUND, 2, 1); // twice the bound at any rate
        CapacitySeen none = search(hopeless, SLO, load, 40, 1);
        assertThat(none.end()).isEqualTo(End.NO_RATE);
        assertThat(none.known().optional()).hasValue(0);
        assertThat(none.why()).isEqualTo("even 50.0/s, the lowest rate that can be judged, broke " + SLO);
    }

    /** A search on an overloaded server, all of whose probes are disturbed, or late. */
    private static CapacitySeen ending(Load load, double foreign, double lagMillis) {
        var search = new TrialCapacity(SLO, load, 1);
        var queue = new SimulatedQueue(8, 0.02, 0.01, 2, 1);
        Aggregates host = Aggregates.NOTHING.withOthers(OptionalFigure.of(foreign), OptionalFigure.empty());
        var probes = new ArrayList<Probe>();
        Optional<TrialCapacity.Next> next = search.next(4000, Duration.ofMillis(20), probes);
        while (next.isPresent()) {
            var offer = new CapacitySearch.Step.Offer(
                    next.get().phase(), Math.max(2000, next.get().rate()), Duration.ZERO);
            Probe p = queue.probe(offer, probes.size());
            probes.add(Probes.seeing(
                    new Probe(p.phase(), next.get().rate(), p.seen(), p.took(), Iteration.ONE_REQUEST),
                    Probes.evidence(2, host, OptionalInt.empty(), Map.of(), lagMillis, 0.05)));
            next = search.next(4000, Duration.ofMillis(20), probes);
        }
        return search.found(4000, 4000, probes);
    }

    /** Not those that the server answered in time. */
    @Test
    void onlyTheProbesThatTheGeneratorLimitedAreSaidToBe() {
        var search = new TrialCapacity(SLO, Simulated.load(CLIENTS).withMeasure(MEASURE), 1);
        var queue = new SimulatedQueue(8, 0.02, BOUND, 2, 1);
        var probes = new ArrayList<Probe>();
        Optional<TrialCapacity.Next> next = search.next(400, Duration.ofMillis(20), probes);
        while (next.isPresent()) {
            double rate = next.get().rate();
            var offer = new CapacitySearch.Step.Offer(next.get().phase(), rate, Duration.ZERO);
            Probe p = queue.probe(offer, probes.size());
            // as if there were time for three times as many
            probes.add(Probes.seeing(
                    new Probe(p.phase(), p.rate(), p.seen(), p.took().dividedBy(3), p.each()),
                    Probes.evidence(2, Aggregates.NOTHING, OptionalInt.empty(), Map.of(), rate > 335 ? 50 : 0, 0.05)));
            next = search.next(400, Duration.ofMillis(20), probes);
        }
        CapacitySeen found = search.found(400, 400, probes);
        long late = probes.stream().filter(p -> p.rate() > 335).count();
        assertThat(found.end()).isEqualTo(End.GENERATOR);
        assertThat(late).isBetween(1L, probes.size() - 1L);
        assertThat(found.why()).startsWith("the generator was the limit in " + late + " probes at ");
    }

    @Test
    void aComparisonAndASweepAreJudgedByIt() {
        World world = world(false, 13);
        Plan p = plan(13);
        var variants = List.of("10", "40").stream()
                .map(n -> new Variant("t" + n, p.target(), Setting.of("threads.max", n), Optional.empty()))
                .toList();
        var compared = (CompareConclusion) Simulated.drive(
                        world,
                        new CompareExperiment(with(
                                p,
                                Optional.empty(),
                                Optional.of(new Plan.Compare(
                                        variants, List.of(), 3, Optional.empty(), false, Optional.empty())))))
                .conclusion();
        assertThat(compared.headline()).startsWith("t40 has ").contains(" times the capacity of t10 (");
        assertThat(compared.notes()).anyMatch(n -> n.startsWith("Judged by capacity: "));

        var grid = new Plan.Sweep(List.of(new Dimension("threads.max", List.of("10", "40"))), 3);
        var swept = (SweepConclusion)
                Simulated.drive(world, new SweepExperiment(with(p, Optional.of(grid), Optional.empty())))
                        .conclusion();
        assertThat(swept.headline())
                .startsWith("Best: threads.max=40 with capacity ")
                .contains("/s; ");
        assertThat(swept.cells()).allMatch(c -> c.figure().isPresent());
    }

    @Test
    void aVariantThatMeetsTheSloAtNoRateHasNoFactor() {
        World dead =
                new World(false, 0.01, 0.01, 0, 13, o -> threads(o.spec().setting()) == 10 ? ended(o, End.NO_RATE) : o);
        Plan p = plan(13);
        var variants = List.of("10", "40").stream()
                .map(n -> new Variant("t" + n, p.target(), Setting.of("threads.max", n), Optional.empty()))
                .toList();
        var compared = (CompareConclusion) Simulated.drive(
                        dead,
                        new CompareExperiment(with(
                                p,
                                Optional.empty(),
                                Optional.of(new Plan.Compare(
                                        variants, List.of(), 2, Optional.empty(), false, Optional.empty())))))
                .conclusion();
        assertThat(compared.headline())
                .startsWith(
                        "Nothing could be compared: no block has the capacity of two variants (block 1: t10 none, t40 ")
                .contains("/s). Not within the limits: t10 (even 50/s broke it)");
        assertThat(compared.notes()).anyMatch(n -> n.startsWith("In some trial of t10 the capacity was zero:"));
        assertThat(compared.conditions().getFirst().variants())
                .extracting(v -> v.figure().isPresent())
                .containsExactly(false, true);
        // nor is it said of a sweep of it alone that nothing was observed
        var grid = new Plan.Sweep(List.of(new Dimension("threads.max", List.of("10"))), 2);
        var swept = (SweepConclusion)
                Simulated.drive(dead, new SweepExperiment(with(p, Optional.of(grid), Optional.empty())))
                        .conclusion();
        assertThat(swept.headline()).startsWith("No cell gave a valid trial within the limits");
        assertThat(swept.cells().getFirst().figure().optional()).isEmpty();
    }

    private static Plan with(Plan p, Optional<Plan.Sweep> sweep, Optional<Plan.Compare> compare) {
        return p.withSweep(sweep).withCompare(compare);
    }
}
