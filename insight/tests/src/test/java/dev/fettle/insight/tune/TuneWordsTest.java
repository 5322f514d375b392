package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Proof;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a tune says of its duel, above all where the interval tells nothing. */
class TuneWordsTest {
    private static final Optional<Interval> UNKNOWN = Optional.empty();
    private static final String LUCK = " once noise is allowed for (a single trial is part luck).";

    private static Interval interval(double estimate, double low, double high) {
        return new Interval(estimate, low, high, 0.95);
    }

    private static Objective of(Metric metric) {
        return new Objective(metric, Optional.empty(), 0.001);
    }

    /** The words of a duel whose pairs have these ratios of the objective. */
    private static TuneWords words(
            Objective objective,
            Optional<Interval> ratio,
            Optional<Interval> p99Ratio,
            List<Double> each,
            Optional<Proof> proof) {
        return words(Simulated.target(), objective, ratio, p99Ratio, each, proof);
    }

    private static TuneWords words(
            Target target,
            Objective objective,
            Optional<Interval> ratio,
            Optional<Interval> p99Ratio,
            List<Double> each,
            Optional<Proof> proof) {
        var plan = Simulated.server(25, 0.050, 0.000227, 1, 300)
                .plan(
                        List.of(KnobRange.interval("threads.max", 4, 1024)),
                        objective,
                        new Budget(12, Duration.ofHours(1), 5))
                .on(target);
        var pairs = IntStream.range(0, each.size())
                .mapToObj(i -> new TuneConclusion.Pair(i, 100, 100, 1_000_000, 1_000_000, 50, 50 * each.get(i)))
                .toList();
        return new TuneWords(
                plan,
                new Scoring(objective),
                new Duel(pairs, pairs.size(), ratio, p99Ratio, List.of(), 1e6, 0, Optional.empty(), proof, List.of()));
    }

    private static List<Double> ratios(String text) {
        return Arrays.stream(text.split(" ")).map(Double::valueOf).toList();
    }

    @ParameterizedTest(name = "{0} [{1}, {2}] from {3}")
    @CsvSource({
        "1.10, 1.02, 1.19, 1.08 1.12 1.1, '(95 % interval 1.020 to 1.190, 3 pairs)'",
        "1.17, 0.042, 32.85, 0.96 1.43, '(0.960 and 1.430 in the two pairs)'",
        "1.30, 0.02, 80, 0.2 1.2 9, '(0.200, 1.200 and 9.00 in the three pairs)'",
        "1.05, 0.05, 12, 1 2 0.5 1.1, '(not known to within a factor of 10, 4 pairs)'",
        "9.10, 2.4, 400, 2 9 40, '(at least 2.40, 3 pairs)'",
        "1.17, -Infinity, Infinity, 1.17, '(only one pair)'",
    })
    void whatIsNotShownSaysHowWellItIsKnown(double estimate, double low, double high, String each, String known) {
        TuneWords words = words(
                Objective.DEFAULT, Optional.of(interval(estimate, low, high)), UNKNOWN, ratios(each), Optional.empty());
        assertThat(words.notImproved("threads.max=8", new Shortfall.TooFewPairs(2, 3), false))
                .startsWith("No improvement shown: threads.max=8 gives ")
                .endsWith(" times the default's throughput " + known
                        + ", but only 2 pairs have figures on both sides, and it takes 3.");
    }

    @ParameterizedTest(name = "{0}: {1} [{2}, {3}]")
    @CsvSource({
        "THROUGHPUT, 1.431, 1.38, 1.48, 'gives 43.1 % more throughput than the default (95 % interval 38.0 to 48.0 %, 3 pairs)'",
        "THROUGHPUT, 1.9, 1.2, 30, 'gives 90.0 % more throughput than the default (at least 20.0 %, 3 pairs)'",
        "THROUGHPUT, 9.1, 7.6, 10.9, 'gives 9.10 times the default''s throughput (95 % interval 7.60 to 10.9, 3 pairs)'",
        "THROUGHPUT, 9.1, 2.4, 400, 'gives 9.10 times the default''s throughput (at least 2.40, 3 pairs)'",
        "CPU_PER_REQUEST, 0.88, 0.85, 0.9, 'lowers CPU time per request by 12.0 % against the default (95 % interval 10.0 to 15.0 %,'",
        "CPU_PER_REQUEST, 0.05, 0.001, 0.6, 'lowers CPU time per request by 95.00 % against the default (at least 40.0 %, 3 pairs)'",
    })
    void anImprovementHasAtLeastABoundOnOneSide(Metric metric, double estimate, double low, double high, String said) {
        TuneWords words = words(
                of(metric),
                Optional.of(interval(estimate, low, high)),
                UNKNOWN,
                List.of(estimate / 2, estimate, estimate * 2),
                Optional.empty());
        assertThat(words.improved("it", new TuneConclusion.Sides(100, 100, 1e6, 1e6, 50, 60)))
                .startsWith("it " + said);
    }

    @Test
    void aLevelIsNotRounded() {
        var later = new Interval(1.431, 1.38, 1.48, 0.975);
        TuneWords words =
                words(Objective.DEFAULT, Optional.of(later), UNKNOWN, List.of(1.4, 1.4, 1.5), Optional.empty());
        assertThat(words.improved("it", new TuneConclusion.Sides(100, 143, 1e6, 1e6, 100, 143)))
                .contains("(97.5 % interval 38.0 to 48.0 %, 3 pairs)");
    }

    @ParameterizedTest(name = "[{0}, {1}] from {2}")
    @CsvSource({
        "1.02, 1.19, 1.08 1.12, 'The interval is Student''s t over 2 pairs of fresh JVMs; both sides'",
        "0.042, 32.85, 0.96 1.43, 'The interval is Student''s t over 2 pairs of fresh JVMs, and too wide to show anything; both'",
        "1.05, 400, 1 2 900, 'The interval is Student''s t over 3 pairs of fresh JVMs; both sides'",
        "-Infinity, Infinity, 1.1, One pair of fresh JVMs has no interval; both sides",
    })
    void theNoteOnTheIntervalSaysIfItIsTooWide(double low, double high, String each, String note) {
        List<Double> ratios = ratios(each);
        var arm = new Proof.Arm(ratios.size(), 0, 0);
        var wide = Optional.of(interval(1.2, 1e-3, 900));
        var proof = new Proof(ratios.size(), true, interval(1.1, 0.01, 90), 0.1, 1.2, 0.5, 1, 1, wide, arm, arm, 1);
        TuneWords words =
                words(Objective.DEFAULT, Optional.of(interval(1.1, low, high)), UNKNOWN, ratios, Optional.of(proof));
        assertThat(words.duelNotes().getFirst()).startsWith(note);
        assertThat(words.duelNotes())
                .anyMatch(n -> n.endsWith("was 1.200 times the default's (not known to within a factor of 10)."));
        assertThat(words.phrase(new Shortfall.LastHalf(proof.lastHalf())))
                .endsWith("does not show it (1.100 times, not known to within a factor of 10)");
    }

    @Test
    void aGainThatMayNotLastIsNotShown() {
        TuneWords words = words(Objective.DEFAULT, UNKNOWN, UNKNOWN, List.of(), Optional.empty());
        assertThat(words.phrase(new Shortfall.Moving(0.4, 0.1)))
                .isEqualTo(
                        "the gain may be fading: from the first half of the measuring to the last, the ratio may have got"
                                + " worse by up to 40 %; a gain counts only if that is below 10 %, half of the smallest gain that"
                                + " the interval leaves");
        assertThat(words.phrase(new Shortfall.Moving(Double.POSITIVE_INFINITY, 0.1)))
                .isEqualTo("whether the gain is fading can't be said: there are too few windows");
        var capacity = new Objective(Metric.CAPACITY, Optional.of(Duration.ofMillis(50)), 0.001);
        assertThat(words(capacity, UNKNOWN, UNKNOWN, List.of(), Optional.empty())
                        .phrase(new Shortfall.LastHalf(interval(1.1, 0.9, 1.3))))
                .startsWith(
                        "it is not shown once the change of both sides during the search is counted (1.100 times, ");
    }

    private static Proof proof(int pairs, double smallest) {
        var arm = new Proof.Arm(pairs, 0, 0);
        return new Proof(pairs, false, interval(1.1, 1, 1.2), 0.01, smallest, 0.45, 1, 1, UNKNOWN, arm, arm, 1);
    }

    /** Trials of a process that runs already start nothing. */
    @Test
    void onlyPairsOfTargetsThatAreStartedAreCalledFresh() {
        List<Double> ratios = ratios("1.1 1.12 1.14");
        var known = Optional.of(interval(1.12, 1.07, 1.17));
        var proof = Optional.of(proof(3, 1.05));
        assertThat(words(Objective.DEFAULT, known, UNKNOWN, ratios, proof).duelNotes())
                .anyMatch(n -> n.startsWith("3 starts of the candidate can't exclude"));
        List<Target> running = List.of(
                new Target.Running(17, Optional.empty(), true, false, Optional.empty()),
                new Target.Url(URI.create("http://127.0.0.1:8080")));
        for (Target target : running) {
            List<String> notes = words(target, Objective.DEFAULT, known, UNKNOWN, ratios, proof)
                    .duelNotes();
            assertThat(notes.getFirst()).startsWith("The interval is Student's t over 3 pairs; ");
            assertThat(notes).noneMatch(n -> n.contains("fresh") || n.contains("starts"));
        }
    }

    /** A ratio of 0.526 is a saving of 47.4 %, not an improvement of 90 %. */
    @Test
    void whatCouldHaveBeenShownIsASavingWhereLessIsBetter() {
        List<Double> ratios = ratios("1 1.1 0.9 1 1");
        assertThat(words(of(Metric.P99), UNKNOWN, UNKNOWN, ratios, Optional.of(proof(5, 0.526)))
                        .leastShown())
                .hasValue(
                        "with this scatter, 5 pairs show an improvement of 47.4 % or more in four runs of five, by their"
                                + " ratio alone");
        assertThat(words(of(Metric.MEMORY), UNKNOWN, UNKNOWN, ratios("1"), Optional.of(proof(1, 0)))
                        .leastShown())
                .hasValue("fewer than two pairs can't show any difference");
        assertThat(words(Objective.DEFAULT, UNKNOWN, UNKNOWN, ratios, Optional.of(proof(5, 1.083)))
                        .leastShown()
                        .orElseThrow())
                .contains("an improvement of 8.3 % or more");
    }

    @Test
    void oneIsNotOneOfMany() {
        TuneWords words = words(Objective.DEFAULT, UNKNOWN, UNKNOWN, List.of(), Optional.empty());
        assertThat(words.phrase(new Shortfall.Failed("crashed", 1, 1, Optional.empty())))
                .isEqualTo("it crashed in the only pair");
        assertThat(words.phrase(new Shortfall.Failed("crashed", 1, 2, Optional.empty())))
                .isEqualTo("it crashed in 1 of 2 pairs");
        String none = "No improvement shown: ";
        assertThat(words.notImproved("it", new Shortfall.NothingFeasible(1), true))
                .isEqualTo(none + "neither the default nor the one other setting was shown to meet the limits.");
        assertThat(words.notImproved("it", new Shortfall.NothingFeasible(3), true))
                .isEqualTo(none + "neither the default nor any of 3 other settings was shown to meet the limits.");
        assertThat(words.notImproved("it", new Shortfall.NothingBetter(1, 0.02, 1, 0.03, 0.067), false))
                .isEqualTo(none
                        + "the one other setting does not look better than the default by 2 % or more once noise is"
                        + " allowed for (a single trial is part luck). Trials of one setting differ by some 3 %: a gain below"
                        + " 6.7 % would often have gone unseen.");
        assertThat(words.notImproved("it", new Shortfall.NothingBetter(1, 0.02, 1, 0.03, 0), false))
                .as("means of a model")
                .endsWith("a gain as small as that may have gone unseen.");
        assertThat(words.notImproved("it", new Shortfall.NothingBetter(1, 0.02, 1, Shortfall.NOT_MEASURED, 0), false))
                .endsWith(
                        " (a single trial is part luck). No setting was measured twice, so how much trials of one differ is"
                                + " not known.");
    }

    /** What failed or broke a limit was not compared, so it did not look worse either. */
    @ParameterizedTest(name = "{1} of {0}")
    @CsvSource({
        "0, 0, 'going by what limits the default, no other setting was worth a trial.'",
        "1, 0, the one other setting could not be compared with the default.",
        "3, 0, none of 3 other settings could be compared with the default.",
        "3, 1, the one other setting that could be compared does not look better than the default by 2 % or more"
                + LUCK,
        "5, 3, of 3 other settings that could be compared none measured better than the default by 2 % or more" + LUCK,
        "3, 3, of 3 other settings none measured better than the default by 2 % or more" + LUCK,
    })
    void onlyWhatWasComparedCounts(int others, int compared, String said) {
        TuneWords words = words(Objective.DEFAULT, UNKNOWN, UNKNOWN, List.of(), Optional.empty());
        assertThat(words.notImproved("it", new Shortfall.NothingBetter(others, 0.02, compared, 0, 0), false))
                .isEqualTo("No improvement shown: " + said);
    }

    private static Optional<String> tail(Objective objective, Optional<Interval> p99Ratio) {
        return words(objective, Optional.of(interval(2, 1.9, 2.1)), p99Ratio, List.of(2.0, 2.0, 2.0), Optional.empty())
                .tail(true);
    }

    @Test
    void aTailThatIsClearlyLongerIsTold() {
        var longer = Optional.of(interval(1.36, 1.20, 1.54));
        assertThat(tail(Objective.DEFAULT, longer).orElseThrow())
                .startsWith(
                        "The winner's p99 is 36.0 % above the default's (95 % interval 20.0 to 54.0 %). The objective");
        assertThat(tail(Objective.DEFAULT, Optional.of(interval(1.36, 1.2, 90))).orElseThrow())
                .startsWith("The winner's p99 is 36.0 % above the default's (at least 20.0 %). ");
        assertThat(words(
                                Objective.DEFAULT,
                                Optional.of(interval(0.5, 0.45, 0.55)),
                                longer,
                                List.of(0.5, 0.5, 0.5),
                                Optional.empty())
                        .tail(false)
                        .orElseThrow())
                .as("what has not won is no winner")
                .startsWith("The candidate's p99 is 36.0 % above the default's");
        assertThat(tail(Objective.DEFAULT, Optional.of(interval(1.36, 0.9, 2)))).isEmpty();
        assertThat(tail(Objective.DEFAULT, UNKNOWN)).isEmpty();
        assertThat(tail(new Objective(Metric.CPU_PER_REQUEST, Optional.of(Duration.ofMillis(200)), 0.001), longer)
                        .orElseThrow())
                .endsWith("The plan's limit on it is 200 ms.");
        assertThat(tail(of(Metric.P99), longer)).isEmpty();
    }

    /** Two pairs, too few to show anything, show no limit to be met either. */
    @Test
    void thatTheLimitsAreMetTakesAsManyPairsAsAGain() {
        var ratio = Optional.of(interval(1.1, 0.9, 1.3));
        String met = " It meets the limits, though, which the default does not.";
        assertThat(words(Objective.DEFAULT, ratio, UNKNOWN, ratios("1.1 1.1 1.1"), Optional.of(proof(3, 1.3)))
                        .notImproved("it", new Shortfall.Bound(1.01), true))
                .endsWith(met);
        assertThat(words(Objective.DEFAULT, ratio, UNKNOWN, ratios("1.1 1.1"), Optional.of(proof(2, 1.3)))
                        .notImproved("it", new Shortfall.TooFewPairs(2, 3), true))
                .doesNotContain(met);
    }

    @Test
    void errorsAreToldWithTheirBound() {
        TuneWords words = words(Objective.DEFAULT, UNKNOWN, UNKNOWN, List.of(), Optional.empty());
        assertThat(words.phrase(new Shortfall.Limits(1e6, 0.0017)))
                .isEqualTo(
                        "it is not sure to meet the limits (p99 up to 1.00 ms, errors up to 0.17 % for a limit of 0.1 %)");
        assertThat(words.phrase(new Shortfall.Limits(1e6, 0))).contains(" errors 0 % for a limit of 0.1 %");
    }
}
