package dev.fettle.watch.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a clock that only moves when it is told to. */
class LookRateTest {
    private static final long MILLI = 1_000_000;
    private static final long MICRO = 1_000;

    /**
     * Asks every 250 ms for two minutes.
     *
     * @param cpuMicros CPU time of a look
     * @param wallMillis time that it takes, with the wait for a CPU
     * @return seconds at which a look was taken
     */
    private static List<Double> looks(SamplingRate rate, long cpuMicros, long wallMillis) {
        var at = new ArrayList<Double>();
        for (long now = 0; now < 120_000 * MILLI; now += 250 * MILLI) {
            if (rate.due(now)) {
                at.add(now / 1e9);
                rate.looked(now, cpuMicros * MICRO);
                now += wallMillis * MILLI;
            }
        }
        return at;
    }

    private static double pause(List<Double> at) {
        return at.getLast() - at.get(at.size() - 2);
    }

    /** What a look takes of a CPU decides, and no pause is longer than said; looks are asked for every 250 ms. */
    @ParameterizedTest
    @CsvSource({
        // CPU µs; pauses in seconds: MBeans, stacks, from outside
        "   100, 0.25, 0.25, 0.25",
        "   500, 0.5,  0.5,  1.25",
        " 1000, 1,    0.75, 2.5",
        " 1400, 1.5,  1,    3.5",
        " 2000, 2,    1.5,  5",
        " 6000, 2,    2,   15",
        "19000, 2,    2,   30",
        "60000, 6,    6,   30",
        "900000, 30, 30,   30",
    })
    void thePauseIsTheCostOverTheShare(long micros, double target, double stacks, double outside) {
        assertThat(pause(looks(SamplingRate.ofStacks(), micros, 0))).isCloseTo(stacks, within(1e-9));
        assertThat(pause(looks(SamplingRate.ofTarget("this"), micros, 0))).isCloseTo(target, within(1e-9));
        assertThat(pause(looks(SamplingRate.fromOutside("this"), micros, 0))).isCloseTo(outside, within(1e-9));
    }

    /** A slice of a pair is about a second: two looks come in it, unless they are dear. */
    @ParameterizedTest
    @CsvSource({"100, true, 0.1", "1400, true, 0.5", "2000, true, 0.5", "60000, false, 6"})
    void afterARestTwoLooksComeSoon(long micros, boolean due, double seconds) {
        var rate = SamplingRate.ofTarget("this");
        looks(rate, micros, 0);
        long now = 1_000_000 * MILLI;
        rate.looked(now, micros * MICRO);
        rate.rested();
        assertThat(rate.due(now + 1)).isEqualTo(due);
        rate.looked(now, micros * MICRO);
        long pause = (long) (seconds * 1000) * MILLI;
        assertThat(rate.due(now + pause - MILLI)).isFalse();
        assertThat(rate.due(now + pause)).isTrue();
        rate.looked(now, micros * MICRO);
        assertThat(rate.due(now + pause)).as("then as ever").isEqualTo(micros == 100 || micros == 60000);
    }

    /** On a busy machine a look waits long for a CPU: that costs nobody anything, and makes it no rarer than it is itself. */
    @ParameterizedTest
    @CsvSource({"0", "20", "200", "900"})
    void waitingForACpuDoesNotCount(long wallMillis) {
        var rate = SamplingRate.fromOutside("this");
        assertThat(pause(looks(rate, 500, wallMillis))).isLessThan(2);
        assertThat(rate.slowed()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"200", "1000", "3000"})
    void looksTakeAtMostTheirShare(long micros) {
        var at = looks(SamplingRate.fromOutside("this"), micros, 0);
        assertThat(at.size() * micros / 1e6 / 120).isLessThan(SamplingRate.HOST_SHARE * 1.3);
    }

    /** The first looks run code that is not compiled yet; they must not end a short trial's figures. */
    @Test
    void coldLooksSayLittleOfTheNext() {
        var rate = SamplingRate.fromOutside("this");
        long now = 0;
        for (double pause : new double[] {0, 1, 1, 1}) {
            assertThat(rate.due(now)).isTrue();
            rate.looked(now, 500 * MILLI);
            now += (long) (pause * 1e9);
            assertThat(rate.due(now - 1)).isFalse();
        }
        assertThat(rate.slowed()).isEmpty();
        rate.looked(now, 800 * MICRO);
        assertThat(rate.due(now + 1999 * MILLI)).isFalse();
        assertThat(rate.due(now + 2000 * MILLI)).isTrue();
    }

    @Test
    void whatIsRareIsSaidAndWhatIsNotIsNot() {
        var dear = SamplingRate.fromOutside("open files");
        looks(dear, 2_800, 0);
        assertThat(dear.slowed()).contains(new SamplingRate.Slowed("open files", 7));
        var near = SamplingRate.fromOutside("open files");
        looks(near, 990, 0);
        assertThat(near.slowed()).isEmpty();
        var connections = SamplingRate.ofSockets();
        looks(connections, 2_800, 0);
        assertThat(connections.slowed())
                .as("they pile up, and are what is looked for")
                .contains(new SamplingRate.Slowed("sockets", 2.8));
        var target = SamplingRate.ofStacks();
        looks(target, 19_000, 0);
        assertThat(target.slowed()).as("every 2 s, up to 1 % of a CPU").isEmpty();
        var crowded = SamplingRate.ofStacks();
        looks(crowded, 300_000, 0);
        assertThat(crowded.slowed()).as("ten thousand threads").contains(new SamplingRate.Slowed("stacks", 30));
    }
}
