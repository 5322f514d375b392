package dev.fettle.insight.surface;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SurfaceTest {
    private static final List<Axis> AXES = List.of(new Axis(true), new Axis(false), new Axis(true));

    private static double truth(Point p) {
        double size = p.at().get(0);
        return 0.4 * Math.sin(2 * size) + (p.at().get(1) == 2 ? 0.15 : 0);
    }

    private static Point random(Random r) {
        return new Point(List.of(r.nextDouble(), (double) r.nextInt(3), r.nextDouble()));
    }

    private static List<Sample> samples(Random r, int n, double noise) {
        var all = new ArrayList<Sample>();
        for (int i = 0; i < n; i++) {
            Point p = random(r);
            all.add(new Sample(p, truth(p) + noise * r.nextGaussian(), 0, i));
        }
        return all;
    }

    /** Held-out places: its error is small, and its own idea of its error is right. */
    @Test
    void foretellsWhatItHasNotSeenAndSaysHowWell() {
        int within = 0;
        int all = 0;
        double squares = 0;
        for (int seed = 1; seed <= 20; seed++) {
            var r = new Random(seed);
            Surface s = Surface.fit(AXES, samples(r, 25, 0.03), 0.03, true);
            for (int i = 0; i < 40; i++) {
                Point p = random(r);
                Prediction g = s.at(p, 0);
                double error = g.mean() - truth(p);
                squares += error * error;
                within += Math.abs(error) <= 1.96 * g.deviation() ? 1 : 0;
                all++;
            }
        }
        assertThat(Math.sqrt(squares / all)).isLessThan(0.04);
        assertThat((double) within / all).as("coverage of 95 %").isBetween(0.88, 0.995);
    }

    /** Around a level that is known, what is far from all samples is there, whatever these are. */
    @Test
    void aKnownLevelIsNotTakenFromTheSamples() {
        var all = new ArrayList<Sample>();
        for (int i = 0; i < 6; i++) {
            all.add(new Sample(new Point(List.of(i / 5.0, (double) (i % 2), 0.5)), 1.5, 0, i));
        }
        Point far = new Point(List.of(Double.NaN, 2.0, Double.NaN));
        assertThat(Surface.fit(AXES, all, 0.1, true).at(far, 0).mean()).isGreaterThan(1.4);
        assertThat(Surface.aroundZero(AXES, all, 0.1, 0.25, true).at(far, 0).mean())
                .isLessThan(0.5);
        assertThat(Surface.aroundZero(AXES, all, 0.1, 0.25, true)
                        .at(all.getFirst().at(), 0)
                        .mean())
                .isGreaterThan(1.2);
    }

    /** Three samples that are all alike don't show that nothing has an effect: the most probable scales alone would claim so. */
    @Test
    void aFewSamplesLeaveAnUnseenValueOpen() {
        var all = new ArrayList<Sample>();
        for (int i = 0; i < 3; i++) {
            all.add(new Sample(new Point(List.of(i / 2.0, 0.0, 0.5)), 1 + 0.01 * (i % 2), 0, i));
        }
        Surface few = Surface.fit(AXES, all, 0.03, true);
        Prediction unseen = few.difference(new Point(List.of(0.5, 1.0, 0.5)), 0, new Point(List.of(0.5, 0.0, 0.5)), 0);
        assertThat(unseen.deviation()).isGreaterThan(0.05);
    }

    @Test
    void knowsADifferenceBetterThanTheTwoLevels() {
        Surface s = Surface.fit(AXES, samples(new Random(5), 25, 0.03), 0.03, true);
        Point a = new Point(List.of(0.4, 2.0, 0.5));
        Point b = new Point(List.of(0.4, 0.0, 0.5));
        Prediction g = s.difference(a, 0, b, 0);
        assertThat(Math.abs(g.mean() - 0.15)).isLessThan(2.5 * g.deviation());
        assertThat(g.mean() - 2 * g.deviation()).isPositive();
        assertThat(g.deviation())
                .isLessThan(Math.hypot(s.at(a, 0).deviation(), s.at(b, 0).deviation()));
        // an axis that does nothing
        Prediction none = s.difference(new Point(List.of(0.4, 2.0, 0.1)), 0, new Point(List.of(0.4, 2.0, 0.9)), 0);
        assertThat(Math.abs(none.mean())).isLessThan(0.03);
    }

    /** A law that holds makes three trials enough; one that is wrong is not believed. */
    @Test
    void aLawIsBelievedOnlyWhereItHolds() {
        for (boolean right : new boolean[] {true, false}) {
            var all = new ArrayList<Sample>();
            double[] sizes = {0, 0.1, 0.35, 0.5, 0.8};
            for (int i = 0; i < sizes.length; i++) {
                double at = sizes[i];
                all.add(new Sample(new Point(List.of(at, 0.0, 0.5)), right ? 2 * at : 0, 2 * at, i));
            }
            Prediction beyond = Surface.fit(AXES, all, 0.02, true).at(new Point(List.of(1.0, 0.0, 0.5)), 2);
            assertThat(beyond.mean()).isBetween(right ? 1.8 : -0.3, right ? 2.2 : 0.3);
        }
    }

    @Test
    void whatHasNoMeaningIsAValueOfItsOwn() {
        var r = new Random(3);
        var all = new ArrayList<Sample>();
        for (int i = 0; i < 12; i++) {
            double size = i % 3 == 0 ? Double.NaN : r.nextDouble();
            all.add(new Sample(
                    new Point(List.of(size, (double) (i % 2), 0.5)),
                    (Double.isNaN(size) ? 0.3 : 0) + 0.01 * r.nextGaussian(),
                    0,
                    i));
        }
        Surface s = Surface.fit(AXES, all, 0.02, true);
        assertThat(s.at(new Point(List.of(Double.NaN, 1.0, 0.5)), 0).mean()).isBetween(0.25, 0.35);
        assertThat(s.at(new Point(List.of(0.5, 1.0, 0.5)), 0).mean()).isBetween(-0.05, 0.05);
    }

    @Test
    void improvementIsExpectedWhereItIsHighOrUnknown() {
        assertThat(new Prediction(1, 0).improvementOver(0.5)).isEqualTo(0.5);
        assertThat(new Prediction(0, 0).improvementOver(0.5)).isZero();
        // the density of a standard normal distribution at 0
        assertThat(new Prediction(0, 1).improvementOver(0)).isBetween(0.39894, 0.39895);
        assertThat(new Prediction(0, 2).chanceBelow(0)).isEqualTo(0.5);
    }
}
