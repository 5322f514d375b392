package dev.fettle.insight.capacity;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * What a probe of a length sees of a queue that was empty when it began. Near the limit the wait is a Brownian motion that is reflected at
 * 0, falls by θ = 1 − rate / most a second, and has a variance v a second (heavy traffic: Kingman 1961; Whitt, Stochastic-Process Limits,
 * 2002, doi 10.1007/b97479). In units of √(v T) all probes of a length T with the same θ √(T / v), the pull, are alike: how
 * a percentile of the waits is distributed over such probes is found once, by paths that are exact at their points (the minimum between
 * two of them: Asmussen, Glynn and Pitman, Ann. Appl. Probab. 5, 1995, doi 10.1214/aoap/1177004597).
 */
final class WaitFromEmpty {
    private static final double[] PULLS = {
        -8, -5, -3.5, -2.5, -1.75, -1.25, -0.8, -0.4, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6,
        8, 11, 16
    };
    private static final int PATHS = 160;
    /** Points of a path beyond the percentile, at least. */
    private static final int BEYOND = 3;

    private static final int FEWEST = 300;
    /** Rarer percentiles are as far beyond this one as in the long run. */
    private static final double RAREST = 1e-3;
    /** Part of a path before a probe measures. */
    private static final double BEFORE = 0.05;
    /** A logistic distribution has 68 % within so many scales of its middle, both sides together. */
    private static final double SCALES = 3.3;

    private static final double LEAST = 1e-3;

    private static final Map<Double, WaitFromEmpty> ALL = Collections.synchronizedMap(new HashMap<>());

    private final double[] middles = new double[PULLS.length];
    private final double[] scales = new double[PULLS.length];
    private final double depth;

    /**
     * Of the wait that a share of the requests exceeds.
     *
     * @param share 0: the mean
     */
    static WaitFromEmpty of(double share) {
        return ALL.computeIfAbsent(share, WaitFromEmpty::new);
    }

    private WaitFromEmpty(double share) {
        depth = share > 0 ? -StrictMath.log(share) : 1;
        double seen = share > 0 ? Math.max(RAREST, share) : 0;
        double beyond = share > 0 ? StrictMath.log(depth / -StrictMath.log(seen)) : 0;
        int points = seen > 0 ? Math.max(FEWEST, (int) (BEYOND / seen)) : FEWEST;
        var random = new Random(1);
        for (int i = 0; i < PULLS.length; i++) {
            double[] logs = new double[PATHS];
            for (int k = 0; k < PATHS; k++) {
                logs[k] = StrictMath.log(Math.max(LEAST, path(PULLS[i], points, seen, random)));
            }
            Arrays.sort(logs);
            middles[i] = (logs[PATHS / 2] + logs[PATHS / 2 - 1]) / 2 + beyond;
            scales[i] = Math.max(0.03, (logs[(int) (0.84 * PATHS)] - logs[(int) (0.16 * PATHS)]) / SCALES);
        }
    }

    private static double path(double pull, int points, double share, Random random) {
        double[] waits = new double[points];
        double time = 1.0 / points;
        double wait = 0;
        double sum = 0;
        int first = (int) (BEFORE * points);
        for (int i = 0; i < points; i++) {
            double step = random.nextGaussian() * Math.sqrt(time) - pull * time;
            double least = (step - Math.sqrt(step * step - 2 * time * StrictMath.log(1 - random.nextDouble()))) / 2;
            wait = Math.max(wait + step, step - least);
            waits[i] = wait;
            sum += i < first ? 0 : wait;
        }
        if (share <= 0) {
            return sum / (points - first);
        }
        double[] counted = Arrays.copyOfRange(waits, first, points);
        Arrays.sort(counted);
        return counted[counted.length - 1 - (int) (share * counted.length)];
    }

    /** ln(1 / share): that wait over the mean wait, in the long run. */
    double depth() {
        return depth;
    }

    /** The median over probes of the logarithm of that wait over √(v T). */
    double middle(double pull) {
        if (pull >= PULLS[PULLS.length - 1]) {
            return middles[PULLS.length - 1] - StrictMath.log(pull / PULLS[PULLS.length - 1]);
        }
        return pull <= PULLS[0] ? middles[0] + StrictMath.log(pull / PULLS[0]) : between(middles, pull);
    }

    /** The scale of its distribution, which is about logistic. */
    double scale(double pull) {
        return pull >= PULLS[PULLS.length - 1]
                ? scales[PULLS.length - 1] * PULLS[PULLS.length - 1] / pull
                : pull <= PULLS[0] ? scales[0] : between(scales, pull);
    }

    private static double between(double[] of, double pull) {
        int i = Arrays.binarySearch(PULLS, pull);
        i = Math.min(PULLS.length - 2, i >= 0 ? i : -i - 2);
        return of[i] + (of[i + 1] - of[i]) * (pull - PULLS[i]) / (PULLS[i + 1] - PULLS[i]);
    }
}
