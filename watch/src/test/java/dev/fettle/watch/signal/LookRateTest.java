package dev.fettle.watch.signal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookRateTest {
    private static final long MILLI = 1_000_000;

    /** Asks every 10 ms for a minute; returns the share of the time that looks took, without the first and the last. */
    private static double share(LookRate rate, double millis) {
        long cost = (long) (millis * MILLI);
        long now = 0;
        long spent = 0;
        while (now < 60_000 * MILLI) {
            if (rate.due(now)) {
                rate.looked(now, now + cost);
                now += cost;
                spent += cost;
            }
            now += 10 * MILLI;
        }
        return (double) (spent - 2 * cost) / now;
    }

    @ParameterizedTest
    @CsvSource({"0.1", "0.5", "1", "2", "5", "9"})
    void looksTakeAtMostTheirShareOfTheTime(double millis) {
        assertThat(share(new LookRate("this"), millis)).isLessThanOrEqualTo(LookRate.SHARE);
    }

    @Test
    void whatIsVeryDearIsStillLookedAtNowAndThen() {
        var rate = new LookRate("this");
        assertThat(share(rate, 100)).isBetween(0.04, 0.06);
        assertThat(rate.note().orElseThrow()).contains("100 ms").contains("2.0 s apart");
    }

    @Test
    void whatIsCheapIsLookedAtWhenAskedAndNotTalkedAbout() {
        var rate = new LookRate("this");
        assertThat(share(rate, 0.2)).isPositive();
        assertThat(rate.note()).isEmpty();
    }

    @Test
    void theFirstLookSaysNothingOfTheNext() {
        var rate = new LookRate("this");
        assertThat(rate.due(0)).isTrue();
        rate.looked(0, 500 * MILLI);
        assertThat(rate.due(500 * MILLI)).isTrue();
        rate.looked(500 * MILLI, 501 * MILLI);
        assertThat(rate.due(700 * MILLI)).isFalse();
        assertThat(rate.due(701 * MILLI)).isTrue();
        assertThat(rate.note()).isEmpty();
    }

    /** On a busy machine a look takes long because it waits for a CPU: that costs the target nothing. */
    @Test
    void aLookFromOutsideIsPacedByTheCpuTimeItTook() {
        var rate = new LookRate("this", 30);
        rate.lookedFromOutside(0, 900 * MILLI, 900 * MILLI);
        assertThat(rate.due(900 * MILLI)).isTrue();
        rate.lookedFromOutside(1_000 * MILLI, 1_900 * MILLI, 2 * MILLI);
        assertThat(rate.due(2_699 * MILLI)).isFalse();
        assertThat(rate.due(2_700 * MILLI)).isTrue();
        assertThat(rate.note()).isEmpty();
        rate.lookedFromOutside(3_000 * MILLI, 3_900 * MILLI, 50 * MILLI);
        assertThat(rate.due(23_899 * MILLI)).isFalse();
        assertThat(rate.due(23_900 * MILLI)).isTrue();
        assertThat(rate.note().orElseThrow()).contains("900 ms").contains("20.0 s apart");
        rate.lookedFromOutside(30_000 * MILLI, 32_000 * MILLI, 2_000 * MILLI);
        assertThat(rate.due(62_000 * MILLI)).as("never longer than asked for").isTrue();
    }
}
