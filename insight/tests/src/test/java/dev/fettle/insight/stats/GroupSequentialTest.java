package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.stats.GroupSequential.Look;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupSequentialTest {
    private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);

    @Test
    void aSingleLookAtTheEndMaySpendAll() {
        assertThat(GroupSequential.level(0.025, List.of(new Look(20, 1)))).isCloseTo(0.025, within(1e-6));
    }

    @Test
    void anEarlyLookMaySpendTheSquareOfTheTime() {
        assertThat(GroupSequential.level(0.05, List.of(new Look(3, 0.2)))).isCloseTo(0.002, within(1e-6));
    }

    /** Two looks at half and all of the data, one-sided 2.5 %, of which a quarter is spent at the first: by two-dimensional integration. */
    @Test
    void theSecondOfTwoLooksAllowsForWhatTheyHaveInCommon() {
        double first = -NORMAL.inverseCumulativeProbability(0.025 / 4);
        double second = -NORMAL.inverseCumulativeProbability(
                GroupSequential.level(0.025, List.of(new Look(10, 0.5), new Look(20, 1))));
        // P(Z1 < first, Z2 > second) with correlation √½
        double sum = 0;
        int steps = 20_000;
        for (int i = 0; i < steps; i++) {
            double z = -8 + (first + 8) * (i + 0.5) / steps;
            double beyond = NORMAL.cumulativeProbability((z * Math.sqrt(0.5) - second) / Math.sqrt(0.5));
            sum += Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * beyond * (first + 8) / steps;
        }
        assertThat(sum).isCloseTo(0.025 * 3 / 4, within(2e-5));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.02, 0.005})
    void manyLooksTogetherErrAsOftenAsIsAllowed(double alpha) {
        List<Look> looks = IntStream.rangeClosed(3, 25)
                .mapToObj(n -> new Look(n, n / 25.0))
                .toList();
        double[] bounds = IntStream.rangeClosed(1, looks.size())
                .mapToDouble(
                        k -> -NORMAL.inverseCumulativeProbability(GroupSequential.level(alpha, looks.subList(0, k))))
                .toArray();
        var random = new SplittableRandom(1);
        int runs = 100_000;
        int crossed = 0;
        for (int r = 0; r < runs; r++) {
            double sum = 0;
            boolean beyond = false;
            for (int n = 1; n <= 25; n++) {
                sum += random.nextGaussian();
                beyond |= n >= 3 && sum / Math.sqrt(n) > bounds[n - 3];
            }
            crossed += beyond ? 1 : 0;
        }
        assertThat(crossed / (double) runs).isCloseTo(alpha, within(4 * Math.sqrt(alpha / runs) + 0.01 * alpha));
    }
}
