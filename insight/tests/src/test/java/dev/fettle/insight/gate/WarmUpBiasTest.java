package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Swings;
import dev.fettle.model.trial.Measurement.Window;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * What a warm-up leaves in the 5 s that are measured after it: throughput 1 − 0.6·exp(−t/τ), judged every half second until steady
 * or at the bound, 100 runs a cell and more by {@code -Dfettle.runs}.
 */
class WarmUpBiasTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 100);
    private static final double DEPTH = 0.6;
    private static final double MEASURED = 5;

    /**
     * @param bias of the mean of those that are measured, relative to the end; 0 if none is
     * @param seconds mean length of the warm-up
     * @param voided share that is not measured
     */
    private record Outcome(double bias, double seconds, double voided) {}

    private static DoubleUnaryOperator warmsUp(double tau) {
        return tau > 0 ? t -> 1 - DEPTH * Math.exp(-t / tau) : _ -> 1;
    }

    private static Outcome outcome(double tau, Swings noise, double bound) {
        var random = new Random(7);
        int most = (int) (bound / Swings.WINDOW);
        double bias = 0;
        double seconds = 0;
        int measured = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] x = noise.throughputs(random, most, warmsUp(tau));
            int n = 1;
            while (n < most && !SteadyState.judge(Arrays.copyOf(x, n)).steady()) {
                n++;
            }
            double end = n * Swings.WINDOW;
            seconds += end / RUNS;
            List<Window> seen = Swings.windows(Arrays.copyOf(x, n), false);
            if (SteadyState.atBound(seen).reason().isEmpty()) {
                measured++;
                bias -= tau <= 0 ? 0 : DEPTH * Math.exp(-end / tau) * tau / MEASURED * (1 - Math.exp(-MEASURED / tau));
            }
        }
        return new Outcome(measured == 0 ? 0 : bias / measured, seconds, 1 - measured / (double) RUNS);
    }

    private static Outcome told(double tau, Swings noise, double bound) {
        Outcome o = outcome(tau, noise, bound);
        System.out.printf(
                "warm-up τ %.1f s, %s, bound %.0f s: measured %.2f %% off after %.1f s, void in %.0f %%%n",
                tau, noise, bound, 100 * o.bias, o.seconds, 100 * o.voided);
        return o;
    }

    /** Two sides with the same end must not differ by what the warm-up left: half of the least gain that is claimed, 1 %. */
    @Test
    void aKnobThatOnlyWarmsUpFasterGainsNothing() {
        record Pair(double slow, double quick, double bound) {}
        for (Pair p : List.of(new Pair(8, 2, 60), new Pair(5, 1.5, 60))) {
            Outcome slow = told(p.slow, Swings.WHITE_1, p.bound);
            Outcome quick = told(p.quick, Swings.WHITE_1, p.bound);
            assertThat(slow.voided).as("%s", p).isLessThan(0.05);
            assertThat(Math.abs(slow.bias - quick.bias)).as("%s", p).isLessThan(0.005);
        }
        Outcome slow = told(8, Swings.WHITE_3, 60);
        Outcome quick = told(2, Swings.WHITE_3, 60);
        assertThat(Math.abs(slow.bias - quick.bias)).as("at 3 %% noise").isLessThan(0.01);
    }

    /** A bound that is too short for the warm-up makes the trial void, unless what is left is little. */
    @Test
    void aBoundThatIsTooShortIsSaid() {
        assertThat(told(15, Swings.WHITE_1, 60).voided).isGreaterThan(0.9);
        assertThat(told(8, Swings.WHITE_1, 20).voided).isGreaterThan(0.95);
        assertThat(told(15, Swings.WHITE_3, 20).voided).isGreaterThan(0.9);
        Outcome five = told(5, Swings.WHITE_1, 20);
        assertThat(five.voided > 0.9 || Math.abs(five.bias) < 0.01).isTrue();
        for (double tau : new double[] {8, 15}) {
            for (Swings noise : List.of(Swings.WHITE_3, Swings.WHITE_10, Swings.TAU_10)) {
                told(tau, noise, 20);
                told(tau, noise, 60);
            }
        }
    }

    /** A flat target that swings is measured, and not warmed up for minutes. */
    @Test
    void swingsAreNotTakenForAWarmUp() {
        for (Swings noise : Swings.ALL) {
            Outcome patient = told(0, noise, 60);
            assertThat(patient.voided).as("%s, 60 s", noise).isLessThanOrEqualTo(0.02);
            assertThat(patient.seconds).as("%s, 60 s", noise).isLessThan(35);
            assertThat(told(0, noise, 20).voided).as("%s, 20 s", noise).isLessThanOrEqualTo(0.12);
        }
    }

    /** What it says would have been enough is enough, or nearly. */
    @Test
    void whatWouldHaveBeenEnoughIsSaid() {
        var random = new Random(2);
        int said = 0;
        int enough = 0;
        int wasteful = 0;
        for (int run = 0; run < RUNS; run++) {
            double tau = 6 + 10 * random.nextDouble();
            double[] x = Swings.WHITE_1.throughputs(random, 200_000 / 500, warmsUp(tau));
            var seconds = SteadyState.secondsNeeded(Swings.windows(Arrays.copyOf(x, 40), false));
            int n = 40;
            while (!SteadyState.judge(Arrays.copyOf(x, n)).steady()) {
                n++;
            }
            if (seconds.isPresent()) {
                said++;
                enough += seconds.getAsDouble() >= 0.8 * n * Swings.WINDOW ? 1 : 0;
                wasteful += seconds.getAsDouble() > 2.5 * n * Swings.WINDOW ? 1 : 0;
            }
        }
        System.out.printf("enough said in %d of %d, so in %d, by far too much in %d%n", said, RUNS, enough, wasteful);
        assertThat(said).isGreaterThan(RUNS * 8 / 10);
        assertThat(enough).isGreaterThan(said * 8 / 10);
        assertThat(wasteful).isLessThan(said / 5);
    }

    @Test
    void howManyWindowsNoiseNeeds() {
        assertThat(SteadyState.windowsNeeded(0)).isEqualTo(11);
        assertThat(SteadyState.windowsNeeded(0.01)).isBetween(11, 20);
        assertThat(SteadyState.windowsNeeded(0.03)).isBetween(24, 44);
        assertThat(SteadyState.windowsNeeded(0.2)).isBetween(24, 44);
        var random = new Random(4);
        int steady = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] x = Swings.WHITE_10.throughputs(random, SteadyState.windowsNeeded(0.1), _ -> 1);
            int n = 1;
            while (n < x.length && !SteadyState.judge(Arrays.copyOf(x, n)).steady()) {
                n++;
            }
            steady += SteadyState.judge(Arrays.copyOf(x, n)).steady() ? 1 : 0;
        }
        assertThat(steady).as("of %s", RUNS).isGreaterThan(RUNS * 8 / 10);
    }
}
