package dev.fettle.insight.gate;

import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What the gate looks at where several hosts sent the load. */
final class AgentRules {
    static final String LOST = "agent-lost";
    static final String LATE = "agent-late";
    static final String SATURATED = "agent-saturated";
    static final String DISAGREE = "agents-disagree";
    static final String CLOCK = "clock-unsure";

    static final Set<String> ALL = Set.of(LOST, LATE, SATURATED, DISAGREE, CLOCK);

    private AgentRules() {}

    private static Optional<AgentFigures> most(GateInput in, ToDoubleFunction<AgentFigures> of) {
        return in.agents().stream().max(Comparator.comparingDouble(of));
    }

    static Optional<String> lost(RuleEntry r, GateInput in) {
        return in.agents().stream()
                .filter(a -> !a.lost().isEmpty())
                .findFirst()
                .map(a -> r.text("sentence", "host", a.name(), "why", a.lost()));
    }

    static Optional<String> late(RuleEntry r, GateInput in) {
        double bound = r.bound("late");
        return most(in, AgentFigures::lateMillis)
                .filter(a -> a.lateMillis() / 1e3 > bound)
                .map(a -> r.text("sentence", "host", a.name(), "late", a.lateMillis() / 1e3, "most", bound));
    }

    static Optional<String> saturated(RuleEntry r, GateInput in) {
        return most(in, a -> a.cpuShare().orElse(0))
                .filter(a -> a.cpuShare().orElse(0) > r.bound("agent-cpu"))
                .map(a -> r.text(
                        "sentence", "host", a.name(), "share", a.cpuShare().getAsDouble()));
    }

    static Optional<String> disagree(RuleEntry r, GateInput in) {
        List<AgentFigures> known = in.agents().stream()
                .filter(a -> a.latency().count() >= r.bound("enough"))
                .sorted(Comparator.comparingDouble(a -> a.latency().p50()))
                .toList();
        if (known.size() < 2) {
            return Optional.empty();
        }
        AgentFigures quick = known.getFirst();
        AgentFigures slow = known.getLast();
        double least = quick.latency().p50() / 1e9;
        double most = slow.latency().p50() / 1e9;
        return GateRules.broken(
                most > r.bound("times") * least && most - least > r.bound("apart"),
                r,
                "host",
                slow.name(),
                "slow",
                most,
                "other",
                quick.name(),
                "quick",
                least);
    }

    static Optional<String> clock(RuleEntry r, GateInput in) {
        double bound = r.bound("unsure");
        return most(in, a -> Math.max(a.clockErrorMillis(), a.clockMovedMillis()))
                .filter(a -> Math.max(a.clockErrorMillis(), a.clockMovedMillis()) / 1e3 > bound)
                .map(a -> r.text(
                        "sentence",
                        "host",
                        a.name(),
                        "error",
                        a.clockErrorMillis() / 1e3,
                        "moved",
                        a.clockMovedMillis() > 0
                                ? OptionalFigure.of(a.clockMovedMillis() / 1e3)
                                : OptionalFigure.empty()));
    }
}
