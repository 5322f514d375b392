package dev.fettle.insight.rules;

import dev.fettle.model.rule.RuleEntry;
import java.util.function.BiFunction;

/**
 * One rule: what of it is data, and what looks. Rules of the gate, its advice and a diagnosis all have this form.
 *
 * @param entry id, bounds and words
 * @param judge what it sees in facts; its bounds and words come from the entry
 * @param <F> the facts that it looks at
 * @param <R> what it says about them
 */
public record Rule<F, R>(RuleEntry entry, BiFunction<RuleEntry, F, R> judge) {
    /** Stable name, in kebab case. */
    public String id() {
        return entry.id();
    }

    /** What it sees in these facts. */
    public R look(F facts) {
        return judge.apply(entry, facts);
    }
}
