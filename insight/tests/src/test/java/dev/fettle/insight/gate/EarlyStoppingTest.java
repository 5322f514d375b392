package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.GiveUp;
import dev.fettle.insight.Swings;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement.Window;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** When a running trial is surely worse. */
class EarlyStoppingTest {
    private static final double BEST = 20_000;
    private static final GiveUp BOUND = new GiveUp(Metric.THROUGHPUT, BEST / 1.5, 5);
    private static final Swings STILL = new Swings("still", 0.005, 0, 0);
    /** The longest warm-up and the measuring, windows. */
    private static final int ALL = 60;

    private static List<Window> load(DoubleUnaryOperator course) {
        return Swings.windows(STILL.throughputs(new Random(3), ALL, course), false);
    }

    /** The number of windows after which it is given up; 0 for never. */
    private static int endedAfter(GiveUp bound, List<Window> windows) {
        for (int n = 1; n <= windows.size(); n++) {
            if (EarlyStopping.judge(bound, windows.subList(0, n), (ALL - n) * Swings.WINDOW)
                    .isPresent()) {
                return n;
            }
        }
        return 0;
    }

    @Test
    void aSettingThatIsHalfAsFastIsGivenUpSoonAndOneThatIsNearlyAsFastNever() {
        assertThat(endedAfter(BOUND, load(_ -> 0.4))).isBetween(10, 14);
        assertThat(endedAfter(BOUND, load(_ -> 0.6))).isBetween(10, 40);
        assertThat(endedAfter(BOUND, load(_ -> 0.7))).isZero();
        assertThat(endedAfter(BOUND, load(_ -> 1))).isZero();
    }

    @Test
    void whatItGivesAtBestIsNotLessThanWhatItGives() {
        OptionalFigure atBest = EarlyStopping.judge(BOUND, load(_ -> 0.4).subList(0, 30), 15);
        assertThat(atBest.orElseThrow()).isBetween(0.4 * BEST, 0.5 * BEST);
    }

    @Test
    void aWarmUpMayTakeLong() {
        for (double tau : new double[] {1, 3, 8, 15}) {
            assertThat(endedAfter(BOUND, load(t -> 1 - 0.6 * Math.exp(-t / tau))))
                    .as("time constant %s s", tau)
                    .isZero();
        }
        // ever more slowly, from a tenth
        assertThat(endedAfter(BOUND, load(t -> 1 - 0.9 * Math.exp(-t / 10)))).isZero();
        // as fast as the best at the end, in a straight line
        assertThat(endedAfter(BOUND, load(t -> 0.2 + 0.8 * t / 30))).isZero();
    }

    @Test
    void silenceAndStallsSayNothing() {
        assertThat(endedAfter(BOUND, load(_ -> 0))).isZero();
        assertThat(endedAfter(BOUND, load(t -> t < 12 ? 0 : 1))).isZero();
        assertThat(endedAfter(BOUND, load(t -> t > 8 && t < 14 ? 0 : 1))).isZero();
        // a few answers in a stall of 3 s
        assertThat(endedAfter(BOUND, load(t -> t > 8 && t < 11 ? 0.01 : 1))).isZero();
    }

    @Test
    void nothingIsDecidedBeforeAServerMayHaveComeUp() {
        DoubleUnaryOperator late = t -> t < 9 ? 0.05 : 1;
        assertThat(endedAfter(BOUND, load(late))).isPositive();
        assertThat(endedAfter(new GiveUp(Metric.THROUGHPUT, BEST / 1.5, 14), load(late)))
                .isZero();
        assertThat(endedAfter(new GiveUp(Metric.THROUGHPUT, BEST / 1.5, 14), load(_ -> 0.4)))
                .isBetween(28, 30);
    }

    /** Where windows swing, only what is far below is given up. */
    @Test
    void swingsWidenTheMargin() {
        var random = new Random(5);
        int wrong = 0;
        int right = 0;
        for (int run = 0; run < 100; run++) {
            wrong += endedAfter(BOUND, Swings.windows(Swings.TAU_10.throughputs(random, ALL, _ -> 0.85), false)) > 0
                    ? 1
                    : 0;
            right += endedAfter(BOUND, Swings.windows(Swings.TAU_10.throughputs(random, ALL, _ -> 0.3), false)) > 0
                    ? 1
                    : 0;
        }
        assertThat(wrong).isLessThanOrEqualTo(3);
        assertThat(right).isGreaterThan(90);
    }
}
