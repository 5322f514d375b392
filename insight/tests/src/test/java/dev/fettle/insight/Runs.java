package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * The seeds of simulated runs, until it is decided what is claimed of them:
 *
 * <pre>{@code
 * var runs = new Runs(40);
 * var wrong = runs.atMost("wrong", 2);
 * for (int seed : runs) {
 *     wrong.count(simulate(seed).isWrong());
 * }
 * runs.check();
 * }</pre>
 *
 * <p>A claim is a bound on a count among all runs. Wald's sequential probability ratio test (Annals of Mathematical Statistics 16,
 * 1945, p. 117) accepts it early: of the share that all runs together would pass in 19 of 20 cases, against the one that they would
 * refuse in 19 of 20. So fewer runs find nearly the same defects, {@code RunsTest} has the figures. A claim that is not accepted early is
 * judged by the count of all runs. With {@code -Dfettle.runs=200} there are so many, none is left out, and counts grow in proportion.
 */
public final class Runs implements Iterable<Integer> {
    private static final int ASKED = Integer.getInteger("fettle.runs", 0);
    /** Of either kind of error. */
    private static final double RISK = 0.05;

    private final int usual;
    private final int all;
    private final boolean early;
    private final List<Claim> claims = new ArrayList<>();
    private int done;

    /** @param usual their number, unless it is asked for otherwise */
    public Runs(int usual) {
        this(usual, ASKED);
    }

    /** @param asked a number of runs that are all made; 0: none was asked for */
    Runs(int usual, int asked) {
        this.usual = usual;
        this.all = asked > 0 ? asked : usual;
        this.early = asked == 0;
    }

    /** Their number if none is left out. */
    public int all() {
        return all;
    }

    /** Those so far. */
    public int done() {
        return done;
    }

    /** Claims that so many of the usual number of runs, or fewer, come out so. */
    public Claim atMost(String what, int most) {
        var claim = new Claim(what, false, scaled(most));
        claims.add(claim);
        return claim;
    }

    /** Claims that so many of the usual number of runs, or more, come out so. */
    public Claim atLeast(String what, int least) {
        var claim = new Claim(what, true, scaled(usual - least));
        claims.add(claim);
        return claim;
    }

    private int scaled(int count) {
        return (int) Math.ceil((double) count * all / usual);
    }

    /** Seeds from 1 on. */
    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return done < all && hold() && !(early && claims.stream().allMatch(Claim::accepted));
            }

            @Override
            public Integer next() {
                return ++done;
            }
        };
    }

    /** Fails if a claim does not hold, or if there was nothing to be shown. */
    public void check() {
        assertThat(done).as("runs").isPositive();
        assertThat(claims.stream().filter(Claim::broken).map(c -> c.what + ": " + c))
                .isEmpty();
    }

    /** Whether all claims hold so far. */
    boolean hold() {
        return claims.stream().noneMatch(Claim::broken);
    }

    /** A bound on how often something happens. */
    public final class Claim {
        private final String what;
        private final boolean least;
        /** Number of runs that may come out otherwise than is hoped. */
        private final int most;

        private final double bad;
        private final double fine;
        private int happened;
        private double evidence;
        private boolean accepted;

        private Claim(String what, boolean least, int most) {
            this.what = what;
            this.least = least;
            this.most = most;
            double good = Binomial.share(all, most, 1 - RISK);
            double worse = Binomial.share(all, most, RISK);
            bad = Math.log(worse / good);
            fine = Math.log((1 - worse) / (1 - good));
            accepted = most >= all;
        }

        /** Counts one run. */
        public void count(boolean happens) {
            happened += happens ? 1 : 0;
            evidence += happens == least ? fine : bad;
            accepted |= evidence <= Math.log(RISK / (1 - RISK)) + 1e-9;
        }

        /** How often it happened in the runs so far. */
        public int happened() {
            return happened;
        }

        private boolean accepted() {
            return accepted;
        }

        private boolean broken() {
            return (least ? done - happened : happened) > most;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d of %d, %s %d of %d",
                    happened,
                    done,
                    least ? "at least" : "at most",
                    least ? all - most : most,
                    all);
        }
    }

    /** Counts of a binomial distribution. */
    static final class Binomial {
        private Binomial() {}

        /** The share of which a count is not exceeded, in so many runs, with a probability. */
        static double share(int runs, int most, double probability) {
            if (most >= runs) {
                return 0.5; // any will do
            }
            double low = 0;
            double high = 1;
            while (high - low > 1e-12) {
                double mid = (low + high) / 2;
                if (atMost(runs, most, mid) > probability) {
                    low = mid;
                } else {
                    high = mid;
                }
            }
            return low;
        }

        private static double atMost(int runs, int most, double share) {
            double log = runs * Math.log1p(-share);
            double sum = 0;
            for (int k = 0; k <= most; k++) {
                sum += Math.exp(log);
                log += Math.log((double) (runs - k) / (k + 1)) + Math.log(share) - Math.log1p(-share);
            }
            return sum;
        }
    }
}
