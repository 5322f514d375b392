package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.LabListener.Progress;
import dev.fettle.model.trial.TrialStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveFiguresTest {
    /** Neither a fast answer is shown as none, nor seconds as thousands of milliseconds. */
    @ParameterizedTest
    @CsvSource({
        "3471.2,   52.31, 0,    '3,471/s · p99 52.3 ms'",
        "0.4,      0.04,  0,    '0.400/s · p99 40.0 µs'",
        "12,       12000, 1234, '12.0/s · p99 12.0 s · 1,234 failed'",
        "0,        0,     7,    ''",
    })
    void haveTheFormOfTheResult(double rate, double millis, long failed, String text) {
        assertThat(LiveFigures.of(new Progress(1, TrialStage.MEASURE, 1, 10, rate, millis, failed, 0, 0)))
                .isEqualTo(text);
    }
}
