package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Statistics;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A look's level is that of its number, however many of its pairs have figures. */
class DuelLooksTest {
    private final DuelLooks looks = new DuelLooks(5);

    @Test
    void theFirstHasTheUsualLevel() {
        assertThat(looks.level(List.of(0, 1, 2, 3, 4), 5)).isEqualTo(Statistics.LEVEL);
        assertThat(looks.level(List.of(0, 2, 4), 5)).isEqualTo(Statistics.LEVEL);
    }

    @Test
    void aLaterOneHasItsOwnEvenIfSomePairsAreVoid() {
        assertThat(looks.level(List.of(0, 1, 2, 3, 4, 5, 6, 7), 8)).isEqualTo(DuelLooks.LATER_LEVEL);
        assertThat(looks.level(List.of(0, 1, 2, 6, 7), 8)).isEqualTo(DuelLooks.LATER_LEVEL);
    }

    @Test
    void aFirstOneWithTooFewPairsToClaimAnythingSpendsNothing() {
        assertThat(new DuelLooks(3).level(List.of(0, 2, 3), 4)).isEqualTo(Statistics.LEVEL);
    }
}
