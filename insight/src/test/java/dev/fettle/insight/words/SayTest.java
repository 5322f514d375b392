package dev.fettle.insight.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Factors and levels that nobody can use are not told as figures. */
class SayTest {

    @ParameterizedTest
    @CsvSource({
        "1.0119,       1.012",
        "0.9801,       0.980",
        "1.5,          1.50",
        "8.27,         8.3",
        "100,          100.0",
        "100.1,        more than 100",
        "2250254.6,    more than 100",
        "Infinity,     more than 100",
        "0.01,         0.010",
        "0.0099,       less than 0.01",
        "0,            less than 0.01",
    })
    void aFactorBeyondHundredIsNoFigure(double ratio, String said) {
        assertThat(Say.ratio(ratio)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({"0.95, 95 %", "0.995, 99.5 %", "0.9995, 99.95 %", "0.9999999, 99.99 %", "0.983333, 98.33 %"})
    void noLevelIsHundredPerCent(double level, String said) {
        assertThat(Say.level(level)).isEqualTo(said);
    }

    @ParameterizedTest(name = "{0} [{1}, {2}], pairs {3}")
    @CsvSource({
        "9.1,  7.6,   10.9,  '',            7.6 to 10.9",
        "9.1,  7.6,   10.9,  8.0 10.3,      7.6 to 10.9",
        "9.1,  0.92,  90,    '',            0.920 to 90.0",
        "9.1,  0.90,  90,    '',            not known to within a factor of 10",
        "1.05, 1e-5,  88000, '',            not known to within a factor of 10",
        "1.05, 1e-5,  88000, 0.97 1.14,     0.970 and 1.140 in the two pairs",
        "1.05, 0.05,  12,    1 2 0.5,       '1.000, 2.00 and 0.500 in the three pairs'",
        "1.05, 0.05,  12,    1 2 0.5 1.1,   not known to within a factor of 10",
        "1.05, -Infinity, Infinity, 1.05,   only one pair",
        "1.05, -Infinity, Infinity, '',     no interval",
    })
    void anIntervalThatTellsNothingIsNotTold(double estimate, double low, double high, String pairs, String said) {
        List<Double> each = pairs.isEmpty()
                ? List.of()
                : Arrays.stream(pairs.split(" ")).map(Double::valueOf).toList();
        assertThat(Say.known(new Interval(estimate, low, high, 0.95), each)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({
        "1.083,     5, '5 blocks show a difference of 8.3 % or more in four runs of five'",
        "3,         2, '2 blocks show a difference of a factor of 3.0 or more in four runs of five'",
        "2250254.6, 2, '2 blocks show not even a difference of a factor of 100 in four runs of five'",
    })
    void whatCouldHaveBeenShown(double ratio, int pairs, String said) {
        assertThat(Say.leastShown(OptionalDouble.of(ratio), "a difference", pairs, "block"))
                .isEqualTo("with this scatter, " + said);
    }
}
