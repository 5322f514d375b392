package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import java.util.List;

/**
 * How many requests a second a server can do at most, as far as its probes tell: what it answers while it is overloaded. A probe of rate r
 * is answered at min(r, most), give or take a Poisson count. Where no probe was above it, only a lower bound is known.
 *
 * @param low with a chance of 10 % it is less
 * @param high with a chance of 10 % it is more
 */
record MostServed(double low, double middle, double high) {
    private static final int POINTS = 400;
    /** Above the fastest rate by this factor it is as good as unbounded. */
    private static final double FAR = 2;
    /** Least deviation of a probe's count, as a share: the clocks at both ends. */
    private static final double LEAST = 0.003;

    /** @param probes at least one that says something */
    static MostServed of(List<Judged> probes) {
        List<Judged> valid = probes.stream()
                .filter(j -> j.verdict().result() == Result.MET || j.verdict().result() == Result.BROKEN)
                .toList();
        double fastest =
                valid.stream().mapToDouble(j -> answered(j.probe())).max().orElseThrow();
        double from = StrictMath.log(0.9 * fastest);
        double to = StrictMath.log(FAR * fastest);
        double[] logs = new double[POINTS];
        double top = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < POINTS; i++) {
            double most = StrictMath.exp(from + i * (to - from) / (POINTS - 1));
            for (Judged j : valid) {
                Probe p = j.probe();
                double expected = Math.min(p.rate(), most);
                double deviation = Math.max(LEAST, 1 / Math.sqrt(Math.max(1, expected * p.seconds())));
                double z = (answered(p) / expected - 1) / deviation;
                // an outlier, such as a pause, weighs no more than three deviations
                logs[i] -= Math.min(z * z, 9) / 2;
            }
            top = Math.max(top, logs[i]);
        }
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            logs[i] = StrictMath.exp(logs[i] - top);
            sum += logs[i];
        }
        double[] at = new double[3];
        double[] wanted = {0.1, 0.5, 0.9};
        double before = 0;
        int k = 0;
        for (int i = 0; i < POINTS && k < 3; i++) {
            before += logs[i] / sum;
            while (k < 3 && before >= wanted[k]) {
                at[k++] = StrictMath.exp(from + i * (to - from) / (POINTS - 1));
            }
        }
        return new MostServed(at[0], at[1], at[2]);
    }

    /** Arrivals a second whose answers were right. */
    private static double answered(Probe p) {
        return p.throughput() / Math.max(1, p.each().requests());
    }

    double[] values() {
        return new double[] {low, middle, high};
    }
}
