package dev.fettle.insight.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TwoRunsTest {
    private static final Map<String, String> CONDITIONS =
            Map.of("what", "tune", "plan", "login", "JDK", "25", "CPU", "a", "CPUs", "2");

    private static MeasuredRun run(Map<String, String> conditions, double memory, Map<String, List<Double>> arms) {
        return new MeasuredRun(
                "r",
                "tune",
                Instant.EPOCH,
                false,
                conditions,
                OptionalFigure.of(memory),
                Map.of("kernel", "k" + memory),
                arms.entrySet().stream()
                        .map(e -> new MeasuredRun.Arm(e.getKey(), Map.of(GateMetric.THROUGHPUT, e.getValue())))
                        .toList(),
                arms.isEmpty() ? Optional.of("all void") : Optional.empty());
    }

    private static MeasuredRun run(List<Double> throughput) {
        return run(CONDITIONS, 8e9, Map.of("a=1", throughput));
    }

    @Test
    void whatBothMeasuredIsCompared() {
        TwoRuns two = TwoRuns.of(
                run(CONDITIONS, 8e9, Map.of("a=1", List.of(100.0, 101.0, 99.0), "a=2", List.of(50.0))),
                run(CONDITIONS, 8.1e9, Map.of("a=1", List.of(120.0, 121.0, 119.0), "a=3", List.of(5.0))));
        assertThat(two.refused()).isEmpty();
        assertThat(two.differing()).isEmpty();
        assertThat(two.facts()).extracting(TwoRuns.Differing::name).containsExactly("kernel");
        assertThat(two.rows()).hasSize(1);
        TwoRuns.Row row = two.rows().getFirst();
        assertThat(row.arm()).isEqualTo("a=1");
        assertThat(row.one()).isCloseTo(100, Offset.offset(1e-9));
        assertThat(row.other()).isCloseTo(120, Offset.offset(1e-9));
        assertThat(row.ratio().estimate()).isCloseTo(1.2, Offset.offset(0.001));
        assertThat(row.isApart()).isTrue();
    }

    @Test
    void oneTrialASideHasNoInterval() {
        TwoRuns two = TwoRuns.of(run(List.of(100.0)), run(List.of(200.0, 201.0)));
        TwoRuns.Row row = two.rows().getFirst();
        assertThat(row.ratio().bounded()).isFalse();
        assertThat(row.ratio().estimate()).isCloseTo(2.005, Offset.offset(1e-9));
        assertThat(row.isApart()).isFalse();
    }

    @Test
    void anotherConditionIsRefused() {
        MeasuredRun here = run(List.of(100.0, 101.0));
        for (String name : CONDITIONS.keySet()) {
            var changed = new HashMap<>(CONDITIONS);
            changed.put(name, "other");
            TwoRuns two = TwoRuns.of(here, run(changed, 8e9, Map.of("a=1", List.of(300.0, 301.0))));
            assertThat(two.rows()).isEmpty();
            assertThat(two.refused()).hasSize(1);
            assertThat(two.differing()).extracting(TwoRuns.Differing::name).containsExactly(name);
        }
        TwoRuns memory = TwoRuns.of(here, run(CONDITIONS, 16e9, Map.of("a=1", List.of(100.0))));
        assertThat(memory.differing()).extracting(TwoRuns.Differing::name).containsExactly("memory");
    }

    @Test
    void aVoidRunAndNothingInCommonAreRefused() {
        assertThat(TwoRuns.of(run(List.of(100.0)), run(CONDITIONS, 8e9, Map.of()))
                        .refused())
                .anyMatch(why -> why.contains("all void"));
        TwoRuns apart = TwoRuns.of(run(List.of(1.0)), run(CONDITIONS, 8e9, Map.of("a=2", List.of(1.0))));
        assertThat(apart.refused()).hasSize(1);
        assertThat(apart.rows()).isEmpty();
    }

    /** Of two runs of one program, all of whose metrics only vary, no more than one in twenty has a figure that is said to differ. */
    @Test
    void sameRunsSeldomDiffer() {
        var r = new Random(7);
        int runs = 1_000;
        int alarms = 0;
        for (int i = 0; i < runs; i++) {
            MeasuredRun[] two = new MeasuredRun[2];
            for (int side = 0; side < 2; side++) {
                var arms = new TreeMap<String, List<Double>>();
                for (int arm = 0; arm < 6; arm++) {
                    arms.put(
                            "a=" + arm,
                            r.doubles(4)
                                    .map(x -> 100 * Math.exp(0.03 * r.nextGaussian()))
                                    .boxed()
                                    .toList());
                }
                two[side] = run(CONDITIONS, 8e9, arms);
            }
            if (TwoRuns.of(two[0], two[1]).rows().stream().anyMatch(TwoRuns.Row::isApart)) {
                alarms++;
            }
        }
        assertThat(alarms).isLessThan(runs * 7 / 100);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 0.02, 0.02", "3, 8, 0.02, 0.02", "4, 4, 0.01, 0.1", "10, 3, 0.1, 0.01", "20, 20, 0.05, 0.05"})
    void theRatioOfTwoSamplesIsCovered(int n, int m, double spread, double other) {
        var r = new Random(3);
        int runs = 2_000;
        int covered = 0;
        for (int i = 0; i < runs; i++) {
            double[] a = r.doubles(n)
                    .map(x -> 120 * Math.exp(spread * r.nextGaussian()))
                    .toArray();
            double[] b = r.doubles(m)
                    .map(x -> 100 * Math.exp(other * r.nextGaussian()))
                    .toArray();
            covered += Statistics.ratio(a, b, 0.95).contains(1.2) ? 1 : 0;
        }
        assertThat(covered).isGreaterThan(runs * 94 / 100);
    }

    @Test
    void aRatioWithAZeroHasNoBounds() {
        Interval ratio = Statistics.ratio(new double[] {1, 0}, new double[] {1, 1}, 0.95);
        assertThat(ratio.bounded()).isFalse();
        assertThat(ratio.estimate()).isEqualTo(0.5);
    }
}
