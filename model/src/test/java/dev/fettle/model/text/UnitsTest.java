package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

    @ParameterizedTest
    @CsvSource({
        "50ms,PT0.05S",
        "4s,PT4S",
        "2m,PT2M",
        "1h,PT1H",
        "0.2ms,PT0.0002S",
        "500us,PT0.0005S",
        "500µs,PT0.0005S",
        "7ns,PT0.000000007S",
        "0s,PT0S",
        "1.5h,PT1H30M",
        "720h,PT720H",
        "4 s,PT4S"
    })
    void readsDurations(String text, Duration expected) {
        assertThat(Units.duration(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "50,'duration needs a unit: 50ms, 4s, 2m'",
        "0,'duration needs a unit: 50ms, 4s, 2m'",
        "-1s,'a duration cannot be negative: ''-1s'''",
        "721h,'''721h'' is longer than 30 days'",
        "4 seconds,'''4 seconds'' is not a duration: write 50ms, 4s, 2m'",
        "soon,'''soon'' is not a duration: write 50ms, 4s, 2m'",
        "1e3s,'''1e3s'' is not a duration: write 50ms, 4s, 2m'",
        "99999999999999999999s,'''99999999999999999999s'' is not a duration: write 50ms, 4s, 2m'"
    })
    void refusesOtherDurations(String text, String message) {
        assertThatThrownBy(() -> Units.duration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Property
    void durationsSurviveText(@ForAll @LongRange(min = 0, max = 2_000_000_000_000_000L) long nanos) {
        Duration d = Duration.ofNanos(nanos);

        assertThat(Units.duration(Units.text(d))).isEqualTo(d);
        assertThat(Units.duration(Units.millis(d))).isEqualTo(d);
    }

    @ParameterizedTest
    @CsvSource({"90s,90s", "120s,2m", "0.1ms,0.1ms", "3600s,1h", "1500ms,1500ms", "0ms,0s"})
    void writesTheShortestForm(String text, String expected) {
        assertThat(Units.text(Units.duration(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1892,1892", "64k,65536", "64K,65536", "64kb,65536", "512m,536870912", "2g,2147483648", "0,0"})
    void readsSizes(String text, long bytes) {
        assertThat(Units.size(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"-1", "1.5k", "k", "1p", "9223372036854775807k", "''"})
    void refusesOtherSizes(String text) {
        assertThatThrownBy(() -> Units.size(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Property
    void sizesSurviveText(@ForAll @LongRange(min = 0, max = 999_999_999_999_999_999L) long bytes) {
        assertThat(Units.size(Units.sizeText(bytes))).isEqualTo(bytes);
        assertThat(Units.size(Units.sizeText(bytes & ~0xfffffL))).isEqualTo(bytes & ~0xfffffL);
    }

    /** One table for plans, options, configuration files and the output of other tools. */
    @ParameterizedTest
    @CsvSource({
        "ns,1",
        "us,1000",
        "µs,1000",
        "ms,1000000",
        "msecs,1000000",
        "MS,1000000",
        "s,1000000000",
        "sec,1000000000",
        "seconds,1000000000",
        "m,60000000000",
        "mins,60000000000",
        "h,3600000000000",
        "d,86400000000000"
    })
    void unitsOfTimeAreReadInOnePlace(String unit, long nanos) {
        assertThat(Units.nanos(unit)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @CsvSource({
        "'',1",
        "B,1",
        "k,1024",
        "K,1024",
        "kb,1024",
        "KiB,1024",
        "m,1048576",
        "G,1073741824",
        "tb,1099511627776"
    })
    void unitsOfSizeAreReadInOnePlace(String unit, long bytes) {
        assertThat(Units.bytes(unit)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0.1%,0.001", "0.001,0.001", "100%,1", "0,0", "2 %,0.02"})
    void readsShares(String text, double share) {
        assertThat(Units.share(text)).isEqualTo(share);
    }

    @ParameterizedTest
    @CsvSource({"101%", "-0.1", "1.01", "%", "a few"})
    void refusesOtherShares(String text) {
        assertThatThrownBy(() -> Units.share(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
