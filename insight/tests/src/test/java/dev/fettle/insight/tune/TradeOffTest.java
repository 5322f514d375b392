package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.surface.Prediction;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.insight.tune.Front.Scores;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Two metrics at once. The front against what any student would compute by hand, and tunes on a server whose trade-off is known: more
 * threads serve more and hold more memory, one collector holds less and serves less. A build tries few runs; figures to quote are of
 * {@code -Dfettle.runs=200}.
 */
class TradeOffTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 6);
    private static final double HOLD = 0.05;
    private static final double NOISE = 0.02;
    private static final List<KnobRange> KNOBS =
            List.of(KnobRange.interval("threads.max", 8, 400), KnobRange.choices("jvm.gc", List.of("serial", "g1")));

    @Test
    void theFrontIsWhatNoOtherBeatsInBoth() {
        var front = Front.of(List.of(
                new Scores(1, 5),
                new Scores(2, 4),
                new Scores(2, 3),
                new Scores(4, 1),
                new Scores(1.5, 4),
                new Scores(4, 1)));
        assertThat(front.points()).containsExactly(new Scores(1, 5), new Scores(2, 4), new Scores(4, 1));
        // a tenth of 3 and of 4 below the worst
        assertThat(front.low().first()).isCloseTo(0.7, within(1e-9));
        assertThat(front.low().second()).isCloseTo(0.6, within(1e-9));
        assertThat(area(front)).isCloseTo(0.3 * 4.4 + 1 * 3.4 + 2 * 0.4, within(1e-9));
    }

    /** The tolerance is drawn, too: now and then of many builds it would be too small, so all have the same cases. */
    @Property(tries = 60, seed = "7")
    void theExpectedGainIsTheMeanOfTheGains(
            @ForAll @Size(min = 1, max = 6) List<@DoubleRange(min = 0, max = 1) Double> firsts,
            @ForAll @Size(6) List<@DoubleRange(min = 0, max = 1) Double> seconds,
            @ForAll @DoubleRange(min = -0.5, max = 1.5) double a,
            @ForAll @DoubleRange(min = -0.5, max = 1.5) double b,
            @ForAll @DoubleRange(min = 0.02, max = 0.6) double da,
            @ForAll @DoubleRange(min = 0.02, max = 0.6) double db) {
        var front = Front.of(IntStream.range(0, firsts.size())
                .mapToObj(i -> new Scores(firsts.get(i), seconds.get(i)))
                .toList());
        var random = new Random(7);
        double sum = 0;
        double squares = 0;
        int n = 4000;
        for (int i = 0; i < n; i++) {
            double gain = grown(front, new Scores(a + da * random.nextGaussian(), b + db * random.nextGaussian()));
            sum += gain;
            squares += gain * gain;
        }
        double mean = sum / n;
        double error = Math.sqrt(Math.max(0, squares / n - mean * mean) / n);
        assertThat(front.expectedGain(new Prediction(a, da), new Prediction(b, db)))
                .isCloseTo(mean, within(5 * error + 1e-4));
    }

    /** How much the area above the same corner grows with one more point, strip by strip. */
    private static double grown(Front front, Scores p) {
        if (p.first() <= front.low().first() || p.second() <= front.low().second()) {
            return 0;
        }
        var all = new ArrayList<>(front.points());
        all.add(p);
        List<Scores> kept = all.stream()
                .filter(x -> all.stream().noneMatch(o -> o.dominates(x)))
                .sorted((x, y) -> Double.compare(x.first(), y.first()))
                .toList();
        return area(new Front(kept, front.low())) - area(front);
    }

    /** The area between a front and its corner. */
    private static double area(Front front) {
        double area = 0;
        double from = front.low().first();
        for (Scores p : front.points()) {
            area += (p.first() - from) * (p.second() - front.low().second());
            from = p.first();
        }
        return area;
    }

    /** Serves what its threads can, at most 4,000/s. */
    private static double throughput(Setting s) {
        return Math.min(threads(s) / HOLD, 4000) * (serial(s) ? 0.92 : 1);
    }

    private static double memory(Setting s) {
        return 100e6 * (1 + 0.01 * threads(s)) * (serial(s) ? 0.8 : 1);
    }

    private static boolean serial(Setting s) {
        return s.get("jvm.gc").filter("serial"::equals).isPresent();
    }

    private static int threads(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(200);
    }

    private record World(long seed) implements Simulated.Server {
        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            var random = new Random(seed * 1_000_003 + ordinal * 7919L);
            random.nextInt();
            Setting s = spec.setting();
            double served = throughput(s) * Math.exp(NOISE * random.nextGaussian());
            TrialOutcome o = Simulated.server(200, HOLD, 0.0005, 2, 300)
                    .outcome(ordinal, spec, threads(s), served, 0.0005, false, random);
            double rss = memory(s) * Math.exp(NOISE * random.nextGaussian());
            double[] over = new double[20];
            Arrays.setAll(over, i -> rss * Math.exp(0.005 * random.nextGaussian()));
            var line = Timeline.of(0, 500, Map.of("memory.rss", Series.of(over)), Map.of(), List.of());
            return Simulated.with(o, e -> e.withTimeline(line));
        }
    }

    private static TuneConclusion tune(Optional<Metric> against, long seed) {
        var objective = new Objective(Metric.THROUGHPUT, against, Optional.empty(), 0.001, List.of());
        return Simulated.drive(
                        new World(seed),
                        new TuneExperiment(Simulated.server(200, HOLD, 0.0005, 2, 300)
                                .seed(seed)
                                .plan(KNOBS, objective, new Budget(14, Duration.ofHours(1), 3))))
                .tune();
    }

    /** The share of the true trade-off's area that settings cover by their true figures. */
    private static double covered(Stream<Setting> settings) {
        List<Scores> truth = Stream.of("serial", "g1")
                .flatMap(gc -> IntStream.rangeClosed(8, 400)
                        .mapToObj(m ->
                                Setting.of("threads.max", Integer.toString(m)).with("jvm.gc", gc)))
                .map(TradeOffTest::truth)
                .toList();
        Front whole = Front.of(truth);
        List<Scores> some = Front.of(settings.map(TradeOffTest::truth).toList()).points();
        return area(new Front(some, whole.low())) / area(whole);
    }

    private static Scores truth(Setting s) {
        return new Scores(Math.log(throughput(s)), -Math.log(memory(s)));
    }

    @Test
    void aTuneFindsTheTradeOffThatOneMetricAloneDoesNotLookFor() {
        double both = 0;
        double alone = 0;
        double worst = 1;
        for (int seed = 1; seed <= RUNS; seed++) {
            TuneConclusion c = tune(Optional.of(Metric.MEMORY), seed);
            TradeOff t = c.tradeOff().orElseThrow();
            double share = covered(t.front().stream().map(TradeOff.Point::setting));
            both += share / RUNS;
            worst = Math.min(worst, share);
            TuneConclusion one = tune(Optional.empty(), seed);
            assertThat(one.tradeOff()).isEmpty();
            alone += covered(one.candidates().stream().map(TuneConclusion.Candidate::setting)) / RUNS;
            // a fast setting is still the winner, and its points are ordered and told apart by what trials differ
            assertThat(throughput(c.winner())).isGreaterThan(0.9 * 4000);
            assertThat(t.front())
                    .isSortedAccordingTo((x, y) -> Double.compare(y.figure(), x.figure()))
                    .isSortedAccordingTo((x, y) -> Double.compare(y.against(), x.against()));
            assertThat(t.apart()).isBetween(1.02, 1.2);
        }
        System.out.printf(
                "trade-off: %.3f of the true area (worst %.3f), a search for throughput alone %.3f%n",
                both, worst, alone);
        assertThat(both).isGreaterThan(0.85);
        assertThat(both).isGreaterThan(alone + 0.05);
    }

    /** What trials of one setting differ by is not told before one was measured twice. */
    @Test
    void howFarApartSettingsHaveToLieIsNotKnownFromSingleTrials() {
        var world = new World(1);
        var scores = TwoScores.of(new Objective(
                        Metric.THROUGHPUT, Optional.of(Metric.MEMORY), Optional.empty(), 0.001, List.of()))
                .orElseThrow();
        TradeOff once = scores.tradeOff(List.of(tried(world, "50", 1), tried(world, "200", 1)))
                .orElseThrow();
        assertThat(once.apart()).isEqualTo(TradeOff.NOT_MEASURED);
        assertThat(once.againstApart()).isEqualTo(TradeOff.NOT_MEASURED);
        TradeOff twice = scores.tradeOff(List.of(tried(world, "50", 1), tried(world, "200", 2)))
                .orElseThrow();
        assertThat(twice.apart()).isGreaterThan(1);
    }

    private static SettingTrials tried(World world, String threads, int trials) {
        Setting s = Setting.of("threads.max", threads);
        var spec = new TrialSpec(TrialSpec.Phase.SEARCH, "", Map.of(), 0, Simulated.target(), s, Simulated.load(300));
        return TriedSettings.of(
                s,
                Origin.SPREAD,
                IntStream.rangeClosed(1, trials)
                        .mapToObj(i -> world.run(i, spec))
                        .toList());
    }
}
