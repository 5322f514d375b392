package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectiveValuesTest {
    /** A JVM rounds up to its alignment, at most a region of its heap; what is larger came from elsewhere. */
    @ParameterizedTest
    @CsvSource({
        "jvm.heap, 96m, 96m, 32m, true",
        "jvm.heap, 97m, 98m, 32m, true",
        "jvm.heap, 97m, 128m, 32m, true",
        "jvm.heap, 96m, 128m, 32m, false",
        "jvm.heap, 96m, 2g, 32m, false",
        "jvm.heap, 600m, 768m, 256m, true",
        "jvm.heap, 96m, 95m, 32m, false",
        "jvm.heap.young, 1m, 24m, 32m, true",
        "jvm.heap.young, 24m, 1g, 32m, false",
        "jvm.codecache, 48m, 240m, 32m, false",
        "threads.max, 50, 50, 32m, true",
        "threads.max, 50, 51, 32m, false"
    })
    void aJvmMayRoundASizeUp(String knob, String set, String got, String rounding, boolean same) {
        assertThat(EffectiveValues.same(knob, bytes(set), bytes(got), Long.parseLong(bytes(rounding))))
                .isEqualTo(same);
    }

    private static String bytes(String text) {
        long unit = switch (text.charAt(text.length() - 1)) {
            case 'm' -> 1L << 20;
            case 'g' -> 1L << 30;
            default -> 1;
        };
        return Long.toString(unit * Long.parseLong(text.replaceAll("[mg]$", "")));
    }
}
