package dev.fettle.insight.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.insight.stats.TwoSamples;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EDivisiveTest {
    private static List<Integer> points(double[] series, Levels levels, double least) {
        return EDivisive.of(series, levels, p -> p.magnitude() > least).stream()
                .map(ChangePoint::index)
                .toList();
    }

    /** {@code bench/history} holds them against each other on Otava's own test data, too. */
    @Test
    void findsWhatOtavaFinds() throws Exception {
        int points = 0;
        int searches = 0;
        try (InputStream in = Objects.requireNonNull(EDivisiveTest.class.getResourceAsStream("otava.txt"))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .toList()) {
                String[] parts = line.split(":", -1);
                String[] asked = parts[0].split(" ", -1);
                List<Integer> theirs = Stream.of(parts[1].split(" ", -1))
                        .filter(p -> !p.isEmpty())
                        .map(Integer::valueOf)
                        .toList();
                double[] series = Arrays.stream(parts[2].split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                var levels = Levels.otava(Integer.parseInt(asked[0]), Double.parseDouble(asked[1]));
                assertThat(points(series, levels, Double.parseDouble(asked[2])))
                        .as(line)
                        .isEqualTo(theirs);
                searches++;
                points += theirs.size();
            }
        }
        assertThat(searches).isEqualTo(72);
        assertThat(points).isGreaterThan(100);
    }

    @Test
    void fewFiguresHaveNoChange() {
        for (int n = 0; n < 8; n++) {
            double[] series = new double[n];
            for (int i = n / 2; i < n; i++) {
                series[i] = 100;
            }
            assertThat(EDivisive.of(series, Levels.usual(), p -> true))
                    .as(n + " figures")
                    .isEmpty();
        }
        assertThat(points(new double[] {1, 1, 1, 1, 2, 2, 2, 2}, Levels.usual(), 0))
                .containsExactly(4);
        assertThat(EDivisive.of(new double[0], Levels.OTAVA, p -> true)).isEmpty();
        assertThat(EDivisive.of(new double[] {7}, Levels.OTAVA, p -> true)).isEmpty();
    }

    @Test
    void figuresThatAreAllAlikeHaveNoChange() {
        double[] series = new double[60];
        Arrays.fill(series, 0.1 + 0.2);
        assertThat(EDivisive.of(series, Levels.usual(), p -> true)).isEmpty();
        assertThat(EDivisive.of(series, Levels.OTAVA, p -> true)).isEmpty();
    }

    @Test
    void aPointIsPutWhereItIsOrNotYet() {
        for (int seed = 0; seed < 50; seed++) {
            var r = new Random(seed);
            double[] series = new double[34];
            for (int i = 0; i < series.length; i++) {
                series[i] = (i < 30 ? 100 : 110) + r.nextGaussian();
            }
            // with three figures after it there is none yet, rather than one a figure too early
            assertThat(points(Arrays.copyOf(series, 33), Levels.usual(), 0.03))
                    .as("seed " + seed)
                    .isEmpty();
            assertThat(points(series, Levels.usual(), 0.03)).as("seed " + seed).containsExactly(30);
        }
    }

    @Test
    void someOutliersAreNoChange() {
        var r = new Random(3);
        double[] series = new double[40];
        for (int i = 0; i < series.length; i++) {
            series[i] = 100 + r.nextGaussian();
        }
        double[] quiet = series.clone();
        series[37] = 60;
        series[39] = 62;
        series[20] = 55;
        assertThat(EDivisive.of(quiet, Levels.usual(), p -> true)).isEmpty();
        assertThat(EDivisive.of(series, Levels.usual(), p -> true)).isEmpty();
    }

    /** It is found as soon as without it, and where it is. */
    @Test
    void anOutlierHidesNoChange() {
        for (int seed = 0; seed < 30; seed++) {
            var r = new Random(seed);
            double[] series = new double[19];
            for (int i = 0; i < series.length; i++) {
                series[i] = (i < 15 ? 100 : 88) + r.nextGaussian();
            }
            series[10] = 58;
            assertThat(points(series, Levels.usual(), 0.03)).as("seed " + seed).containsExactly(15);
            var frozen = FrozenChanges.of(series, Levels.usual(), p -> p.magnitude() > 0.03);
            assertThat(frozen).hasSize(1);
            assertThat(frozen.getFirst().from()).isEqualTo(15);
            assertThat(frozen.getFirst().to()).isEqualTo(15);
        }
    }

    /** Of {@code scipy.stats.ttest_ind}. */
    @Test
    void theTestIsStudents() {
        double[] two = {1, 2, 3, 4, 6, 7, 8, 9, 10};
        assertThat(TwoSamples.of(two, 0, 4, 9, true).p()).isCloseTo(0.000815160727, Offset.offset(1e-6));
        assertThat(TwoSamples.of(two, 0, 4, 9, true).second()).isEqualTo(8);
        assertThat(TwoSamples.of(new double[] {1, 5}, 0, 1, 2, true).p()).isEqualTo(1);
        assertThat(TwoSamples.of(new double[] {1, 1, 5}, 0, 2, 3, true).p()).isZero();
        // neighbours that go together say less than as many that don't
        double[] waves = {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4};
        assertThat(TwoSamples.following(waves, 0, 8, 16).p())
                .isGreaterThan(TwoSamples.of(waves, 0, 8, 16, true).p());
    }

    @Test
    void levelsThatFindNothingAreRefused() {
        assertThatThrownBy(() -> new Levels(1, 0.1, 0.01, 1, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Levels(50, 0.01, 0.1, 1, true)).isInstanceOf(IllegalArgumentException.class);
    }
}
