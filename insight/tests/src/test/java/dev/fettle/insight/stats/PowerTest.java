package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PowerTest {
    @Test
    void theLeastShownIsThatOfTheTablesOfSampleSizes() {
        // a paired t-test, two-sided at 5 %, wants 34 pairs to show half a standard deviation with 80 %; 33 are too few
        // (Cohen, Statistical Power Analysis, 2nd ed., table 2.4.1); 15 pairs show 0.78 of one, very many 2.80 /
        // sqrt(n)
        assertThat(deviations(34)).isBetween(0.49, 0.5);
        assertThat(deviations(33)).isBetween(0.5, 0.505);
        assertThat(deviations(15)).isBetween(0.77, 0.79);
        assertThat(deviations(4000) * Math.sqrt(4000)).isCloseTo(2.802, within(2e-3));
    }

    /** The least effect shown by n pairs, in standard deviations of their logs. */
    private static double deviations(int n) {
        double[] a = new double[n];
        double[] b = new double[n];
        for (int i = 0; i < n; i++) {
            a[i] = Math.exp(0.1 * Math.sin(i));
            b[i] = 1;
        }
        double s = Statistics.deviation(Statistics.logRatios(a, b));
        return Math.log(Power.leastShown(a, b, 0.95, 1).orElseThrow()) / s;
    }

    @Test
    void moreNoiseFewerPairsAndMoreComparisonsHideMore() {
        double[] ones = {1, 1, 1, 1};
        double quiet = Power.leastShown(new double[] {1, 1.01, 1, 1.01}, ones, 0.95, 1.02)
                .orElseThrow();
        double noisy = Power.leastShown(new double[] {1, 1.1, 1, 1.1}, ones, 0.95, 1.02)
                .orElseThrow();
        double several = Power.leastShown(new double[] {1, 1.01, 1, 1.01}, ones, 1 - 0.05 / 18, 1.02)
                .orElseThrow();
        assertThat(quiet).isGreaterThan(1.02).isLessThan(noisy).isLessThan(several);
        assertThat(Power.leastShown(new double[] {1, 1.01}, new double[] {1, 1}, 0.95, 1.02)
                        .orElseThrow())
                .isGreaterThan(quiet);
        assertThat(Power.leastShown(new double[] {2}, new double[] {1}, 0.95, 1.02)
                        .optional())
                .isEmpty();
        assertThat(Power.leastShown(ones, ones, 0.95, 1.02).orElseThrow()).isCloseTo(1.02, within(1e-9));
    }

    @Test
    void fewStartsLeaveRoomForAModeThatWasNotSeen() {
        assertThat(Power.unseenShare(3)).isCloseTo(0.632, within(1e-3));
        assertThat(Power.unseenShare(5)).isCloseTo(0.451, within(1e-3));
        assertThat(Power.unseenShare(59)).isCloseTo(0.05, within(1e-3));
    }
}
