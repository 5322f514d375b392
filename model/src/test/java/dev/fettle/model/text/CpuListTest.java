package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|[0]", "0-2|[0, 1, 2]", "0-1,4,6-7|[0, 1, 4, 6, 7]", "''|[]", "all|[]"})
    void lists(String list, String expected) {
        assertThat(CpuList.parse(list)).hasToString(expected);
    }

    @Test
    void isWrittenOneByOne() {
        assertThat(CpuList.text(Set.of(2, 0, 1))).isEqualTo("0,1,2");
    }
}
