package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Calls;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Requests that do more than they have to: that compute at once what one of them could compute, or call a database or another service many times, one call after the other. How many calls a request makes is not seen in
 * stacks: it is how often a thread that serves gives up its CPU to wait, for each answer, times the part of the stacks that such calls have.
 */
final class CallsRule {
    private static final int FEWEST_WINDOWS = 8;

    private CallsRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("computed-at-once", CallsRule::atOnce),
                DiagnosisRule.of("calls-one-by-one", CallsRule::look));
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        Optional<Calls> most = s.waits().calls();
        if (s.waits().looks() == 0) {
            return new RuleResult.NotObserved("its threads were not looked at all at once");
        }
        if (most.isEmpty() || most.get().seen() < r.bound("least")) {
            return new RuleResult.Healthy("no more than "
                    + FigureText.whole(most.map(Calls::seen).orElse(0.0)) + " stacks are in calls from one method");
        }
        Calls c = most.get();
        OptionalFigure waits = waits(s, c);
        OptionalFigure n = waits.map(w -> w * c.share());
        boolean lazy = c.lazy() >= r.bound("lazy") && n.orElse(r.bound("lazy-calls")) >= r.bound("lazy-calls");
        if (n.isEmpty() && !lazy) {
            return new RuleResult.NotObserved("how often a request waits was not counted");
        }
        boolean many = n.orElse(0) >= r.bound("calls") && c.share() >= Thresholds.MOST_OF_A_REQUEST;
        if (!many && !lazy) {
            return new RuleResult.Healthy(
                    "a request makes about " + FigureText.about(n.orElse(0)) + " calls from " + c.site());
        }
        String does = "does-" + c.does().id();
        String cure = "cure-" + c.does().id();
        return new FindingBuilder(r, Severity.WARNING, "site", c.site(), "n", n, "waits", waits, "part", c.share())
                .with("lazy", lazy)
                .with("lazy-share", c.lazy())
                .with(
                        "does",
                        r.text(
                                does,
                                "where",
                                c.site(),
                                "calls",
                                Optional.of(c.calls()).filter(x -> !x.isBlank())))
                .with("cure", r.text(r.has(cure) ? cure : "cure-other"))
                .seen(FigureText.whole(c.seen()) + " stacks in "
                        + FigureText.count(s.waits().looks(), "look") + " at all threads")
                .seen(WaitRules.hold(s))
                .share(c.share())
                .found();
    }

    /** How often a thread that serves waits for each answer; empty where that was not counted, or virtual threads make the calls. */
    private static OptionalFigure waits(TrialFacts s, Calls c) {
        OptionalFigure waits = s.mean(Signals.CTXT_SERVING);
        double served = s.answered() / s.seconds();
        return waits.isPresent() && served > 0 && !c.virtual() ? waits.map(w -> w / served) : OptionalFigure.empty();
    }

    /**
     * Requests that all do at once what most of the time none of them has to do, as where an entry of a cache expires and each that misses it
     * computes it anew. A slow way that some requests take at random looks the same in latencies, but then throughput is steady.
     */
    private static RuleResult atOnce(RuleEntry r, TrialFacts s) {
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
