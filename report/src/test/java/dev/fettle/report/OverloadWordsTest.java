package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.SpikeResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.OptionalFigure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of a comparison under a spike, as people read them. */
class OverloadWordsTest {
    private static Interval interval(double estimate, double low, double high) {
        return new Interval(estimate, low, high, 0.95);
    }

    @ParameterizedTest(name = "{0} s [{1}, {2}], {3} of {4}")
    @CsvSource({
        "8.5,   8.5,    8.5,   3, 3, 8.50 s",
        "0.173, -0.571, 0.916, 3, 3, '200 ms [0 ms, 900 ms]'",
        "-1e-9, -1e-8,  1e-8,  3, 3, 0 ms",
        "5.0,   4.93,   5.07,  2, 2, 5.00 s",
        "5.0,   -300,   310,   2, 3, '5.00 s; not within 30.0 s in 1 of 3'",
        "20,    -3,     44,    4, 4, '20.0 s [0 ms, 30.0 s]'",
        "0,     0,      0,     0, 3, not within 30.0 s in 3 of 3",
    })
    void aTimeLiesBetweenNothingAndWhatWasWatched(
            double estimate, double low, double high, int recovered, int trials, String said) {
        var s = new SpikeResult(
                interval(100, 90, 110), 0, Map.of(), 1e6, interval(estimate, low, high), recovered, trials, 0);
        assertThat(Wording.recovery(s, 30)).isEqualTo(said);
    }

    private static Contrast contrast(Interval ratio, int pairs, Optional<Interval> recovery, String each) {
        return new Contrast(
                "a",
                "b",
                pairs,
                ratio,
                false,
                OptionalFigure.of(2_250_254.6),
                Optional.empty(),
                recovery,
                each.isEmpty()
                        ? List.of()
                        : Arrays.stream(each.split(" ")).map(Double::valueOf).toList(),
                Optional.empty());
    }

    @ParameterizedTest(name = "{0} s [{1}, {2}], {3} pairs")
    @CsvSource({
        "8.3,  5.9,   10.8, 3, '+8.30 s [5.90 s, 10.8 s]'",
        "4.7,  -27.6, 37.0, 2, +4.70 s",
        "4.7,  -47.6, 57.0, 3, '+4.70 s [-30.0 s, 30.0 s]'",
        "-8.5, -8.5,  -8.5, 3, -8.50 s",
        "1e-9, -1e-8, 1e-8, 3, the same",
    })
    void aDifferenceOfTimesIsNoLongerThanWhatWasWatched(
            double estimate, double low, double high, int pairs, String said) {
        Contrast x = contrast(interval(1, 0.9, 1.1), pairs, Optional.of(interval(estimate, low, high)), "");
        assertThat(Wording.recovery(x, 30)).isEqualTo(said);
        assertThat(Wording.leastShown(x)).isEqualTo("more than 100 ×");
    }

    @ParameterizedTest(name = "{0} [{1}, {2}], pairs {3}")
    @CsvSource({
        "0.11,   0.092,  0.132,  '',        '-89.0 % [-90.8, -86.8]'",
        "1.056,  1e-5,   87952,  '',        '+5.6 % (not known to within a factor of 10)'",
        "1.056,  1e-5,   87952,  1 1.1 1.05 1.2, '+5.6 % (not known to within a factor of 10)'",
        "1.17,   0.042,  32.85,  0.96 1.43, '+17.0 % (-4.0 %, +43.0 %)'",
        "5.0,    0.2,    125,    1.4 17.9,  '5.00 × (1.40 ×, 17.9 ×)'",
        "5.0,    0.2,    125,    0.9 27.8,  '5.00 × (-10.0 %, 27.8 ×)'",
        "14.2,   2.4,    400,    3 14 68,   '14.2 × (at least 2.40 ×)'",
        "0.05,   0.001,  0.6,    '',        '-95.00 % (-40.00 % or less)'",
        "1.056,  1e-5,   87952,  0.97 1.15, '+5.6 % (-3.0 %, +15.0 %)'",
        "1.056,  -Infinity, Infinity, 1.056, +5.6 %",
        "9.1,    7.6,    10.9,   8.9 9.3,   '9.10 × [7.60, 10.9]'",
        "4000,   0.5,    3e7,    90 5000,   'more than 100 × (90.0 ×, more than 100 ×)'",
    })
    void aRatioSaysHowWellItIsKnown(double estimate, double low, double high, String each, String said) {
        Contrast x = contrast(interval(estimate, low, high), 2, Optional.empty(), each);
        assertThat(NumberText.change(x.ratio(), x.each())).isEqualTo(said);
    }

    @ParameterizedTest(name = "{0}/s [{1}, {2}] of {3}")
    @CsvSource({
        "87.1, 83.0, 91.3, 3, '87.1/s [83.0, 91.3]'",
        "82.5, 9.09, 156,  2, 82.5/s",
        "82.5, -60,  225,  3, '82.5/s [0, 225]'",
    })
    void noRateReachesBelowNothing(double estimate, double low, double high, int trials, String said) {
        var s = new SpikeResult(interval(estimate, low, high), 0, Map.of(), 1e6, interval(0, 0, 0), trials, trials, 0);
        assertThat(NumberText.rate(Wording.goodput(s))).isEqualTo(said);
    }
}
