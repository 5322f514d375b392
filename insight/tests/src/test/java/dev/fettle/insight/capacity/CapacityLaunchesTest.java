package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answer of several processes is the lowest rate, and what each one showed is said of it alone. */
class CapacityLaunchesTest {
    private static CapacityResult process(Outcome outcome, double rate) {
        return process(SimulatedLimit.SLO, outcome, rate);
    }

    private static CapacityResult process(Slo slo, Outcome outcome, double rate) {
        var found = new CapacityResult(
                slo, outcome, rate, Optional.empty(), 3, Optional.empty(), "So it was.", List.of(), Optional.empty());
        return found.withNotes(CapacityWords.reached(found, "no fresh probe confirmed the rate"));
    }

    private static CapacityResult together(CapacityResult... each) {
        List<CapacityConclusion> all = Stream.of(each)
                .map(r -> new CapacityConclusion(
                        OptionalFigure.empty(), Optional.of(r), Optional.empty(), List.of(), List.of()))
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
        assertThat(all.headline())
                .isEqualTo(
                        "In 2 processes: 3,000/s, none confirmed in process 2, so that is not confirmed for each process."
                                + " The lowest: So it was.");
    }

    /** The question is what the next process will bear, so each that could be judged has to have confirmed a rate. */
    @ParameterizedTest
    @CsvSource({
        "FOUND,           FOUND",
        "GENERATOR_LIMIT, FOUND",
        "DISTURBED,       FOUND",
        "NOTHING_VALID,   FOUND",
        "BUDGET,          UNCONFIRMED",
        "UNCONFIRMED,     UNCONFIRMED",
    })
    void oneProcessThatConfirmedNothingLeavesTheAnswerUnconfirmed(Outcome other, Outcome together) {
        Slo slo = Slo.parse("p99<50ms,throughput>=2000/s");
        CapacityResult all = together(process(slo, Outcome.FOUND, 3000), process(slo, other, 5000));
        assertThat(all.outcome()).isEqualTo(together);
        assertThat(all.rate()).isEqualTo(3000);
        boolean confirmed = together == Outcome.FOUND;
        assertThat(all.confirmations()).isEqualTo(confirmed ? 3 : 0);
        assertThat(all.atLeastShown()).isEqualTo(confirmed);
        assertThat(all.notes())
                .contains(
                        confirmed
                                ? "throughput>=2000/s is reached."
                                : "throughput>=2000/s is not shown: not each process confirmed a rate.");
        assertThat(all.notes().stream().filter(n -> n.startsWith("throughput"))).hasSize(1);
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
