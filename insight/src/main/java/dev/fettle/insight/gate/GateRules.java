package dev.fettle.insight.gate;

import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.rules.Rule;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.rule.RuleTable;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the rules of the gate look at. Their bounds and words are data ({@code model/rules/gate.yaml}); docs/methodology.md says where the
 * bounds come from.
 */
public final class GateRules {
    /** Above this share of attempts that failed for want of something on the generator's host, it was the limit. */
    public static final double OWN_SHARE = Bounds.value("generator-failed");

    public static final double GENERATOR_CPU = Bounds.value("generator-cpu");
    public static final double SEND_LAG_MILLIS = 1e3 * Bounds.value("send-lag");

    /** Share of all CPUs' time, used where the CPUs of each side are not known; see {@link Steal#MOST}. */
    public static final double STEAL = Bounds.value("stolen-of-all");

    /** Share that other processes use of the server's and generator's CPUs. */
    public static final double FOREIGN_CPU = Bounds.value("foreign-cpu");

    public static final String NOTHING_MEASURED = "nothing-measured";
    public static final String WRONG_ANSWERS = "wrong-answers";
    public static final String MOSTLY_FAILED = "mostly-failed";
    public static final String DISTURBED = "disturbed";
    public static final String NOT_EFFECTIVE = "not-effective";

    /** Of a trial whose search for the capacity did not find it. */
    public static final String NO_CAPACITY = "no-capacity";

    public static final String GENERATOR_LIMIT = "generator-limit";
    public static final String SEND_LAG = "send-lag";

    /** Rules that void a spike's trial. Late and failed answers don't: they are what a spike is meant to show. */
    static final Set<String> OF_A_SPIKE = Stream.concat(
                    Stream.of(NOTHING_MEASURED, NOT_EFFECTIVE, GENERATOR_LIMIT, SEND_LAG, DISTURBED),
                    AgentRules.ALL.stream())
            .collect(Collectors.toUnmodifiableSet());

    private static final RuleTable TABLE = RuleTable.read("gate");

    static final List<Rule<GateInput, Optional<String>>> ALL = List.of(
            rule(NOTHING_MEASURED, GateRules::nothing),
            rule(WRONG_ANSWERS, GateRules::wrongAnswers),
            rule(MOSTLY_FAILED, GateRules::mostlyFailed),
            rule(GateAdvice.THINK_TIME, GateRules::thinkTime),
            rule("littles-law", GateRules::little),
            rule("response-size", GateRules::size),
            rule(GateAdvice.CONNECT_QUEUE, GateRules::connectQueue),
            rule(NOT_EFFECTIVE, GateRules::notEffective),
            rule(GENERATOR_LIMIT, GateRules::generator),
            rule(SEND_LAG, GateRules::sendLag),
            rule(GateAdvice.NOT_STEADY, GateRules::steady),
            rule(AgentRules.LOST, AgentRules::lost),
            rule(AgentRules.LATE, AgentRules::late),
            rule(AgentRules.SATURATED, AgentRules::saturated),
            rule(AgentRules.DISAGREE, AgentRules::disagree),
            rule(AgentRules.CLOCK, AgentRules::clock),
            rule(DISTURBED, GateRules::disturbed));

    private GateRules() {}

    private static Rule<GateInput, Optional<String>> rule(
            String id, BiFunction<RuleEntry, GateInput, Optional<String>> judge) {
        return new Rule<>(TABLE.get(id), judge);
    }

    /**
     * The largest send lag at p99 where only the share of answers within an SLO is judged, in milliseconds. The lag is part
     * of each latency, which counts from when a request was due, so what matters is its share of the SLO's bound.
     */
    public static double sendLagMillis(Slo slo) {
        return Math.max(
                SEND_LAG_MILLIS,
                TABLE.get(SEND_LAG).bound("of-slo") * slo.shortestLatency().orElse(0) / 1e6);
    }

    /** The message of a rule that is broken. */
    static Optional<String> broken(boolean so, RuleEntry r, Object... figures) {
        return so ? Optional.of(r.text("sentence", figures)) : Optional.empty();
    }

    private static Optional<String> nothing(RuleEntry r, GateInput in) {
        return broken(in.has(Figure.VALID) && in.of(Figure.VALID) <= 0, r, "failed", in.get(Figure.FAILED));
    }

    private static Optional<String> wrongAnswers(RuleEntry r, GateInput in) {
        double wrong = in.of(Figure.WRONG);
        double all = in.of(Figure.ANSWERS);
        double share = all > 0 ? wrong / all : 0;
        return broken(share > r.bound("wrong"), r, "n", wrong, "all", all, "share", share);
    }

    private static Optional<String> mostlyFailed(RuleEntry r, GateInput in) {
        double attempts = in.of(Figure.FAILED) + in.of(Figure.VALID);
        double share = in.of(Figure.VALID) > 0 ? in.of(Figure.FAILED) / attempts : 0;
        return broken(share > r.bound("failed"), r, "share", share, "all", attempts);
    }

    private static Optional<String> thinkTime(RuleEntry r, GateInput in) {
        double think = in.of(Figure.THINK_SECONDS);
        // where each connection's time was measured, the think time was asked for: only an advisory, see GateAdvice
        if (think <= 0 || !in.has(Figure.MEAN_SECONDS) || in.has(Figure.OCCUPIED_SHARE)) {
            return Optional.empty();
        }
        double mean = in.of(Figure.MEAN_SECONDS);
        double most = mean + in.of(Figure.MEAN_ABOVE_SECONDS);
        return broken(
                most / (most + think) < r.bound("busy-clients"),
                r,
                "r",
                mean,
                "z",
                think,
                "busy",
                mean / (mean + think),
                "flight",
                in.has(Figure.THROUGHPUT)
                        ? OptionalFigure.of(in.of(Figure.THROUGHPUT) * mean)
                        : OptionalFigure.empty());
    }

    private static Optional<String> little(RuleEntry r, GateInput in) {
        double n = in.of(Figure.CLIENTS);
        if (n <= 0) {
            return Optional.empty();
        }
        if (in.has(Figure.OCCUPIED_SHARE)) {
            return occupied(r, in, in.of(Figure.OCCUPIED_SHARE));
        }
        double x = in.of(Figure.THROUGHPUT);
        if (!in.has(Figure.THROUGHPUT) || in.of(Figure.MEAN_SECONDS) <= 0) {
            return Optional.empty();
        }
        double cycle = in.of(Figure.MEAN_SECONDS) + in.of(Figure.THINK_SECONDS);
        double share = x / n * cycle;
        double least = x / n * (cycle - in.of(Figure.MEAN_BELOW_SECONDS));
        double most = x / n * (cycle + in.of(Figure.MEAN_ABOVE_SECONDS));
        if (least > r.bound("little-at-most") + in.of(Figure.EDGE)) {
            return broken(
                    true, r, "x", x, "cycle", cycle, "flight", share * n, "n", n, "ratio", share, "allowed", n / cycle);
        }
        return most < r.bound("little-at-least") - in.of(Figure.EDGE)
                        && !in.has(Figure.CLIENTS_AT_MOST)
                        && fewFailed(in)
                ? Optional.of(r.text("idle", "share", share))
                : Optional.empty();
    }

    /**
     * Little's law from the measured time of each connection: exact, without means or edge effects, except for clients' think
     * time.
     */
    private static Optional<String> occupied(RuleEntry r, GateInput in, double share) {
        double edge = in.of(Figure.THINK_SECONDS) > 0 ? in.of(Figure.EDGE) : 0;
        return share > r.bound("little-at-most") + edge
                ? Optional.of(r.text("occupied", "share", share))
                : share < r.bound("little-at-least") - edge && fewFailed(in)
                        ? Optional.of(r.text("idle", "share", share))
                        : Optional.empty();
    }

    /** Whether failures are known and few. */
    private static boolean fewFailed(GateInput in) {
        double attempts = in.of(Figure.FAILED) + in.of(Figure.VALID);
        return in.has(Figure.FAILED)
                && in.has(Figure.VALID)
                && attempts > 0
                && in.of(Figure.FAILED) / attempts <= Bounds.value("wrong");
    }

    private static Optional<String> size(RuleEntry r, GateInput in) {
        double least = r.bound(in.headOnly() ? "head" : "smallest");
        double bytes = in.of(Figure.BYTES_PER_ANSWER);
        return broken(in.has(Figure.BYTES_PER_ANSWER) && bytes < least, r, "bytes", bytes, "least", least);
    }

    /** What the target's own queue does is part of what it does under this setting; {@link GateAdvice} says so. */
    private static Optional<String> connectQueue(RuleEntry r, GateInput in) {
        return broken(!in.has(Figure.OWN_QUEUE_FULL) && slowConnects(in), r, "share", in.of(Figure.SLOW_CONNECT_SHARE));
    }

    /** Whether too many connects were slow, and not only a few in all. */
    static boolean slowConnects(GateInput in) {
        boolean few = in.has(Figure.CONNECTS)
                && in.has(Figure.ANSWERS)
                && in.of(Figure.CONNECTS)
                        < TABLE.get(GateAdvice.CONNECT_QUEUE).bound("connects") * in.of(Figure.ANSWERS);
        return in.of(Figure.SLOW_CONNECT_SHARE) >= LostSyns.SHARE && !few;
    }

    private static Optional<String> notEffective(RuleEntry r, GateInput in) {
        String wrong = ignored(in.setting(), in.effective()).stream()
                .map(knob -> r.text(
                        "knob",
                        "knob",
                        knob,
                        "set",
                        in.setting().get(knob).orElseThrow(),
                        "read",
                        in.effective().getOrDefault(knob, "")))
                .collect(Collectors.joining("; "));
        return broken(!wrong.isEmpty(), r, "knobs", wrong);
    }

    /** The knobs of a setting that have another value in force. */
    public static Set<String> ignored(Setting setting, Map<String, String> effective) {
        var ignored = new TreeSet<String>();
        setting.values().forEach((knob, set) -> {
            String read = effective.get(knob);
            if (read != null && !KnobValues.same(set, read)) {
                ignored.add(knob);
            }
        });
        return ignored;
    }

    private static Optional<String> generator(RuleEntry r, GateInput in) {
        double attempts = in.of(Figure.FAILED) + in.of(Figure.VALID);
        if (attempts > 0 && in.of(Figure.OWN) / attempts > OWN_SHARE) {
            return Optional.of(r.text("failed", "n", in.of(Figure.OWN), "all", attempts));
        }
        double cpu = in.of(Figure.GENERATOR_CPU_SHARE);
        return broken(cpu > GENERATOR_CPU, r, "share", cpu);
    }

    private static Optional<String> sendLag(RuleEntry r, GateInput in) {
        double most = in.get(Figure.SEND_LAG_BOUND_MILLIS).orElse(SEND_LAG_MILLIS);
        double lag = in.of(Figure.SEND_LAG_P99_MILLIS);
        return broken(in.has(Figure.SEND_LAG_P99_MILLIS) && lag > most, r, "lag", lag / 1e3, "most", most / 1e3);
    }

    private static Optional<String> disturbed(RuleEntry r, GateInput in) {
        if (in.serverSteal().isPresent() || in.has(Figure.GENERATOR_STEAL)) {
            double server = in.serverSteal().map(Steal::share).orElse(0.0);
            double generator = in.of(Figure.GENERATOR_STEAL);
            if (Math.max(server, generator) > Steal.MOST) {
                return stolen(
                        r,
                        Math.max(server, generator),
                        server >= generator ? "the target's CPUs" : "the generator's CPUs",
                        Steal.MOST);
            }
        } else if (in.of(Figure.STEAL) > STEAL) {
            return stolen(r, in.of(Figure.STEAL), "the CPUs", STEAL);
        }
        return broken(in.of(Figure.FOREIGN_CPU) > FOREIGN_CPU, r, "share", in.of(Figure.FOREIGN_CPU));
    }

    private static Optional<String> stolen(RuleEntry r, double share, String whose, double most) {
        return Optional.of(r.text("stolen", "share", share, "whose", whose, "most", most));
    }

    /**
     * For published figures. Drift does not void a trial of our own: leaving out what drifts would be selecting by the result,
     * see {@link GateAdvice#NOT_STEADY}.
     */
    private static Optional<String> steady(RuleEntry r, GateInput in) {
        double slope = in.of(Figure.SLOPE_PER_MINUTE);
        return broken(Math.abs(slope) > r.bound("drift"), r, "up", slope > 0, "slope", Math.abs(slope));
    }
}
