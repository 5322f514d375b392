package dev.fettle.insight.surface;

import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.hipparchus.exception.MathIllegalArgumentException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * A Gaussian process over knobs: what each does on its own, what each two do together, and a drift from trial to trial.
 * A few trials reveal little about how many knobs interact, and most of that is in pairs (Duvenaud, Nickisch and
 * Rasmussen, Additive Gaussian Processes, NIPS 2011, arXiv 1112.4394). Ordered axes have a Matérn kernel of 5/2, others
 * one of Hamming distance. A law may predict the values; how much of that is used is one of the scales.
 *
 * <p>A few trials say little of the scales, so guesses are averaged over some of them, sampled on a grid from their posterior (Gibbs
 * sampling from the most probable on; <a href="https://arxiv.org/abs/1206.2944">Snoek, Larochelle and Adams, NIPS 2012</a>). {@link
 * Scales} has their priors. Pure, and the same on every machine: {@link StrictMath} throughout, and the sampling's seed is the number of
 * samples.
 */
public final class Surface {
    /** Prior variance of the overall level where nothing is known of it. */
    private static final double LEVEL = 1;
    /** Correlation length of the drift, in trials. */
    private static final double DRIFT_TRIALS = 4;

    private static final int SWEEPS = 3;

    /** How many probable scales the guesses are averaged over. */
    private static final int SAMPLED = 8;

    private final List<FittedModel> all;
    private final FittedModel likeliest;

    private Surface(List<FittedModel> all, FittedModel likeliest) {
        this.all = all;
        this.likeliest = likeliest;
    }

    /**
     * Fits a surface.
     *
     * @param samples at least one
     * @param sigma deviation between trials of one setting, from replicates
     * @param pairs whether two axes may do together what neither does alone
     */
    public static Surface fit(List<Axis> axes, List<Sample> samples, double sigma, boolean pairs) {
        return fit(new Fit(axes, samples, sigma, LEVEL, OptionalFigure.empty()), pairs);
    }

    /**
     * Fits a surface whose level is known beforehand: far from all samples, and from those that it takes after, it is 0.
     *
     * @param samples at least one
     * @param sigma deviation between trials of one setting
     * @param spread deviation of the level
     * @param pairs whether two axes may do together what neither does alone
     */
    public static Surface aroundZero(
            List<Axis> axes, List<Sample> samples, double sigma, double spread, boolean pairs) {
        return fit(new Fit(axes, samples, sigma, spread * spread, OptionalFigure.of(0)), pairs);
    }

    private static Surface fit(Fit fit, boolean pairs) {
        Scales first = mostProbable(fit, pairs);
        Scales now = first;
        var random = new SplittableRandom(fit.values.length);
        var all = new ArrayList<FittedModel>();
        for (int i = 0; i < SAMPLED; i++) {
            now = sampled(fit, now, random);
            all.add(fit.fitted(now));
        }
        return new Surface(List.copyOf(all), fit.fitted(first));
    }

    /** Found on the grid, one scale after the other. */
    private static Scales mostProbable(Fit fit, boolean pairs) {
        Scales best = new Scales(fit.axes.size(), pairs);
        double top = fit.score(best);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean moved = false;
            for (int p = 0; p < best.count(); p++) {
                if (fit.without(p, best)) {
                    continue;
                }
                int was = best.index(p);
                for (int i = 0; i < best.choices(p); i++) {
                    if (i != was) {
                        Scales other = best.with(p, i);
                        double score = fit.score(other);
                        if (score > top) {
                            top = score;
                            best = other;
                            moved = true;
                        }
                    }
                }
            }
            if (!moved) {
                break;
            }
        }
        return best;
    }

    /** A step of Gibbs sampling: each scale anew, with its probability given the others. */
    private static Scales sampled(Fit fit, Scales from, SplittableRandom random) {
        Scales now = from;
        for (int p = 0; p < now.count(); p++) {
            double[] up = new double[fit.without(p, now) ? 0 : now.choices(p)];
            double top = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < up.length; i++) {
                up[i] = fit.score(now.with(p, i));
                top = Math.max(top, up[i]);
            }
            double sum = 0;
            for (int i = 0; i < up.length; i++) {
                sum += StrictMath.exp(up[i] - top);
                up[i] = sum;
            }
            double u = random.nextDouble() * sum;
            for (int i = 0; i < up.length; i++) {
                if (u < up[i]) {
                    now = now.with(p, i);
                    break;
                }
            }
        }
        return now;
    }

    /** With the most probable scales alone: more reserved, as these are those of knobs that do little. */
    public Surface likeliest() {
        return new Surface(List.of(likeliest), likeliest);
    }

    /** Deviation between trials of one setting, estimated from all data. */
    public double sigma() {
        return all.stream().mapToDouble(FittedModel::sigma).average().orElseThrow();
    }

    /** @param expected as in {@link Sample} */
    public Prediction at(Point point, double expected) {
        double[] x = point.array();
        return mixed(f -> f.at(x, expected));
    }

    /** The difference between the values at two places; uncertainty that both share cancels out. */
    public Prediction difference(Point a, double expectedA, Point b, double expectedB) {
        double[] x = a.array();
        double[] y = b.array();
        return mixed(f -> f.difference(x, expectedA, y, expectedB));
    }

    /** Mean and deviation of the guesses' mixture. */
    private Prediction mixed(Function<FittedModel, Prediction> of) {
        double mean = 0;
        double square = 0;
        for (FittedModel f : all) {
            Prediction g = of.apply(f);
            mean += g.mean() / all.size();
            square += (g.deviation() * g.deviation() + g.mean() * g.mean()) / all.size();
        }
        return new Prediction(mean, Math.sqrt(Math.max(square - mean * mean, 1e-12)));
    }

    private record Solved(CholeskyDecomposition of, RealVector weights) {}

    /** The data, with everything that does not depend on the scales. */
    private static final class Fit {
        private final List<Axis> axes;
        private final double[][] at;
        private final double[] values;
        private final double[] expected;
        private final double[] blur;
        private final double sigma;
        private final double level;
        private final OptionalFigure known;
        /** Similarity of two samples on an axis: by axis, length, row and column. */
        private final double[][][][] alike;

        private final double[][] near;
        private final boolean lawful;

        /**
         * @param level prior variance of the overall level
         * @param known its mean; else that of the samples
         */
        Fit(List<Axis> axes, List<Sample> samples, double sigma, double level, OptionalFigure known) {
            this.axes = axes;
            this.sigma = sigma;
            this.level = level;
            this.known = known;
            int n = samples.size();
            this.at = new double[n][];
            this.values = new double[n];
            this.expected = new double[n];
            this.blur = new double[n];
            boolean law = false;
            for (int i = 0; i < n; i++) {
                at[i] = samples.get(i).at().array();
                values[i] = samples.get(i).value();
                expected[i] = samples.get(i).expected();
                blur[i] = samples.get(i).blur();
                law |= expected[i] != expected[0];
            }
            this.lawful = law;
            this.near = new double[n][n];
            this.alike = new double[axes.size()][Scales.LENGTHS.length][n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double apart =
                            Math.abs(samples.get(i).time() - samples.get(j).time());
                    near[i][j] = StrictMath.exp(-apart / DRIFT_TRIALS);
                    for (int d = 0; d < axes.size(); d++) {
                        for (int l = 0; l < Scales.LENGTHS.length; l++) {
                            alike[d][l][i][j] = FittedModel.alike(axes.get(d), at[i][d], at[j][d], Scales.LENGTHS[l]);
                        }
                    }
                }
            }
        }

        /** Whether a parameter has no influence here. */
        boolean without(int parameter, Scales scales) {
            int axis = scales.lengthOf(parameter);
            return axis >= 0 ? !axes.get(axis).ordered() : scales.isLaw(parameter) && !lawful;
        }

        double mean(Scales scales) {
            if (known.isPresent()) {
                return known.getAsDouble();
            }
            double sum = 0;
            for (int i = 0; i < values.length; i++) {
                sum += values[i] - scales.law() * expected[i];
            }
            return sum / values.length;
        }

        private Array2DRowRealMatrix matrix(Scales scales) {
            int n = values.length;
            int dimensions = axes.size();
            double[] v = new double[dimensions];
            double[][][] k = new double[dimensions][][];
            double all = 0;
            for (int d = 0; d < dimensions; d++) {
                v[d] = scales.variance(d);
                k[d] = alike[d][scales.length(d)];
                all += v[d];
            }
            double pair = scales.together() / all / 2;
            double drift = scales.drift() * scales.drift();
            double own = sigma * scales.noise();
            double[][] matrix = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double sum = 0;
                    double squares = 0;
                    for (int d = 0; d < dimensions; d++) {
                        double one = v[d] * k[d][i][j];
                        sum += one;
                        squares += one * one;
                    }
                    double value = level + sum + pair * (sum * sum - squares) + drift * near[i][j];
                    matrix[i][j] = value;
                    matrix[j][i] = value;
                }
                matrix[i][i] += own * own + blur[i] * blur[i] + 1e-9;
            }
            return new Array2DRowRealMatrix(matrix, false);
        }

        Solved solve(Scales scales) {
            var cholesky = new CholeskyDecomposition(matrix(scales), 1e-9, 1e-15);
            double mean = mean(scales);
            double[] rest = new double[values.length];
            for (int i = 0; i < rest.length; i++) {
                rest[i] = values[i] - scales.law() * expected[i] - mean;
            }
            return new Solved(cholesky, cholesky.getSolver().solve(new ArrayRealVector(rest, false)));
        }

        FittedModel fitted(Scales scales) {
            Solved solved = solve(scales);
            return new FittedModel(
                    axes,
                    at,
                    mean(scales),
                    level,
                    scales,
                    sigma * scales.noise(),
                    solved.of.getSolver().getInverse(),
                    solved.weights);
        }

        /** The logarithm of the posterior, up to a constant. */
        double score(Scales scales) {
            try {
                Solved solved = solve(scales);
                RealMatrix l = solved.of.getL();
                double mean = mean(scales);
                double score = scales.logPrior();
                for (int i = 0; i < values.length; i++) {
                    score -= StrictMath.log(l.getEntry(i, i))
                            + (values[i] - scales.law() * expected[i] - mean) * solved.weights.getEntry(i) / 2;
                }
                return score;
            } catch (MathIllegalArgumentException notPositive) {
                return Double.NEGATIVE_INFINITY;
            }
        }
    }
}
