package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.trial.Signal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      3471.2   | 3,471
      99.96    | 100
      52.34    | 52.3
      9.996    | 10.0
      1.234    | 1.23
      0.2121   | 0.212
      0        | 0
      -2.5     | -2.50
      0.0005   | 0.001
      0.000499 | < 0.001
      1e-9     | < 0.001
      -1e-9    | > -0.001
      -0.0     | 0
      NaN      | –
      Infinity | –
      """)
    void threeDigits(double value, String text) {
        assertThat(NumberText.number(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "212000, 212 µs",
        "52300000, 52.3 ms",
        "999400000, 999 ms",
        "1105000000, 1.11 s",
        "999600, 1.00 ms",
        "0, 0 ms"
    })
    void latencies(double nanos, String text) {
        assertThat(NumberText.latency(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      1.382 | 1.351 | 1.410 | +38.2 % [35.1, 41.0]
      0.979 | 0.960 | 0.997 | -2.1 % [-4.0, -0.3]
      1.0   | 0.99999 | 1.02 | +0.0 % [0.0, 2.0]
      0.0151 | 0.0148 | 0.0154 | -98.49 % [-98.52, -98.46]
      14.2  | 13.9  | 14.6  | 14.2 × [13.9, 14.6]
      """)
    void changes(double ratio, double low, double high, String text) {
        assertThat(NumberText.change(new Interval(ratio, low, high, 0.95))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      1.382 | 1.351     | 1.410    | 1.3 1.4       | 95 % interval [35.1, 41.0]
      1.17  | 0.042     | 32.85    | 0.96 1.43     | -4.0 % and +43.0 % in the two pairs
      1.17  | 0.042     | 32.85    | 0.9 1 2       | -10.0 %, +0.0 % and +100.0 % in the three pairs
      1.17  | 0.042     | 32.85    | 1 1.1 1.2 1.3 | not known to within a factor of 10
      14.2  | 2.4       | 400      | 3 14 68       | at least 2.40 ×
      1.17  | -Infinity | Infinity | 1.17          | only one pair
      """)
    void whatIsKnownOfARatio(double ratio, double low, double high, String each, String text) {
        List<Double> pairs = Arrays.stream(each.split(" ")).map(Double::valueOf).toList();
        assertThat(NumberText.known(new Interval(ratio, low, high, 0.95), pairs))
                .isEqualTo(text);
    }

    /** Two trials have an interval that may reach down to nothing; then it says nothing of the rate. */
    @ParameterizedTest
    @CsvSource({
        "3471, 3420, 3522, 2, '3,471/s [3,420, 3,522]'",
        "3471, 0, 9300, 2, '3,471/s'",
        "3471, 0, 9300, 3, '3,471/s [0, 9,300]'"
    })
    void aRateOfTwoTrialsMayHaveNoBounds(double rate, double low, double high, int trials, String text) {
        assertThat(NumberText.rate(Wording.rate(new Interval(rate, low, high, 0.95), trials)))
                .isEqualTo(text);
    }

    @Test
    void anUnboundedIntervalHasNoBounds() {
        assertThat(NumberText.rate(Interval.unbounded(4920))).isEqualTo("4,920/s");
        assertThat(NumberText.change(Interval.unbounded(1.2))).isEqualTo("+20.0 %");
    }

    @ParameterizedTest
    @CsvSource({"PT12.5S, 12.5 s", "PT3M42S, 3 min 42 s", "PT1H5M, 1 h 05 min", "PT59.97S, 1 min 00 s"})
    void durations(Duration d, String text) {
        assertThat(NumberText.duration(d)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 %",
        "0.00012, 0.012 %",
        "0.931, 93.1 %",
        "1, 100 %",
        "0.0000005, < 0.001 %",
        "0.0000051, 0.001 %",
        "0.99948, 99.9 %",
        "0.9995, 99.95 %",
        "0.9997, 99.97 %",
        "0.99999999, 99.99 %",
        "1.37, 137 %"
    })
    void shares(double share, String text) {
        assertThat(NumberText.share(share)).isEqualTo(text);
    }

    /** A share of none is not that of a little, and that of nearly all is not all. */
    @ParameterizedTest
    @CsvSource({
        "0, 0.0 %",
        "0.0001, < 0.1 %",
        "0.0005, 0.1 %",
        "0.031, 3.1 %",
        "0.37, 37 %",
        "0.9949, 99 %",
        "0.995, 99.5 %",
        "0.99999, 99.9 %",
        "1, 100 %",
        "1.5, 150 %"
    })
    void sharesOfAMoment(double share, String text) {
        assertThat(Quantities.text(Signal.Unit.SHARE, share)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.2, '+0.200'", "-1.5, '-1.50'", "0.0001, '0'"})
    void whatALayerAdds(double estimate, String text) {
        assertThat(Wording.added(Optional.of(Interval.unbounded(estimate)))).isEqualTo(text);
    }

    @Test
    void theLocaleDoesNotMatter() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(NumberText.rate(3471.2)).isEqualTo("3,471/s");
        } finally {
            Locale.setDefault(before);
        }
    }
}
