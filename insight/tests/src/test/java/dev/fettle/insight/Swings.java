package dev.fettle.insight;

import dev.fettle.model.trial.Measurement.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/**
 * Noise of windows of half a second: white, and swings that last (AR(1)), both on the log of throughput.
 *
 * @param name as tables say it
 * @param white deviation of what each window has of its own
 * @param swing deviation of the swings
 * @param tau how long they last, seconds; 0 for none
 */
public record Swings(String name, double white, double swing, double tau) {
    public static final double WINDOW = 0.5;
    public static final double PER_SECOND = 20_000;

    public static final Swings WHITE_1 = new Swings("white 1 %", 0.01, 0, 0);
    public static final Swings WHITE_3 = new Swings("white 3 %", 0.03, 0, 0);
    static final Swings WHITE_5 = new Swings("white 5 %", 0.05, 0, 0);
    public static final Swings WHITE_10 = new Swings("white 10 %", 0.1, 0, 0);
    /** Neighbouring windows correlate by 0.8. */
    public static final Swings RHO_08 = new Swings("rho 0.8, 3 %", 0.005, 0.03, 2.24);

    public static final Swings TAU_2 = new Swings("10 % for 2 s", 0.01, 0.1, 2);
    public static final Swings TAU_10 = new Swings("10 % for 10 s", 0.01, 0.1, 10);
    public static final Swings TAU_60 = new Swings("10 % for 60 s", 0.01, 0.1, 60);
    public static final List<Swings> ALL = List.of(WHITE_1, WHITE_3, WHITE_5, WHITE_10, RHO_08, TAU_2, TAU_10, TAU_60);

    /** Throughputs a second, of a course that is 1 where nothing happens. */
    public double[] throughputs(Random random, int windows, DoubleUnaryOperator course) {
        double keeps = tau > 0 ? Math.exp(-WINDOW / tau) : 0;
        double z = random.nextGaussian();
        double[] x = new double[windows];
        for (int i = 0; i < windows; i++) {
            x[i] = PER_SECOND * course.applyAsDouble(i * WINDOW) * Math.exp(swing * z + white * random.nextGaussian());
            z = keeps * z + Math.sqrt(1 - keeps * keeps) * random.nextGaussian();
        }
        return x;
    }

    /** The same as windows. */
    public static List<Window> windows(double[] throughputs, boolean measured) {
        var out = new ArrayList<Window>();
        for (int i = 0; i < throughputs.length; i++) {
            out.add(new Window(i * WINDOW, WINDOW, Math.round(throughputs[i] * WINDOW), 0, 1, measured));
        }
        return out;
    }

    /** A warm-up and the measuring after it, as one run. */
    public List<Window> run(Random random, int warmUp, int measured, DoubleUnaryOperator course) {
        List<Window> all = windows(throughputs(random, warmUp + measured, course), true);
        return Stream.concat(
                        all.stream()
                                .limit(warmUp)
                                .map(w -> new Window(w.at(), w.seconds(), w.responses(), 0, 1, false)),
                        all.stream().skip(warmUp))
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
