package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Runs;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.Swings;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Drift against noise of every kind, 1,000 runs a cell, and what is seen of a leak. */
class DriftTest {
    private static final int RUNS = 1000;

    private static Drift drift(Swings noise, Random random, double seconds, DoubleUnaryOperator course) {
        int n = (int) (seconds / Swings.WINDOW);
        return Drift.of(Swings.windows(noise.throughputs(random, n, course), true))
                .orElseThrow();
    }

    private static double shown(Swings noise, double seconds, DoubleUnaryOperator course) {
        var random = new Random(11);
        return IntStream.range(0, RUNS)
                        .filter(_ -> drift(noise, random, seconds, course).shown())
                        .count()
                / (double) RUNS;
    }

    private static DoubleUnaryOperator leak(double perMinute) {
        return t -> 1 - perMinute * t / 60;
    }

    @Test
    void flatTruthIsHardlyEverSaidToDriftHoweverItSwings() {
        for (double seconds : new double[] {4, 5, 10, 30}) {
            for (Swings noise : Swings.ALL) {
                double share = shown(noise, seconds, _ -> 1);
                System.out.printf("flat, %s, %.0f s: drift said in %.1f %%%n", noise, seconds, 100 * share);
                assertThat(share).as("%s, %s s", noise, seconds).isLessThanOrEqualTo(0.085);
            }
        }
    }

    @Test
    void aLargeChangeIsSeenWithinOneTrialAndASmallOneIsNot() {
        for (double perMinute : new double[] {0.1, 0.3, 1}) {
            for (double seconds : new double[] {5, 10, 30}) {
                if (perMinute * seconds / 60 < 0.6) {
                    System.out.printf(
                            "a leak of %.0f %% a minute, white 3 %%, %.0f s: said in %.1f %%%n",
                            100 * perMinute, seconds, 100 * shown(Swings.WHITE_3, seconds, leak(perMinute)));
                }
            }
        }
        assertThat(shown(Swings.WHITE_1, 10, leak(1))).isGreaterThan(0.95);
        assertThat(shown(Swings.WHITE_3, 30, leak(0.3))).isGreaterThan(0.9);
    }

    /** Its interval holds the true change as often as it promises. */
    @Test
    void theIntervalCovers() {
        for (Swings noise : Swings.ALL) {
            var random = new Random(5);
            int holds = 0;
            for (int i = 0; i < RUNS; i++) {
                Drift d = drift(noise, random, 10, leak(0.3));
                holds += d.low() <= -0.051 && -0.051 <= d.high() ? 1 : 0;
            }
            assertThat(holds / (double) RUNS).as("%s", noise).isGreaterThan(0.91);
        }
    }

    private static List<TrialOutcome> trials(Swings noise, Random random, int n, DoubleUnaryOperator course) {
        var trials = new ArrayList<TrialOutcome>();
        for (int i = 0; i < n; i++) {
            trials.add(trial(noise.run(random, 10, 10, course)));
        }
        return trials;
    }

    static TrialOutcome trial(List<Window> windows) {
        var spec = new TrialSpec(
                TrialSpec.Phase.SWEEP, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, Simulated.load(300));
        TrialOutcome o = Simulated.server(25, 0.05, 0.0002, 1, 300).run(1, spec);
        Measurement m = o.measurement().orElseThrow();
        return Tamper.windows(o, m, windows);
    }

    /** What one trial of 5 s can't show, ten trials together do. */
    @Test
    void aLeakIsToldOverTheTrials() {
        record Case(Swings noise, double perMinute, int trials, double atLeast, double atMost) {}
        for (Case c : List.of(
                new Case(Swings.WHITE_1, 0.3, 10, 0.99, 1),
                new Case(Swings.WHITE_1, 0.1, 30, 0, 0.6),
                new Case(Swings.WHITE_3, 0.3, 10, 0.1, 1),
                new Case(Swings.WHITE_3, 0.3, 30, 0.7, 1),
                new Case(Swings.WHITE_1, 0, 10, 0, 0.02),
                new Case(Swings.WHITE_3, 0, 10, 0, 0.02),
                new Case(Swings.RHO_08, 0, 10, 0, 0.02),
                new Case(Swings.TAU_2, 0, 10, 0, 0.02),
                new Case(Swings.TAU_10, 0, 10, 0, 0.02),
                new Case(Swings.TAU_60, 0, 10, 0, 0.02))) {
            var random = new Random(3);
            var runs = new Runs(400);
            var most = runs.atMost(c + ": reported", (int) (400 * c.atMost));
            var least = runs.atLeast(c + ": reported", (int) Math.ceil(400 * c.atLeast));
            for (int _ : runs) {
                boolean reported = Drift.together(trials(c.noise, random, c.trials, leak(c.perMinute)))
                        .isPresent();
                most.count(reported);
                least.count(reported);
            }
            System.out.printf(
                    "%d trials of 5 s, leak of %.0f %% a minute, %s: reported in %d of %d%n",
                    c.trials, 100 * c.perMinute, c.noise, most.happened(), runs.done());
            runs.check();
        }
    }

    @Test
    void theSentenceSaysWhatHappenedWithinTheTrial() {
        var random = new Random(8);
        assertThat(Drift.together(trials(Swings.WHITE_1, random, 8, leak(0.6))).orElseThrow())
                .startsWith("throughput fell while it was measured in 8 of 8 trials, by ")
                .contains(" within 5.00 s on average (95 % interval ")
                .contains("it slows down as it runs")
                .doesNotContain("minute");
        assertThat(Drift.together(trials(Swings.WHITE_1, random, 8, t -> 1 + 0.02 * t))
                        .orElseThrow())
                .startsWith("throughput rose")
                .contains("give the warm-up more time");
        assertThat(drift(Swings.WHITE_1, random, 10, leak(1.5)).text())
                .matches("fell by \\d+ % within the 10.0 s measured \\(95 % interval \\d+ to \\d+ %\\)");
        assertThat(Drift.together(List.of())).isEmpty();
    }

    /** Seen on three real servers: 1.6 % up within 6 s in 27 of 27 trials of clients that pause for half a second. */
    @Test
    void aRiseOfClientsThatPauseIsNoSignOfAServerThatGetsFaster() {
        var thinking = new Verdict(List.of(), List.of(new Verdict.Advisory("think-time", "")));
        for (int n : new int[] {1, 8}) {
            var rising = trials(Swings.WHITE_1, new Random(8), n, t -> 1 + 0.1 * t);
            var falling = trials(Swings.WHITE_1, new Random(8), n, t -> 1 - 0.1 * t);
            assertThat(Drift.together(rising)).isPresent();
            assertThat(Drift.together(
                            rising.stream().map(t -> t.withVerdict(thinking)).toList()))
                    .isEmpty();
            assertThat(Drift.together(
                            falling.stream().map(t -> t.withVerdict(thinking)).toList()))
                    .isPresent();
        }
    }

    @Test
    void itNeedsFiveMeasuredWindowsWithAnswers() {
        double[] x = {100, 100, 100, 200, 200, 200};
        Drift d = Drift.of(Swings.windows(x, true)).orElseThrow();
        assertThat(d.seconds()).isEqualTo(3);
        assertThat(d.high()).isGreaterThan(d.change());
        assertThat(Drift.of(Swings.windows(new double[] {1, 2, 3, 4}, true))).isEmpty();
        assertThat(Drift.of(Swings.windows(new double[10], true))).isEmpty();
        assertThat(Drift.of(Swings.windows(x, false))).isEmpty();
    }

    /**
     * One side of five pairs gives 5 % more, but sags by 20 % in four trials of ten: 0.8 % more in truth. Leaving out the trials that
     * drift, or running them again, makes it a gain. Taking them as they are does not, but where none of five happens to sag
     * (0.6 to the 5th is 8 %).
     */
    @Test
    void toLeaveOutWhatDriftsIsToChooseByTheResult() {
        int kept = 0;
        int leftOut = 0;
        int repeated = 0;
        for (int run = 0; run < 400; run++) {
            kept += improved(new Random(run), false, 0) ? 1 : 0;
            leftOut += improved(new Random(run), true, 0) ? 1 : 0;
            repeated += improved(new Random(run), true, 2) ? 1 : 0;
        }
        System.out.printf(
                "a sag in 40 %%: 'improved' in %.1f %% as it is, %.1f %% left out, %.1f %% repeated%n",
                kept / 4.0, leftOut / 4.0, repeated / 4.0);
        assertThat(kept).as("of 400").isLessThanOrEqualTo(48);
        assertThat(repeated).as("of 400").isGreaterThan(4 * kept);
        assertThat(leftOut).as("of 400").isGreaterThan(2 * kept);
    }

    private static boolean improved(Random random, boolean voids, int retries) {
        var a = new ArrayList<Double>();
        var b = new ArrayList<Double>();
        for (int pair = 0; pair < 5; pair++) {
            double flat = throughput(random, false, voids, retries);
            double sags = throughput(random, true, voids, retries);
            if (flat > 0 && sags > 0) {
                a.add(flat);
                b.add(sags);
            }
        }
        return b.size() >= 3
                && Statistics.mean(IntStream.range(0, b.size())
                                        .mapToDouble(i -> Math.log(b.get(i) / a.get(i)))
                                        .toArray())
                                .low()
                        > Math.log(1.01);
    }

    /** Of a trial of 10 s; 0 if none counted. */
    private static double throughput(Random random, boolean candidate, boolean voids, int retries) {
        for (int attempt = 0; attempt <= retries; attempt++) {
            double sag = candidate && random.nextDouble() < 0.4 ? 0.2 : 0;
            double level = candidate ? 1.05 : 1;
            double[] x = Swings.WHITE_1.throughputs(random, 20, t -> level * (1 - sag * t / 10));
            boolean shown = Drift.of(Swings.windows(x, true)).map(Drift::shown).orElse(false);
            if (!voids || !shown) {
                return Statistics.average(x);
            }
        }
        return 0;
    }
}
