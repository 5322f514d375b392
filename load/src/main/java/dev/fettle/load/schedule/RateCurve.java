package dev.fettle.load.schedule;

import dev.fettle.load.api.Arrivals;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The integral of a rate over time, piecewise linear or quadratic, and its inverse in closed form: when has a given
 * amount arrived? Within a stage of length L whose rate goes from a to b, after x seconds it is a·x + (b − a)·x²/2L;
 * solved for x without cancellation, 2y / (a + √(a² + 2·y·(b − a)/L)). In doubles: exact to a nanosecond over seven
 * days.
 */
final class RateCurve {

    private static final double NANOS = 1e9;
    /** Longer than any load; stages that begin later are ignored. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final int stages;
    private final double[] from;
    private final double[] slope;
    private final long[] lengths;
    private final long[] starts;
    /** The amount that has arrived when each stage begins; the last entry is for the end. */
    private final double[] before;

    /** @param scale factor by which the rate of a stage is multiplied */
    RateCurve(List<Arrivals.Stage> all, ToDoubleFunction<Arrivals.Stage> scale) {
        stages = all.size();
        from = new double[stages];
        slope = new double[stages];
        lengths = new long[stages];
        starts = new long[stages + 1];
        before = new double[stages + 1];
        for (int i = 0; i < stages; i++) {
            Arrivals.Stage stage = all.get(i);
            double by = scale.applyAsDouble(stage);
            lengths[i] = Math.min(stage.length().toNanos(), LONGEST - starts[i]);
            double seconds = stage.length().toNanos() / NANOS;
            from[i] = stage.from() * by;
            slope[i] = (stage.to() - stage.from()) * by / seconds;
            starts[i + 1] = starts[i] + lengths[i];
            before[i + 1] = before[i] + (stage.from() + stage.to()) / 2 * by * (lengths[i] / NANOS);
        }
    }

    int stages() {
        return stages;
    }

    /** When the last stage ends, in nanoseconds. */
    long end() {
        return starts[stages];
    }

    /** The amount that has arrived when a stage begins; for the number of stages, when the last one ends. */
    double before(int stage) {
        return before[stage];
    }

    /** When this amount has arrived, which must be within this stage. */
    long timeOf(int stage, double amount) {
        double more = Math.max(0, amount - before[stage]);
        if (more == 0) {
            return starts[stage];
        }
        double a = from[stage];
        double root = Math.sqrt(Math.max(0, a * a + 2 * slope[stage] * more));
        long nanos = Math.round(2 * more / (a + root) * NANOS);
        return starts[stage] + Math.min(nanos, lengths[stage]);
    }
}
