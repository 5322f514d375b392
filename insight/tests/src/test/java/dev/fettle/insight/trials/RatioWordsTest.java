package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Interval;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatioWordsTest {

    @ParameterizedTest(name = "{0} [{1}, {2}], pairs {3}")
    @CsvSource({
        "9.1,  7.6,   10.9,  '',            7.60 to 10.9",
        "9.1,  7.6,   10.9,  8.0 10.3,      7.60 to 10.9",
        "9.1,  0.92,  90,    '',            0.920 to 90.0",
        "9.1,  0.90,  90,    '',            not known to within a factor of 10",
        "9.1,  2.4,   400,   3 8 30,        at least 2.40",
        "0.05, 0.001, 0.6,   '',            at most 0.600",
        "1.17, 0.042, 32.85, 0.96 1.43,     0.960 and 1.430 in the two pairs",
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
        var ratio = new Interval(estimate, low, high, 0.95);
        assertThat(RatioWords.known(ratio, each)).isEqualTo(said);
        assertThat(RatioWords.listed(ratio, each)).isEqualTo(said.contains("pair"));
    }
}
