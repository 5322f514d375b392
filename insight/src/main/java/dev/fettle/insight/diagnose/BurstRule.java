package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Requests that all do at once what most of the time none of them has to do, as where an entry of a cache expires and each that misses it
 * computes it anew. A slow way that some requests take at random looks the same in latencies, but then throughput is steady.
 */
final class BurstRule {
    private static final int FEWEST_WINDOWS = 8;

    private BurstRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(DiagnosisRule.of("computed-at-once", BurstRule::look));
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        if (s.measurement().isEmpty()
                || s.trial().spec().load().scenario().isPresent()
                || !(s.trial().spec().load().arrivals() instanceof Arrivals.Closed)) {
            return new RuleResult.NotObserved("this is seen in a closed load of one request only");
        }
        LatencySummary latency = s.measurement().get().latency();
        double[] rates = s.values(Signals.LOAD_RATE);
        if (latency.count() == 0 || rates.length < FEWEST_WINDOWS) {
            return new RuleResult.NotObserved("too few answers came");
        }
        double share = latency.mean() > 0 ? latency.p50() / latency.mean() : 1;
        double swing = swing(rates);
        Optional<String> where = s.waits().together(Thresholds.MOST_OF_A_REQUEST);
        if (share > r.bound("median") || swing < r.bound("swing") || where.isEmpty()) {
            return new RuleResult.Healthy("the median is " + FigureText.percent(share)
                    + " of the mean, and throughput swings by " + FigureText.percent(swing));
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "where",
                        where.get(),
                        "median",
                        latency.p50() / 1e9,
                        "mean",
                        latency.mean() / 1e9,
                        "least",
                        Arrays.stream(rates).min().orElse(0),
                        "most",
                        Arrays.stream(rates).max().orElse(0),
                        "clients",
                        s.trial().spec().load().clients())
                .seen("the median is " + FigureText.percent(share) + " of the mean")
                .weight(1)
                .found();
    }

    /** The standard deviation over the mean. */
    private static double swing(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        double square = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / values.length;
        return mean > 0 ? StrictMath.sqrt(square) / mean : 0;
    }
}
