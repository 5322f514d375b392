package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunsTest {
    /** What becomes of many tests of something that happens with a share of the runs. */
    private record Many(double refused, double runs) {
        static Many of(int usual, int most, double share) {
            int refused = 0;
            double done = 0;
            var random = new Random(usual * 31L + most);
            int tests = 1_000;
            for (int i = 0; i < tests; i++) {
                var runs = new Runs(usual, 0);
                var wrong = runs.atMost("wrong", most);
                for (int _ : runs) {
                    wrong.count(random.nextDouble() < share);
                }
                done += runs.done();
                refused += runs.hold() ? 0 : 1;
            }
            return new Many((double) refused / tests, done / tests);
        }
    }

    /**
     * All runs together refuse the worse share in 95 of 100 tests, and the better one in 5. Stopped early, they take so much less, and
     * refuse it nearly as often.
     *
     * @param part of the runs that is made where nothing is ever wrong
     */
    @ParameterizedTest
    @CsvSource({"40, 3, 0.45", "40, 5, 0.37", "60, 3, 0.45", "200, 1, 0.7", "200, 10, 0.28", "40, 20, 0.2", "24, 2, 0.6"
    })
    void fewerRunsFindNearlyTheSameDefects(int usual, int most, double part) {
        double bad = Runs.Binomial.share(usual, most, 0.05);
        double good = Runs.Binomial.share(usual, most, 0.95);
        assertThat(Many.of(usual, most, bad).refused()).isGreaterThan(0.9);
        assertThat(Many.of(usual, most, good).refused()).isLessThan(0.07);
        assertThat(Many.of(usual, most, 0).runs()).isLessThanOrEqualTo(usual * part);
    }

    @Test
    void whatMayNeverHappenIsTriedInAllRuns() {
        assertThat(Many.of(30, 0, 0).runs()).isEqualTo(30);
        assertThat(Many.of(30, 0, 0.095).refused()).isGreaterThan(0.94);
    }

    @Test
    void sharesAreThoseOfTheBinomialDistribution() {
        // one half of none in 10: 1 - 0.5^(1/10)
        assertThat(Runs.Binomial.share(10, 0, 0.5)).isCloseTo(0.0670, within(1e-4));
        // Clopper and Pearson: 3 of 20 at 95 % one-sided is at most 0.3437
        assertThat(Runs.Binomial.share(20, 3, 0.05)).isCloseTo(0.3437, within(1e-4));
    }

    @Test
    void atLeastIsTheSameOfWhatDoesNotHappen() {
        var runs = new Runs(40, 0);
        var found = runs.atLeast("found", 36);
        for (int seed : runs) {
            found.count(seed % 20 != 0);
        }
        runs.check();
        assertThat(runs.done()).isLessThan(25);

        var few = new Runs(40, 0);
        var half = few.atLeast("found", 36);
        for (int seed : few) {
            half.count(seed % 2 == 0);
        }
        assertThatThrownBy(few::check).isInstanceOf(AssertionError.class).hasMessageContaining("found: ");
        assertThat(few.done()).as("no more, once it can't hold").isLessThan(12);
    }

    @Test
    void allThatAreAskedForAreMade() {
        var runs = new Runs(40, 200);
        var wrong = runs.atMost("wrong", 2);
        for (int seed : runs) {
            wrong.count(seed % 25 == 0);
        }
        runs.check();
        assertThat(runs.done()).isEqualTo(200);
        assertThat(wrong).hasToString("8 of 200, at most 10 of 200");
    }

    @Test
    void severalClaimsAreEachDecided() {
        var runs = new Runs(40, 0);
        var never = runs.atMost("never", 0);
        var seldom = runs.atMost("seldom", 5);
        for (int _ : runs) {
            never.count(false);
            seldom.count(false);
        }
        runs.check();
        assertThat(runs.done()).isEqualTo(40);
    }

    @Test
    void withoutARunNothingIsShown() {
        var runs = new Runs(40, 0);
        runs.atMost("wrong", 40);
        assertThatThrownBy(runs::check).isInstanceOf(AssertionError.class);
    }
}
