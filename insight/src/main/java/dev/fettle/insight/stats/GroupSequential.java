package dev.fettle.insight.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * How strict each of several looks at growing data has to be, so that all together err with a probability that was fixed beforehand
 * (Lan and DeMets 1983, doi 10.1093/biomet/70.3.659). By the share t of the announced time, α·t² may have been spent (the power family
 * of Kim and DeMets 1987, doi 10.1093/biomet/74.1.149, between Pocock's and O'Brien and Fleming's): an early look needs much stronger
 * evidence, and the last one nearly as little as a single look would.
 *
 * <p>When looks come, and how many, may depend on how long things take, but not on what they show. The interval of each look then holds for
 * all of them (repeated confidence intervals: Jennison and Turnbull 1989, doi 10.1111/j.2517-6161.1989.tb01433.x).
 */
public final class GroupSequential {
    /** Spending is computed in steps of so many of the time: what was computed is used again. */
    private static final int PARTS = 100;

    /** In units of the statistic's deviation: no data reach beyond. */
    private static final double WIDEST = 8;

    /** Nothing of note lies below. */
    private static final double LOWEST = -5;

    /** The grid over the statistic; even, for Simpson's rule. */
    private static final int STEPS = 64;

    private static final int KEPT = 20_000;
    private static final double ROOT = Math.sqrt(2 * Math.PI);
    private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);

    private static final Map<Key, State> KNOWN = Collections.synchronizedMap(new LinkedHashMap<>(1024, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, State> eldest) {
            return size() > KEPT;
        }
    });

    private GroupSequential() {}

    /**
     * A look.
     *
     * @param pairs number of observations, more than at the look before
     * @param time share of the announced time that has passed, 0 to 1; 1 at the last look
     */
    public record Look(int pairs, double time) {
        private int part() {
            return (int) Math.floor(Math.clamp(time, 0, 1) * PARTS + 1e-9);
        }
    }

    private record Key(double alpha, List<Integer> looks) {}

    /**
     * What is left to go on from a look.
     *
     * @param bound of the standard normal statistic
     * @param at the statistic's grid up to the bound
     * @param density of those that have crossed no bound so far
     */
    private record State(int pairs, double bound, double[] at, double[] density) {}

    /**
     * The one-sided level of the last of these looks.
     *
     * @param alpha the probability to err at any of them, one-sided, above 0
     * @param looks all so far, at least one, in order
     * @return 0 to alpha; the bound of a normal statistic at this level is the look's bound
     */
    public static double level(double alpha, List<Look> looks) {
        return 1 - NORMAL.cumulativeProbability(state(alpha, looks).bound());
    }

    private static State state(double alpha, List<Look> looks) {
        var key = new ArrayList<Integer>();
        looks.forEach(l -> {
            key.add(l.pairs());
            key.add(l.part());
        });
        var of = new Key(alpha, List.copyOf(key));
        @Nullable State known = KNOWN.get(of);
        if (known != null) {
            return known;
        }
        Look last = looks.getLast();
        State found = looks.size() == 1
                ? first(last, spent(alpha, last.part()))
                : after(
                        state(alpha, looks.subList(0, looks.size() - 1)),
                        last,
                        spent(alpha, last.part())
                                - spent(alpha, looks.get(looks.size() - 2).part()));
        KNOWN.put(of, found);
        return found;
    }

    private static double spent(double alpha, int part) {
        double t = part / (double) PARTS;
        return alpha * t * t;
    }

    private static State first(Look look, double error) {
        double bound = error <= 1e-12 ? WIDEST : -NORMAL.inverseCumulativeProbability(error);
        double[] at = grid(bound);
        var density = new double[at.length];
        for (int i = 0; i < at.length; i++) {
            density[i] = density(at[i]);
        }
        return new State(look.pairs(), bound, at, density);
    }

    /** Armitage, McPherson and Rowe's recursion (1969, doi 10.2307/2343787): sums of independent normal steps that crossed no bound. */
    private static State after(State before, Look look, double error) {
        double root = Math.sqrt(look.pairs());
        double then = Math.sqrt(before.pairs());
        double step = Math.sqrt(look.pairs() - (double) before.pairs());
        double low = LOWEST;
        double high = WIDEST;
        while (error > 1e-12 && high - low > 1e-5) {
            double middle = (low + high) / 2;
            var beyond = new double[before.at().length];
            for (int i = 0; i < beyond.length; i++) {
                beyond[i] = before.density()[i]
                        * NORMAL.cumulativeProbability((before.at()[i] * then - middle * root) / step);
            }
            if (simpson(before.at(), beyond) > error) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double[] at = grid(high);
        var density = new double[at.length];
        for (int k = 0; k < at.length; k++) {
            var from = new double[before.at().length];
            for (int i = 0; i < from.length; i++) {
                from[i] = before.density()[i] * density((at[k] * root - before.at()[i] * then) / step) * root / step;
            }
            density[k] = simpson(before.at(), from);
        }
        return new State(look.pairs(), high, at, density);
    }

    private static double[] grid(double bound) {
        var at = new double[STEPS + 1];
        for (int i = 0; i <= STEPS; i++) {
            at[i] = LOWEST + (bound - LOWEST) * i / STEPS;
        }
        return at;
    }

    private static double density(double z) {
        return Math.exp(-z * z / 2) / ROOT;
    }

    private static double simpson(double[] at, double[] values) {
        double sum = 0;
        for (int i = 0; i <= STEPS; i++) {
            sum += (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2) * values[i];
        }
        return sum * (at[STEPS] - at[0]) / STEPS / 3;
    }
}
