package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One quantity reads in one way. */
class FormatTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      3471.2   | 3,471
      99.96    | 100
      99.94    | 99.9
      52.34    | 52.3
      9.996    | 10.0
      9.994    | 9.99
      1        | 1.00
      0.2121   | 0.212
      0        | 0
      -0.0     | 0
      -2.5     | -2.50
      0.0005   | 0.001
      0.000499 | < 0.001
      -1e-9    | > -0.001
      1234567.8 | 1,234,568
      """)
    void numbers(double value, String text) {
        assertThat(Format.number(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      44150  | 44,150
      8      | 8
      3.2    | 3.2
      3.204  | 3.2
      40.04  | 40
      0.25   | 0.25
      999.6  | 1,000
      0      | 0
      -0.0   | 0
      0.0001 | < 0.001
      """)
    void counts(double value, String text) {
        assertThat(Format.count(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      0          | 0 %
      0.0000005  | < 0.001 %
      0.5        | 50 %
      0.502      | 50 %
      0.07       | 7 %
      0.05       | 5 %
      0.0702     | 7 %
      0.0716     | 7.2 %
      0.0123     | 1.2 %
      0.00996    | 1 %
      0.00123    | 0.12 %
      0.00012    | 0.012 %
      0.000004   | < 0.001 %
      0.0000051  | 0.001 %
      -0.000001  | > -0.001 %
      0.0996     | 10 %
      0.931      | 93 %
      0.9949     | 99 %
      0.995      | 99.5 %
      0.9994     | 99.9 %
      0.9995     | 99.95 %
      0.9997     | 99.97 %
      0.99999999 | 99.99 %
      1          | 100 %
      1.37       | 137 %
      """)
    void shares(double share, String text) {
        assertThat(Format.share(share)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      0             | 0 ms
      -0.0          | 0 ms
      212           | 212 ns
      999.4         | 999 ns
      999.5         | 1.00 µs
      900000        | 900 µs
      999499        | 999 µs
      999500        | 1.00 ms
      52300000      | 52.3 ms
      999499999     | 999 ms
      999500000     | 1.00 s
      1105000000    | 1.11 s
      -1500000      | -1.50 ms
      59949999999   | 59.9 s
      59950000000   | 1 min
      61000000000   | 1 min 01 s
      3599400000000 | 59 min 59 s
      3599500000000 | 1 h
      3900000000000 | 1 h 05 min
      7170000000000 | 2 h
      -95000000000  | -1 min 35 s
      """)
    void times(double nanos, String text) {
        assertThat(Format.time(nanos)).isEqualTo(text);
        assertThat(Format.seconds(nanos / 1e9)).isEqualTo(text);
        assertThat(Format.time(Duration.ofNanos((long) nanos))).satisfies(t -> {
            if (nanos == Math.rint(nanos)) {
                assertThat(t).isEqualTo(text);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      0          | 0 B
      5          | 5 B
      253        | 253 B
      999        | 999 B
      1000       | 0.977 KiB
      1024       | 1.00 KiB
      1892       | 1.85 KiB
      1048576    | 1.00 MiB
      327155712  | 312 MiB
      1072693248 | 0.999 GiB
      5368709120 | 5.00 GiB
      -2048      | -2.00 KiB
      """)
    void bytesHaveBinaryUnits(double bytes, String text) {
        assertThat(Format.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0119, 1.012",
        "0.9801, 0.980",
        "1.5, 1.50",
        "8.27, 8.27",
        "100, 100",
        "100.1, more than 100",
        "Infinity, more than 100",
        "0.01, 0.010",
        "0.0099, less than 0.01"
    })
    void factors(double ratio, String text) {
        assertThat(Format.ratio(ratio)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "1.382, +38.2, 38.2, -38.2",
        "0.99999, +0.0, 0.0, 0.0",
        "1.00001, +0.0, 0.0, 0.0",
        "0.88, -12.0, -12.0, 12.0",
        "0.0151, -98.49, -98.49, 98.49"
    })
    void changes(double ratio, String change, String gain, String less) {
        assertThat(Format.change(ratio)).isEqualTo(change);
        assertThat(Format.gain(ratio, ratio)).isEqualTo(gain);
        assertThat(Format.less(ratio)).isEqualTo(less);
    }

    /** A figure has more digits than in a table only where those would read as its limit, or beyond it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      50003000    | 50000000    | 50.003 ms
      50000000    | 50000000    | 50.0 ms
      65432100    | 50000000    | 65.4 ms
      999600      | 1000000     | 0.9996 ms
      90100000000 | 90000000000 | 90.1 s
      95100000000 | 90000000000 | 1 min 35 s
      """)
    void aTimeIsOnItsSideOfTheLimit(double nanos, double limit, String text) {
        assertThat(Format.time(nanos, limit)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      0.001004 | 0.001 | 0.1004 %
      0.00104  | 0.001 | 0.104 %
      0.2      | 0.001 | 20 %
      0.997    | 0.99  | 99.7 %
      0.000001 | 0     | 0.0001 %
      0.000001 | 0.001 | < 0.001 %
      """)
    void aShareIsOnItsSideOfTheLimit(double share, double limit, String text) {
        assertThat(Format.share(share, limit)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.001, 0.1 %", "0.85, 85 %", "1.02, 102 %", "0.125, 12.5 %", "0.07, 7 %"})
    void aBoundReadsAsAPersonWouldWriteIt(double bound, String text) {
        assertThat(Format.exactShare(bound)).isEqualTo(text);
        assertThat(Units.share(text.replace("102", "100"))).isEqualTo(Math.min(1, bound));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      50000000      | 50.0 ms
      1250000000    | 1.25 s
      122550000     | 122.55 ms
      20000         | 20.0 µs
      60000000000   | 1 min
      90500000000   | 90.5 s
      3900000000000 | 1 h 05 min
      3661000000000 | 3,661 s
      0             | 0 ms
      """)
    void aLimitIsExact(double nanos, String text) {
        assertThat(Format.exactTime(nanos)).isEqualTo(text);
    }

    private static Stream<DoubleFunction<String>> all() {
        return Stream.of(
                Format::number,
                Format::count,
                Format::whole,
                Format::rate,
                Format::share,
                Format::time,
                Format::seconds,
                Format::bytes,
                v -> Format.gain(v, v),
                Format::less,
                v -> Format.number(v, 1),
                v -> Format.share(v, 1),
                v -> Format.time(v, 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoNumberIsMissing(double value) {
        assertThat(all().map(f -> f.apply(value))).allMatch(Format.NONE::equals);
    }

    @Provide
    static Arbitrary<Double> figures() {
        Arbitrary<Double> sizes = Arbitraries.integers().between(-7_000, 14_000).map(e -> Math.pow(10, e / 1000.0));
        Arbitrary<Double> borders = Arbitraries.of(
                        0.0005,
                        0.00995,
                        0.0995,
                        0.9995,
                        0.995,
                        9.995,
                        59.95,
                        99.95,
                        999.5,
                        1000.0,
                        1024.0,
                        999.5 * 1024,
                        59.95e9,
                        3599.5e9)
                .flatMap(b -> Arbitraries.integers().between(-1000, 1000).map(d -> b * (1 + d * 1e-6)));
        return Arbitraries.oneOf(sizes, borders, Arbitraries.of(0.0, 1.0, 0.5));
    }

    @Property(tries = 2000)
    void nothingReadsAsMinusZeroNorAsAThousandOfAUnit(@ForAll("figures") double value) {
        Stream.of(value, -value)
                .forEach(v -> assertThat(all().map(f -> f.apply(v)))
                        .noneMatch(
                                t -> t.matches("-0(\\.0+)?( .*|/s)?") || t.matches("-?1,\\d{3} ([nµm]s|[KMG]iB|B)")));
    }

    @Property(tries = 2000)
    void aNegativeFigureIsThePositiveOneWithASign(@ForAll("figures") double v) {
        Stream<DoubleFunction<String>> some =
                Stream.of(Format::number, Format::count, Format::share, Format::time, Format::bytes);
        assertThat(some).allSatisfy(f -> {
            String text = f.apply(v);
            String expected = text.startsWith("0") && !text.matches("0\\.0*[1-9].*")
                    ? text
                    : text.startsWith("<") ? text.replace("< ", "> -") : "-" + text;
            assertThat(f.apply(-v)).isEqualTo(expected);
        });
    }

    @Property(tries = 2000)
    void aLargerFigureDoesNotReadAsASmaller(@ForAll("figures") double a, @ForAll("figures") double b) {
        double low = Math.min(a, b);
        double high = Math.max(a, b);
        assertThat(read(Format.number(low))).isLessThanOrEqualTo(read(Format.number(high)));
        assertThat(read(Format.count(low))).isLessThanOrEqualTo(read(Format.count(high)));
        assertThat(read(Format.share(low))).isLessThanOrEqualTo(read(Format.share(high)));
        assertThat(read(Format.time(low))).isLessThanOrEqualTo(read(Format.time(high)));
        assertThat(read(Format.bytes(low))).isLessThanOrEqualTo(read(Format.bytes(high)));
    }

    /** What a person takes a text for: its figures times their units. */
    private static double read(String text) {
        double sum = 0;
        for (String part : text.replace(",", "").replace("< 0.001", "0.0004").split("(?<=[a-zB%]) (?=[0-9])")) {
            String[] figure = part.split(" ");
            sum += Double.parseDouble(figure[0])
                    * switch (figure.length == 1 ? "" : figure[1]) {
                        case "µs", "KiB" -> figure[1].equals("µs") ? 1e3 : 1024;
                        case "ms" -> 1e6;
                        case "s" -> 1e9;
                        case "min" -> 60e9;
                        case "h" -> 3600e9;
                        case "MiB" -> 1 << 20;
                        case "GiB" -> 1 << 30;
                        case "TiB" -> 1L << 40;
                        default -> 1;
                    };
        }
        return sum;
    }

    /** What plans, options and SLOs take is what is printed, within its digits. */
    @Property(tries = 2000)
    void theReaderOfQuantitiesTakesWhatIsPrinted(@ForAll("figures") double v) {
        String time = Format.time(v);
        if (time.matches("[0-9.]+ ([nµm]s|s)") && v >= 1) {
            assertThat((double) Units.duration(time).toNanos()).isBetween(v * 0.994 - 1, v * 1.006 + 1);
        }
        double share = v % 1;
        String text = Format.share(share);
        if (!text.startsWith("<")) {
            assertThat(Units.share(text)).isBetween(share * 0.94 - 1e-5, share * 1.06 + 1e-5);
        }
        if (v > 1 && v < 1e7) {
            assertThat(Units.rate(Format.rate(v).replace(",", ""))).isBetween(v * 0.994, v * 1.006);
        }
    }

    /** Only the limit reads as the limit. */
    @Property(tries = 1000)
    void aFigureIsOnItsSideOfTheLimit(@ForAll("limits") double limit, @ForAll("offsets") double off) {
        double v = limit * (1 + off);
        double number = read(Format.number(v, limit)) - limit;
        double time = read(Format.time(v, limit)) - limit;
        double share = read(Format.share(v / 1000, limit / 1000)) / 100 - limit / 1000;
        assertThat(Math.signum(number)).isEqualTo(Math.signum(off));
        assertThat(Math.abs(time) < 1e-9 * limit ? 0 : Math.signum(time)).isEqualTo(Math.signum(off));
        assertThat(Math.abs(share) < 1e-9 * limit ? 0 : Math.signum(share)).isEqualTo(Math.signum(off));
    }

    @Provide
    static Arbitrary<Double> limits() {
        return Arbitraries.of(1.0, 7.0, 50.0, 99.0, 100.0, 122.5, 500.0, 999.0, 1000.0, 12000.0);
    }

    @Provide
    static Arbitrary<Double> offsets() {
        return Arbitraries.of(-0.1, -0.001, -1e-5, 0.0, 1e-5, 0.001, 0.1);
    }

    @Test
    void theLocaleDoesNotMatter() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(Stream.of(Format.rate(3471.2), Format.time(52.3e6), Format.share(0.0123), Format.bytes(1892)))
                    .containsExactly("3,471/s", "52.3 ms", "1.2 %", "1.85 KiB");
        } finally {
            Locale.setDefault(before);
        }
    }
}
