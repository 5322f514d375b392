package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far probes were from breaking the SLO: z, the logarithm of the latency over its bound, for the worst condition; 0
 * at the limit. Near the limit z is about linear in the logarithm of the rate. Far from it that does not hold, so there
 * z is only known to lie beyond a bound (a Tobit model: Tobin, Econometrica 26, 1958, doi 10.2307/1907382).
 */
final class Distance {
    /** Values of z below this are censored: only known to be lower. */
    private static final double EASY = -0.25;
    /**
     * Values of z above this are censored, too: if the server fell behind, latency depends on the length of the probe.
     */
    private static final double HARD = 0.4;
    /** Share of the lowest z of all probes: values below it are censored, as they are nearly as idle. */
    private static final double IDLE = 0.5;
    /** A probe shorter than this share of the longest ended early: its percentile covers only a part. */
    private static final double WHOLE = 0.95;

    private Distance() {}

    /** What each valid probe says about the limit. */
    static List<LimitPosterior.Seen> of(List<Judged> judged, Slo slo) {
        List<Judged> valid = judged.stream().filter(Judged::isValid).toList();
        double longest =
                valid.stream().mapToDouble(j -> j.probe().seconds()).max().orElse(0);
        double easiest = valid.stream()
                .flatMap(j -> z(j.probe(), slo).stream())
                .min(Double::compare)
                .orElse(0.0);
        double easy = Math.max(EASY, IDLE * Math.min(0, easiest));
        var all = new ArrayList<LimitPosterior.Seen>();
        for (Judged j : valid) {
            boolean met = j.verdict().result() == Result.MET;
            Optional<Double> z = z(j.probe(), slo);
            double planned = j.probe().planned().toNanos() / 1e9;
            boolean early = j.probe().seconds() < WHOLE * (planned > 0 ? planned : longest);
            all.add(met ? met(j.probe().rate(), z, easy) : broken(j.probe(), z, early));
        }
        return all;
    }

    private static LimitPosterior.Seen met(double rate, Optional<Double> z, double easy) {
        // without a usable latency, all that is known is that the SLO was met
        return z.isEmpty() || z.get() > 0
                ? new LimitPosterior.Seen(rate, Double.NEGATIVE_INFINITY, 0, false)
                : z.get() <= easy
                        ? new LimitPosterior.Seen(rate, Double.NEGATIVE_INFINITY, easy, false)
                        : new LimitPosterior.Seen(rate, z.get(), z.get(), false);
    }

    private static LimitPosterior.Seen broken(Probe probe, Optional<Double> z, boolean early) {
        double rate = probe.rate();
        boolean behind = probe.fellBehind();
        // broken by another condition or by falling behind, or ended early: the latency is no measure
        return z.isEmpty() || z.get() < 0 || early
                ? new LimitPosterior.Seen(rate, 0, Double.POSITIVE_INFINITY, behind)
                : z.get() >= HARD
                        ? new LimitPosterior.Seen(rate, HARD, Double.POSITIVE_INFINITY, behind)
                        : new LimitPosterior.Seen(rate, z.get(), z.get(), behind);
    }

    private static Stream<Condition> latencies(Slo slo) {
        return slo.quality().all().stream()
                .filter(c -> c.metric().unit() == Condition.Unit.NANOS
                        && c.comparison().upper()
                        && c.bound() > 0);
    }

    private static Optional<Double> z(Probe probe, Slo slo) {
        return latencies(slo)
                .flatMap(c -> c.metric().of(probe).stream().mapToObj(v -> StrictMath.log(Math.max(v, 1) / c.bound())))
                .max(Double::compare);
    }
}
