package dev.fettle.insight.stats;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * The Universal Scalability Law: {@code X(n) = λn / (1 + σ(n − 1) + κn(n − 1))} with n at once, whether clients, connections or
 * threads (Gunther, Guerrilla Capacity Planning, Springer 2007, chapter 4 to 6; arXiv 0808.1431). n/X is linear in 1, n − 1 and
 * n(n − 1), so it is fitted by least squares of relative residuals, with σ and κ not negative. It describes throughput
 * that grows more and more slowly. A server that scales in proportion up to a ceiling has a different curve, and gets
 * no fit: nor does one of which the numbers seen do not tell the two apart.
 *
 * @param lambda throughput at n = 1, per second
 * @param contention σ: the share of the work that has to wait its turn, 0 or more
 * @param coherence κ: the cost of each pair, 0 or more
 * @param residual root mean square of (seen − fitted) / fitted
 * @param most the largest n that was seen
 * @param peak where throughput is highest; empty if there is no peak, or if it lies beyond {@value #FAR} times the
 *     largest n seen
 */
public record Usl(
        double lambda, Interval contention, Interval coherence, double residual, double most, Optional<Peak> peak) {
    /** Fewest different n: three coefficients are fitted. */
    public static final int FEWEST = 5;
    /** The largest n must be at least this multiple of the smallest. */
    static final double RANGE = 4;
    /**
     * A fit with a larger root mean square residual is refused: trials differ by some 3 %, and a pool that is
     * proportional up to a ceiling is missed by 8 % and more ({@code UslTest}).
     */
    static final double MOST_RESIDUAL = 0.05;
    /** A fit is also refused if it is off by more than this at a single n. */
    static final double MOST_OFF = 0.12;

    /**
     * With repeats, a fit is also refused if it is off by more than this multiple of the difference between repeats, …
     */
    private static final double OF_NOISE = 1.5;
    /** … and by more than this. */
    private static final double LEAST_RESIDUAL = 0.01;

    /** A ceiling is reached if proportional growth would be above it by some scatter. */
    private static final double REACHED = 0.9;

    static final double FAR = 2;
    /** Peaks that resampling puts beyond this multiple of the largest n seen count as lying there. */
    private static final double FARTHEST = 10;

    private static final int RESAMPLES = 400;

    /** An observation: n at once, and the throughput per second. */
    public record Seen(double n, double throughput) {}

    /** The predicted peak. */
    public record Peak(Interval n, double throughput) {}

    /** A fit, or why there is none. */
    public sealed interface Fit {
        /** It fits. */
        record Fits(Usl usl) implements Fit {}

        /** It does not. */
        record Refused(String why) implements Fit {}
    }

    /**
     * Fits observations.
     *
     * @param seen in any order; those without throughput are left out
     */
    public static Fit fit(List<Seen> seen) {
        List<Seen> used =
                seen.stream().filter(s -> s.n() >= 1 && s.throughput() > 0).toList();
        double[] ns = used.stream().mapToDouble(Seen::n).distinct().sorted().toArray();
        if (ns.length < FEWEST) {
            return new Fit.Refused(
                    "it takes at least " + FEWEST + " different numbers at once, there are " + ns.length);
        }
        if (ns[ns.length - 1] < RANGE * ns[0]) {
            return new Fit.Refused("the largest number is less than " + Math.round(RANGE) + " times the smallest");
        }
        double[] c = solve(used);
        double[] off = used.stream()
                .mapToDouble(s -> s.throughput() / at(c, s.n()) - 1)
                .toArray();
        double rms = Math.sqrt(Arrays.stream(off).map(x -> x * x).average().orElse(0));
        double worst = worst(used, off, ns);
        OptionalFigure noise = noise(used, ns);
        boolean more = noise.isPresent() && rms > Math.max(LEAST_RESIDUAL, OF_NOISE * noise.getAsDouble());
        if (more || rms > MOST_RESIDUAL || worst > MOST_OFF) {
            String repeats =
                    noise.isEmpty() ? "" : "; repeats of one number differ by " + Format.share(noise.getAsDouble());
            return new Fit.Refused("the law does not fit: it is off by " + Format.share(rms)
                    + " on average and by up to " + Format.share(worst) + repeats);
        }
        OptionalFigure ceiling = residualOfCeiling(used, ns);
        if (ceiling.isPresent() && ceiling.getAsDouble() <= rms) {
            return new Fit.Refused(
                    "growth in proportion up to a ceiling fits as well (off by " + Format.share(ceiling.getAsDouble())
                            + " on average, the law by " + Format.share(rms)
                            + "): more numbers near the ceiling would show which");
        }
        return new Fit.Fits(of(used, c, off, rms, ns[ns.length - 1]));
    }

    /**
     * Root mean square residual of the best X(n) = min(λn, C): what a pool does, with one parameter less. Empty if its ceiling is not
     * reached, because then it is the law's own straight line.
     */
    private static OptionalFigure residualOfCeiling(List<Seen> used, double[] ns) {
        double least = Double.POSITIVE_INFINITY;
        for (double last :
                Arrays.copyOfRange(ns, 1, ns.length - 1)) { // the last of two and more numbers below the ceiling
            double slope = typical(used.stream()
                    .filter(s -> s.n() <= last)
                    .mapToDouble(s -> s.throughput() / s.n())
                    .toArray());
            double most = typical(used.stream()
                    .filter(s -> s.n() > last)
                    .mapToDouble(Seen::throughput)
                    .toArray());
            if (most < REACHED * slope * ns[ns.length - 1]) {
                double squares = used.stream()
                        .mapToDouble(s -> s.throughput() / (s.n() <= last ? slope * s.n() : most) - 1)
                        .map(x -> x * x)
                        .sum();
                least = Math.min(least, Math.sqrt(squares / used.size()));
            }
        }
        return Double.isFinite(least) ? OptionalFigure.of(least) : OptionalFigure.empty();
    }

    /** The constant with the least squares of relative residuals. */
    private static double typical(double[] x) {
        return Arrays.stream(x).map(v -> v * v).sum() / Arrays.stream(x).sum();
    }

    /** Relative deviation between repeats of one n; empty if there are too few repeats. */
    private static OptionalFigure noise(List<Seen> used, double[] ns) {
        double squares = 0;
        int free = 0;
        for (double n : ns) {
            double[] x = used.stream()
                    .filter(s -> s.n() == n)
                    .mapToDouble(s -> StrictMath.log(s.throughput()))
                    .toArray();
            double mean = Arrays.stream(x).average().orElse(0);
            for (double v : x) {
                squares += (v - mean) * (v - mean);
            }
            free += x.length - 1;
        }
        return free < FEWEST ? OptionalFigure.empty() : OptionalFigure.of(Math.sqrt(squares / free));
    }

    /** The largest mean residual of one n. */
    private static double worst(List<Seen> used, double[] off, double[] ns) {
        double worst = 0;
        for (double n : ns) {
            double sum = 0;
            int count = 0;
            for (int i = 0; i < off.length; i++) {
                if (used.get(i).n() == n) {
                    sum += off[i];
                    count++;
                }
            }
            worst = Math.max(worst, Math.abs(sum / count));
        }
        return worst;
    }

    private static Usl of(List<Seen> used, double[] c, double[] off, double rms, double most) {
        var random = new SplittableRandom(17);
        double[] sigma = new double[RESAMPLES];
        double[] kappa = new double[RESAMPLES];
        double[] peaks = new double[RESAMPLES];
        // three coefficients are fitted, so residuals are smaller than errors
        double wider = Math.sqrt((double) off.length / Math.max(1, off.length - 3));
        for (int r = 0; r < RESAMPLES; r++) {
            var again = new ArrayList<Seen>();
            for (Seen s : used) {
                double e = wider * off[random.nextInt(off.length)];
                again.add(new Seen(s.n(), at(c, s.n()) * (1 + e)));
            }
            double[] b = solve(again);
            sigma[r] = b[1] / b[0];
            kappa[r] = b[2] / b[0];
            peaks[r] = Math.min(peakOf(b), FARTHEST * most);
        }
        double peak = peakOf(c);
        Optional<Peak> shown =
                peak <= FAR * most ? Optional.of(new Peak(interval(peak, peaks), at(c, peak))) : Optional.empty();
        return new Usl(1 / c[0], interval(c[1] / c[0], sigma), interval(c[2] / c[0], kappa), rms, most, shown);
    }

    /** No bound of the peak lies farther than this: one that is as far as this is at least as far. */
    public double farthest() {
        return FARTHEST * most;
    }

    private static Interval interval(double estimate, double[] resampled) {
        double[] sorted = resampled.clone();
        Arrays.sort(sorted);
        double tail = (1 - Statistics.LEVEL) / 2;
        double low = sorted[(int) Math.floor(tail * (sorted.length - 1))];
        double high = sorted[(int) Math.ceil((1 - tail) * (sorted.length - 1))];
        return new Interval(
                estimate,
                Math.min(low, estimate),
                Math.max(high, estimate),
                Statistics.LEVEL,
                Interval.Method.BOOTSTRAP);
    }

    /** Where throughput is highest; infinite if it never falls. */
    private static double peakOf(double[] c) {
        double rest = c[0] - c[1];
        return c[2] <= 0 || rest <= 0 ? Double.POSITIVE_INFINITY : Math.sqrt(rest / c[2]);
    }

    private static double at(double[] c, double n) {
        return n / (c[0] + c[1] * (n - 1) + c[2] * n * (n - 1));
    }

    /** Throughput at n by the law. */
    public double at(double n) {
        return lambda * n / (1 + contention.estimate() * (n - 1) + coherence.estimate() * n * (n - 1));
    }

    /**
     * The coefficients of 1, n − 1 and n(n − 1) in n/X, none of them negative: the best fit of all subsets that meet
     * that.
     */
    private static double[] solve(List<Seen> seen) {
        double[] best = {1, 0, 0};
        double least = Double.POSITIVE_INFINITY;
        for (int[] subset : new int[][] {{0}, {0, 1}, {0, 2}, {0, 1, 2}}) {
            double[] c = solve(seen, subset);
            if (c[0] <= 0 || c[1] < 0 || c[2] < 0) {
                continue;
            }
            double sum = 0;
            for (Seen s : seen) {
                double off = s.throughput() / at(c, s.n()) - 1;
                sum += off * off;
            }
            if (sum < least * (1 - 1e-9)) {
                least = sum;
                best = c;
            }
        }
        return best;
    }

    private static double[] solve(List<Seen> seen, int[] subset) {
        var rows = new Array2DRowRealMatrix(seen.size(), subset.length);
        var ones = new ArrayRealVector(seen.size(), 1.0);
        for (int i = 0; i < seen.size(); i++) {
            double n = seen.get(i).n();
            double[] terms = {1, n - 1, n * (n - 1)};
            for (int j = 0; j < subset.length; j++) {
                rows.setEntry(i, j, terms[subset[j]] * seen.get(i).throughput() / n);
            }
        }
        // the columns differ by orders of magnitude: scale each to one
        double[] size = new double[subset.length];
        for (int j = 0; j < subset.length; j++) {
            size[j] = Math.max(1e-300, rows.getColumnVector(j).getNorm());
            for (int i = 0; i < seen.size(); i++) {
                rows.setEntry(i, j, rows.getEntry(i, j) / size[j]);
            }
        }
        RealVector x = new SingularValueDecomposition(rows).getSolver().solve(ones);
        double[] c = new double[3];
        for (int j = 0; j < subset.length; j++) {
            c[subset[j]] = x.getEntry(j) / size[j];
        }
        return c;
    }
}
