package dev.fettle.insight.gate;

import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.rules.Rule;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.rule.RuleTable;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Verdict.Advisory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Advisories: what a reader must know about figures that may be used. Their words are data ({@code model/rules/advice.yaml}); {@code
 * AdvisoryNotes} says what they mean for a whole run.
 */
public final class GateAdvice {
    /** Advisory id: the clients' own pauses set the throughput. */
    static final String THINK_TIME = "think-time";

    /** Advisory id: connections waited a second or more because the target's accept queue was full. */
    static final String CONNECT_QUEUE = "connect-queue";

    /** Advisory id: throughput changed while it was measured. */
    public static final String NOT_STEADY = "not-steady";

    /** Advisory id: the hypervisor took some of the target's CPU time. */
    static final String STOLEN = "stolen";

    /** Advisory id: target and generator share a CPU. */
    static final String SHARED_CPUS = "shared-cpus";

    /** The advisories on where it ran. They hold for a probe and a spike, too, which are judged by rules of their own. */
    static final Set<String> OF_CPUS = Set.of(STOLEN, SHARED_CPUS);

    /** Advisory id: it was measured for a very short time. */
    static final String SHORT = "short";

    private static final RuleTable TABLE = RuleTable.read("advice");

    private static final List<Rule<GateInput, Optional<String>>> ALL = List.of(
            rule(THINK_TIME, GateAdvice::thinkTime),
            rule(NOT_STEADY, GateAdvice::drift),
            rule(CONNECT_QUEUE, GateAdvice::connectQueue),
            rule(STOLEN, GateAdvice::stolen),
            rule("errors", GateAdvice::errors),
            rule("unanswered", GateAdvice::unanswered),
            rule("held", GateAdvice::held),
            rule(SHARED_CPUS, GateAdvice::sharedCpus),
            rule(SHORT, GateAdvice::tooShort));

    private GateAdvice() {}

    private static Rule<GateInput, Optional<String>> rule(
            String id, BiFunction<RuleEntry, GateInput, Optional<String>> judge) {
        return new Rule<>(TABLE.get(id), judge);
    }

    static List<Advisory> of(GateInput in) {
        return ALL.stream()
                .flatMap(r -> r.look(in).map(m -> new Advisory(r.id(), m)).stream())
                .toList();
    }

    /** The advisories on where it ran alone. */
    static List<Advisory> ofCpus(List<Advisory> all) {
        return all.stream().filter(a -> OF_CPUS.contains(a.rule())).toList();
    }

    private static Optional<String> sharedCpus(RuleEntry r, GateInput in) {
        var shared = new TreeSet<>(in.serverCpus());
        shared.retainAll(in.generatorCpus());
        return GateRules.broken(
                !shared.isEmpty(),
                r,
                "cpus",
                shared.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    private static Optional<String> tooShort(RuleEntry r, GateInput in) {
        double seconds = in.get(Figure.MEASURED_SECONDS).orElse(Double.POSITIVE_INFINITY);
        return GateRules.broken(seconds < r.bound("least") - r.bound("slack"), r, "seconds", seconds);
    }

    private static Optional<String> stolen(RuleEntry r, GateInput in) {
        return in.serverSteal()
                .filter(s -> s.share() > r.bound("notable"))
                .map(s -> r.text(
                        "sentence",
                        "share",
                        s.share(),
                        "seen",
                        s.used(),
                        "gain",
                        s.cpuBound() ? OptionalFigure.of(s.correction() - 1) : OptionalFigure.empty(),
                        "idle",
                        s.cpuBound()
                                ? OptionalFigure.empty()
                                : OptionalFigure.of(1 - s.used().orElse(1))));
    }

    private static Optional<String> errors(RuleEntry r, GateInput in) {
        double failed = in.of(Figure.FAILED);
        double share = failed > 0 ? failed / (failed + in.of(Figure.VALID)) : 0;
        return GateRules.broken(
                share > r.bound("failed") && in.of(Figure.VALID) > 0,
                r,
                "share",
                share,
                "timed",
                in.of(Figure.FAILED_TIMED) > 0);
    }

    private static Optional<String> unanswered(RuleEntry r, GateInput in) {
        double stuck = in.of(Figure.STUCK);
        return GateRules.broken(stuck != 0, r, "n", stuck, "seconds", in.of(Figure.STUCK_SECONDS));
    }

    /** For published figures the rule of the same name voids them: nothing shows that the think time was intended. */
    private static Optional<String> thinkTime(RuleEntry r, GateInput in) {
        double think = in.of(Figure.THINK_SECONDS);
        double mean = in.of(Figure.MEAN_SECONDS);
        double busy = in.get(Figure.BUSY_SHARE).orElse(think > 0 && mean > 0 ? mean / (mean + think) : 1);
        return GateRules.broken(busy < r.bound("busy-clients"), r, "busy", busy);
    }

    /** Elsewhere the rule of the same name voids the trial: what delayed the connects is not known then. */
    private static Optional<String> connectQueue(RuleEntry r, GateInput in) {
        return GateRules.broken(
                in.has(Figure.OWN_QUEUE_FULL) && GateRules.slowConnects(in),
                r,
                "share",
                in.of(Figure.SLOW_CONNECT_SHARE));
    }

    private static Optional<String> held(RuleEntry r, GateInput in) {
        double held = in.of(Figure.HELD_SHARE);
        return GateRules.broken(held > r.bound("held"), r, "share", held);
    }

    private static Optional<String> drift(RuleEntry r, GateInput in) {
        return in.constant()
                ? Drift.of(in.windows()).filter(Drift::shown).map(d -> r.text("sentence", "drifts", d.text()))
                : Optional.empty();
    }
}
