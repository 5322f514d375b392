package dev.fettle.insight.words;

import static org.assertj.core.api.Assertions.assertThat;

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

    @ParameterizedTest
    @CsvSource({
        "1.083,     5, '5 blocks show a difference of 8.3 % or more in four runs of five'",
        "0.526,     5, '5 blocks show a difference of 47.4 % or more in four runs of five'",
        "3,         2, '2 blocks show a difference of a factor of 3.0 or more in four runs of five'",
        "2250254.6, 2, '2 blocks would often miss even a difference of a factor of 100'",
    })
    void whatCouldHaveBeenShown(double ratio, int pairs, String said) {
        assertThat(Say.leastShown(OptionalDouble.of(ratio), "a difference", pairs, "block"))
                .isEqualTo("with this scatter, " + said);
    }

    /** What is beyond a limit does not read as the limit, and what is not zero not as zero. */
    @ParameterizedTest
    @CsvSource({
        "0.00104, 0.001, 0.104 %",
        "0.000011, 0.001, 0.0011 %",
        "0.0005, 0.001, 0.05 %",
        "0, 0.001, 0 %",
        "0.2, 0.001, 20 %"
    })
    void aShareIsOnItsSideOfTheLimit(double share, double limit, String text) {
        assertThat(Say.percent(share, limit)).isEqualTo(text);
    }
}
