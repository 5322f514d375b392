package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.plan.KnobRange;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of a knob with numbers. */
class KnobAxisTest {
    /** A pool that is too small costs throughput, one that is larger than needed next to nothing. */
    @ParameterizedTest
    @CsvSource({"286, 362, 286", "256, 256, 256", "256.2, 362, 257", "3, 4, 4", "5000, 1024, 1024"})
    void noFewerThanAreNeeded(double needed, long ofChoices, long ofAnInterval) {
        var choices = KnobAxis.of(KnobRange.choices("threads.max", List.of("4", "256", "362", "1024")));
        var interval = KnobAxis.of(KnobRange.interval("threads.max", 4, 1024));
        assertThat(choices.orElseThrow().atLeast(needed)).isEqualTo(ofChoices);
        assertThat(interval.orElseThrow().atLeast(needed)).isEqualTo(ofAnInterval);
    }
}
