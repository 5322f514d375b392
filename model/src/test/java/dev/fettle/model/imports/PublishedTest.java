package dev.fettle.model.imports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedTest {
    /** Tools print the URL they were given, and a judgement repeats it. */
    @ParameterizedTest
    @CsvSource({
        "http://ada:hunter2@h/?token=hunter2&x=1, http://***@h/?token=***&x=1",
        "/a?sid=hunter2, /a?sid=***",
        "50 threads, 50 threads"
    })
    void theLabelIsWithoutSecrets(String label, String shown) {
        assertThat(Published.of("wrk", label).label()).isEqualTo(shown);
        assertThat(Published.of("a table", "").named("a table", label).label()).isEqualTo(shown);
    }
}
