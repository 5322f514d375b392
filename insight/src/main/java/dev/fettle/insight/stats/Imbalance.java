package dev.fettle.insight.stats;

/** Tests whether an event hits one of two groups more often than chance explains. */
public final class Imbalance {
    /** An imbalance of void trials that is less likely than this is not chance. */
    public static final double NOT_CHANCE = 0.05;

    private Imbalance() {}

    /**
     * Fisher's exact test, two-sided: the probability, given the margins, of a table no more likely than this one (Fisher, The
     * Design of Experiments, 1935; Agresti, Categorical Data Analysis, 3.5).
     *
     * @param a hits in the first group
     * @param of size of the first group, at least a
     * @param b hits in the second group
     * @param ofOther size of the second group, at least b
     * @return 0 to 1; 1 where none or all are hit
     */
    public static double chance(int a, int of, int b, int ofOther) {
        if (a < 0 || b < 0 || a > of || b > ofOther) {
            throw new IllegalArgumentException(a + " of " + of + ", " + b + " of " + ofOther);
        }
        int hit = a + b;
        double own = table(a, of, hit, ofOther);
        double sum = 0;
        for (int k = Math.max(0, hit - ofOther); k <= Math.min(hit, of); k++) {
            double p = table(k, of, hit, ofOther);
            sum += p <= own * (1 + 1e-9) ? p : 0;
        }
        return Math.min(1, sum);
    }

    /**
     * Fisher's exact test, one-sided: the probability, given the margins, of at least so many hits in the first group.
     *
     * @param a hits in the first group
     * @param of size of the first group, at least a
     * @param b hits in the second group
     * @param ofOther size of the second group, at least b
     * @return 0 to 1
     */
    public static double more(int a, int of, int b, int ofOther) {
        double sum = 0;
        for (int k = a; k <= Math.min(a + b, of); k++) {
            sum += table(k, of, a + b, ofOther);
        }
        return Math.min(1, sum);
    }

    private static double table(int k, int of, int hit, int ofOther) {
        return StrictMath.exp(choose(of, k) + choose(ofOther, hit - k) - choose(of + ofOther, hit));
    }

    private static double choose(int n, int k) {
        double log = 0;
        for (int i = 1; i <= k; i++) {
            log += StrictMath.log((n - k + i) / (double) i);
        }
        return log;
    }
}
