package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.lab.Fixtures;
import dev.fettle.load.AnswerCounts;
import dev.fettle.load.EngineThreadUse;
import dev.fettle.load.ErrorCount;
import dev.fettle.load.StepCount;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Measurement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuringTest {
    private static final long SECOND = 1_000_000_000L;

    private static Histogram of(long... values) {
        var h = new Histogram(64, 128, 3); // as the engine's
        h.setAutoResize(true);
        for (long v : values) {
            h.recordValue(v);
        }
        return h;
    }

    private static Measuring measuring(boolean open, String... steps) {
        return new Measuring(open, open, List.of(steps), new WrongAnswers(Optional.empty()), OptionalLong.empty());
    }

    /** The i-th second: 2 answers, 1 failure. Starts where nanoTime is about to wrap around. */
    private static Window second(int i) {
        return second(i, 3_000_000);
    }

    private static Window second(int i, long lag) {
        return second(i, lag, 0);
    }

    private static Window second(int i, long lag, long underWay) {
        return second(i, lag, underWay, of());
    }

    private static Window second(int i, long lag, long underWay, Histogram ages) {
        long start = Long.MAX_VALUE - 5 * SECOND + i * SECOND;
        return new Window(
                start,
                start + SECOND,
                2,
                1,
                underWay,
                Map.of(ErrorKind.RESET, new ErrorCount(1, "reset in second " + i)),
                Map.of(200, 2L),
                200,
                100,
                of(20_000, 60_000),
                of(9_000),
                of(5_000),
                of(10_000, 40_000),
                of(8_000, 30_000),
                of(2_000_000, lag),
                ages,
                6,
                7,
                i == 11 ? 30 : 0,
                List.of(new StepCount(of(20_000), 0), new StepCount(of(60_000), 1)),
                SECOND / 2,
                0,
                List.of(new EngineThreadUse(0, SECOND / 4, 0, SECOND)),
                Duration.ZERO,
                0,
                List.of(
                        new AnswerCounts(
                                Map.of(new AnswerCounts.Shape(200, 50, 50), 2L),
                                Map.of(new AnswerCounts.Content(200, 50, i % 2 == 0 ? 0xA : -1, i % 2 == 0), 1L),
                                0,
                                List.of()),
                        new AnswerCounts(Map.of(), Map.of(), 3, List.of())),
                List.of());
    }

    /** The first second of a load that begins with it: 2 answers of 9 ms, and at its end 40 requests under way. */
    @Test
    void whatIsNormallyUnderWayIsNoBacklogOfALoadWithoutAWarmUp() {
        for (int backlog : new int[] {0, 40}) {
            var measuring = measuring(true);
            measuring.add(second(0), true);
            measuring.add(second(1, 3_000_000, backlog), true);
            measuring.add(second(2), true);
            measuring.endsHere();
            Measurement.Offered left =
                    measuring.measurement(1).detail().offered().orElseThrow();
            assertThat(left.unanswered() > 30).as("%s under way", backlog).isEqualTo(backlog > 0);
        }
    }

    /** The slowest answer of the others takes 40 µs, or so many milliseconds. */
    @ParameterizedTest(name = "slowest {0} ms, under way for {1} ms: {2} stuck")
    @CsvSource({
        "0,    '',             0",
        "0,    3 999,          0",
        "0,    3 1010 7000,    2",
        "800,  3 1010 1590,    0",
        "800,  3 1010 1620,    1",
        "4000, 3 1010 7000,    0",
    })
    void whatWaitedFarLongerThanAnyAnswerTookIsStuck(long slowest, String ages, long stuck) {
        for (boolean open : new boolean[] {false, true}) {
            var measuring = measuring(open);
            Window slow = second(0);
            slow.service().recordValue(Math.max(1, slowest * 1_000_000));
            measuring.add(slow, true);
            long[] under = Arrays.stream(ages.split(" "))
                    .filter(a -> !a.isEmpty())
                    .mapToLong(a -> Long.parseLong(a) * 1_000_000)
                    .toArray();
            Window end = second(1, 3_000_000, under.length, of(under));
            if (open) {
                measuring.addEnd(end); // right after the measured time
            } else {
                measuring.add(end, true);
            }
            Measurement m = measuring.measurement(1);
            assertThat(m.detail().stuck().map(Measurement.Stuck::count).orElse(0L))
                    .as("open %s", open)
                    .isEqualTo(stuck);
            assertThat(m.lost()).isEqualTo(stuck);
            m.detail().stuck().ifPresent(s -> assertThat(s.oldestSeconds()).isCloseTo(under[2] / 1e9, within(0.01)));
        }
    }

    /** Connections that are kept were made in the warm-up: else a bench with one had nothing to say about connecting. */
    @Test
    void connectsOfAWarmUpCountWhereTheyAreKept() {
        var measuring = measuring(false);
        measuring.add(second(0), false);
        measuring.addKeepingConnects(second(1));
        measuring.add(second(2), true);
        Measurement m = measuring.measurement(1);
        assertThat(m.connect().count()).isEqualTo(2 * second(0).connect().getTotalCount());
        assertThat(m.responses()).isEqualTo(2);
        assertThat(m.latency().count()).isEqualTo(2);
    }

    @Test
    void everythingOfAnOpenLoadIsCarried() {
        var measuring = measuring(true, "page", "log in");
        for (int i = 0; i < 12; i++) {
            measuring.add(second(i), i >= 2);
        }
        Measurement m = measuring.measurement(9, List.of("through NIO"));
        assertThat(m.elapsed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(m.responses()).isEqualTo(20);
        assertThat(m.errorExamples()).containsEntry(dev.fettle.load.api.ErrorKind.RESET, "reset in second 2");
        assertThat(m.detail().service().max()).isCloseTo(40_000, within(64L));
        assertThat(m.detail().firstByte().max()).isCloseTo(30_000, within(64L));
        assertThat(m.detail().offered()).contains(new Measurement.Offered(60, 70, 30, 0));
        assertThat(m.offeredPerSecond()).isEqualTo(6);
        assertThat(m.detail().bytesWritten()).isEqualTo(1000);
        assertThat(m.detail().notes()).containsExactly("through NIO");
        assertThat(m.detail().serviceHistogram()).isNotBlank();
        assertThat(m.detail().steps()).extracting(Measurement.Step::name).containsExactly("page", "log in");
        assertThat(m.detail().steps().get(1).failed()).isEqualTo(10);
        assertThat(m.detail().steps().get(1).latency().count()).isEqualTo(10);
        assertThat(m.detail().answers())
                .containsExactly(
                        new dev.fettle.model.trial.Answers(
                                "page",
                                List.of(new dev.fettle.model.trial.Answers.Shape(200, 50, 50, 20)),
                                List.of(
                                        new dev.fettle.model.trial.Answers.Content(200, 50, "0000000a", 5, true),
                                        new dev.fettle.model.trial.Answers.Content(200, 50, "ffffffff", 5, false)),
                                0,
                                List.of()),
                        new dev.fettle.model.trial.Answers("log in", List.of(), List.of(), 30, List.of()));
        assertThat(measuring.sendLagP99Millis().orElseThrow()).isCloseTo(3, within(0.01));
        assertThat(measuring.generatorCpuShare()).isEqualTo(0.25);
        assertThat(m.windows().getLast().p50()).isCloseTo(20_000, within(64L));
        assertThat(m.windows().getLast().max()).isCloseTo(60_000, within(64L));
    }

    /** What left late before the measuring is answered late in it: without its delay, the server was blamed for that. */
    @Test
    void theDelayOfTheRunUpCounts() {
        var measuring = measuring(true);
        measuring.addRunUp(second(0, 900_000_000));
        measuring.add(second(1), true);
        assertThat(measuring.sendLagP99Millis().orElseThrow()).isCloseTo(900, within(1.0));
        assertThat(measuring.measurement(1).responses()).isEqualTo(2);
    }

    @Test
    void aClosedLoadHasNoScheduleToLagBehind() {
        var measuring = measuring(false);
        measuring.add(second(0), true);
        assertThat(measuring.sendLagP99Millis().optional()).isEmpty();
        assertThat(measuring.measurement(1).detail().offered()).isEmpty();
        assertThat(measuring.measurement(1).detail().serviceHistogram()).isBlank();
    }

    /** In a bench, clients that think send at a given time, too: if they are late, their latency counts it. */
    @ParameterizedTest
    @CsvSource({"0, false", "20, true"})
    void theDelayOfThinkingClientsIsTheGenerators(long think, boolean judged) {
        var measuring =
                Measuring.ofBench(Fixtures.load(1, "x").withArrivals(new Arrivals.Closed(Duration.ofMillis(think))));
        measuring.add(second(0), true);
        assertThat(measuring.sendLagP99Millis().isPresent()).isEqualTo(judged);
    }

    @Test
    void histogramsAreMergedAsTheyCome() {
        var measuring = measuring(true);
        int most = 0;
        for (int i = 0; i < 1000; i++) {
            measuring.add(second(i), true);
            most = Math.max(most, measuring.kept());
        }
        assertThat(most).isLessThanOrEqualTo(5);
        assertThat(measuring.measurement(1).latency().count()).isEqualTo(2000);
        assertThat(measuring.measurement(1).elapsed()).isEqualTo(Duration.ofSeconds(1000));
    }

    @Test
    void aDayFitsIntoTheSeriesAndLosesNoCount() {
        var series = new WindowSeries();
        int day = 24 * 3600;
        for (int i = 0; i < day; i++) {
            series.add(new Measurement.Window(i, 1, 2, 1, 3, 4, 5, i, i >= 61), true);
        }
        List<Measurement.Window> windows = series.windows();
        assertThat(windows).hasSizeBetween(WindowSeries.MOST / 2, WindowSeries.MOST);
        assertThat(windows.stream().mapToLong(Measurement.Window::responses).sum())
                .isEqualTo(2L * day);
        // the slices follow each other without a gap, warm-up and measuring apart
        double end = 0;
        for (Measurement.Window w : windows) {
            assertThat(w.at()).isEqualTo(end);
            assertThat(w.measured()).isEqualTo(w.at() >= 61);
            assertThat(w.throughput()).isEqualTo(2);
            end = w.at() + w.seconds();
            assertThat(w.max()).isEqualTo((long) end - 1);
        }
        assertThat(end).isEqualTo(day);
        assertThat(windows.stream()
                        .skip(10)
                        .limit(windows.size() - 11L)
                        .map(Measurement.Window::seconds)
                        .distinct())
                .as("one resolution")
                .hasSize(1);
        assertThat(series.last().seconds()).isEqualTo(1);
    }

    @Test
    void silenceCountsFromTheLastAnswer() {
        var series = new WindowSeries();
        series.add(new Measurement.Window(0, 1, 0, 0, 0, false), false);
        assertThat(series.silentFor()).isEqualTo(1);
        series.add(new Measurement.Window(1, 1, 3, 0, 0, false), true);
        series.add(new Measurement.Window(2, 1, 0, 4, 0, true), false);
        series.add(new Measurement.Window(3, 0.5, 0, 4, 0, true), false);
        assertThat(series.silentFor()).isEqualTo(1.5);
    }

    @Test
    void wrongAnswersBreakASilence() {
        var series = new WindowSeries();
        series.waited(4, false);
        assertThat(series.silentFor()).isEqualTo(4);
        series.add(new Measurement.Window(4, 5, 0, 3, 0, false), true);
        assertThat(series.silentFor()).isZero();
        series.waited(3, false);
        assertThat(series.silentFor()).isEqualTo(3);
        series.waited(1, true);
        series.waited(1, false);
        assertThat(series.silentFor()).isEqualTo(1);
        series.waited(5, false);
        assertThat(series.silentFor()).isEqualTo(6);
    }
}
