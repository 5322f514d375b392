package dev.fettle.insight.gate;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;

/**
 * How throughput changed during the measured time.
 *
 * <p>Neighbouring windows are correlated, on a shared machine for seconds up to a minute, so the scatter around a line over a
 * few seconds can't tell such a swing from a drift. The measured time is therefore cut into five blocks, and the changes from
 * block to block are tested with Student's t, 3 degrees of freedom. That is exact for a random walk, the worst case, and
 * conservative for independent windows. In simulated runs without drift it is {@linkplain #shown() shown} in at most 7 of 100,
 * however long the swings last ({@code DriftTest}). The price: a single trial shows only a large change. A small one that
 * recurs in every trial shows across trials, see {@link #pooled} and {@link #together}.
 *
 * @param change from the beginning to the end, relative to the mean; −0.12 is a fall by 12 %
 * @param low lower 95 % bound of the change
 * @param high upper 95 % bound of the change
 * @param seconds length of the measured time
 */
public record Drift(double change, double low, double high, double seconds) {
    private static final int BLOCKS = 5;

    /** A smaller change is not reported, even if it is certain. */
    private static final double WORTH = 0.02;

    /** A change that recurs in trial after trial is not reported if it is smaller than this. */
    private static final double WORTH_TOGETHER = 0.01;

    /** Confidence for claiming that a target drifts: the claim covers a whole run, so it needs more. */
    private static final double SURE = 0.99;

    /**
     * The drift of a measurement; empty if it has fewer than five measured windows or no responses, or if its load has stages: then
     * throughput is meant to change.
     */
    public static Optional<Drift> of(Measurement m) {
        return m.detail().stages().isEmpty() ? of(m.windows()) : Optional.empty();
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
                run.stream().mapToDouble(Window::seconds).sum()));
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

    /** {@code fell by 12 % within the 5.0 s measured (95 % interval 4 to 20 %)}. */
    public String text() {
        return words(change) + " by " + Format.share(Math.abs(change)) + " within the " + Format.seconds(seconds)
                + " measured (" + interval(change, low, high) + ")";
    }

    /**
     * The mean change over trials of the same length, with Student's t interval. The unit is the trial: windows of one trial
     * are correlated, separate trials hardly are.
     *
     * @return unbounded for one trial; 0, unbounded, for none
     */
    private static Interval pooled(List<Drift> trials, double level) {
        return Statistics.mean(trials.stream().mapToDouble(Drift::change).toArray(), level);
    }

    /**
     * One sentence, without its full stop, saying that throughput falls or rises in trial after trial; empty if that is not
     * shown. With up to two trials each must show it; with more, the mean change must exceed 1 % with 99 % confidence. Of clients whose
     * pauses set the throughput a rise says nothing: how many of them are due in a window changes with how they fall into step.
     *
     * @param trials in any order, void ones included, since drift may be what voided them
     */
    public static Optional<String> together(List<TrialOutcome> trials) {
        List<Drift> drifts = trials.stream()
                .flatMap(t -> t.measurement().stream())
                .flatMap(m -> Drift.of(m).stream())
                .toList();
        if (drifts.isEmpty()) {
            return Optional.empty();
        }
        boolean paced = trials.stream()
                .filter(t -> t.measurement().isPresent())
                .allMatch(t -> t.verdict().advises(GateAdvice.THINK_TIME));
        if (drifts.size() <= 2) {
            if (paced && drifts.getFirst().change > 0) {
                return Optional.empty();
            }
            boolean all = drifts.stream().allMatch(d -> d.shown() && d.change * drifts.getFirst().change > 0);
            return all
                    ? Optional.of("throughput " + drifts.getFirst().text()
                            + (drifts.size() == 2 ? ", and again in the next trial" : "")
                            + meaning(drifts.getFirst().change))
                    : Optional.empty();
        }
        Interval sure = pooled(drifts, SURE);
        double mean = sure.estimate();
        if (sure.contains(0) || Math.abs(mean) <= WORTH_TOGETHER || (paced && mean > 0)) {
            return Optional.empty();
        }
        long same = drifts.stream().filter(d -> d.change * mean > 0).count();
        double seconds = drifts.stream().mapToDouble(Drift::seconds).average().orElse(0);
        return Optional.of("throughput " + words(mean) + " while it was measured in " + same + " of " + drifts.size()
                + " trials, by " + Format.share(Math.abs(mean)) + " within " + Format.seconds(seconds)
                + " on average ("
                + interval(
                        mean,
                        pooled(drifts, Statistics.LEVEL).low(),
                        pooled(drifts, Statistics.LEVEL).high()) + ")" + meaning(mean));
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

    /** {@code 95 % interval 4 to 20 %}, for the size of a fall or rise. */
    private static String interval(double change, double low, double high) {
        return "95 % interval " + Format.share(change < 0 ? -high : low).replace(" %", "") + " to "
                + Format.share(change < 0 ? -low : high);
    }
}
