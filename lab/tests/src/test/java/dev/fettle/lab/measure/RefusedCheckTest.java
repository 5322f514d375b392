package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.ErrorCount;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedCheckTest {
    /** {@code r}: a second of refused connects, {@code .}: one in which nothing ended, {@code a}: answers, {@code e}: a wrong answer, {@code x}: resets, {@code b}: both. */
    private static Window second(char what) {
        var none = new Histogram(3);
        long failed = "rexb".indexOf(what) >= 0 ? 3 : 0;
        return new Window(
                0,
                1_000_000_000,
                what == 'a' || what == 'b' ? 2 : 0,
                failed,
                0,
                failed == 0
                        ? Map.of()
                        : Map.of(
                                what == 'e' ? ErrorKind.STATUS : what == 'x' ? ErrorKind.RESET : ErrorKind.REFUSED,
                                new ErrorCount(failed, "so")),
                what == 'e' ? Map.of(404, 3L) : Map.of(),
                0,
                0,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                0,
                0,
                0,
                List.of(),
                0,
                0,
                List.of(),
                Duration.ZERO,
                0,
                List.of(),
                List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "rr, false",
        "rrr, true",
        ".r.r.r, true",
        "rra, false",
        "rrarrrr, false",
        "arrrrrr, false",
        "errrr, false",
        "xrrrr, false",
        "brrrr, false",
        "......, false"
    })
    void onlyWhereEveryConnectWasRefusedFromTheFirst(String seconds, boolean sure) {
        var nobody = new RefusedCheck();
        seconds.chars().forEach(c -> nobody.saw(second((char) c)));
        assertThat(nobody.isSure()).isEqualTo(sure);
    }
}
