package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.trials.PairSlices.Kept;
import dev.fettle.insight.trials.PairSlices.Outside;
import dev.fettle.insight.trials.PairSlices.Schedule;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairSlicesTest {
    private static final Duration FOUR = Duration.ofSeconds(4);
    private static final Outside CALM = new Outside(0.001, 0, 0.02);

    @Test
    void aQuickServersSlicesAreOfASecondAndEachSideIsFirstAsOftenAsSecond() {
        Schedule s = PairSlices.schedule(FOUR, 0.01);
        assertThat(s.slices()).isEqualTo(4);
        assertThat(s.measured()).isEqualTo(Duration.ofSeconds(1));
        assertThat(s.settling()).isEqualTo(Duration.ofMillis(200));
        assertThat(PairSlices.schedule(Duration.ofMillis(500), 0).slices()).isEqualTo(2);
        assertThat(PairSlices.schedule(Duration.ofMinutes(10), 0.01).slices()).isEqualTo(60);
    }

    @Test
    void aSlowServersSlicesHoldTenOfItsLatenciesUpToABound() {
        Schedule s = PairSlices.schedule(Duration.ofSeconds(20), 0.25);
        assertThat(s.slices()).isEqualTo(8);
        assertThat(s.measured()).isEqualTo(Duration.ofMillis(2_500));
        assertThat(s.settling()).isEqualTo(Duration.ofMillis(750));
        Schedule slow = PairSlices.schedule(Duration.ofSeconds(20), 10);
        assertThat(slow.slices()).isEqualTo(4);
        assertThat(slow.settling(3)).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    /**
     * Eight clients of a server that only waits 95 ms get their answers in step. Slices that all began at the same point of the
     * step would count one answer too many or too few each time.
     */
    @Test
    void answersThatComeInStepAreNotCutAtTheSamePoint() {
        double worst = 0;
        double worstAlike = 0;
        for (int millis = 60; millis <= 100; millis++) {
            double latency = millis / 1e3;
            Schedule s = PairSlices.schedule(Duration.ofSeconds(8), latency);
            double spread = 0;
            double alike = 0;
            for (int i = 0; i < s.slices(); i++) {
                spread += steps(s.settling(i), s.measured(), latency);
                alike += steps(s.settling(), s.measured(), latency);
            }
            double truth = s.slices() * seconds(s.measured()) / latency;
            worst = Math.max(worst, Math.abs(spread / truth - 1));
            worstAlike = Math.max(worstAlike, Math.abs(alike / truth - 1));
        }
        assertThat(worstAlike).as("slices that begin alike").isGreaterThan(0.05);
        assertThat(worst).as("spread").isLessThan(0.02);
    }

    /** Steps that end in a slice whose load began at 0. */
    private static double steps(Duration from, Duration length, double latency) {
        double begin = seconds(from);
        return Math.floor((begin + seconds(length)) / latency + 1e-9) - Math.floor(begin / latency + 1e-9);
    }

    private static double seconds(Duration d) {
        return d.toNanos() / 1e9;
    }

    @Test
    void aCalmMachineTakesWhatWasPlannedAndNoMore() {
        List<Outside> calm = List.of(CALM, CALM, CALM, CALM);
        assertThat(PairSlices.enough(calm.subList(0, 3), 4)).isFalse();
        assertThat(PairSlices.enough(calm, 4)).isTrue();
        assertThat(PairSlices.choose(calm, 4)).satisfies(k -> {
            assertThat(k.slices()).containsExactlyInAnyOrder(0, 1, 2, 3);
            assertThat(k.disturbed()).isZero();
            assertThat(k.keptDisturbed()).isZero();
        });
    }

    @Test
    void aBurstCostsItsSlicesAndNothingElse() {
        Outside burst = new Outside(0, 0, 0.5);
        List<Outside> seen = new ArrayList<>(List.of(CALM, burst, CALM, CALM));
        assertThat(PairSlices.enough(seen, 4)).isFalse();
        seen.add(CALM);
        assertThat(PairSlices.enough(seen, 4)).isTrue();
        Kept kept = PairSlices.choose(seen, 4);
        assertThat(kept.slices()).containsExactlyInAnyOrder(0, 2, 3, 4);
        assertThat(kept.disturbed()).isEqualTo(1);
        assertThat(kept.keptDisturbed()).isZero();
    }

    @Test
    void aMachineThatIsNeverCalmGivesItsLeastDisturbedSlicesAndSaysSo() {
        List<Outside> seen = IntStream.range(0, 6)
                .mapToObj(i -> new Outside(0, 0, 0.15 + 0.05 * i))
                .toList();
        assertThat(PairSlices.enough(seen.subList(0, 5), 4)).isFalse();
        assertThat(PairSlices.enough(seen, 4)).as("half as many again at most").isTrue();
        Kept kept = PairSlices.choose(seen, 4);
        assertThat(kept.slices()).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(kept.keptDisturbed()).isEqualTo(4);
        assertThat(kept.disturbed()).isEqualTo(6);
    }

    @Test
    void whatIsDisturbedIsWhatTheGateWouldNotLetPass() {
        assertThat(new Outside(GateRules.STEAL, 0, GateRules.FOREIGN_CPU).disturbed())
                .isFalse();
        assertThat(new Outside(GateRules.STEAL + 0.001, 0, 0).disturbed()).isTrue();
        assertThat(new Outside(0, 0, GateRules.FOREIGN_CPU + 0.001).disturbed()).isTrue();
        // 6 % of one side are hidden in a mean of 2 %
        assertThat(stolen(0.02, 0.06, 0)).isTrue();
        assertThat(stolen(0.02, 0, 0.06)).isTrue();
        assertThat(stolen(0.04, 0.04, 0.04)).isFalse();
        OptionalFigure no = OptionalFigure.empty();
        assertThat(Outside.of(seen(OptionalFigure.of(0.04), no, no)).disturbed())
                .as("of neither side known")
                .isTrue();
    }

    private static boolean stolen(double mean, double server, double generator) {
        return Outside.of(seen(OptionalFigure.of(mean), OptionalFigure.of(server), OptionalFigure.of(generator)))
                .disturbed();
    }

    private static Aggregates seen(OptionalFigure steal, OptionalFigure server, OptionalFigure generator) {
        OptionalFigure no = OptionalFigure.empty();
        return Aggregates.NOTHING
                .with(Aggregate.STEAL, steal)
                .with(Aggregate.SERVER_STEAL, server)
                .with(Aggregate.GENERATOR_STEAL, generator);
    }

    /**
     * A machine whose speed wanders by 10 % with a memory of half a minute, jitters by 3 % from second to second, and is held up
     * by a burst of somebody else's now and then. One after the other, each side has its own half minute; in turn, both have the
     * same.
     */
    @Test
    void inTurnAPairBearsAMachineThatWanders() {
        double apart = deviation(false);
        double inTurn = deviation(true);
        System.out.printf(
                "deviation of a pair: one after the other %.1f %%, in turn %.1f %%%n", 100 * apart, 100 * inTurn);
        assertThat(apart).isGreaterThan(0.08);
        assertThat(inTurn).isLessThan(apart / 3);
    }

    /** A bias would be worse than noise: the second of two that are alike is not slower. */
    @Test
    void inTurnTwoThatAreAlikeAreAlikeWhileTheMachineSlowsDown() {
        double sum = 0;
        for (int seed = 0; seed < 400; seed++) {
            sum += pair(new Machine(seed, -0.004), true);
        }
        assertThat(sum / 400).isCloseTo(0, within(0.004));
    }

    private static double deviation(boolean inTurn) {
        double squares = 0;
        int runs = 400;
        for (int seed = 0; seed < runs; seed++) {
            double ratio = pair(new Machine(seed, 0), inTurn);
            squares += ratio * ratio;
        }
        return Math.sqrt(squares / runs);
    }

    /** Logarithm of the ratio of two sides that are the same. */
    private static double pair(Machine machine, boolean inTurn) {
        machine.pass(12); // launch and warm-up
        if (!inTurn) {
            double a = machine.speed(4, new double[1]);
            machine.pass(14);
            return Math.log(machine.speed(4, new double[1]) / a);
        }
        machine.pass(12);
        Schedule s = PairSlices.schedule(FOUR, 0.01);
        var seen = new ArrayList<Outside>();
        var speeds = new ArrayList<double[]>();
        while (!PairSlices.enough(seen, s.slices())) {
            double[] both = new double[2];
            double foreign = 0;
            for (int k = 0; k < 2; k++) {
                machine.pass(seconds(s.settling(seen.size())));
                double[] taken = new double[1];
                both[(k + seen.size()) % 2] = machine.speed(seconds(s.measured()), taken);
                foreign = Math.max(foreign, taken[0]);
            }
            seen.add(new Outside(0, 0, foreign));
            speeds.add(both);
        }
        double a = 0;
        double b = 0;
        for (int i : PairSlices.choose(seen, s.slices()).slices()) {
            a += speeds.get(i)[0];
            b += speeds.get(i)[1];
        }
        return Math.log(b / a);
    }

    /** In steps of a tenth of a second. */
    private static final class Machine {
        private static final double STEP = 0.1;
        private final Random random;
        private final double slowing;
        private double wander;
        private double at;
        private double burstUntil = -1;

        Machine(int seed, double slowing) {
            random = new Random(seed);
            this.slowing = slowing;
            wander = 0.1 * random.nextGaussian();
        }

        void pass(double time) {
            speed(time, new double[1]);
        }

        double speed(double time, double[] foreign) {
            double memory = Math.exp(-STEP / 30);
            double sum = 0;
            int steps = (int) Math.max(1, Math.round(time / STEP));
            for (int i = 0; i < steps; i++) {
                at += STEP;
                wander = memory * wander + 0.1 * Math.sqrt(1 - memory * memory) * random.nextGaussian();
                if (random.nextDouble() < STEP / 20) {
                    burstUntil = at + 1;
                }
                boolean burst = at < burstUntil;
                sum += Math.exp(wander + slowing * at + 0.1 * random.nextGaussian()) * (burst ? 0.7 : 1);
                foreign[0] += burst ? 0.5 / steps : 0.02 / steps;
            }
            return sum / steps;
        }
    }
}
