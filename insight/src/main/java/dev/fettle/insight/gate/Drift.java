package dev.fettle.insight.gate;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;

/**
 * How throughput changed while it was measured.
 *
 * <p>Neighbouring windows resemble each other, on a shared machine for seconds or a minute, and a few seconds can't tell such a
 * swing from a drift by their scatter around a line. So the measured time is cut into five blocks, and the change from one
 * block to the next is held against how much these changes differ from each other: Student's t with 3 degrees of freedom. That is
 * exact for a random walk, the worst of the swings, and too careful for windows that do not depend on each other. In simulated
 * runs without any drift it is {@linkplain #shown() shown} in at most 7 of 100, whatever the swings last
 * ({@code DriftTest}). The price: within one trial only a large change is seen. A small one that comes again in every trial is
 * seen over the trials, see {@link #pooled} and {@link #together}.
 *
 * @param change from the beginning to the end, relative to the mean; −0.12 is a fall by 12 %
 * @param low lower bound of it at 95 %
 * @param high upper bound of it at 95 %
 * @param seconds how long was measured
 * @param lastHalf valid responses a second in the last half alone
 */
public record Drift(double change, double low, double high, double seconds, double lastHalf) {
    private static final int BLOCKS = 5;

    /** Less than this is not worth a word, even when it is certain. */
    private static final double WORTH = 0.02;

    /** The same for a change that comes again in trial after trial. */
    private static final double WORTH_TOGETHER = 0.01;

    /** That a target drifts is claimed of a whole run, so it is claimed with care. */
    private static final double SURE = 0.99;

    /** The drift of a measurement; empty if fewer than five windows were measured, or nothing was answered. */
    public static Optional<Drift> of(Measurement m) {
        return of(m.windows());
    }

    /** The drift over the measured windows among these. */
    public static Optional<Drift> of(List<Window> windows) {
        List<Window> run =
                windows.stream().filter(w -> w.measured() && w.seconds() > 0).toList();
        double mean = throughput(run);
        if (run.size() < BLOCKS || mean <= 0) {
            return Optional.empty();
        }
        double[] steps = steps(run.stream().mapToDouble(Window::throughput).toArray(), BLOCKS);
        // from the middle of the first block to that of the last there are four steps, from end to end five
        Interval step = Statistics.mean(steps);
        double scale = BLOCKS / mean;
        return Optional.of(new Drift(
                step.estimate() * scale,
                step.low() * scale,
                step.high() * scale,
                run.stream().mapToDouble(Window::seconds).sum(),
                throughput(run.subList(run.size() / 2, run.size()))));
    }

    /** The changes between neighbouring blocks' means. */
    static double[] steps(double[] x, int blocks) {
        double[] steps = new double[blocks - 1];
        double before = 0;
        for (int b = 0; b < blocks; b++) {
            int from = b * x.length / blocks;
            int to = (b + 1) * x.length / blocks;
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += x[i];
            }
            double mean = sum / (to - from);
            if (b > 0) {
                steps[b - 1] = mean - before;
            }
            before = mean;
        }
        return steps;
    }

    private static double throughput(List<Window> run) {
        double seconds = run.stream().mapToDouble(Window::seconds).sum();
        return seconds > 0 ? run.stream().mapToLong(Window::responses).sum() / seconds : 0;
    }

    /** Whether the change is certain at 95 %, and more than 2 %. */
    public boolean shown() {
        return (low > 0 || high < 0) && Math.abs(change) > WORTH;
    }

    /** The largest change, up or down, that can't be excluded at 95 %. */
    public double most() {
        return Math.max(Math.abs(low), Math.abs(high));
    }

    /** {@code fell by 12 % within the 5.0 s measured (95 % interval 4 to 20 %)}. */
    public String text() {
        return words(change) + " by " + Say.percent(Math.abs(change)) + " within the " + Say.seconds(seconds)
                + " measured (" + interval(change, low, high) + ")";
    }

    /**
     * What trials of the same length have in common: the mean change with Student's t interval, the trial being the unit. However
     * the windows of one trial depend on each other, trials of their own hardly do.
     *
     * @return unbounded for one trial; 0, unbounded, for none
     */
    public static Interval pooled(List<Drift> trials) {
        return pooled(trials, Statistics.LEVEL);
    }

    private static Interval pooled(List<Drift> trials, double level) {
        return Statistics.mean(trials.stream().mapToDouble(Drift::change).toArray(), level);
    }

    /**
     * That a target falls, or rises, in trial after trial, as one sentence without its full stop; empty if that is not shown: from
     * two trials or fewer each must show it, from more the mean change must be certain at 99 % and more than 1 %.
     *
     * @param trials in any order, void ones included: what drifts may be void for it
     */
    public static Optional<String> together(List<TrialOutcome> trials) {
        List<Drift> drifts = trials.stream()
                .flatMap(t -> t.measurement().stream())
                .flatMap(m -> Drift.of(m).stream())
                .toList();
        if (drifts.isEmpty()) {
            return Optional.empty();
        }
        if (drifts.size() <= 2) {
            boolean all = drifts.stream().allMatch(d -> d.shown() && d.change * drifts.getFirst().change > 0);
            return all
                    ? Optional.of("throughput " + drifts.getFirst().text()
                            + (drifts.size() == 2 ? ", and again in the next trial" : "")
                            + meaning(drifts.getFirst().change))
                    : Optional.empty();
        }
        Interval sure = pooled(drifts, SURE);
        double mean = sure.estimate();
        if (sure.contains(0) || Math.abs(mean) <= WORTH_TOGETHER) {
            return Optional.empty();
        }
        long same = drifts.stream().filter(d -> d.change * mean > 0).count();
        double seconds = drifts.stream().mapToDouble(Drift::seconds).average().orElse(0);
        return Optional.of("throughput " + words(mean) + " while it was measured in " + same + " of " + drifts.size()
                + " trials, by " + Say.percent(Math.abs(mean)) + " within " + Say.seconds(seconds) + " on average ("
                + interval(mean, pooled(drifts).low(), pooled(drifts).high()) + ")" + meaning(mean));
    }

    private static String meaning(double change) {
        return change < 0
                ? ": it slows down as it runs, as with a leak, or a queue or a store that grows, so what is measured depends on"
                        + " how long it has run"
                : ": it was still getting faster when it was measured, so it gives more than these figures once it has run for"
                        + " longer; give the warm-up more time";
    }

    private static String words(double change) {
        return change < 0 ? "fell" : "rose";
    }

    /** {@code 95 % interval 4 to 20 %}: of the size of a fall or a rise. */
    private static String interval(double change, double low, double high) {
        return "95 % interval " + Say.percent(change < 0 ? -high : low).replace(" %", "") + " to "
                + Say.percent(change < 0 ? -low : high);
    }
}
