package dev.fettle.insight;

import dev.fettle.model.Measurement.Window;
import dev.fettle.model.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Tells from the windows of a warm-up whether a target has become steady.
 *
 * <p>The last k windows count, k growing from 6 to 20 with the noise (the deviation of successive differences, von Neumann
 * 1941, which a trend hardly touches), so that the two halves of them can be told apart to about 3 %. They are steady when
 *
 * <ol>
 *   <li>the halves' means differ by at most the tolerance,
 *   <li>no trend is significant at 95 % that would change them by more than the tolerance, and
 *   <li>their mean differs from that of the k windows before (at least k/2 of them) by at most the tolerance.
 * </ol>
 *
 * <p>The tolerance is 3 %, or what k windows of such noise can resolve if that is more. Many JVMs never become steady
 * (Barrett et al., arXiv 1602.00602), so the caller sets a bound, and {@link #atBound} says what that means: one that still
 * rises or falls is not measured; one that swings without going anywhere, as a server does on a machine that others use too,
 * is, and its swings are in the interval of what was measured. A slow drift that passes here is left to the gate's
 * {@code not-steady} rule, which sees the whole trial.
 */
public final class SteadyState {
    private static final double TOLERANCE = 0.03;
    private static final int LEAST = 6;
    private static final int MOST = 20;

    /** Fewer windows than these can't tell swings from a trend. */
    private static final int LEAST_AT_BOUND = 20;

    private SteadyState() {}

    /** What can be said so far. */
    public enum State {
        NOT_YET,
        STEADY
    }

    /**
     * The state after the last window.
     *
     * @param since index of the first window of the steady stretch; −1 if there is none
     * @param why one phrase for a progress line
     */
    public record Judgement(State state, int since, String why) {
        /** Whether measuring may begin. */
        public boolean steady() {
            return state == State.STEADY;
        }
    }

    /** Judges windows of equal length, in order. */
    public static Judgement judge(List<Window> windows) {
        return judge(windows.stream().mapToDouble(Window::throughput).toArray());
    }

    /** Judges the throughputs of windows of equal length (0.5 s by default), in order. */
    public static Judgement judge(double[] throughput) {
        int n = throughput.length;
        if (n < LEAST + LEAST / 2) {
            return notYet(n + " of " + (LEAST + LEAST / 2) + " windows seen");
        }
        double noise = noise(throughput);
        int k = Math.clamp(2 * (int) Math.ceil(2 * square(1.5 * noise / TOLERANCE)), LEAST, MOST);
        if (n < k + k / 2) {
            return notYet("noisy (" + Say.percent(noise) + " a window): " + n + " of " + (k + k / 2) + " windows seen");
        }
        double tolerance = Math.max(TOLERANCE, 1.5 * noise * Math.sqrt(4.0 / k));
        double mean = mean(throughput, n - k, n);
        if (mean <= 0) {
            return notYet("no responses");
        }
        double halves = mean(throughput, n - k / 2, n) / mean - mean(throughput, n - k, n - k / 2) / mean;
        if (Math.abs(halves) > tolerance) {
            return notYet((halves > 0 ? "rising " : "falling ") + Say.percent(Math.abs(halves)));
        }
        double trend = trend(throughput, n - k) / mean * k;
        if (trend > tolerance) {
            return notYet("a trend of " + Say.percent(trend));
        }
        double before = mean(throughput, Math.max(0, n - 2 * k), n - k);
        double since = 1 - before / mean;
        if (Math.abs(since) > tolerance) {
            return notYet((since > 0 ? "above" : "below") + " what was before by " + Say.percent(Math.abs(since)));
        }
        return new Judgement(State.STEADY, n - k, "steady within " + Say.percent(tolerance));
    }

    /**
     * What a warm-up that has reached its bound means for the trial.
     *
     * @param reason why the trial is void, for a reason that may pass; empty if it may be measured
     * @param note what the user should know of a target that may be measured although it never came to rest
     */
    public record AtBound(Optional<Verdict.Reason> reason, Optional<String> note) {}

    /**
     * Judges a warm-up that has reached its bound. Without a steady stretch it is void, unless the second half of it (10
     * windows or more) has no trend: none that is significant at 95 %, its standard error widened for neighbouring windows'
     * likeness, and would change throughput by more than 3 % over that half.
     */
    public static AtBound atBound(List<Window> windows) {
        Judgement j = judge(windows);
        if (j.steady()) {
            return new AtBound(Optional.empty(), Optional.empty());
        }
        double[] x = windows.stream().mapToDouble(Window::throughput).toArray();
        int from = x.length / 2;
        double mean = mean(x, from, x.length);
        if (x.length >= LEAST_AT_BOUND && mean > 0 && trend(x, from) / mean * (x.length - from) <= TOLERANCE) {
            return new AtBound(
                    Optional.empty(),
                    Optional.of("throughput never came to rest in the warm-up: it swings by "
                            + Say.percent(deviation(x, from, mean))
                            + " from one half second to another, without a trend. Other load on this machine does that; the"
                            + " swings are in the figures"));
        }
        double seconds = windows.stream().mapToDouble(Window::seconds).sum();
        return new AtBound(
                Optional.of(new Verdict.Reason(
                        "not-steady",
                        "no steady state within " + Say.seconds(seconds) + " of warm-up (" + j.why()
                                + "): what is measured now would be the warming up",
                        true)),
                Optional.empty());
    }

    /** Relative standard deviation from an index on. */
    private static double deviation(double[] x, int from, double mean) {
        double sum = 0;
        for (int i = from; i < x.length; i++) {
            sum += square(x[i] - mean);
        }
        return Math.sqrt(sum / Math.max(1, x.length - from - 1)) / mean;
    }

    private static Judgement notYet(String why) {
        return new Judgement(State.NOT_YET, -1, why);
    }

    /** Relative deviation of a window, from successive differences of the last windows. */
    private static double noise(double[] x) {
        int from = Math.max(0, x.length - MOST);
        double mean = mean(x, from, x.length);
        if (mean <= 0) {
            return 0;
        }
        double sum = 0;
        for (int i = from + 1; i < x.length; i++) {
            sum += square(x[i] - x[i - 1]);
        }
        return Math.sqrt(sum / (2.0 * (x.length - from - 1))) / mean;
    }

    /** The least change per window that is significant over the windows from an index on. */
    private static double trend(double[] x, int from) {
        int k = x.length - from;
        double[] at = new double[k];
        double[] y = new double[k];
        double[] weight = new double[k];
        for (int i = 0; i < k; i++) {
            at[i] = i;
            y[i] = x[from + i];
            weight[i] = 1;
        }
        return Regression.fit(at, y, weight).leastSlope(Statistics.LEVEL);
    }

    private static double mean(double[] x, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += x[i];
        }
        return sum / Math.max(1, to - from);
    }

    private static double square(double v) {
        return v * v;
    }
}
