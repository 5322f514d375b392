package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ImbalanceTest {
    /** The lady tasting tea: Fisher, The Design of Experiments, 1935, ch. 2. */
    @Test
    void fishersOwnFigures() {
        assertThat(Imbalance.chance(4, 4, 0, 4)).isCloseTo(2.0 / 70, within(1e-12));
        assertThat(Imbalance.chance(3, 4, 1, 4)).isCloseTo(34.0 / 70, within(1e-12));
        assertThat(Imbalance.chance(0, 5, 4, 5)).isCloseTo(10.0 / 210, within(1e-12));
        assertThat(Imbalance.chance(0, 5, 0, 5)).isEqualTo(1);
        assertThat(Imbalance.chance(5, 5, 5, 5)).isEqualTo(1);
        assertThatThrownBy(() -> Imbalance.chance(6, 5, 0, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void bothSidesAreTreatedAlike(
            @ForAll @IntRange(min = 1, max = 15) int of,
            @ForAll @IntRange(min = 1, max = 15) int ofOther,
            @ForAll @IntRange(min = 0, max = 15) int a,
            @ForAll @IntRange(min = 0, max = 15) int b) {
        int x = Math.min(a, of);
        int y = Math.min(b, ofOther);
        double chance = Imbalance.chance(x, of, y, ofOther);
        assertThat(chance).isBetween(0.0, 1.0).isCloseTo(Imbalance.chance(y, ofOther, x, of), within(1e-9));
        assertThat(chance).isCloseTo(Imbalance.chance(of - x, of, ofOther - y, ofOther), within(1e-9));
    }
}
