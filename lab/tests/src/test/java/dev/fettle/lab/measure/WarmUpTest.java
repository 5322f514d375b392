package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a bench's warm-up ends, by what the compilers have worked in each half second. */
class WarmUpTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "busy and then calm,            '450 300 120 26 24 0',  5",
        "never busy,                    '3 1 0',                2",
        "calm at once is too early,     '0 480 200 10',         4",
        "a compiler's thread has ended, '300 -500 40',          2",
        "never calm,                    '400 400 400',          0",
    })
    void endsWhenTheCompilersAreCalm(String name, String worked, int steps) {
        List<Integer> millis =
                Arrays.stream(worked.split(" ")).map(Integer::valueOf).toList();
        var step = new AtomicInteger();
        var look = new WarmUp.CompilerActivity(
                () -> 1_000_000L
                        * millis.subList(0, step.get()).stream()
                                .mapToInt(Integer::intValue)
                                .sum(),
                WarmUp.STEP);
        int ended = 0;
        while (ended == 0 && step.incrementAndGet() <= millis.size()) {
            if (look.calm()) {
                ended = step.get();
            }
        }
        assertThat(ended).isEqualTo(steps);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "warm and short,                           true,  0,    12,    false",
        "not warmed up and too short to be sure,      false, 0,    12,    true",
        "not warmed up and long enough to tell,    false, 30,   1000,  false",
        "still compiling,                          false, 300,  1000,  true",
        "compiled in the first second of many,     false, 900,  60000, false",
        "warm but for what the end needs,          true,  60,   300,   false",
        "calm but compiling for most of it,        true,  30,   40,    true",
        "warm and then much was compiled again,    true,  400,  1000,  true",
        "warm and much compiled in a long time,    true,  400,  10000, false",
    })
    void saysWhenItIsFettlesOwnStartThatWasMeasured(
            String name, boolean calm, long workedMillis, long measuredMillis, boolean cold) {
        Duration measured = Duration.ofMillis(measuredMillis);
        long worked = workedMillis * 1_000_000;
        for (double unknown : new double[] {Double.NaN, 0.5}) {
            assertThat(WarmUp.cold(calm, worked, measured, unknown, 0.001).isPresent())
                    .isEqualTo(cold);
            assertThat(WarmUp.cold(calm, worked, measured, 0.04, 10 * unknown).isPresent())
                    .isEqualTo(cold);
        }
    }

    /** CPU time is counted every few milliseconds: 8 ms of it in 3 ms are not 267 % of a CPU. */
    @Test
    void inAFewMillisecondsNothingIsSaidOfTheCompilers() {
        for (int worked : new int[] {0, 8}) {
            assertThat(WarmUp.cold(false, worked * 1_000_000L, Duration.ofMillis(3), 0.5, 0.5))
                    .hasValue("Fettle's own code may still have been compiled in these 3.00 ms, which are too short to"
                            + " be sure: the server may be faster than this, and its latency lower");
        }
        assertThat(WarmUp.cold(false, 300_000_000, Duration.ofSeconds(1), 0.5, 0.5))
                .hasValueSatisfying(why -> assertThat(why).contains("was still being compiled (30 % of a CPU)"));
    }

    /** At 4 % of a CPU and 23 µs of 5.5 ms a request, cold code changes no figure. */
    @Test
    void aGeneratorThatWaitsForTheServerMayBeCold() {
        assertThat(WarmUp.cold(false, 600_000_000, Duration.ofSeconds(10), 0.042, 0.0042))
                .isEmpty();
        assertThat(WarmUp.cold(false, 600_000_000, Duration.ofSeconds(10), 0.042, 0.05))
                .isPresent();
        assertThat(WarmUp.cold(false, 600_000_000, Duration.ofSeconds(10), 0.6, 0.0042))
                .isPresent();
    }
}
