package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules about what holds the workers, and what they wait for. They compare shares of a request's time: the part in
 * front of a worker is 1 − R_hold/R (Little's law on both), and the part at a lock, a pool or a socket is the share of
 * the busy workers that wait there. A lock or an empty pool makes a queue of its own, so it is also the cause of the
 * queue in front of the workers.
 */
final class WaitRules {
    static final String LOG_LOCK = "log-lock";
    static final String LOCK = "lock";
    static final String FILE = "disk-wait";
    static final String SLEEP = "sleeping-workers";
    static final String LOOKUPS = "name-lookups";
    static final String CLIENT = "slow-clients";
    static final String BACKEND = "backend-wait";
    static final String WORKERS = "workers-full";

    private static final double REALLY_WAITS = 0.001;

    /** Requests of one connection under way at once, on average, from which on the pipeline is told of. */
    private static final double PIPELINED = 1.1;

    /**
     * Bound where two kinds of evidence agree, workers in file calls and a disk busy with the target's writes: less of
     * each is enough.
     */
    private static final double FILE_AND_DISK = 0.2;

    /** From where on so many workers wait that it limits the server. */
    private static final String LONG = Say.share(Thresholds.WAITING_AT_LOCK) + " of the busy workers";

    private static final double DISK_BUSY = 0.5;

    /** Share of the time in which some task of the host waits for a disk. */
    private static final double WAITS_FOR_DISK = 0.1;

    /** Bytes per second; the log of a busy server writes less. */
    private static final double MUCH_WRITTEN = 16 << 20;

    private WaitRules() {}

    static List<Rule> rules() {
        return List.of(
                LockRule.of(LOG_LOCK, "a lock in the log", "a lock of the logging library", true)
                        .shownBy(Signals.WAIT_LOCK, Signals.WORKERS_BUSY),
                LockRule.of(LOCK, "a lock", "a lock", false).shownBy(Signals.WAIT_LOCK, Signals.WORKERS_BUSY),
                PoolRule.RULE,
                inWorker(
                                FILE,
                                Signals.WAIT_FILE,
                                "the disk",
                                "are reading or writing a file",
                                "Workers are busy with files",
                                "Buffer it, write it from one thread of its own, or take another disk",
                                "Without the file (or on tmpfs) throughput is the same.")
                        .shownBy(Signals.WAIT_FILE, Signals.DISK_BUSY, Signals.DISK_WRITE, Signals.PRESSURE_IO),
                inWorker(
                                SLEEP,
                                Signals.WAIT_SLEEP,
                                "sleeping",
                                "sleep",
                                "Workers sleep",
                                "Find who calls Thread.sleep in a request: a retry's pause, a poll, a limiter",
                                "Without the pause throughput is the same.")
                        .shownBy(Signals.WAIT_SLEEP, Signals.WORKERS_BUSY),
                inWorker(
                                LOOKUPS,
                                Signals.WAIT_LOOKUP,
                                "lookups of names",
                                "look up a name",
                                "Workers look up names",
                                "Keep the answers (networkaddress.cache.ttl), and resolve through a cache on this host",
                                "With the address in place of the name, or the host in /etc/hosts, throughput is the same.")
                        .shownBy(Signals.WAIT_LOOKUP, Signals.WORKERS_BUSY),
                inWorker(
                                CLIENT,
                                Signals.WAIT_CLIENT,
                                "their clients",
                                "wait for their client to send, or to take what they write",
                                "Workers wait for their own clients",
                                "Let a proxy that buffers stand in front, or read and write without holding a thread (asynchronous I/O,"
                                        + " sendfile, virtual threads)",
                                "With clients on this machine throughput is the same.")
                        .shownBy(Signals.WAIT_CLIENT, Signals.WORKERS_BUSY),
                new Rule(
                                BACKEND,
                                Stage.WAITING,
                                "a service behind the workers",
                                Say.share(Thresholds.MOST_OF_A_REQUEST)
                                        + " of a request's time is spent waiting for sockets",
                                List.of(LOCK, LOG_LOCK, PoolRule.ID, TimeRules.DELAYED_ACK, GrowthRules.WARMING),
                                WaitRules::backend)
                        .shownBy(Signals.WAIT_SOCKET, Signals.LOAD_P50, Signals.CPU_TOTAL),
                new Rule(
                                WORKERS,
                                Stage.WAITING,
                                "a worker pool that is full while CPU is left",
                                Say.share(Thresholds.THREADS_FULL) + " of the workers busy, or "
                                        + Say.share(Thresholds.THREADS_WAITED_FOR)
                                        + " and as many requests waiting for one as there are; CPU below "
                                        + Say.share(Thresholds.CPU_SPARE),
                                List.of(
                                        FailureRules.DEADLOCK,
                                        FailureRules.HUNG,
                                        LOCK,
                                        LOG_LOCK,
                                        PoolRule.ID,
                                        FILE,
                                        SLEEP,
                                        LOOKUPS,
                                        CLIENT,
                                        BACKEND,
                                        HotThreadRule.ID,
                                        TimeRules.DELAYED_ACK,
                                        TimeRules.DNS,
                                        TimeRules.TIME_OUTS),
                                WaitRules::workers)
                        .shownBy(Signals.WORKERS_BUSY, Signals.CPU_TOTAL, Signals.LOAD_P99));
    }

    /** Whether most of the busy workers wait at a lock: more than if its holder just waited for a CPU. */
    static boolean mostAtLock(TrialFacts s) {
        return s.shareOfHolding(Signals.WAIT_LOCK).orElse(0) >= Thresholds.MOST_OF_A_REQUEST;
    }

    static Optional<String> hold(TrialFacts s) {
        return s.holding().isPresent() && s.busyDoubted().isEmpty()
                ? Optional.of("a request holds its worker for "
                        + Say.seconds(s.holding().getAsDouble()))
                : Optional.empty();
    }

    /** {@code 12 of 40 busy workers}; the two are looked at at different times, so there may seem to be more than all. */
    static String ofBusy(TrialFacts s, String signal) {
        return ofBusy(s, s.meanOrNone(signal));
    }

    private static String ofBusy(TrialFacts s, double some) {
        double busy = s.busy().orElse(0);
        return Say.about(Math.min(busy, some)) + " of " + Say.about(busy) + " busy workers";
    }

    /**
     * How many workers wait in this way. The servers' sockets don't block, and what is read of a file is mostly in memory, so workers
     * that are seen in such calls may use a CPU in the kernel, or wait for one: as many are not counted, unless a disk was seen to be
     * waited for.
     */
    private static double waiting(TrialFacts s, String signal) {
        double seen = s.meanOrNone(signal);
        boolean calls = signal.equals(Signals.WAIT_CLIENT) || signal.equals(Signals.WAIT_FILE) && !diskSeen(s);
        return !calls ? seen : s.cpuFull() ? 0 : Math.max(0, seen - Math.max(0, onCpu(s, signal)));
    }

    /** How many of the workers in such calls may use a CPU or wait for one: of files no more than the workers seen to run leave. */
    private static double onCpu(TrialFacts s, String signal) {
        double all = s.meanOrNone(Signals.CPU_WORKERS) + s.meanOrNone(Signals.RUNQUEUE_WAIT);
        return signal.equals(Signals.WAIT_FILE) ? all - s.meanOrNone(Signals.WAIT_RUNNING) : all;
    }

    private static Rule inWorker(
            String id, String signal, String what, String doing, String title, String remedy, String refutedBy) {
        return new Rule(
                id,
                Stage.WAITING,
                "workers that wait: " + what,
                switch (signal) {
                    case Signals.WAIT_FILE ->
                        LONG
                                + ", where the CPUs are not full; not counted are as many as use a CPU or wait"
                                + " for one. If the disk is busy for " + Say.share(DISK_BUSY)
                                + " of the time, or a task of the host waits for one for " + Say.share(WAITS_FOR_DISK)
                                + " of it, all count: " + LONG + ", " + Say.share(FILE_AND_DISK)
                                + " while the target writes " + Say.memory(MUCH_WRITTEN) + " a second, "
                                + Say.share(Thresholds.MOST_OF_A_REQUEST) + " where the CPUs are full";
                    case Signals.WAIT_CLIENT ->
                        LONG
                                + ", where the CPUs are not full; not counted are as many as use a CPU or wait"
                                + " for one, for they may only copy what they read or write";
                    default -> LONG + ", " + Say.share(Thresholds.MOST_OF_A_REQUEST) + " where the CPUs are full";
                },
                List.of(LOCK, LOG_LOCK, PoolRule.ID, GrowthRules.WARMING),
                s -> {
                    OptionalFigure seen = s.shareOfHolding(signal);
                    if (seen.isEmpty()) {
                        return new RuleResult.NotObserved(s.why(signal));
                    }
                    double waiting = waiting(s, signal);
                    double share = Math.min(1, waiting / s.busy().orElse(0));
                    if (share < bound(s, signal) || waiting < REALLY_WAITS) {
                        return new RuleResult.Healthy(Say.percent(seen.getAsDouble()) + " of the busy workers"
                                + (waiting < s.meanOrNone(signal) ? ", who may use a CPU or wait for one" : ""));
                    }
                    return new FindingBuilder(
                                    id,
                                    signal.equals(Signals.WAIT_CLIENT) ? Severity.LIMIT : Severity.WARNING,
                                    title,
                                    ofBusy(s, waiting) + " " + doing
                                            + s.mostly(sighted(signal))
                                                    .map(f -> ", most of them in " + f)
                                                    .orElse("")
                                            + ".")
                            .seen(hold(s))
                            .seen(signal.equals(Signals.WAIT_FILE) ? disk(s) : Optional.empty())
                            .becauseOf(id.equals(LOOKUPS), TimeRules.DNS)
                            .share(share)
                            .remedy(remedy)
                            .refutedBy(refutedBy)
                            .found();
                });
    }

    /** How the watch words it where a frame was seen in such a wait. */
    private static String sighted(String signal) {
        return switch (signal) {
            case Signals.WAIT_FILE -> Sighting.USES_FILE;
            case Signals.WAIT_LOOKUP -> Sighting.LOOKS_UP;
            case Signals.WAIT_CLIENT -> Sighting.USES_CLIENT;
            default -> Sighting.SLEEPS;
        };
    }

    /**
     * The bound for a kind of wait. A thread whose sleep or wait is over looks asleep until it gets a CPU, so with full
     * CPUs a smaller share means little. A disk that is busy with the target's writes is not affected by that.
     */
    private static double bound(TrialFacts s, String signal) {
        if (signal.equals(Signals.WAIT_FILE) && diskBusy(s)) {
            return FILE_AND_DISK;
        }
        return s.cpuFull() ? Thresholds.MOST_OF_A_REQUEST : Thresholds.WAITING_AT_LOCK;
    }

    /** Whether a disk was seen to be waited for: a busy one, or tasks that wait for one. */
    static boolean diskSeen(TrialFacts s) {
        return s.meanOrNone(Signals.DISK_BUSY) >= DISK_BUSY || s.meanOrNone(Signals.PRESSURE_IO) >= WAITS_FOR_DISK;
    }

    private static boolean diskBusy(TrialFacts s) {
        return s.meanOrNone(Signals.DISK_BUSY) >= DISK_BUSY && s.meanOrNone(Signals.DISK_WRITE) >= MUCH_WRITTEN;
    }

    private static Optional<String> disk(TrialFacts s) {
        return s.mean(Signals.DISK_BUSY).isPresent()
                        && s.mean(Signals.DISK_WRITE).isPresent()
                ? Optional.of("the busiest disk was busy for "
                        + Say.percent(s.mean(Signals.DISK_BUSY).getAsDouble()) + " of the time, the target wrote "
                        + Say.memory(s.mean(Signals.DISK_WRITE).getAsDouble()) + " a second")
                : Optional.empty();
    }

    private static RuleResult backend(TrialFacts s) {
        OptionalFigure inside = s.shareOfHolding(Signals.WAIT_SOCKET);
        if (inside.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.WAIT_SOCKET));
        }
        double queue = s.queueShare().orElse(0);
        double share = waitForBackend(s);
        String figure = Say.percent(inside.getAsDouble()) + " of the busy workers wait for a socket";
        // if the queue in front of the workers is the longer part, more workers come first, then this
        boolean most = share >= Thresholds.MOST_OF_A_REQUEST
                || (inside.getAsDouble() >= Thresholds.MOST_OF_A_REQUEST && share >= queue);
        if (!most || s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        if (RequestRules.mostlyPauses(s)) {
            return new RuleResult.Healthy(figure + ", but the clients pause for most of the time");
        }
        // most connections may be idle ones of another service: the frame is where they wait
        String where = Stream.of(
                        s.mostly(Sighting.WAITS_SOCKET).map(f -> "most of them in " + f),
                        s.outgoing().map(p -> "most connections are to " + p))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        String peer = where.isEmpty() ? "" : " (" + where + ")";
        // of a target that stopped answering no request's time is known, and that is no limit that every server has
        boolean timed = s.holding().isPresent() && s.latency().isPresent();
        return new FindingBuilder(
                        BACKEND,
                        asEveryServer(s),
                        "Requests wait for a service behind the server",
                        timed
                                ? Say.percent(share) + " of a request's time is spent waiting for a socket" + peer
                                        + ": "
                                        + Say.seconds(s.holding().orElse(0) * inside.getAsDouble()) + " of "
                                        + Say.seconds(s.ownLatency().orElse(0))
                                        + (s.inLine() > PIPELINED
                                                ? ", and "
                                                        + Say.seconds(
                                                                s.latency().orElse(0))
                                                        + " with those before it in its pipeline."
                                                : ".")
                                : ofBusy(s, Signals.WAIT_SOCKET) + " wait for a socket" + peer + ".")
                .seen(figure)
                .seen(hold(s))
                .share(share)
                .remedy("Make that service faster, ask it less often (a cache), or ask in parallel; give the call a"
                        + " time-out")
                .refutedBy("With a mock that answers at once in its place, the latency stays.")
                .found();
    }

    /**
     * How bad a wait is that every server may have: a limit. Of a target that stopped answering it may be why, and is a warning; one that
     * died by itself waited as it always does.
     */
    static Severity asEveryServer(TrialFacts s) {
        boolean hung = s.trial().failure().filter(f -> f.kind() == Kind.HUNG).isPresent();
        return s.measurement().isEmpty() && hung ? Severity.WARNING : Severity.LIMIT;
    }

    /** How much of a request's time goes into waiting for a socket; 0 where that was not observed. */
    static double waitForBackend(TrialFacts s) {
        return s.shareOfHolding(Signals.WAIT_SOCKET).orElse(0)
                * (1 - s.queueShare().orElse(0));
    }

    private static RuleResult workers(TrialFacts s) {
        Optional<OperatingPoint> c = s.point();
        if (c.isEmpty() || c.get().busy().isEmpty()) {
            return new RuleResult.NotObserved("the worker threads could not be read");
        }
        Optional<Explanation> x = s.explained().filter(y -> y.limit() == Limit.THREADS && !s.cpuFull());
        if (x.isEmpty()) {
            return new RuleResult.Healthy(Say.about(c.get().busy().getAsDouble())
                    + (c.get().usable().isPresent()
                            ? " of " + Say.count((int) c.get().usable().getAsDouble(), "worker")
                            : " workers")
                    + " busy");
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        return new FindingBuilder(
                        WORKERS,
                        Severity.WARNING,
                        "The worker pool is full while CPU is left",
                        x.get().sentences().getFirst())
                .seen(hold(s))
                .becauseOf(OtherWaitRule.isLongest(s), OtherWaitRule.ID)
                .share(s.queueShare())
                .remedy("More worker threads, as far as the CPUs and the clients have use for them"
                        + (c.get().threadsNeeded().isPresent()
                                ? ": about "
                                        + Math.round(c.get().threadsNeeded().getAsDouble())
                                : "")
                        + " (Tomcat maxThreads, Jetty maxThreads, Undertow worker task max threads)")
                .knob(OperatingPoint.THREADS)
                .refutedBy(x.get().refutedBy())
                .found();
    }
}
