package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldsTest {
    @Test
    void linesOfANameAndANumber() {
        assertThat(Fields.space("nr_periods 12\nnr_throttled 3\nmode max\nempty\nbig 1234567890123456789\nlast 7"))
                .isEqualTo(Map.of("nr_periods", 12L, "nr_throttled", 3L, "last", 7L));
        assertThat(Fields.space("")).isEmpty();
    }

    @Test
    void theNumberAfterAKey() {
        String text = "rchar: 1\nVmRSS:\t   2048 kB\ncancelled_bytes: 5\nbytes: 6\nnone:\nword: x\n";
        assertThat(Fields.after(text, "\nVmRSS:")).hasValue(2048);
        assertThat(Fields.after(text, "\nbytes:"))
                .as("not the end of a longer name")
                .hasValue(6);
        assertThat(Fields.after(text, "\nnone:")).as("the next line's").isEmpty();
        assertThat(Fields.after(text, "\nword:")).isEmpty();
        assertThat(Fields.after(text, "\nmissing:")).isEmpty();
    }

    @Test
    void asManyNumbersAsThereAreAndFit() {
        String text = "cpu0  1 -2   3 \n4";
        var two = new long[2];
        assertThat(Fields.numbers(text, 4, Fields.end(text, 0), two)).isEqualTo(2);
        assertThat(two).containsExactly(1, -2);
        var four = new long[4];
        assertThat(Fields.numbers(text, 4, Fields.end(text, 0), four)).isEqualTo(3);
        assertThat(four).containsExactly(1, -2, 3, 0);
    }
}
