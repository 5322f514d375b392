package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.gate.LostSyns;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;

/**
 * Rules about what keeps requests from the workers: the accept queue, the connections, the threads that hand requests
 * over.
 */
final class ConnectionRules {
    static final String BEFORE_WORKERS = "before-the-workers";
    static final String ACCEPT_QUEUE = "accept-queue";
    static final String PINNED = "virtual-pinned";

    /** How many connections a server takes. */
    private static final String CONNECTIONS = "connections.max";

    static final String KEEP_ALIVE = "keep-alive-off";

    /** Share of the CPU time that carriers of virtual threads leave from which on they wait rather than compute. */
    static final double IDLE = 0.3;

    /** Connections in the accept queue, on average, from which on the door itself is held up: one is always there. */
    private static final double AT_THE_DOOR = 1;

    /** Seconds outside a worker below which nothing is held up. */
    private static final double LEAST_OUTSIDE = 0.005;

    /** Share of the carriers from which on they are taken. */
    private static final double CARRIERS_TAKEN = 0.9;

    private static final String OFF_THE_IO_THREADS =
            "Take blocking work off the I/O threads (Undertow's BlockingHandler or dispatch(), Jetty's blocking invocation type)";

    /** What keeps a server from taking its clients' requests in time: full CPUs, full workers, and what those wait for. */
    static final List<String> KEEP_WAITING = List.of(
            CpuRules.THROTTLED,
            CpuRules.EXCEPTIONS,
            HotThreadRule.ID,
            HandshakeRule.ID,
            CpuRules.HOT_METHOD,
            CpuRules.LARGE,
            CpuRules.CPU_FULL,
            HeapRules.EXPLICIT_GC,
            HeapRules.HUMONGOUS,
            HeapRules.HEAP_SMALL,
            HeapRules.ALLOCATION,
            WaitRules.LOG_LOCK,
            WaitRules.LOCK,
            PoolRule.ID,
            WaitRules.FILE,
            WaitRules.SLEEP,
            WaitRules.BACKEND,
            OtherWaitRule.ID,
            WaitRules.WORKERS);

    private ConnectionRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                                ACCEPT_QUEUE,
                                Stage.WAITING,
                                "an accept queue that overflows",
                                "drops of " + Say.share(AcceptQueue.SHARE) + " of the connects, "
                                        + Say.whole(AcceptQueue.LEAST) + " at least; or any, where the p99 of "
                                        + AcceptQueue.ENOUGH_CONNECTS + " connects or more is "
                                        + Say.nanos(LostSyns.SENT_AGAIN_NANOS)
                                        + " (a SYN is sent again after 1 s: RFC 6298)",
                                List.of(
                                        FailureRules.DEADLOCK,
                                        FailureRules.HUNG,
                                        FailureRules.FDS,
                                        HeapRules.HEAP_SMALL),
                                ConnectionRules::acceptQueue)
                        .shownBy(Signals.ACCEPT_QUEUE, Signals.ACCEPT_DROPS, Signals.TCP_SYN_RETRANSMITS),
                new Rule(
                                BEFORE_WORKERS,
                                Stage.WAITING,
                                "requests that wait although workers are idle",
                                Say.share(Thresholds.MOST_OF_A_REQUEST)
                                        + " of the I/O threads wait for something other than their connections; or, of a closed load, "
                                        + Say.share(Thresholds.MOST_OF_A_REQUEST) + " of a request's time, "
                                        + Say.seconds(LEAST_OUTSIDE)
                                        + " at least, outside a worker, workers and CPUs not full: a warning if "
                                        + Say.count((int) AT_THE_DOOR, "connection")
                                        + " or more waits to be accepted all the time, else a limit, as where"
                                        + " requests are handled asynchronously",
                                List.of(FailureRules.FDS, CpuRules.THROTTLED, PINNED, TimeRules.DELAYED_ACK),
                                ConnectionRules::before)
                        .shownBy(Signals.IO_BLOCKED, Signals.WORKERS_BUSY, Signals.ACCEPT_QUEUE, Signals.LOAD_P99),
                new Rule(
                                PINNED,
                                Stage.WAITING,
                                "virtual threads that keep their carriers",
                                Say.share(CARRIERS_TAKEN)
                                        + " of the carriers are taken, some threads wait for one, and "
                                        + Say.share(IDLE) + " less CPU time is used than as many"
                                        + " CPUs have",
                                List.of(FailureRules.DEADLOCK),
                                ConnectionRules::pinned)
                        .shownBy(Signals.VIRTUAL_QUEUED, Signals.CPU_TOTAL),
                new Rule(
                                KEEP_ALIVE,
                                Stage.WAITING,
                                "a server that closes kept connections",
                                "more than " + Say.share(Thresholds.RECONNECTS)
                                        + " of the answers close their connection",
                                List.of(RequestRules.SERVER_ERRORS, RequestRules.STATUS),
                                ConnectionRules::keepAlive)
                        .shownBy(Signals.SOCKETS_TIME_WAIT, Signals.LOAD_RATE));
    }

    /**
     * Whether the queue has room for at most one client in ten: it overflows when clients connect together, even
     * without other processes.
     */
    static boolean queueTiny(TrialFacts s) {
        return s.evidence()
                .filter(e -> e.acceptQueueLimit().isPresent()
                        && e.acceptQueueLimit().getAsInt()
                                <= s.trial().spec().load().connections() / 10.0)
                .isPresent();
    }

    private static RuleResult acceptQueue(TrialFacts s) {
        if (s.evidence().isEmpty() || s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was watched on the target's host");
        }
        var e = s.evidence().get();
        boolean drops = e.get(Aggregate.ACCEPT_QUEUE_DROPS).isPresent()
                || e.get(Aggregate.ACCEPT_QUEUE_MAX).isPresent();
        AcceptQueue queue = AcceptQueue.of(s.trial());
        if (!queue.limits()) {
            return drops
                    ? new RuleResult.Healthy("at most "
                            + e.get(Aggregate.ACCEPT_QUEUE_MAX).orElse(0) + " waited"
                            + (e.acceptQueueLimit().isPresent()
                                    ? " of " + e.acceptQueueLimit().getAsInt()
                                    : "") + ", "
                            + Say.whole(e.get(Aggregate.ACCEPT_QUEUE_DROPS).orElse(0)) + " dropped")
                    : new RuleResult.NotObserved("the target's listening socket was not read");
        }
        Optional<String> limit = limitOfConnections(s);
        return new FindingBuilder(
                        ACCEPT_QUEUE,
                        Severity.WARNING,
                        "The accept queue overflows",
                        queue.sentence() + limit.map(w -> " " + w).orElse(""))
                // a queue with room for hardly any client overflows all the same
                .becauseOf(!queueTiny(s), KEEP_WAITING)
                // whose threads accept nothing meanwhile
                .becauseOf(ioSeenToWait(s), BEFORE_WORKERS)
                .seen("connects took "
                        + Say.nanos(s.measurement().get().connect().p99()) + " at p99")
                .remedy(
                        limit.isPresent()
                                ? "See whose connections the server holds (ss -tnp), and close those that do nothing; else raise "
                                        + CONNECTIONS + ": a larger backlog only lets more of them wait"
                                : "Raise the server's backlog (Tomcat acceptCount, Jetty acceptQueueSize, Undertow BACKLOG) and"
                                        + " net.core.somaxconn with it; and use keep-alive, so that there are fewer connects")
                .knob(limit.isPresent() ? CONNECTIONS : "backlog")
                .refutedBy("With the backlog doubled, as many connects are slow.")
                .found();
    }

    /** A server that has as many connections as it takes accepts no more, however long its queue. */
    private static Optional<String> limitOfConnections(TrialFacts s) {
        double sockets = s.max(Signals.SOCKETS_ESTABLISHED).orElse(0);
        return OperatingPoint.knob(s.trial().spec(), s.evidence(), CONNECTIONS)
                .map(KnobValues::number)
                .filter(n -> n.isPresent() && n.getAsLong() > 0 && sockets >= n.getAsLong())
                .map(
                        n -> "It takes " + Say.whole(n.getAsLong()) + " connections at most, and " + Say.whole(sockets)
                                + " sockets are established: if that many of them are clients', it accepts none until one closes.");
    }

    /** Whether the stacks of I/O threads show them waiting: other processes that take CPU time can't cause that. */
    static boolean ioSeenToWait(TrialFacts s) {
        return blocked(s) >= Thresholds.MOST_OF_A_REQUEST;
    }

    /**
     * The share of the I/O threads that wait for something other than their connections; 0 if they were not looked at.
     */
    private static double blocked(TrialFacts s) {
        double all = s.meanOrNone(Signals.IO_THREADS);
        return all > 0 ? s.meanOrNone(Signals.IO_BLOCKED) / all : 0;
    }

    private static RuleResult before(TrialFacts s) {
        if (ioSeenToWait(s)) {
            String where = s.sighting("io.frame")
                    .map(f -> ", most of them in " + f
                            + s.detail("io.frame").map(d -> " (" + d + ")").orElse(""))
                    .orElse("");
            return new FindingBuilder(
                            BEFORE_WORKERS,
                            Severity.WARNING,
                            "I/O threads wait for something other than their connections",
                            Say.about(s.meanOrNone(Signals.IO_BLOCKED)) + " of "
                                    + Say.about(s.meanOrNone(Signals.IO_THREADS))
                                    + " I/O threads wait for something else than their connections" + where
                                    + ": all other connections of such a thread wait with it.")
                    .weight(blocked(s))
                    .remedy(OFF_THE_IO_THREADS)
                    .refutedBy("A thread dump that shows the I/O threads in epoll wait, most of the time.")
                    .found();
        }
        Optional<String> doubted = s.busyDoubted();
        if (doubted.isPresent()) {
            return new RuleResult.NotObserved(doubted.get());
        }
        OptionalFigure queue = s.queueShare();
        Optional<OperatingPoint> c = s.point();
        if (queue.isEmpty() || c.isEmpty() || s.cpu().isEmpty()) {
            return new RuleResult.NotObserved("busy workers or latency could not be read");
        }
        double ready = s.meanOrNone(Signals.RUNQUEUE_WAIT);
        if (ready >= Math.max(1, s.cpus())) {
            return new RuleResult.Healthy("what waits outside a worker may wait for a CPU: " + Say.about(ready)
                    + " threads were ready and had none");
        }
        double waiting = s.ownLatency().orElse(0) - s.holding().orElse(0);
        boolean open = c.get().offered().isPresent();
        if (queue.getAsDouble() < Thresholds.MOST_OF_A_REQUEST
                || s.cpu().getAsDouble() >= Thresholds.CPU_SPARE
                || c.get().threadsFull()
                || open
                || waiting < LEAST_OUTSIDE) {
            return new RuleResult.Healthy(
                    Say.percent(queue.getAsDouble()) + " of a request's time is outside a worker");
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        String spent = Say.percent(queue.getAsDouble()) + " of a request's time (" + Say.seconds(waiting)
                + ") is spent outside the workers, of which only "
                + Say.about(s.busy().orElse(0)) + " are busy, and the CPUs are "
                + Say.percent(s.cpu().getAsDouble()) + " used: ";
        double outside = s.meanOrNone(Signals.ACCEPT_QUEUE);
        return (outside >= AT_THE_DOOR ? atTheDoor(spent, outside) : elsewhere(spent))
                .becauseOf(true, ACCEPT_QUEUE)
                .seen("I/O threads use "
                        + (s.mean(Signals.CPU_IO).isPresent()
                                ? Say.percent(s.mean(Signals.CPU_IO).getAsDouble()) + " of a CPU"
                                : "an unknown part of the CPU"))
                .share(queue.getAsDouble())
                .found();
    }

    /** Connections that nobody accepts: the door itself is held up. */
    private static FindingBuilder atTheDoor(String spent, double outside) {
        return new FindingBuilder(
                        BEFORE_WORKERS,
                        Severity.WARNING,
                        "Requests wait before a worker takes them, and workers are idle",
                        spent
                                + "what takes requests to the workers is held up (the acceptor, a limit of connections, an I/O"
                                + " thread that blocks), as " + Say.about(outside)
                                + " connections on average wait to be accepted.")
                .remedy("See whether a limit of connections is reached (Tomcat maxConnections). " + OFF_THE_IO_THREADS)
                .refutedBy("Under the same load the accept queue is empty (ss -ltn), and requests take as long.");
    }

    /** Nothing was seen to be held up: requests that are handled asynchronously look the same. */
    private static FindingBuilder elsewhere(String spent) {
        return new FindingBuilder(
                        BEFORE_WORKERS,
                        Severity.LIMIT,
                        "Requests spend their time outside the workers",
                        spent
                                + "that is consistent with requests that are handled asynchronously (AsyncContext, DeferredResult,"
                                + " a handler that dispatches to threads of its own) and wait there, and with something that"
                                + " holds them up before a worker takes them, which was not seen.")
                .remedy(
                        "Where requests are handled asynchronously, look at what they wait for there: the queue of their"
                                + " executor, the service that they ask. Where they are not, look for blocking work on the I/O threads,"
                                + " and for a limit of connections")
                .refutedBy("A thread dump under load with most of the requests on the workers' stacks.");
    }

    /** CPUs' worth of time that the carriers that were taken could use: there may be fewer of them than CPUs, and more. */
    private static double carriersCould(TrialFacts s) {
        return Math.min(s.meanOrNone(Signals.VIRTUAL_MOUNTED), s.allowed());
    }

    /**
     * The share of that in which they neither used a CPU nor had it taken from them.
     *
     * @param taken CPUs' worth of time that others took
     */
    static double idleCarriers(TrialFacts s, double taken) {
        double could = carriersCould(s);
        return could > 0 ? 1 - (s.cpu().orElse(0) * s.allowed() + taken) / could : 0;
    }

    private static RuleResult pinned(TrialFacts s) {
        OptionalFigure carriers = s.mean(Signals.VIRTUAL_CARRIERS);
        OptionalFigure mounted = s.mean(Signals.VIRTUAL_MOUNTED);
        OptionalFigure queued = s.mean(Signals.VIRTUAL_QUEUED);
        if (carriers.isEmpty()
                || mounted.isEmpty()
                || queued.isEmpty()
                || s.cpu().isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.VIRTUAL_MOUNTED));
        }
        double taken = carriers.getAsDouble() > 0 ? mounted.getAsDouble() / carriers.getAsDouble() : 0;
        double used = s.cpu().getAsDouble() * s.allowed();
        double could = carriersCould(s);
        double idle = idleCarriers(s, 0);
        String figure = Say.about(mounted.getAsDouble()) + " of " + Say.about(carriers.getAsDouble())
                + " carriers taken, " + Say.about(queued.getAsDouble()) + " virtual threads wait for one";
        if (taken < CARRIERS_TAKEN || queued.getAsDouble() < 1 || idle < IDLE) {
            return new RuleResult.Healthy(figure);
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        return new FindingBuilder(
                        PINNED,
                        Severity.WARNING,
                        "Virtual threads wait without leaving their carriers",
                        Say.percent(taken) + " of the carriers of virtual threads are taken, "
                                + Say.about(queued.getAsDouble())
                                + " threads that are ready wait for one, and all together use "
                                + Say.percent(used) + " of a CPU, where " + Say.number(could)
                                + " could be used: those that are on a carrier wait for something and can't leave it (they are"
                                + " pinned).")
                .seen(figure)
                .weight(idle)
                .remedy(
                        "Find what pins them (-Djdk.tracePinnedThreads up to Java 23, the event jdk.VirtualThreadPinned): a"
                                + " synchronized block before Java 24, a native frame or the loading of a class on any")
                .refutedBy("With platform threads in their place, throughput stays.")
                .found();
    }

    private static RuleResult keepAlive(TrialFacts s) {
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        var m = s.measurement().get();
        if (!s.trial().spec().load().keepAlive()) {
            return new RuleResult.NotObserved("the load asks for a new connection each time");
        }
        double each = s.closedPerAnswer();
        if (each <= Thresholds.RECONNECTS) {
            return new RuleResult.Healthy(Say.percent(each) + " of the answers closed their connection");
        }
        return new FindingBuilder(
                        KEEP_ALIVE,
                        Severity.WARNING,
                        "The server closes connections that could be kept",
                        "The server closed " + Say.whole(m.reconnects())
                                + " connections after an answer, one for every "
                                + Say.number(1 / each)
                                + " answers, although the clients would have kept them: each costs a handshake, a place in the"
                                + " accept queue, and a port for a minute (TIME_WAIT).")
                .seen("connects took " + Say.nanos(m.connect().p50()) + " at p50")
                .weight(each)
                .remedy(
                        "Let connections live for more requests (Tomcat maxKeepAliveRequests, -1 for no limit; Jetty persistentConnectionsEnabled) and for longer"
                                + " than the clients pause; look for an answer with \"Connection: close\"")
                .knob("keepalive.requests")
                .refutedBy("With connections that are kept, throughput stays.")
                .found();
    }
}
