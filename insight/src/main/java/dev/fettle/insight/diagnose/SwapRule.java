package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.List;

/** Memory that is not where the process needs it: on the swap device, or to be read from a file again. */
final class SwapRule {
    private SwapRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(DiagnosisRule.of("swapping", SwapRule::look));
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        OptionalFigure swapped = s.max(Signals.SWAP_USED);
        OptionalFigure faults = s.mean(Signals.FAULTS_MAJOR);
        if (swapped.isEmpty() && faults.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.SWAP_USED));
        }
        boolean heap = s.last(Signals.HEAP_MAX).isPresent();
        double all = s.last(heap ? Signals.HEAP_MAX : Signals.MEMORY_RSS).orElse(0);
        double felt = r.bound("felt");
        boolean much = all > 0
                && swapped.orElse(0) > r.bound("swapped") * all
                && faults.orElse(r.bound("touched")) >= r.bound("touched")
                && s.mean(Signals.PRESSURE_MEMORY).orElse(felt) >= felt;
        String figure =
                r.text("figure", "bytes", swapped, "rate", faults, "both", swapped.isPresent() && faults.isPresent());
        boolean many = faults.orElse(0) > r.bound("faults")
                && (s.mean(Signals.PRESSURE_MEMORY).orElse(felt) >= felt
                        || s.mean(Signals.PRESSURE_IO).orElse(felt) >= felt);
        if (!much && !many) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "bytes",
                        swapped.orElse(0),
                        "share",
                        swapped.orElse(0) / all,
                        "of",
                        heap ? "its largest heap" : "what it has in RAM",
                        "rate",
                        faults.orElse(0))
                .as(much ? "" : "read")
                .seen(figure)
                .seen(r.text("first", "bytes", s.before(Signals.SWAP_USED)))
                .seen(r.text("waited", "share", s.mean(Signals.PRESSURE_MEMORY)))
                .found();
    }
}
