package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A slot that stands in the same place in every block takes a drift of the machine for its own. */
class SeededOrderTest {
    private static final int SEEDS = 100;
    private static final int BLOCKS = 5;
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static Plan plan(long seed) {
        return Plan.of("p", Simulated.target(), Simulated.load(300)).withSeed(seed);
    }

    private static Experiment sweep(long seed, String... threads) {
        var grid = List.of(new Dimension("threads.max", List.of(threads)));
        return new SweepExperiment(plan(seed).withSweep(Optional.of(new Plan.Sweep(grid, BLOCKS))));
    }

    private static Experiment compare(long seed, int blocks, List<Dimension> grid) {
        var variants = List.of(
                new Variant("a", Simulated.target(), Setting.of("threads.max", "25")),
                new Variant("b", Simulated.target(), Setting.of("threads.max", "30")));
        return new CompareExperiment(plan(seed)
                .withCompare(Optional.of(
                        new Plan.Compare(variants, grid, blocks, Optional.empty(), false, Optional.empty()))));
    }

    /** What its trials are, block by block, in their order. */
    private static List<List<String>> blocks(Experiment of, Function<TrialSpec, String> what) {
        var blocks = new ArrayList<List<String>>();
        SERVER.drive(of).seen().forEach(t -> {
            if (blocks.size() <= t.spec().block()) {
                blocks.add(new ArrayList<>());
            }
            blocks.get(t.spec().block()).add(what.apply(t.spec()));
        });
        return blocks;
    }

    private static String point(TrialSpec s) {
        return s.point().values().toString();
    }

    /** Four standard deviations around the half of n. */
    private static void assertHalf(int count, int n) {
        assertThat(count).isBetween((int) (n / 2.0 - 2 * Math.sqrt(n)), (int) (n / 2.0 + 2 * Math.sqrt(n)));
    }

    /** Two cells: the first comes first in half of the seeds in each repeat, and in half of the repeats. */
    @Test
    void eachCellOfASweepComesFirstAsOften() {
        var first = new int[BLOCKS];
        int always = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            List<List<String>> orders = blocks(sweep(seed, "25", "30"), SeededOrderTest::point);
            for (int i = 0; i < BLOCKS; i++) {
                first[i] += orders.get(i).getFirst().equals("[25]") ? 1 : 0;
            }
            always += orders.stream().distinct().count() == 1 ? 1 : 0;
        }
        for (int n : first) {
            assertHalf(n, SEEDS);
        }
        assertThat(always).as("one in sixteen: 6.25, deviation 2.4").isBetween(1, 16);
    }

    /** Eight cells: one is last in all repeats of a seed in one of 4,096, and not the same one in every seed. */
    @Test
    void noCellIsLastAgainAndAgain() {
        String[] eight = {"10", "11", "12", "13", "14", "15", "16", "17"};
        var last = new int[eight.length];
        int always = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            List<List<String>> orders = blocks(sweep(seed, eight), SeededOrderTest::point);
            always += orders.stream().map(List::getLast).distinct().count() == 1 ? 1 : 0;
            orders.forEach(o -> last[Integer.parseInt(o.getLast().substring(1, 3)) - 10]++);
        }
        assertThat(always).isLessThanOrEqualTo(2);
        for (int n : last) {
            assertThat(n).as("62.5, deviation 7.4").isBetween(33, 92);
        }
    }

    /** Of every two blocks the second is the reverse of the first; the first is by chance, and under each condition by its own. */
    @Test
    void eachVariantBeginsTwoBlocksAsOften() {
        var grid = List.of(new Dimension("load.keep-alive", List.of("true", "false")));
        int first = 0;
        int alike = 0;
        int acrossConditions = 0;
        int conditions = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            List<List<String>> orders = blocks(compare(seed, 4, List.of()), TrialSpec::variant);
            assertThat(orders.get(1)).isEqualTo(orders.get(0).reversed());
            first += orders.get(0).getFirst().equals("a") ? 1 : 0;
            alike += orders.get(0).equals(orders.get(2)) ? 1 : 0;
            List<String> two =
                    blocks(compare(seed, 2, grid), s -> point(s) + s.variant()).getFirst();
            conditions += two.getFirst().startsWith("[true]") ? 1 : 0;
            acrossConditions += two.get(0).charAt(two.get(0).length() - 1)
                            == two.get(2).charAt(two.get(2).length() - 1)
                    ? 1
                    : 0;
        }
        for (int n : List.of(first, alike, acrossConditions, conditions)) {
            assertHalf(n, SEEDS);
        }
    }

    @Test
    void aSeedAlwaysHasTheSameOrder() {
        List<Integer> all = IntStream.range(0, 20).boxed().toList();
        assertThat(SeededOrder.of(all, 42, 3, 1))
                .isEqualTo(SeededOrder.of(all, 42, 3, 1))
                .containsExactlyInAnyOrderElementsOf(all)
                .isNotEqualTo(SeededOrder.of(all, 42, 1, 3));
    }
}
