package dev.fettle.insight.history;

import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.stats.TwoSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Change points of a series: E-divisive (Matteson and James, arXiv 1306.4933) with Student's t-test in place of permutations, in windows
 * that overlap, with a weak level for candidates and a strict one for what stays (Hunter: Fleming et al., arXiv 2301.03034; before it
 * Daly et al., arXiv 2003.00584). The same figures always give the same points.
 */
public final class EDivisive {
    /** As few as that a change of any size stands out, and an outlier weighs little more than a figure next to it. */
    private static final double STEPS = 8;

    private final double[] series;
    private final Levels levels;

    private EDivisive(double[] series, Levels levels) {
        this.series = series;
        this.levels = levels;
    }

    /**
     * The change points that are large enough, in order.
     *
     * @param series finite figures, oldest first
     * @param large whether a change matters; those that don't are taken out, smallest first
     */
    public static List<ChangePoint> of(double[] series, Levels levels, Predicate<ChangePoint> large) {
        return of(series, 0, levels, large);
    }

    /**
     * The same, searched from a place on: what lies before it is only compared with.
     *
     * @param from where the first window begins
     */
    static List<ChangePoint> of(double[] series, int from, Levels levels, Predicate<ChangePoint> large) {
        var search = new EDivisive(series, levels);
        return search.strict(search.weak(from), large);
    }

    /** Candidates in the windows from a place on. */
    private List<Integer> weak(int from) {
        var found = new TreeSet<Integer>();
        int start = from;
        while (start < series.length) {
            int end = Math.min(start + levels.window(), series.length);
            TreeSet<Integer> inside = inWindow(start, end);
            found.addAll(inside);
            start = Math.max(inside.isEmpty() ? 0 : inside.last(), start + levels.window() / 2);
        }
        return List.copyOf(found);
    }

    /** Splits a window where its two sides differ most, and each part again, as long as the best split of all is significant. */
    private TreeSet<Integer> inWindow(int start, int end) {
        var cuts = new TreeSet<Integer>();
        var parts = new ArrayList<Part>();
        split(start, end).ifPresent(parts::add);
        while (!parts.isEmpty()) {
            // the first of the largest, in the order of the series
            parts.sort(Comparator.comparingInt(Part::start));
            Part best = parts.getFirst();
            for (Part p : parts) {
                best = p.q() > best.q() ? p : best;
            }
            if (!(test(best.start(), best.at(), best.end()).p() <= levels.weak())) {
                break;
            }
            parts.remove(best);
            cuts.add(best.at());
            split(best.start(), best.at()).ifPresent(parts::add);
            split(best.at(), best.end()).ifPresent(parts::add);
        }
        return cuts;
    }

    /** A part of the series with its best split. */
    private record Part(int start, int end, int at, double q) {}

    /**
     * The split of a part with the largest divergence between what is before it and what follows, which may end before the part does: what
     * comes after yet another change would hide the first.
     */
    private Optional<Part> split(int start, int end) {
        int n = end - start;
        if (n < 2 * levels.least()) { // nor is there anything to split in one figure
            return Optional.empty();
        }
        double farthest = levels.careful() ? farthest(start, end) : Double.POSITIVE_INFINITY;
        // sums over pairs of |x - y|: within the first t figures, and between figure t and the k - t that follow it
        var within = new double[n + 1];
        var after = new double[n][n + 1];
        for (int t = 0; t < n; t++) {
            double back = 0;
            for (int i = 0; i < t; i++) {
                back += Math.min(farthest, distance(start + i, start + t));
            }
            within[t + 1] = within[t] + back;
            for (int k = t + 1; k < n; k++) {
                after[t][k + 1] = after[t][k] + Math.min(farthest, distance(start + t, start + k));
            }
        }
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 2; k <= n; k++) {
            double right = 0; // within the figures from t to k
            double all = within[k];
            for (int t = k - 1; t >= 1; t--) {
                right += after[t][k];
                double q = divergence(t, k, within[t], right, all - within[t] - right);
                if (q > most || q == most && t < best) {
                    most = q;
                    best = t;
                }
            }
        }
        return best < levels.least() || n - best < levels.least()
                ? Optional.empty()
                : Optional.of(new Part(start, end, start + best, most));
    }

    /** Two figures are no farther apart than so many times what neighbours usually are: else one outlier weighs as much as a change. */
    private double farthest(int start, int end) {
        double[] steps = new double[end - start - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = distance(start + i, start + i + 1);
        }
        double usual = Statistics.median(steps);
        return usual > 0 ? STEPS * usual : Double.POSITIVE_INFINITY;
    }

    /** Q of arXiv 1306.4933, equation 7, with an exponent of 1: of t figures and the k - t that follow, by their sums of distances. */
    private static double divergence(int t, int k, double left, double right, double across) {
        double m = k - t;
        double a = 2.0 / k * across;
        double b = t < 2 ? 0 : 2 * m / k / (t - 1) * left;
        double c = m < 2 ? 0 : 2.0 * t / k / (m - 1) * right;
        return a - b - c;
    }

    private double distance(int i, int j) {
        return Math.abs(series[i] - series[j]);
    }

    /** A candidate among its neighbours. */
    private ChangePoint compare(int start, int at, int end) {
        TwoSamples two = test(start, at, end);
        boolean outliers = levels.careful() && !isOfMost(start, at, end, two);
        return new ChangePoint(at, two.first(), two.second(), outliers ? 1 : two.p());
    }

    private TwoSamples test(int start, int at, int end) {
        return levels.careful()
                ? TwoSamples.following(series, start, at, end)
                : TwoSamples.of(series, start, at, end, false);
    }

    /** Whether the middle figures of both sides are apart as well, by half as much at least: else a few outliers make the difference. */
    private boolean isOfMost(int start, int at, int end, TwoSamples two) {
        double change = two.second() - two.first();
        double sign = Math.signum(change);
        return (middle(at, end, -sign) - middle(start, at, sign)) * sign >= Math.abs(change) / 2;
    }

    /** The middle figure of a part; of an even number the larger or the smaller of the two in the middle. */
    private double middle(int from, int to, double larger) {
        double[] sorted = Arrays.copyOfRange(series, from, to);
        Arrays.sort(sorted);
        return sorted[larger > 0 ? sorted.length / 2 : (sorted.length - 1) / 2];
    }

    /** Takes out the least significant, then the smallest, one by one: each that goes changes what its neighbours are compared with. */
    private List<ChangePoint> strict(List<Integer> candidates, Predicate<ChangePoint> large) {
        var cuts = new ArrayList<>(candidates);
        var points = new ArrayList<ChangePoint>();
        for (int i = 0; i < cuts.size(); i++) {
            points.add(point(cuts, i));
        }
        while (!points.isEmpty()) {
            ChangePoint weakest = weakest(points);
            if (weakest.p() < levels.strict()) {
                Optional<ChangePoint> small =
                        points.stream().filter(large.negate()).min(Comparator.comparingDouble(ChangePoint::magnitude));
                if (small.isEmpty()) {
                    break;
                }
                weakest = small.get();
            }
            int at = points.indexOf(weakest);
            points.remove(at);
            cuts.remove(at);
            // Otava compares the two that follow anew, and not the one before
            int first = levels.careful() ? at - 1 : at;
            for (int i = Math.max(0, first); i < Math.min(points.size(), first + 2); i++) {
                points.set(i, point(cuts, i));
            }
        }
        return points;
    }

    private static ChangePoint weakest(List<ChangePoint> points) {
        ChangePoint weakest = points.getFirst();
        for (ChangePoint p : points) {
            weakest = !(p.p() <= weakest.p()) ? p : weakest;
        }
        return weakest;
    }

    /** One of several candidates, next to its neighbours. */
    private ChangePoint point(List<Integer> cuts, int i) {
        return compare(
                i == 0 ? 0 : cuts.get(i - 1), cuts.get(i), i + 1 == cuts.size() ? series.length : cuts.get(i + 1));
    }
}
