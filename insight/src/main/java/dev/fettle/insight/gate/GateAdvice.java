package dev.fettle.insight.gate;

import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Verdict.Advisory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Advisories: what a reader must know about figures that may be used. {@code AdvisoryNotes} says what they mean for a whole run. */
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

    /** A shorter run sees few garbage collections (some ask for more than a minute). */
    private static final double SHORT_SECONDS = 5;

    /** Slack, in seconds: a requested time is met to within some milliseconds. */
    private static final double SLACK = 0.1;

    /** Share of an open load's requests that may wait for a connection before it is reported. */
    private static final double HELD_SHARE = 0.01;

    /** Share of attempts that may fail before it is reported. */
    private static final double FAILED_SHARE = 0.001;

    private record Rule(String id, Function<GateInput, Optional<String>> check) {}

    private static final List<Rule> ALL = List.of(
            new Rule(THINK_TIME, GateAdvice::thinkTime),
            new Rule(NOT_STEADY, GateAdvice::drift),
            new Rule(CONNECT_QUEUE, GateAdvice::connectQueue),
            new Rule(STOLEN, GateAdvice::stolen),
            new Rule("errors", GateAdvice::errors),
            new Rule("unanswered", GateAdvice::unanswered),
            new Rule("held", GateAdvice::held),
            new Rule(SHARED_CPUS, GateAdvice::sharedCpus),
            new Rule(SHORT, GateAdvice::tooShort));

    private GateAdvice() {}

    static List<Advisory> of(GateInput in) {
        return ALL.stream()
                .flatMap(r -> r.check().apply(in).map(m -> new Advisory(r.id(), m)).stream())
                .toList();
    }

    /** The advisories on where it ran alone. */
    static List<Advisory> ofCpus(List<Advisory> all) {
        return all.stream().filter(a -> OF_CPUS.contains(a.rule())).toList();
    }

    private static Optional<String> sharedCpus(GateInput in) {
        var shared = new TreeSet<>(in.serverCpus());
        shared.retainAll(in.generatorCpus());
        return shared.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "target and generator both run on CPU "
                                + String.join(
                                        ",",
                                        shared.stream().map(String::valueOf).toList())
                                + ": figures compare settings with each other, but say little about what the server can do alone");
    }

    private static Optional<String> tooShort(GateInput in) {
        return in.get(Figure.MEASURED_SECONDS).orElse(SHORT_SECONDS) < SHORT_SECONDS - SLACK
                ? Optional.of(Say.seconds(in.get(Figure.MEASURED_SECONDS).getAsDouble()) + " measured: fewer than "
                        + (int) SHORT_SECONDS
                        + " s hold few garbage collections, so pauses and p99.9 are left to chance")
                : Optional.empty();
    }

    private static Optional<String> stolen(GateInput in) {
        return in.serverSteal().filter(s -> s.share() > Steal.NOTABLE).map(Steal::text);
    }

    private static Optional<String> errors(GateInput in) {
        double failed = in.get(Figure.FAILED).orElse(0);
        double share = failed > 0 ? failed / (failed + in.get(Figure.VALID).orElse(0)) : 0;
        return share > FAILED_SHARE && in.get(Figure.VALID).orElse(0) > 0
                ? Optional.of(Say.percent(share) + " of the attempts failed"
                        + (in.get(Figure.FAILED_TIMED).orElse(0) > 0
                                ? ", and the latencies include theirs"
                                : ": latencies are those of the ones that succeeded"))
                : Optional.empty();
    }

    private static Optional<String> unanswered(GateInput in) {
        double stuck = in.get(Figure.STUCK).orElse(0);
        if (stuck == 0) {
            return Optional.empty();
        }
        boolean one = stuck == 1;
        return Optional.of((one ? "a request" : Say.whole(stuck) + " requests") + " had no answer when the load ended, "
                + (one ? "" : "the oldest ") + "after "
                + Say.seconds(in.get(Figure.STUCK_SECONDS).orElse(0))
                + ", more than twice as long as any answer took: "
                + (one ? "it counts as an error" : "they count as errors")
                + ", and no latency shows it");
    }

    /** For published figures the rule of the same name voids them: nothing shows that the think time was intended. */
    private static Optional<String> thinkTime(GateInput in) {
        double think = in.get(Figure.THINK_SECONDS).orElse(0);
        double mean = in.get(Figure.MEAN_SECONDS).orElse(0);
        double busy = in.get(Figure.BUSY_SHARE).orElse(think > 0 && mean > 0 ? mean / (mean + think) : 1);
        return busy < GateRules.BUSY_SHARE
                ? Optional.of(
                        "a client waits for the server for " + Say.percent(busy)
                                + " of its time and thinks for the rest: the think time sets the throughput, so judge by latency")
                : Optional.empty();
    }

    /** Elsewhere the rule of the same name voids the trial: what delayed the connects is not known then. */
    private static Optional<String> connectQueue(GateInput in) {
        return in.get(Figure.OWN_QUEUE_FULL).isPresent()
                ? GateRules.slowConnects(in)
                        .map(share -> share
                                + ": the target's own accept queue was full, and a dropped SYN is sent again after a second;"
                                + " these waits are the queue's, not the application's; with keep-alive or a longer queue (backlog"
                                + " and net.core.somaxconn) there are fewer")
                : Optional.empty();
    }

    private static Optional<String> held(GateInput in) {
        return in.get(Figure.HELD_SHARE).orElse(0) > HELD_SHARE
                ? Optional.of(Say.percent(in.get(Figure.HELD_SHARE).getAsDouble())
                        + " of the requests were due while every connection allowed was busy: they waited for one, which is in"
                        + " their latency. A server that keeps up needs rate × latency of them: allow more, unless it does"
                        + " not keep up")
                : Optional.empty();
    }

    private static Optional<String> drift(GateInput in) {
        return in.constant()
                ? Drift.of(in.windows())
                        .filter(Drift::shown)
                        .map(d -> "throughput " + d.text() + ": its mean depends on how long it is measured")
                : Optional.empty();
    }
}
