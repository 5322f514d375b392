package dev.fettle.insight.gate;

import dev.fettle.insight.GiveUp;
import dev.fettle.insight.stats.Regression;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.util.Arrays;
import java.util.List;

/**
 * Decides from the windows of a running trial whether its setting is surely worse than the best so far. Such a trial is ended early;
 * what it would have given at best is stored with it, an upper bound (a censored figure).
 *
 * <p>At best means: the fastest {@value #FASTEST} windows in a row (2 s) of the last half of the load, so that a stall takes nothing
 * away, plus the steepest rise that agrees with that half (a regression's slope at 99 %), kept up until the trial's end. Warm-ups rise
 * ever more slowly, so this is more than they reach. It has to be below the bound in {@value #IN_A_ROW} windows in a row. Windows without an
 * answer count as nothing: silence says nothing about speed.
 *
 * <p>{@code EarlyEndErrorRatesTest} shows how often a setting as good as the best is given up, and what is saved;
 * docs/methodology.md has the table.
 */
public final class EarlyStopping {
    /** The {@link Verdict.Reason#rule()} of a trial that was ended early. */
    public static final String RULE = "surely-worse";

    /** Fewest windows that are judged. */
    private static final int LEAST = 8;

    private static final int FASTEST = 4;
    private static final int IN_A_ROW = 3;

    /** Level of a two-sided interval whose upper bound holds at 99 % one-sided. */
    private static final double ONE_SIDED_99 = 0.98;

    private EarlyStopping() {}

    /**
     * What a trial would give at best, if that is surely below the bound (p99 is judged by {@code ProbeOutlook}).
     *
     * @param bound on throughput
     * @param windows of the load so far, of about equal length, in order, warm-up included
     * @param left seconds of load to come at most
     * @return responses per second; empty where it may still be as good
     */
    public static OptionalFigure judge(GiveUp bound, List<Window> windows, double left) {
        List<Window> answering = windows.stream()
                .filter(w -> w.responses() > 0 && w.seconds() > 0)
                .toList();
        double seconds = answering.stream().mapToDouble(Window::seconds).sum();
        int n = answering.size();
        if (n < LEAST + IN_A_ROW - 1 || seconds < bound.from()) {
            return OptionalFigure.empty();
        }
        double[] rates = answering.stream().mapToDouble(Window::throughput).toArray();
        double each = seconds / n;
        double most = 0;
        for (int before = 0; before < IN_A_ROW; before++) {
            double atBest = atBest(Arrays.copyOf(rates, n - before), left / each + before);
            if (atBest >= bound.worseThan()) {
                return OptionalFigure.empty();
            }
            most = Math.max(most, atBest);
        }
        return OptionalFigure.of(most);
    }

    /** @param left windows to come */
    private static double atBest(double[] rates, double left) {
        int n = rates.length;
        int from = n - Math.max(LEAST, n / 2);
        double fastest = 0;
        for (int i = from; i + FASTEST <= n; i++) {
            fastest = Math.max(
                    fastest, Arrays.stream(rates, i, i + FASTEST).average().orElse(0));
        }
        Regression line = Regression.fit(rates, from);
        double slope =
                line.slope() + Statistics.tQuantile(line.degreesOfFreedom(), ONE_SIDED_99) * line.standardError();
        return fastest + Math.max(0, slope) * left;
    }

    /** Why a trial has no figure. */
    public static Verdict.Reason reason(GiveUp bound, double atBest, double seconds) {
        boolean rate = bound.metric() == Objective.Metric.THROUGHPUT;
        return new Verdict.Reason(
                RULE,
                "ended early, after " + Format.seconds(seconds) + " of load: "
                        + (rate
                                ? "at best " + Format.number(atBest) + "/s, and below "
                                        + Format.number(bound.worseThan()) + "/s"
                                : "p99 is above " + Format.time(atBest) + " whatever comes, and from there on")
                        + " a setting is surely worse than the best so far",
                false);
    }

    /** Whether a trial was ended early for this, and nothing else is wrong with it. */
    public static boolean is(TrialOutcome trial) {
        return trial.verdict().reasons().stream().anyMatch(r -> r.rule().equals(RULE));
    }

    /** What a trial that was ended early would have given at best, whatever else is wrong with it; empty for any other. */
    public static OptionalFigure atBest(TrialOutcome trial) {
        return OptionalFigure.from(trial.evidence(), e -> e.conditions().atBest());
    }
}
