package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Usl;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScalingWordsTest {
    private static String follows(double high) {
        var share = new Interval(0.05, 0.04, 0.06, 0.95);
        var peak = new Usl.Peak(new Interval(60, 40, high, 0.95), 900);
        return ScalingWords.follows(new Usl(100, share, share, 0.01, 35, Optional.of(peak)), "clients");
    }

    /** Ten times what was measured is where looking ended, not where the peak does. */
    @Test
    void aBoundThatIsTheEndOfWhatWasLookedAtIsNone() {
        assertThat(follows(120)).contains("about 60 clients [40, 120], with 900/s");
        assertThat(follows(350)).contains("about 60 clients [40, 350 or more], with 900/s");
    }
}
