package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that dies while it is loaded from outside, by the valid and failed requests of each second. */
class ServerLossTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "died and stayed away,          REFUSED,    '300/28 0/8 0/8 0/8', true",
        "gone for less than a second,   REFUSED,    '300/0 300/8',        false",
        "came back before the end,      REFUSED,    '300/28 0/8 0/8 9/0', false",
        "never there,                   REFUSED,    '0/8 0/8 0/8',        false",
        "hangs and refuses nothing,     READ_TIMEOUT, '300/0 0/4 0/4',    false",
        "slow and a refused one before, REFUSED,    '300/1 0/0 0/0',      false",
        "answers with errors,           STATUS,     '300/8 0/8 0/8',      false",
        "always there,                  REFUSED,    '300/1 300/1',        false",
    })
    void isSeenAtTheEnd(String name, ErrorKind kind, String seconds, boolean gone) {
        assertThat(ServerLoss.of(measured(kind, seconds)).isPresent()).isEqualTo(gone);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "hangs to the end,               '300/0 0/0 0/0',   10, true",
        "hangs and times out,            '300/0 0/4 0/0',   6,  true",
        "hangs for a second,             '300/0 300/0 0/0', 10, false",
        "one of ten hangs,               '300/0 270/0 270/0', 1, false",
        "slow: none waited unusually,    '300/0 0/0 0/0',   0,  false",
        "never answered while measured,  '0/0 0/0 0/0',     10, false",
    })
    void hangs(String name, String seconds, long stuck, boolean silent) {
        Measurement m = measured(ErrorKind.READ_TIMEOUT, seconds);
        m = m.withDetail(
                m.detail().withStuck(stuck == 0 ? Optional.empty() : Optional.of(new Measurement.Stuck(stuck, 2.5))));
        assertThat(ServerLoss.of(m).map(Verdict.Reason::rule))
                .isEqualTo(silent ? Optional.of(ServerLoss.SILENT) : Optional.empty());
    }

    @Test
    void saysForHowLong() {
        assertThat(ServerLoss.of(measured(ErrorKind.REFUSED, "300/28 0/8 0/8 0/8")))
                .hasValueSatisfying(r -> {
                    assertThat(r.message())
                            .startsWith("no valid response in the last 3.00 s of 4.00 s, and connections were");
                    assertThat(r.passing()).isFalse();
                });
    }

    private static Measurement measured(ErrorKind kind, String seconds) {
        List<Window> windows = new ArrayList<>();
        windows.add(new Window(0, 1, 300, 0, 1_000_000, false));
        for (String second : seconds.split(" ")) {
            String[] counts = second.split("/");
            windows.add(new Window(
                    windows.size(), 1, Long.parseLong(counts[0]), Long.parseLong(counts[1]), 1_000_000, true));
        }
        long failed = windows.stream().mapToLong(Window::failed).sum();
        return new Measurement(
                Duration.ofSeconds(windows.size() - 1L),
                windows.stream()
                        .filter(Window::measured)
                        .mapToLong(Window::responses)
                        .sum(),
                failed == 0 ? Map.of() : Map.of(kind, failed),
                Map.of(),
                Map.of(),
                0,
                0,
                LatencySummary.NONE,
                LatencySummary.NONE,
                0,
                1,
                windows,
                "",
                Measurement.Detail.NONE);
    }
}
