package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResponseGapTest {
    private static final long SECOND = 1_000_000_000L;

    private final ResponseGap silence = new ResponseGap();

    @Test
    void shortSilencesAreNotWorthANoteAlone() {
        silence.heard(0);
        silence.waits(10 * SECOND);
        silence.waits(12 * SECOND);
        assertThat(silence.note(14 * SECOND)).isEmpty();
        silence.heard(14 * SECOND);
        assertThat(silence.note(100 * SECOND)).isEmpty();
        silence.waits(100 * SECOND);
        silence.heard(103 * SECOND);
        assertThat(silence.note(200 * SECOND))
                .hasValueSatisfying(n -> assertThat(n).startsWith("the JVM did not answer for 7 s in all"));
    }

    @Test
    void aSilenceThatLastsIsToldMeanwhile() {
        silence.waits(0);
        assertThat(silence.note(30 * SECOND))
                .hasValueSatisfying(n -> assertThat(n).contains(" 30 s "));
    }

    @Test
    void aRestIsNoSilence() {
        silence.waits(0);
        silence.gap();
        silence.heard(60 * SECOND);
        assertThat(silence.note(61 * SECOND)).isEmpty();
    }
}
