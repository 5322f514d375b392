package dev.fettle.report;

import dev.fettle.insight.diagnose.Diagnosis;
import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.trial.Signal;
import java.util.List;
import java.util.stream.Collectors;

/** Pages about rules: {@code docs/diagnosis-rules.md}, and the gate's table in {@code docs/methodology.md}. */
public final class RuleDocs {
    private RuleDocs() {}

    /** All rules of a diagnosis, as a page. */
    public static String diagnosis() {
        List<Diagnosis.InWords> rules = Diagnosis.rules();
        var out = new StringBuilder("""
                # What a diagnosis looks for

                <!-- Generated from the rules by `fettle diagnose --rules`; a test keeps it up to date. Do not edit. -->

                [`fettle diagnose`](commands/diagnose.md) asks %d rules about one trial. What is wrong is reported before a limit that every
                server has some day. Then the earlier stage comes first, in the order of this page, and within a stage the finding that
                explains more. A rule that had nothing to look at is listed as *not observed*, and does not count as healthy.

                **Bound**: from where on it is a finding. A bound that names no source is a choice of ours; how often the rules name a fault
                that was put in on purpose, even one that no bound was set with: [faults](faults.md). **Symptom of**: rules whose findings
                explain this one, so that it is reported with them and not next to them. What explains it with some figures only is not listed:
                an accept queue with room for hardly anyone overflows whatever else is full. **Shown by**: the [signals](#signals) that the
                page of a run draws with it.
                """.formatted(rules.size()));
        String stage = "";
        for (Diagnosis.InWords r : rules) {
            if (!r.stage().equals(stage)) {
                stage = r.stage();
                out.append("\n## ").append(stage).append('\n');
            }
            rule(out, r);
        }
        signals(out, rules);
        return out.toString();
    }

    /** The gate's rules: when each voids a trial. */
    public static String gate() {
        var out = new StringBuilder(Markdown.head("rule", "void when", "may pass the next time"));
        for (var rule : ValidityGate.rules()) {
            RuleEntry r = rule.entry();
            out.append(Markdown.row(r.id(), Markdown.text(r.text("what")), r.has("passing") ? "yes" : "no"));
        }
        return out.toString();
    }

    private static void rule(StringBuilder out, Diagnosis.InWords r) {
        out.append("\n### ").append(Markdown.code(r.id())).append("\n\n");
        out.append(Markdown.sentence(r.what())).append("\n\n");
        out.append("- Bound: ").append(Markdown.text(r.threshold())).append('\n');
        if (!r.symptomOf().isEmpty()) {
            out.append("- Symptom of: ")
                    .append(r.symptomOf().stream()
                            .map(id -> "[" + Markdown.code(id) + "](#" + id + ")")
                            .collect(Collectors.joining(", ")))
                    .append('\n');
        }
        if (!r.shownBy().isEmpty()) {
            out.append("- Shown by: ")
                    .append(r.shownBy().stream().map(Markdown::code).collect(Collectors.joining(", ")))
                    .append('\n');
        }
    }

    private static void signals(StringBuilder out, List<Diagnosis.InWords> rules) {
        List<String> used = rules.stream().flatMap(r -> r.shownBy().stream()).toList();
        out.append("\n## Signals\n\n").append(Markdown.head("signal", "plot", "curve", "what it is"));
        for (Signal s : Signal.all()) {
            if (used.contains(s.id())) {
                out.append(Markdown.row(
                        Markdown.code(s.id()), s.group().title(), Markdown.text(s.title()), Markdown.text(s.about())));
            }
        }
    }
}
