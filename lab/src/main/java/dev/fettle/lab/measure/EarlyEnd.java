package dev.fettle.lab.measure;

import dev.fettle.insight.GiveUp;
import dev.fettle.insight.capacity.ProbeOutlook;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Condition.Comparison;
import dev.fettle.model.plan.Condition.Metric;
import dev.fettle.model.plan.Conditions;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds a trial's windows against the bound that its step carries, and says when it may end. Throughput is judged from the warm-up on,
 * p99 only while it is measured: it is lost once more requests were late than may be late in all. Not thread-safe.
 */
final class EarlyEnd {
    /** Measured at least, also after a warm-up that was ended early: for the evidence, and for the figures that reports show. */
    private static final Duration EVIDENCE = Duration.ofSeconds(1);

    private final Optional<GiveUp> bound;
    private final Load load;
    private final List<Measurement.Window> windows = new ArrayList<>();
    private final List<Window> measured = new ArrayList<>();
    private double measuredSeconds;
    private OptionalFigure atBest = OptionalFigure.empty();

    /** @param bound empty: it never ends early */
    EarlyEnd(Optional<GiveUp> bound, Load load) {
        this.bound = bound;
        this.load = load;
    }

    /** Adds a window of the warm-up. */
    void warmedUp(Measurement.Window w) {
        windows.add(w);
        double warm = windows.stream().mapToDouble(Measurement.Window::seconds).sum();
        Duration all = load.warmUpAtMost().plus(load.measure());
        bound.filter(b -> b.metric() == Objective.Metric.THROUGHPUT)
                .ifPresent(b -> atBest = EarlyStopping.judge(b, windows, seconds(all) - warm));
    }

    /** Adds a measured window; returns whether that was enough. */
    boolean measured(Measurement.Window w, Window raw) {
        if (bound.isEmpty()) {
            return false;
        }
        GiveUp b = bound.get();
        windows.add(w);
        measuredSeconds += w.seconds();
        double left = seconds(load.measure()) - measuredSeconds;
        boolean lost = b.metric() == Objective.Metric.P99 && isLost(b, raw);
        if (measuredSeconds < 0.99 * seconds(EVIDENCE) || left < w.seconds()) {
            return false; // too early, or so late that the rest may as well be measured
        }
        if (b.metric() == Objective.Metric.THROUGHPUT) {
            atBest = EarlyStopping.judge(b, windows, left);
        } else if (lost) {
            atBest = OptionalFigure.of(b.worseThan());
        }
        return ended();
    }

    /** Whether the p99 of the whole is beyond the bound whatever comes. */
    private boolean isLost(GiveUp b, Window raw) {
        measured.add(raw);
        Window soFar = Window.merge(measured);
        measured.clear();
        measured.add(soFar);
        var slo = new Slo(new Conditions(List.of(
                new Condition(Metric.P99, Comparison.AT_MOST, b.worseThan()),
                new Condition(Metric.ERRORS, Comparison.AT_MOST, 1))));
        return load.arrivals() instanceof Arrivals.Open open
                && ProbeOutlook.isLost(
                        slo,
                        open.stages().getLast().to(),
                        load.requestsAtMost(),
                        seconds(load.measure()),
                        soFar.latency(),
                        0);
    }

    /** Whether the trial may end. */
    boolean ended() {
        return atBest.isPresent();
    }

    /** How long to measure. */
    Duration measure() {
        return ended() && EVIDENCE.compareTo(load.measure()) < 0 ? EVIDENCE : load.measure();
    }

    /** What the trial would have given at best; empty unless it was ended early. */
    OptionalFigure atBest() {
        return atBest;
    }

    /** Why it was ended early. */
    Optional<Verdict.Reason> reason() {
        return atBest.isEmpty()
                ? Optional.empty()
                : bound.map(b -> EarlyStopping.reason(
                        b,
                        atBest.getAsDouble(),
                        windows.stream()
                                .mapToDouble(Measurement.Window::seconds)
                                .sum()));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
