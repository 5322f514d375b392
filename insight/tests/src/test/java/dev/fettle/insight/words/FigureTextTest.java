package dev.fettle.insight.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Conditions;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Factors and levels that nobody can use are not told as figures. */
class FigureTextTest {

    @ParameterizedTest
    @CsvSource({
        "1.0119,       1.012",
        "0.9801,       0.980",
        "1.5,          1.50",
        "8.27,         8.27",
        "100,          100",
        "100.1,        more than 100",
        "2250254.6,    more than 100",
        "Infinity,     more than 100",
        "0.01,         0.010",
        "0.0099,       less than 0.01",
        "0,            less than 0.01",
    })
    void aFactorBeyondHundredIsNoFigure(double ratio, String said) {
        assertThat(Format.ratio(ratio)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({"0.95, 95 %", "0.995, 99.5 %", "0.9995, 99.95 %", "0.9999999, 99.99 %", "0.983333, 98.33 %"})
    void noLevelIsHundredPerCent(double level, String said) {
        assertThat(Format.level(level)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({
        "1.083,     5, '5 blocks show a difference of 8.3 % or more in four runs of five'",
        "0.526,     5, '5 blocks show a difference of 47.4 % or more in four runs of five'",
        "3,         2, '2 blocks show a difference of a factor of 3.00 or more in four runs of five'",
        "2250254.6, 2, '2 blocks would often miss even a difference of a factor of 100'",
    })
    void whatCouldHaveBeenShown(double ratio, int pairs, String said) {
        assertThat(FigureText.leastShown(OptionalFigure.of(ratio), "a difference", pairs, "block"))
                .isEqualTo("with this scatter, " + said);
    }

    /** What is beyond a limit does not read as the limit, and what is not zero not as zero. */
    @ParameterizedTest
    @CsvSource({
        "0.00104, 0.001, 0.104 %",
        "0.000011, 0.001, 0.001 %",
        "0.0005, 0.001, 0.05 %",
        "0, 0.001, 0 %",
        "0.2, 0.001, 20 %"
    })
    void aShareIsOnItsSideOfTheLimit(double share, double limit, String text) {
        assertThat(Format.share(share, limit)).isEqualTo(text);
    }

    /** Nothing but the bound reads as the bound. */
    @ParameterizedTest
    @CsvSource({
        "p99<50ms, 50003000, 50.003 ms, 50.0 ms",
        "p99<50ms, 49960000, 49.96 ms, 50.0 ms",
        "p99<50ms, 50000000, 50.0 ms, 50.0 ms",
        "p99<50ms, 65432100, 65.4 ms, 50.0 ms",
        "p99<1250ms, 1260000000, 1.26 s, 1.25 s",
        "p99.9<4s, 8590000000, 8.59 s, 4.00 s",
        "p99<122550us, 122600000, 123 ms, 122.55 ms",
        "max<=20us, 20001, 20.001 µs, 20.0 µs",
        "errors<0.1%, 0.001004, 0.1004 %, 0.1 %",
        "errors<=0.125%, 0.0013, 0.13 %, 0.125 %",
        "errors<20%, 0.78, 78 %, 20 %",
        "errors<20%, 1, 100 %, 20 %",
        "throughput>=1000/s, 999.96, 999.96/s, '1,000/s'",
        "throughput>1000/s, 812.3456, 812/s, '1,000/s'",
        "throughput>=12000/s, 11947.3, '11,947/s', '12,000/s'",
        "throughput>=12000/s, 11999.7, '11,999.7/s', '12,000/s'",
        "throughput>=12000/s, 12000, '12,000/s', '12,000/s'",
        "throughput>=12000/s, 1234567.8, '1,234,568/s', '12,000/s'",
        "throughput>=1000/s, 99.97, 100/s, '1,000/s'",
        "throughput>=1000/s, 9.9954, 10.0/s, '1,000/s'",
        "throughput>0.5/s, 0.499, 0.499/s, 0.500/s",
        "throughput>1000/s, 0, 0/s, '1,000/s'",
    })
    void aFigureIsNotItsBoundUnlessItIs(String condition, double value, String text, String bound) {
        Condition c = Conditions.parse(condition).all().getFirst();
        assertThat(FigureText.figure(c, value)).isEqualTo(text);
        assertThat(FigureText.bound(c)).isEqualTo(bound);
        if (c.metric().unit() == Condition.Unit.NANOS) {
            assertThat(Format.time(value, c.bound())).isEqualTo(text);
            assertThat(Format.exactTime(c.bound())).isEqualTo(bound);
        }
    }

    /** What is not zero does not read as zero, and what is rounded up has no digit too many. */
    @ParameterizedTest
    @CsvSource({
        "0, 0 %",
        "0.00002, 0.002 %",
        "0.0000001, < 0.001 %",
        "-0.0000001, > -0.001 %",
        "0.0001, 0.01 %",
        "0.00123, 0.12 %",
        "0.00996, 1 %",
        "0.015, 1.5 %",
        "0.0996, 10 %",
        "0.12345, 12 %",
        "0.99999, 99.99 %",
        "1, 100 %",
    })
    void whatIsNotZeroIsNotToldAsZero(double share, String text) {
        assertThat(Format.share(share)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"99.96, 100", "9.996, 10.0", "99.94, 99.9", "9.994, 9.99", "4150, '4,150'", "0.424, 0.424", "0, 0"})
    void threeDigits(double v, String text) {
        assertThat(Format.number(v)).isEqualTo(text);
    }
}
