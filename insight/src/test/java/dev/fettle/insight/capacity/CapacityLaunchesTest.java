package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The answer of several processes is the lowest rate, and what each one showed is said of it alone. */
class CapacityLaunchesTest {
    private static CapacityResult process(Outcome outcome, double rate) {
        return new CapacityResult(
                SimulatedLimit.SLO, outcome, rate, Optional.empty(), 3, Optional.empty(), "So it was.", List.of());
    }

    private static CapacityResult together(CapacityResult... each) {
        List<CapacityConclusion> all = Stream.of(each)
                .map(r -> new CapacityConclusion(
                        OptionalDouble.empty(), Optional.of(r), Optional.empty(), List.of(), List.of()))
                .toList();
        return CapacityLaunches.together(all).result().orElseThrow();
    }

    @Test
    void eachProcessConfirmedItsOwnRate() {
        CapacityResult all =
                together(process(Outcome.FOUND, 3200), process(Outcome.FOUND, 3000), process(Outcome.FOUND, 3100));
        assertThat(all.rate()).isEqualTo(3000);
        assertThat(all.headline())
                .isEqualTo(
                        "Each of 3 processes confirmed at least 3,000/s with p99<50ms,errors<0.1%: 3,200/s, 3,000/s, 3,100/s,"
                                + " 3 of 3 fresh probes each.");
    }

    @Test
    void aHigherRateThatWasNotConfirmedIsNotTheAnswer() {
        CapacityResult all = together(process(Outcome.FOUND, 3000), process(Outcome.BUDGET, 5000));
        assertThat(all.rate()).isEqualTo(3000);
        assertThat(all.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(all.headline())
                .isEqualTo("In 2 processes: 3,000/s, none confirmed in process 2. The lowest: So it was.");
    }

    @Test
    void aProcessOfWhichNothingIsKnownIsNotTheLowest() {
        CapacityResult all = together(process(Outcome.NOTHING_VALID, 0), process(Outcome.FOUND, 3000));
        assertThat(all.rate()).isEqualTo(3000);
        assertThat(together(process(Outcome.FOUND, 3000), process(Outcome.NO_RATE, 0))
                        .outcome())
                .isEqualTo(Outcome.NO_RATE);
    }
}
