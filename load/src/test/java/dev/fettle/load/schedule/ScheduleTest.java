package dev.fettle.load.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.load.api.Arrivals.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When requests of the open model are due: tables and properties, without a clock. */
class ScheduleTest {

    private static final long NO_END = Long.MAX_VALUE - 1;

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "constant,            '10-10 1',               '0 100 200 300 400 500 600 700 800 900'",
        "slow,                '0.5-0.5 4',             '0 2000'",
        "up from nothing,     '0-4 2',                 '0 1000 1414 1732'",
        "down to nothing,     '4-0 2',                 '0 268 586 1000'",
        "a pause,             '2-2 1, 0-0 3, 2-2 1',   '0 500 4000 4500'",
        "a begun arrival,     '1.5-1.5 1, 1-1 1.5',    '0 667 1500'",
        "bursts,              '6-6 1 3',               '0 0 0 500 500 500'",
        "a burst over an end, '1-1 1 3, 1-1 3 1',      '0 0 0 3000'",
        "no rate at all,      '0-0 5',                 ''"
    })
    void isDueAt(String name, String stages, String millis) {
        assertThat(all(even(stages(stages), 0, 1, Long.MAX_VALUE, NO_END)).stream()
                        .map(nanos -> Math.round(nanos / 1e6))
                        .toList())
                .isEqualTo(numbers(millis));
    }

    @Test
    void aCountAndAnEndBoundIt() {
        List<Stage> tenASecond = stages("10-10 100");
        assertThat(all(even(tenASecond, 0, 1, 7, NO_END))).hasSize(7);
        assertThat(all(even(tenASecond, 0, 1, Long.MAX_VALUE, 1_000_000_000L))).hasSize(10);
        assertThat(all(even(tenASecond, 0, 1, Long.MAX_VALUE, 1_000_000_001L))).hasSize(11);
        assertThat(all(poisson(tenASecond, 1, 0, 1, 7, NO_END))).hasSize(7);
    }

    @ParameterizedTest
    @CsvSource({"50000, 604800", "10000000, 604800", "33.3, 604800", "0.001, 604800"})
    void nothingDriftsOverSevenDays(double rate, long seconds) {
        Stage long7 = new Stage(rate, rate, Duration.ofSeconds(seconds), 1);
        RateCurve curve = new RateCurve(List.of(long7), stage -> 1);
        double last = Math.floor(rate * seconds) - 1;
        assertThat(curve.timeOf(0, last) / 1e9).isCloseTo(last / rate, within(2e-9));
        // counted without going through them
        assertThat(even(List.of(long7), 0, 1, Long.MAX_VALUE, NO_END).remaining())
                .isCloseTo(Math.round(rate * seconds), within(1L));
    }

    @Test
    void stagesWithoutEndDoNotOverflow() {
        List<Stage> many = Collections.nCopies(20_000, new Stage(1, 1, Duration.ofDays(7), 1));
        EvenSchedule schedule =
                even(many, 0, 1, Long.MAX_VALUE, Duration.ofDays(7).toNanos());
        assertThat(schedule.remaining()).isEqualTo(604_800);
        assertThat(new RateCurve(many, stage -> 1).end()).isPositive();
    }

    @Property(tries = 200)
    void threadsShareTheArrivalsOfOneEvenLoad(
            @ForAll("someStages") List<Stage> stages, @ForAll @IntRange(min = 2, max = 7) int threads) {
        long max = 5000;
        List<Long> whole = all(even(stages, 0, 1, max, NO_END));
        List<Long> merged = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            merged.addAll(all(even(stages, i, threads, max, NO_END)));
        }
        Collections.sort(merged);
        assertThat(merged).isEqualTo(whole);
    }

    @Property(tries = 200)
    void arrivesWhenTheIntegralOfTheRateSays(@ForAll("someStages") List<Stage> stages) {
        List<Stage> single = stages.stream()
                .map(s -> new Stage(s.from(), s.to(), s.length(), 1))
                .toList();
        List<Long> times = all(even(single, 0, 1, 3000, NO_END));
        assertThat(times).isSorted();
        for (int i = 0; i < times.size(); i += 1 + times.size() / 50) {
            assertThat(arrived(single, times.get(i))).isCloseTo(i, within(0.001 + i * 1e-9));
        }
    }

    @Property(tries = 200)
    void whatRemainsIsWhatWouldStillCome(
            @ForAll("someStages") List<Stage> stages, @ForAll @IntRange(max = 300) int taken, @ForAll boolean isEven) {
        long end = Duration.ofSeconds(5).toNanos();
        Schedule counted = isEven ? even(stages, 1, 3, 3000, end) : poisson(stages, 5, 1, 3, 1000, end);
        Schedule listed = isEven ? even(stages, 1, 3, 3000, end) : poisson(stages, 5, 1, 3, 1000, end);
        for (int i = 0; i < taken; i++) {
            counted.advance();
            listed.advance();
        }
        assertThat(counted.remaining()).isEqualTo(all(listed).size());
    }

    @Property(tries = 200)
    void whatIsPassedIsWhatWasDueByThen(
            @ForAll("someStages") List<Stage> stages,
            @ForAll List<@IntRange(max = 6000) Integer> millis,
            @ForAll boolean isEven) {
        long end = Duration.ofSeconds(5).toNanos();
        Schedule jumps = isEven ? even(stages, 1, 3, 3000, end) : poisson(stages, 5, 1, 3, 1000, end);
        Schedule walks = isEven ? even(stages, 1, 3, 3000, end) : poisson(stages, 5, 1, 3, 1000, end);
        for (int to : millis) {
            long time = Duration.ofMillis(to).toNanos();
            int count = 0;
            for (; walks.due() <= time && walks.due() != Schedule.NEVER; walks.advance()) {
                count++;
            }
            assertThat(jumps.advancePast(time)).isEqualTo(count);
            assertThat(jumps.due()).isEqualTo(walks.due());
        }
        assertThat(jumps.remaining()).isEqualTo(all(walks).size());
    }

    @Property(tries = 200)
    void anEndThatIsMovedIsAsIfItHadAlwaysBeenThere(
            @ForAll("someStages") List<Stage> stages,
            @ForAll @IntRange(max = 300) int taken,
            @ForAll @IntRange(max = 6000) int endMillis,
            @ForAll boolean isEven) {
        long end = Duration.ofSeconds(5).toNanos();
        long moved = Duration.ofMillis(endMillis).toNanos();
        long sooner = Math.min(end, moved);
        Schedule told = isEven ? even(stages, 1, 3, 3000, end) : poisson(stages, 5, 1, 3, 1000, end);
        Schedule knew = isEven ? even(stages, 1, 3, 3000, sooner) : poisson(stages, 5, 1, 3, 1000, sooner);
        for (int i = 0; i < taken && told.due() < sooner; i++) {
            told.advance();
            knew.advance();
        }
        told.endAt(moved);
        told.endAt(end); // later again: nothing comes of it
        assertThat(all(told)).isEqualTo(all(knew));
    }

    @Test
    void poissonGapsAreExponentialAndTheSeedDecides() {
        List<Stage> stages = stages("1000-1000 100");
        List<Long> times = all(poisson(stages, 42, 0, 1, Long.MAX_VALUE, NO_END));
        // 100,000 expected, standard deviation 316
        assertThat(times.size()).isBetween(98_500, 101_500);
        assertThat(times).isSorted();
        double mean = times.getLast() / (double) times.size();
        double square = 0;
        int beyondMean = 0;
        for (int i = 1; i < times.size(); i++) {
            double gap = times.get(i) - times.get(i - 1);
            square += (gap - mean) * (gap - mean);
            beyondMean += gap > mean ? 1 : 0;
        }
        assertThat(Math.sqrt(square / times.size()) / mean)
                .as("coefficient of variation")
                .isCloseTo(1, within(0.02));
        assertThat(beyondMean / (double) times.size()).isCloseTo(Math.exp(-1), within(0.01));
        assertThat(all(poisson(stages, 42, 0, 1, Long.MAX_VALUE, NO_END))).isEqualTo(times);
        assertThat(all(poisson(stages, 43, 0, 1, Long.MAX_VALUE, NO_END))).isNotEqualTo(times);
    }

    @Test
    void poissonFollowsARampAndThreadsShareIt() {
        List<Stage> ramp = stages("0-2000 50");
        int threads = 4;
        List<Long> merged = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            List<Long> one = all(poisson(ramp, 7, i, threads, Long.MAX_VALUE, NO_END));
            // 12,500 expected, standard deviation 112
            assertThat(one.size()).isBetween(12_000, 13_000);
            merged.addAll(one);
        }
        // a quarter of all arrives in the first half of the time
        long firstHalf = merged.stream().filter(time -> time < 25_000_000_000L).count();
        assertThat(firstHalf / (double) merged.size()).isCloseTo(0.25, within(0.01));
    }

    @Test
    void poissonBurstsArriveTogetherAndKeepTheRate() {
        List<Long> times = all(poisson(stages("1000-1000 20 10"), 3, 0, 1, Long.MAX_VALUE, NO_END));
        // 2,000 bursts expected, standard deviation 45
        assertThat(times.size() / 10.0).isBetween(1800.0, 2200.0);
        assertThat(times.stream().distinct().count() * 10).isEqualTo(times.size());
    }

    @Provide
    Arbitrary<List<Stage>> someStages() {
        Arbitrary<Double> rate = Arbitraries.oneOf(
                Arbitraries.of(0.0, 1.0), Arbitraries.doubles().between(0, 1000));
        Arbitrary<Duration> length =
                Arbitraries.longs().between(1, 4_000_000_000L).map(Duration::ofNanos);
        Arbitrary<Integer> burst =
                Arbitraries.oneOf(Arbitraries.just(1), Arbitraries.integers().between(1, 50));
        return Combinators.combine(rate, rate, length, burst)
                .as(Stage::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(5);
    }

    /** The integral of the rate, worked out anew. */
    private static double arrived(List<Stage> stages, long nanos) {
        double sum = 0;
        double left = nanos / 1e9;
        for (Stage stage : stages) {
            double length = stage.length().toNanos() / 1e9;
            double x = Math.min(left, length);
            sum += stage.from() * x + (stage.to() - stage.from()) * x * x / (2 * length);
            left -= x;
        }
        return sum;
    }

    private static EvenSchedule even(List<Stage> stages, int thread, int threads, long max, long end) {
        return new EvenSchedule(stages, thread, threads, max, end);
    }

    private static PoissonSchedule poisson(List<Stage> stages, long seed, int thread, int threads, long max, long end) {
        return new PoissonSchedule(stages, seed, thread, threads, max, end);
    }

    private static List<Long> all(Schedule schedule) {
        List<Long> times = new ArrayList<>();
        for (; schedule.due() != Schedule.NEVER; schedule.advance()) {
            times.add(schedule.due());
        }
        return times;
    }

    /** {@code from-to seconds [burst], …} */
    private static List<Stage> stages(String text) {
        List<Stage> stages = new ArrayList<>();
        for (String one : text.split(", *")) {
            String[] parts = one.split("[- ]");
            stages.add(new Stage(
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    Duration.ofNanos(Math.round(Double.parseDouble(parts[2]) * 1e9)),
                    parts.length > 3 ? Integer.parseInt(parts[3]) : 1));
        }
        return stages;
    }

    private static List<Long> numbers(String text) {
        return text.isEmpty()
                ? List.of()
                : List.of(text.split(" ")).stream().map(Long::valueOf).toList();
    }
}
