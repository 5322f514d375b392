package dev.fettle.insight.gate;

import dev.fettle.insight.stats.Regression;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Decides from the windows of a warm-up whether a target is steady.
 *
 * <p>The test is not "no significant trend", which noise alone can produce, but equivalence (Schuirmann 1987, doi
 * 10.1007/BF01068419): the <em>largest</em> change consistent with the windows must be small. The last half, two thirds or five
 * sixths of the warm-up is steady when the change of a straight line fitted to it, plus the one-sided 95 % bound (widened for
 * autocorrelation), is at most the tolerance. Because the stretch grows with the warm-up, slow and quick warm-ups face the same
 * test: an exponential approach that changed by 3 % in the last half has less than 0.2 % to go.
 *
 * <p>The tolerance is 3 %, or, if larger, what can be resolved in the noise: {@value #NOISE} standard deviations of a window
 * around the line. From 20 s on it grows with time, so that a target that swings for seconds, as on a shared machine, is not
 * warmed up for minutes. {@code SteadyStateTest} and docs/methodology.md show what that means for the figures.
 *
 * <p>Many JVMs never become steady (Barrett et al., arXiv 1602.00602), so the caller sets a bound, and {@link #atBound} judges
 * those that reach it: the trial of a target that still rises is void, that of one that swings or falls is not. Waiting does not end a fall;
 * {@link Drift} reports it.
 */
public final class SteadyState {
    /** The {@link Verdict.Reason#rule()} that a warm-up breaks by being too short; a longer one is the remedy. */
    public static final String WARM_UP_RULE = "warm-up";

    /** A course says nothing about times longer than this many times what was seen of it. */
    private static final double FORESEEN = 3;

    private static final double TOLERANCE = 0.03;
    private static final double NOISE = 1.7;

    /** Fewer windows are not judged. */
    private static final int LEAST = 9;

    /** Number of windows from which the tolerance grows: 20 s. */
    private static final int PATIENCE = 40;

    /** Fewer windows can't tell swings from a trend. */
    private static final int LEAST_AT_BOUND = 20;

    private static final double[] STRETCHES = {1 / 2.0, 2 / 3.0, 5 / 6.0};

    /** Level of a two-sided interval whose upper bound holds at 95 % one-sided. */
    private static final double ONE_SIDED = 0.9;

    /** Level of a two-sided interval whose lower bound holds at 90 % one-sided. */
    private static final double ONE_SIDED_90 = 0.8;

    private static final int BLOCKS = 5;

    private SteadyState() {}

    /** What can be said so far. */
    public enum State {
        NOT_YET,
        STEADY
    }

    /**
     * The state after the last window.
     *
     * @param why one phrase for a progress line
     */
    public record Judgement(State state, String why) {
        /** Whether measuring may begin. */
        public boolean steady() {
            return state == State.STEADY;
        }
    }

    /** Judges windows of equal length, in order. */
    public static Judgement judge(List<Window> windows) {
        return judge(throughputs(windows));
    }

    private static double[] throughputs(List<Window> windows) {
        return windows.stream().mapToDouble(Window::throughput).toArray();
    }

    /** Judges the throughputs of windows of equal length (0.5 s by default), in order. */
    public static Judgement judge(double[] throughput) {
        int n = throughput.length;
        if (n < LEAST) {
            return notYet(n + " of " + LEAST + " windows seen");
        }
        String why = "";
        for (double part : STRETCHES) {
            int k = Math.max(LEAST, (int) Math.round(part * n));
            var stretch = Stretch.of(throughput, n - k);
            if (stretch.mean() <= 0) {
                return notYet("no responses");
            }
            double tolerance = Math.max(TOLERANCE, NOISE * Math.max(1, n / (double) PATIENCE) * stretch.noise());
            if (stretch.most() <= tolerance) {
                return new Judgement(State.STEADY, "steady within " + Format.share(tolerance));
            }
            why = why.isEmpty() ? stretch.why(tolerance) : why;
        }
        return notYet(why);
    }

    /**
     * A straight line fitted to the windows from an index on.
     *
     * @param change from the first to the last, relative to the mean
     * @param error its standard error
     * @param noise relative standard deviation of a window around the line
     */
    private record Stretch(double mean, double change, double error, double noise, int degreesOfFreedom) {
        static Stretch of(double[] x, int from) {
            int k = x.length - from;
            Regression line = Regression.fit(x, from);
            double scale = line.mean() > 0 ? 1 / line.mean() : 0;
            return new Stretch(
                    line.mean(),
                    line.slope() * k * scale,
                    line.standardError() * k * scale,
                    line.deviation() * scale,
                    line.degreesOfFreedom());
        }

        /** The largest change consistent with the windows. */
        double most() {
            return Math.abs(change) + Statistics.tQuantile(degreesOfFreedom, ONE_SIDED) * error;
        }

        /** Whether it has risen by more than the tolerance beyond doubt. */
        boolean rises() {
            return change - Statistics.tQuantile(degreesOfFreedom, Statistics.LEVEL) * error > TOLERANCE;
        }

        String why(double tolerance) {
            return Math.abs(change) > tolerance
                    ? (change > 0 ? "rising " : "falling ") + Format.share(Math.abs(change))
                    : "may still change by " + Format.share(most()) + " (a window swings by " + Format.share(noise)
                            + ")";
        }
    }

    /**
     * What a warm-up that has reached its bound means for the trial.
     *
     * @param reason why the trial is void: rule {@link #WARM_UP_RULE}; empty if it may be measured
     * @param note what the user should know about a target that may be measured although it never became steady
     */
    public record AtBound(Optional<Verdict.Reason> reason, Optional<String> note) {}

    /**
     * Judges a warm-up that has reached its bound. Without a steady stretch the trial is void if the second half (10 windows or
     * more) rises by more than 3 %, both by a line at 95 % and by the steps between five blocks at 90 %, which tells a rise
     * from swings that last for seconds. With fewer than 20 windows nothing can be decided, and it is void too.
     */
    public static AtBound atBound(List<Window> windows) {
        double[] x = throughputs(windows);
        Judgement judged = judge(x);
        if (judged.steady()) {
            return new AtBound(Optional.empty(), Optional.empty());
        }
        double seconds = windows.stream().mapToDouble(Window::seconds).sum();
        if (x.length < LEAST_AT_BOUND || Stretch.of(x, x.length / 2).mean() <= 0 || rises(x)) {
            return new AtBound(Optional.of(tooShort(windows, seconds, judged.why())), Optional.empty());
        }
        var half = Stretch.of(x, x.length / 2);
        String what = half.change < -TOLERANCE && Math.abs(half.change) > half.noise
                ? "throughput fell by " + Format.share(-half.change)
                        + " in the second half of the warm-up: the target was measured before it settled"
                : "throughput never settled in the warm-up: it swings by " + Format.share(half.noise)
                        + " from one half second to another, without a lasting rise. The JVM's compilers and collections, or"
                        + " other load on this machine, may do that; the swings are in the figures";
        return new AtBound(Optional.empty(), Optional.of(what));
    }

    private static boolean rises(double[] x) {
        int from = x.length / 2;
        double[] steps = Drift.steps(Arrays.copyOfRange(x, from, x.length), BLOCKS);
        return Stretch.of(x, from).rises()
                && Statistics.mean(steps, ONE_SIDED_90).low() > 0;
    }

    private static Verdict.Reason tooShort(List<Window> windows, double seconds, String why) {
        OptionalFigure enough = secondsNeeded(windows);
        return new Verdict.Reason(
                WARM_UP_RULE,
                "not steady within " + Format.seconds(seconds) + " of warm-up (" + why
                        + "): measuring now would measure the warm-up"
                        + (enough.isEmpty()
                                ? "; give load.warm-up " + more(windows.size(), seconds)
                                : enough.getAsDouble() > FORESEEN * seconds
                                        ? "; how long it takes can't be foretold from that: give load.warm-up at least "
                                                + Math.round(FORESEEN * seconds) + " s"
                                        : "; judging by its course, about " + Math.round(enough.getAsDouble())
                                                + " s are enough, so give load.warm-up that much"),
                false);
    }

    /** With too few windows to judge, how long as many as it takes would be. */
    private static String more(int windows, double seconds) {
        return windows == 0 || windows >= LEAST
                ? "more time"
                : "at least " + (int) Math.ceil(LEAST * seconds / windows) + " s";
    }

    /**
     * Estimates how long the warm-up should have been, in seconds: from the noise of its windows, or, if it was still rising,
     * from an exponential through its second half, whichever is longer. At least what {@link #windowsNeeded} gives; empty with
     * fewer than 9 windows, no answers, or a rise that does not level off.
     *
     * @param windows in order; measured ones are ignored
     */
    public static OptionalFigure secondsNeeded(List<Window> windows) {
        List<Window> warmUp = windows.stream().filter(w -> !w.measured()).toList();
        double[] x = throughputs(warmUp);
        int n = x.length;
        if (n < LEAST) {
            return OptionalFigure.empty();
        }
        var half = Stretch.of(x, n / 2);
        if (half.mean() <= 0) {
            return OptionalFigure.empty();
        }
        double each = warmUp.stream().mapToDouble(Window::seconds).sum() / n;
        double least = windowsNeeded(half.noise()) * each;
        if (!half.rises()) {
            return OptionalFigure.of(Math.max(least, n * each));
        }
        double[] quarters = Drift.steps(Arrays.copyOfRange(x, n / 4, n), 3);
        double ratio = quarters[0] > 0 ? quarters[1] / quarters[0] : 1;
        if (ratio <= 0 || ratio >= LEVELS_OFF) {
            return OptionalFigure.empty();
        }
        // each quarter of the warm-up shrinks the rest by the ratio; the change over the last half must fall below
        // half of the tolerance, the other half being for the confidence bound
        double fade = StrictMath.log(1 / ratio) / (n * each / 4);
        double rest = quarters[1] / half.mean() * ratio / (1 - ratio) * StrictMath.exp(fade * n * each * 7 / 8);
        double time = n * each;
        while (rest * (StrictMath.exp(-fade * time / 2) - StrictMath.exp(-fade * time)) > TOLERANCE / 2
                && time < 40 * n * each) {
            time *= 1.05;
        }
        return OptionalFigure.of(Math.max(least, time));
    }

    /** If the last quarter rose by more than this share of the quarter before, no levelling off is in sight. */
    private static final double LEVELS_OFF = 0.97;

    /**
     * How many windows a target needs to be called steady, given independent windows with this noise. A warm-up bound below
     * that voids every trial with such noise.
     *
     * @param noise a window's relative standard deviation, 0 or more
     */
    public static int windowsNeeded(double noise) {
        // the bound's half width is t·noise·√(12/k), and a change of half of that is typical
        double tolerance = Math.max(TOLERANCE, NOISE * noise);
        int k = LEAST;
        while (1.5 * Statistics.tQuantile(k - 2, ONE_SIDED) * noise * Math.sqrt(12.0 / k) > tolerance) {
            k++;
        }
        return (int) Math.ceil(k / STRETCHES[STRETCHES.length - 1]);
    }

    private static Judgement notYet(String why) {
        return new Judgement(State.NOT_YET, why);
    }
}
