package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LogWarningsTest {
    @Test
    void linesOfTheUsualLibrariesAreFound() {
        assertThat(LogWarnings.of("2026-11-29T10:00:01.123Z  WARN 4711 --- [main] o.s.Boot : took 12 ms\n"
                        + "2026-11-29T10:00:02.456Z  WARN 4711 --- [main] o.s.Boot : took 13 ms\n"
                        + "10:00:01.123 [exec-7] ERROR shop.Prices - none for 99\r\n"
                        + "\u001B[31m[\u001B[1;31mERROR\u001B[m] shop.Prices none\n"
                        + "Nov 29, 2026 10:00:00 AM shop.Shop main\nSEVERE: no prices\n"
                        + "OpenJDK 64-Bit Server VM warning: Option UseBiasedLocking was deprecated in version 15.0\n"))
                .isEqualTo(Map.of(
                        "WARN # --- [main] o.s.Boot : took # ms", 2,
                        "ERROR shop.Prices - none for #", 1,
                        "ERROR] shop.Prices none", 1,
                        "SEVERE: no prices", 1,
                        "VM warning: Option UseBiasedLocking was deprecated in version #.#", 1));
    }

    @Test
    void aWordOfAMessageIsNoLevel() {
        assertThat(LogWarnings.of("INFO shop.Shop - errors: 0, Errors: 1\nINFO no warning\nINFO WARNINGS 3, ERRORS 2\n"
                        + "INFO E_ERRORX\nGET /" + "x".repeat(200) + " ERROR\n\n"))
                .isEmpty();
    }

    /** Whatever is printed, what is kept has a bound. */
    @Test
    void whatIsKeptIsBounded() {
        var text = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            text.append("WARN ")
                    .append((char) ('a' + i % 26))
                    .append((char) ('a' + i / 26 % 26))
                    .append((char) ('a' + i / 676))
                    .append("y".repeat(1_000))
                    .append('\n');
        }
        Map<String, Integer> found = LogWarnings.of(text.toString());
        assertThat(found).hasSize(100);
        assertThat(found.keySet()).allMatch(t -> t.length() <= 161);
    }
}
