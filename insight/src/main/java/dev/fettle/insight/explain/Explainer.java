package dev.fettle.insight.explain;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Explanation.Support;
import dev.fettle.insight.explain.PoolContrast.Decision;
import dev.fettle.insight.words.Say;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Says what limits a trial, in sentences with figures, and how far the other trials of its run support that.
 *
 * <p>One trial can't prove its cause: if all threads are busy, throughput equals pool size over holding time by definition.
 * So a claim about the pool is checked against the run's other trials (see {@link PoolContrast}): stated where they support
 * it, withdrawn where they refute it, and "consistent with" where nothing tested it.
 */
public final class Explainer {
    /** An open load counts as served if throughput is at least this share of the offered rate. */
    public static final double KEPT_UP = Bounds.value("kept-up");

    private static final String NOT_WATCHED =
            " that was not watched (a lock, a pool behind the application, one busy thread, the network).";

    private Explainer() {}

    /** Explains a trial by itself, which can show nothing about its pool. */
    public static Optional<Explanation> explain(TrialOutcome trial) {
        return explain(trial, List.of());
    }

    /**
     * Explains a trial; empty if it has no measurement.
     *
     * @param run the trials of its run, search and duel; void ones are ignored
     */
    public static Optional<Explanation> explain(TrialOutcome trial, List<TrialOutcome> run) {
        return explain(trial, run, t -> 0);
    }

    /**
     * Explains a trial of a run some of whose trials ran in a warm JVM.
     *
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput; 0 for one of its own
     */
    public static Optional<Explanation> explain(
            TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        if (trial.measurement().isEmpty() || OperatingPoint.of(trial).isEmpty()) {
            return Optional.empty();
        }
        Measurement m = trial.measurement().get();
        OperatingPoint c = OperatingPoint.of(trial).get();
        Optional<PoolContrast> pool = PoolContrast.of(trial, run, moved);
        var queue = AcceptQueue.of(trial);
        Limit first = limit(c, pool, queue, m);
        Optional<RefutedInRun> asked = RefutedInRun.of(first, trial, run, moved);
        Optional<FasterTrials> quicker = first == Limit.CLIENTS && !decided(asked, RefutedInRun.Decision.MORE)
                ? FasterTrials.of(trial, run, moved)
                : Optional.empty();
        Optional<RefutedInRun> own = quicker.isEmpty()
                ? Optional.empty()
                : RefutedInRun.of(Limit.BEHIND_THREADS, trial, run, moved)
                        .filter(t -> t.decided() == RefutedInRun.Decision.MORE);
        Limit seen = quicker.isEmpty() ? first : own.isPresent() ? Limit.BEHIND_THREADS : Limit.UNKNOWN;
        Optional<RefutedInRun> tried = own.or(() -> asked);
        Limit limit = seen == Limit.CLIENTS && decided(tried, RefutedInRun.Decision.SAME) ? Limit.UNKNOWN : seen;
        var sentences = new ArrayList<String>();
        sentences.add(quicker.map(FasterTrials::sentence)
                .orElseGet(() -> verdict(limit, c, pool, queue, tried, moreCpus(trial, tried))));
        tried.map(RefutedInRun::sentence).ifPresent(sentences::add);
        PoolNotes.mistaken(trial).ifPresent(sentences::add);
        if (limit != Limit.CPU) {
            cpu(c).ifPresent(sentences::add);
        }
        if (limit != Limit.THREADS && limit != Limit.BEHIND_THREADS) {
            threads(c).ifPresent(sentences::add);
        }
        if (limit != Limit.ACCEPT_QUEUE) {
            queue.aside().ifPresent(sentences::add);
        }
        if (c.cpuCeiling().isPresent()) {
            Optional.of(CpuCaveats.of(trial, run)).filter(s -> !s.isEmpty()).ifPresent(sentences::add);
        }
        little(c, m).ifPresent(sentences::add);
        if (m.errorShare() > Thresholds.ERRORS) {
            sentences.add(Say.percent(m.errorShare()) + " of the requests failed or were not taken (" + kinds(m)
                    + "); what failed after it had cost work counts above as well.");
        }
        return Optional.of(new Explanation(
                c.throughput(),
                c.holding(),
                c.busy(),
                c.usable(),
                c.cpuPerRequest(),
                c.utilisation(),
                c.cpuCeiling(),
                c.threadCeiling(),
                limit,
                sentences,
                tried.filter(t -> t.decided() != RefutedInRun.Decision.OPEN).isPresent()
                        ? ""
                        : refutedBy(limit, c, pool),
                support(limit, pool, queue, tried)));
    }

    private static boolean decided(Optional<RefutedInRun> tried, RefutedInRun.Decision how) {
        return tried.filter(t -> t.decided() == how).isPresent();
    }

    /** Whether more CPUs could help, as far as is known: the run has not tried them in vain, and no thread is full by itself. */
    private static boolean moreCpus(TrialOutcome trial, Optional<RefutedInRun> tried) {
        return !decided(tried, RefutedInRun.Decision.SAME) && !CpuCaveats.oneThreadIsFull(trial);
    }

    private static Limit limit(OperatingPoint c, Optional<PoolContrast> pool, AcceptQueue queue, Measurement m) {
        if (c.cpuFull()) {
            return Limit.CPU;
        }
        boolean served = c.everyClientServed();
        if ((c.threadsFull() || served) && c.offered().isEmpty() && PoolContrast.decided(pool) == Decision.SAME) {
            return Limit.BEHIND_THREADS;
        }
        if (c.threadsFull() && !served) {
            return Limit.THREADS;
        }
        if (queue.limits()) {
            return Limit.ACCEPT_QUEUE;
        }
        if (c.offered().isPresent()) {
            // requests that were never sent, or piled up, were not taken: it kept up with less
            return c.throughput() >= KEPT_UP * c.offered().getAsDouble() && m.lost() == 0 ? Limit.RATE : Limit.UNKNOWN;
        }
        return served && c.utilisation().isPresent() ? Limit.CLIENTS : Limit.UNKNOWN;
    }

    private static Support support(
            Limit limit, Optional<PoolContrast> pool, AcceptQueue queue, Optional<RefutedInRun> tried) {
        if (limit != Limit.UNKNOWN && decided(tried, RefutedInRun.Decision.MORE)) {
            return Support.SHOWN;
        }
        boolean shown = switch (limit) {
            case BEHIND_THREADS, RATE -> true;
            case THREADS ->
                PoolContrast.decided(pool) == Decision.LARGER_GAVE_MORE
                        || PoolContrast.decided(pool) == Decision.SMALLER_GAVE_LESS;
            case ACCEPT_QUEUE -> queue.own() && !decided(tried, RefutedInRun.Decision.SAME);
            // CPU use is measured; what else it waited for is not, and no other load was tried
            case CPU, CLIENTS, UNKNOWN -> false;
        };
        return shown ? Support.SHOWN : Support.CONSISTENT;
    }

    private static String verdict(
            Limit limit,
            OperatingPoint c,
            Optional<PoolContrast> pool,
            AcceptQueue queue,
            Optional<RefutedInRun> tried,
            boolean moreCpus) {
        return switch (limit) {
            case THREADS -> PoolWords.full(c, pool);
            case BEHIND_THREADS -> PoolWords.behind(c, pool.orElseThrow());
            case CPU ->
                "The CPU is full: " + Say.percent(c.utilisation().orElse(0)) + " of " + c.cpus() + " used for requests"
                        + c.cpuPerRequest().stream()
                                .mapToObj(s -> ", " + Say.seconds(s) + " each; at that price it can give "
                                        + (c.byQuota() ? Say.number(c.allowed()) : Integer.toString(c.cores())) + " / "
                                        + Say.seconds(s) + " = " + Say.number(c.allowed() / s) + " requests/s")
                                .findFirst()
                                .orElse("")
                        + ". Less work per request"
                        + (!moreCpus ? "" : c.byQuota() ? " or a larger quota" : " or more CPUs")
                        + " would help.";
            case CLIENTS ->
                "Every client is being served: " + Say.about(Math.min(c.busy().orElse(0), c.atOnce()))
                        + " requests are in the application for "
                        + Say.count(c.atOnce(), "client")
                        + (c.threadsFull()
                                ? ", which are as many as its worker threads: more of either alone would wait for the other. That is"
                                : ", and nothing that was watched on the server is full. That is")
                        + " consistent with the clients being the limit: " + c.atOnce() + " / " + cycle(c) + " = "
                        + Say.number(c.clientCeiling().orElse(0))
                        + " requests/s is all they ask for."
                        + (decided(tried, RefutedInRun.Decision.MORE)
                                ? ""
                                : " It is consistent with something behind the threads, too: a run with more clients would show it.");
            case RATE ->
                "The server kept up with the " + Say.number(c.offered().orElse(0)) + " requests/s that it was offered"
                        + notFull(c)
                        + (tried.isPresent() ? "." : "; what it could do with more, this load cannot show.");
            case ACCEPT_QUEUE -> queue.verdict(c);
            case UNKNOWN -> unknown(c);
        };
    }

    /** What of a server that keeps up is not full, as far as it was looked at. */
    private static String notFull(OperatingPoint c) {
        boolean cpu = c.utilisation().isPresent();
        return c.poolSeen()
                ? cpu ? ", and neither its threads nor its CPU are full" : ", and its threads are not all busy"
                : cpu ? ", and its CPU is not full" : "";
    }

    private static String unknown(OperatingPoint c) {
        boolean cpu = c.utilisation().isPresent();
        if (!cpu && !c.poolSeen()) {
            return c.busy().isEmpty()
                    ? "The target could not be looked into, so what limits it is not known."
                    : "The CPU was not observed, nor how many threads there are, so what limits it is not known.";
        }
        if (!c.poolSeen() && c.busy().isPresent()) {
            return "The CPU is not full, and the number of threads is not bounded, or not known: what limits it is something"
                    + NOT_WATCHED;
        }
        if (!c.poolSeen()) {
            return "The CPU is not full, and no pool of worker threads was seen: what limits it may be such a pool, or something"
                    + NOT_WATCHED;
        }
        String threads =
                c.threadsFull() ? "All threads are busy, and no client waits for one" : "The threads are not all busy";
        if (!cpu) {
            return threads + ", and the CPU was not observed: what limits it may be the CPU, or something"
                    + NOT_WATCHED;
        }
        return (c.threadsFull() ? threads + ", and the CPU is not full" : "Neither the threads nor the CPU are full")
                + ": what limits it is something" + NOT_WATCHED;
    }

    private static String cycle(OperatingPoint c) {
        String hold = Say.seconds(c.holding().orElse(0));
        return c.think() > 0 ? "(" + hold + " + " + Say.seconds(c.think()) + " of thinking)" : hold;
    }

    private static Optional<String> cpu(OperatingPoint c) {
        if (c.otherWork() && c.utilisation().isPresent()) {
            return Optional.of(
                    "The CPU is " + Say.percent(c.utilisation().getAsDouble()) + " used, for all that it does.");
        }
        if (c.utilisation().isEmpty()
                || c.cpuPerRequest().isEmpty()
                || c.cpuCeiling().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("The CPU is " + Say.percent(c.utilisation().getAsDouble()) + " used: "
                + Say.seconds(c.cpuPerRequest().getAsDouble())
                + " of CPU a request would allow " + Say.number(c.cpuCeiling().getAsDouble()) + "/s on " + c.cpus()
                + ".");
    }

    private static Optional<String> threads(OperatingPoint c) {
        if (c.busy().isEmpty() || (c.holding().isEmpty() && !c.otherWork())) {
            return Optional.empty();
        }
        String of = c.usable().isPresent()
                ? " of " + Say.count((int) c.usable().getAsDouble(), "worker thread")
                : " threads";
        return Optional.of(Say.about(c.busy().getAsDouble()) + of + " are busy on average; "
                + (c.otherWork()
                        ? OperatingPoint.OTHER_WORK + ", so what a request holds and costs is not known."
                        : "a request holds its thread for "
                                + Say.seconds(c.holding().orElse(0)) + "."));
    }

    private static Optional<String> little(OperatingPoint c, Measurement m) {
        if (m.latency().count() == 0 || c.clients() == 0 || c.throughput() <= 0) {
            return Optional.empty();
        }
        double seconds = m.elapsed().toNanos() / 1e9;
        // exact where occupied time is known; the mean latency covers only requests that ended in the phase. With think
        // time the connection is occupied by the pause as well
        double flight = m.occupied() > 0 && seconds > 0 && c.think() == 0
                ? m.occupied() / seconds
                : c.throughput() * m.latency().mean() / 1e9;
        double r = flight / c.throughput();
        String waiting = "";
        if (c.holding().isPresent() && r > 1.2 * c.holding().getAsDouble() && m.errorShare() <= Thresholds.ERRORS) {
            waiting = ", of which " + Say.seconds(r - c.holding().getAsDouble()) + " is spent outside a worker thread";
        }
        if (c.think() > 0) {
            return Optional.of("Little's law: " + Say.number(c.throughput()) + "/s × (" + Say.seconds(r) + " + "
                    + Say.seconds(c.think()) + " of thinking) = " + Say.about(flight + c.throughput() * c.think())
                    + " of "
                    + Say.count(c.clients(), "client") + "; " + Say.about(flight) + " requests are in flight" + waiting
                    + ".");
        }
        return Optional.of("Little's law: " + Say.number(c.throughput()) + "/s × " + Say.seconds(r) + " = "
                + Say.about(flight) + " requests in flight "
                + (c.offered().isPresent() ? "of at most " + c.clients() : "for " + c.clients() + " clients")
                + waiting
                + ".");
    }

    private static String kinds(Measurement m) {
        var kinds = new ArrayList<String>();
        m.errors().forEach((kind, n) -> {
            if (n > 0) {
                kinds.add(kind.text() + " " + n);
            }
        });
        m.detail().offered().ifPresent(o -> {
            if (o.unsent() > 0) {
                kinds.add("never sent " + o.unsent());
            }
        });
        if (m.unanswered() > 0) {
            kinds.add("left unanswered " + m.unanswered());
        }
        return String.join(", ", kinds);
    }

    private static String refutedBy(Limit limit, OperatingPoint c, Optional<PoolContrast> pool) {
        return switch (limit) {
            case THREADS ->
                PoolContrast.decided(pool) == Decision.LARGER_GAVE_MORE
                        ? ""
                        : "Doubling " + OperatingPoint.THREADS + " to "
                                + (int) (2 * (c.usable().orElse(0) + c.leased()) - c.leased())
                                + " leaves throughput unchanged.";
            case BEHIND_THREADS ->
                "More of what the threads wait for (a larger connection pool, say) leaves throughput unchanged.";
            case CPU ->
                (c.byQuota() ? "A larger quota" : "Another CPU")
                        + " for the target, or a page that costs half the CPU, leaves throughput unchanged.";
            case CLIENTS -> "Doubling load.connections leaves throughput unchanged.";
            case RATE -> "A higher load.rate leaves throughput unchanged.";
            case ACCEPT_QUEUE ->
                "Doubling the backlog (and net.core.somaxconn) leaves the number of slow connects unchanged.";
            case UNKNOWN ->
                "Doubling load.connections raises throughput in proportion: then the clients were the limit.";
        };
    }
}
