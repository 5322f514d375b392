package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.TradeOff;
import dev.fettle.model.plan.Objective.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

class TradeOffWordsTest {
    private static String caution(double apart, double againstApart) {
        return TradeOffWords.caution(new TradeOff(Metric.THROUGHPUT, Metric.MEMORY, List.of(), apart, againstApart));
    }

    /** Where no setting was measured twice, nothing is said of what single trials tell apart. */
    @Test
    void howFarApartIsOnlyToldWhereItWasMeasured() {
        assertThat(caution(1.12, 1.09))
                .endsWith(
                        " One trial each distinguishes two settings where throughput differs by more than 12 %, resident memory"
                                + " by more than 9 %.");
        assertThat(caution(TradeOff.NOT_MEASURED, TradeOff.NOT_MEASURED)).endsWith("only the duel's result is proved.");
        assertThat(caution(TradeOff.NOT_MEASURED, 1.09)).endsWith("only the duel's result is proved.");
    }
}
