package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Calls;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;

/**
 * Requests that call a database or another service many times, one call after the other. How many calls a request makes is not seen in
 * stacks: it is how often a thread that serves gives up its CPU to wait, for each answer, times the part of the stacks that such calls have.
 */
final class CallsRule {
    private CallsRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(DiagnosisRule.of("calls-one-by-one", CallsRule::look));
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
}
