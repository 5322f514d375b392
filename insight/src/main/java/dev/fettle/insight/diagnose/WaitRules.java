package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Tests;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Calls;
import dev.fettle.insight.waits.Wait;
import dev.fettle.insight.waits.WaitGraph;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules about what holds the workers, and what they wait for. They compare shares of a request's time: the part in
 * front of a worker is 1 − R_hold/R (Little's law on both), and the part at a lock, a pool or a socket is the share of
 * the busy workers that wait there. A lock or an empty pool makes a queue of its own, so it is also the cause of the
 * queue in front of the workers.
 */
final class WaitRules {
    private static final double REALLY_WAITS = 0.001;

    /** Of a single thread at work. */
    private static final double NEARLY_ALL = 0.9;

    private static final int ENOUGH_OF_ONE = 3;

    /** Throughput with more requests at work at once, if what lies behind the workers is not full. */
    static final Refutation CROWD = Refutation.by((_, b) -> RefutationTrial.crowd(b))
            .figure((_, before, after, clear) -> TestedFigure.crowd(before, after, clear))
            .tests(Tests.BEHIND);

    private WaitRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                LockRule.of("log-lock", true),
                LockRule.of("lock", false),
                PoolRule.rule(),
                inWorker("disk-wait", Signals.WAIT_FILE, Sighting.USES_FILE),
                inWorker("sleeping-workers", Signals.WAIT_SLEEP, Sighting.SLEEPS)
                        .othersCanCauseUnless(s -> NoisyNeighbours.mostWaitFor(Signals.WAIT_SLEEP, s)
                                || byLooks(s, Signals.WAIT_SLEEP).isPresent()),
                inWorker("name-lookups", Signals.WAIT_LOOKUP, Sighting.LOOKS_UP),
                inWorker("slow-clients", Signals.WAIT_CLIENT, Sighting.USES_CLIENT)
                        .othersCanCauseIt(),
                DiagnosisRule.of("backend-wait", WaitRules::backend)
                        .refutedBy(Refutation.by((_, b) -> RefutationTrial.mock(b.spec()))
                                .figure(WaitRules::answeredAtOnce)),
                DiagnosisRule.of("workers-full", WaitRules::workers)
                        .othersCanCauseUnless(NoisyNeighbours::workersWaitForOthers)
                        .refutedBy(Refutation.by(
                                (_, b) -> RefutationTrial.twice(OperatingPoint.THREADS, "the worker threads", b))));
    }

    /** Latency with a mock that answers at once. */
    private static TestedFigure answeredAtOnce(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        double was = before.latency().orElse(0);
        double is = after.latency().orElse(0);
        if (was <= 0 || is <= 0) {
            return TestedFigure.unknown(before, after, clear);
        }
        // more than half of the wait is left. Its share of a request's time tells nothing: where the CPUs are full now,
        // workers wait
        // for a mock that waits for a CPU, too
        boolean waits = socketWait(after) > socketWait(before) / 2;
        // a mock that answers at once takes the share of the time that was spent waiting; half of that at least has to
        // be gone
        double half = was * (1 - waitForBackend(before) / 2);
        return TestedFigure.by(
                        was / is, clear, ", on average " + Format.seconds(is) + " instead of " + Format.seconds(was))
                .betterIf(is <= half && !waits)
                .unless(
                        waits,
                        "The workers wait for a socket as before, so it is another service that they wait for, and this test"
                                + " decides no more.");
    }

    /** Mean time that a request waits for a socket in its worker, seconds; 0 where that was not observed. */
    private static double socketWait(TrialFacts s) {
        return s.shareOfHolding(Signals.WAIT_SOCKET).orElse(0) * s.holding().orElse(0);
    }

    /** Whether most of the busy workers wait at a lock: more than if its holder just waited for a CPU. */
    static boolean mostAtLock(TrialFacts s) {
        return s.shareOfHolding(Signals.WAIT_LOCK).orElse(0) >= Thresholds.MOST_OF_A_REQUEST;
    }

    static Optional<String> hold(TrialFacts s) {
        return s.holding().isPresent() && s.busyDoubted().isEmpty()
                ? Optional.of("a request holds its worker for "
                        + Format.seconds(s.holding().getAsDouble()))
                : Optional.empty();
    }

    /** {@code 12 of 40 busy workers}; the two are looked at at different times, so there may seem to be more than all. */
    static String ofBusy(TrialFacts s, String signal) {
        return ofBusy(s, s.meanOrNone(signal));
    }

    private static String ofBusy(TrialFacts s, double some) {
        double busy = s.busy().orElse(0);
        return Format.count(Math.min(busy, some)) + " of " + Format.count(busy) + " busy workers";
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

    /**
     * @param sighted how the watch words it where a frame was seen in such a wait
     */
    private static DiagnosisRule inWorker(String id, String signal, String sighted) {
        return DiagnosisRule.of(id, (r, s) -> {
            OptionalFigure seen = s.shareOfHolding(signal);
            if (seen.isEmpty()) {
                return byLooks(s, signal)
                        .map(c -> found(
                                r,
                                signal.equals(Signals.WAIT_CLIENT) ? Severity.LIMIT : Severity.WARNING,
                                s,
                                c,
                                c.share()))
                        .orElseGet(() -> new RuleResult.NotObserved(s.why(signal)));
            }
            double waiting = waiting(s, signal);
            double share = Math.min(1, waiting / s.busy().orElse(0));
            if (share < bound(r, s, signal) || waiting < REALLY_WAITS) {
                return new RuleResult.Healthy(Format.share(seen.getAsDouble()) + " of the busy workers"
                        + (waiting < s.meanOrNone(signal) ? ", who may use a CPU or wait for one" : ""));
            }
            return new FindingBuilder(
                            r,
                            signal.equals(Signals.WAIT_CLIENT) ? Severity.LIMIT : Severity.WARNING,
                            "of-busy",
                            ofBusy(s, waiting),
                            "where",
                            s.mostly(sighted))
                    .seen(hold(s))
                    .seen(r.has("disk") ? disk(r, s) : "")
                    .share(share)
                    .found();
        });
    }

    /** What each of these waits is in looks at all threads. */
    private static final Map<String, Set<Wait>> IN_LOOKS = Map.of(
            Signals.WAIT_SLEEP, Set.of(Wait.SLEEP),
            Signals.WAIT_FILE, Set.of(Wait.FILE),
            Signals.WAIT_LOOKUP, Set.of(Wait.LOOKUP),
            Signals.WAIT_SOCKET, Set.of(Wait.REMOTE, Wait.QUERY, Wait.VALIDATES),
            Signals.WAIT_OTHER, Set.of(Wait.PROCESS));

    /**
     * The same wait by looks at all threads, where a server's workers have no name that is known: if most of those at work were seen in it,
     * also without those that may only lack a CPU. Only under load: without it they may wait for an event that comes in time.
     */
    static Optional<Calls> byLooks(TrialFacts s, String signal) {
        WaitGraph graph = s.waits();
        double lack = s.cpuFull() || s.crowded() ? NoisyNeighbours.kept(s) : 0;
        return s.isObserved() || s.mean(signal).isPresent() || graph.looks() < Bounds.value("chain-moments")
                ? Optional.empty()
                : graph.doing(IN_LOOKS.getOrDefault(signal, Set.of()))
                        // a server may have a single thread
                        .filter(c -> c.seen() >= DiagnosisRule.bound("calls-one-by-one", "least")
                                || c.share() >= NEARLY_ALL && c.seen() >= ENOUGH_OF_ONE)
                        .filter(c ->
                                c.share() * graph.atWork() - lack >= Thresholds.MOST_OF_A_REQUEST * graph.atWork());
    }

    /** A wait that was seen in looks at all threads. */
    static RuleResult found(RuleEntry r, Severity severity, TrialFacts s, Calls c, double share) {
        double work = s.waits().atWork();
        return new FindingBuilder(
                        r,
                        severity,
                        "of-busy",
                        Format.count(c.share() * work) + " of " + Format.count(work) + " threads at work",
                        "where",
                        c.site())
                .as("untimed")
                .seen(Format.whole(c.seen()) + " stacks in "
                        + FigureText.count(s.waits().looks(), "look") + " at all threads")
                .share(share)
                .found();
    }

    /**
     * The bound for a kind of wait. A thread whose sleep or wait is over looks asleep until it gets a CPU, so with full
     * CPUs a smaller share means little. A disk that is busy with the target's writes is not affected by that.
     */
    private static double bound(RuleEntry r, TrialFacts s, String signal) {
        if (signal.equals(Signals.WAIT_FILE) && diskBusy(s)) {
            return r.bound("and-disk");
        }
        return s.cpuFull() ? Thresholds.MOST_OF_A_REQUEST : Thresholds.WAITING_AT_LOCK;
    }

    private static double ofDisk(String bound) {
        return DiagnosisRule.bound("disk-wait", bound);
    }

    /** Whether a disk was seen to be waited for: a busy one, or tasks that wait for one. */
    static boolean diskSeen(TrialFacts s) {
        return s.meanOrNone(Signals.DISK_BUSY) >= ofDisk("disk-busy")
                || s.meanOrNone(Signals.PRESSURE_IO) >= ofDisk("pressure");
    }

    private static boolean diskBusy(TrialFacts s) {
        return s.meanOrNone(Signals.DISK_BUSY) >= ofDisk("disk-busy")
                && s.meanOrNone(Signals.DISK_WRITE) >= ofDisk("written");
    }

    private static String disk(RuleEntry r, TrialFacts s) {
        return r.text("disk", "busy", s.mean(Signals.DISK_BUSY), "bytes", s.mean(Signals.DISK_WRITE));
    }

    private static RuleResult backend(RuleEntry r, TrialFacts s) {
        OptionalFigure inside = s.shareOfHolding(Signals.WAIT_SOCKET);
        if (inside.isEmpty()) {
            return byLooks(s, Signals.WAIT_SOCKET)
                    .filter(_ -> !RequestRules.mostlyPauses(s))
                    .map(c -> found(r, asEveryServer(s), s, c, c.share()))
                    .orElseGet(() -> new RuleResult.NotObserved(s.why(Signals.WAIT_SOCKET)));
        }
        double queue = s.queueShare().orElse(0);
        double share = waitForBackend(s);
        String figure = Format.share(inside.getAsDouble()) + " of the busy workers wait for a socket";
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
                        s.outgoing()
                                .map(p -> "most connections are to " + p)
                                .or(() -> s.longestRead().map(p -> "most of the time for " + p)))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        // of a target that stopped answering no request's time is known, and that is no limit that every server has
        boolean timed = s.holding().isPresent() && s.latency().isPresent();
        return new FindingBuilder(
                        r,
                        asEveryServer(s),
                        "share",
                        share,
                        "where",
                        where,
                        "waits",
                        s.holding().orElse(0) * inside.getAsDouble(),
                        "all",
                        s.ownLatency().orElse(0),
                        "line",
                        s.inLine() > r.bound("pipelined") ? s.latency() : OptionalFigure.empty(),
                        "of-busy",
                        ofBusy(s, Signals.WAIT_SOCKET))
                .as(timed ? "" : "untimed")
                .seen(figure)
                .seen(hold(s))
                .share(share)
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

    /** Without load: whether workers are free is known, and not how long a request waits for one. */
    private static RuleResult workersOfOthers(RuleEntry r, TrialFacts s) {
        OptionalFigure busy = s.busy();
        OptionalFigure all = s.max(Signals.WORKERS_TOTAL);
        if (busy.isEmpty() || all.isEmpty()) {
            return new RuleResult.NotObserved("the worker threads could not be read");
        }
        OptionalFigure inQueue = s.mean(Signals.WORKERS_QUEUED);
        double queued = inQueue.orElse(0);
        boolean full = busy.getAsDouble() >= Thresholds.THREADS_FULL * all.getAsDouble()
                || busy.getAsDouble() >= Thresholds.THREADS_WAITED_FOR * all.getAsDouble()
                        && queued >= all.getAsDouble();
        double queue = s.meanOrNone(Signals.ACCEPT_QUEUE);
        boolean waitedFor = queued >= 1 || queue >= 1;
        String figure = Format.count(busy.getAsDouble()) + " of " + FigureText.count((int) all.getAsDouble(), "worker")
                + " busy";
        if (full && !waitedFor && inQueue.isEmpty()) {
            return new RuleResult.NotObserved(figure + "; whether requests wait for one could not be read");
        }
        if (!full || !waitedFor || s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "busy",
                        busy,
                        "all",
                        all,
                        "queued",
                        atLeastOne(queued),
                        "queue",
                        atLeastOne(queue),
                        "needed",
                        "",
                        "refuted",
                        "")
                .as("observed")
                .waitsFor(OtherWaitRule.isLongest(s), "application")
                .knob(OperatingPoint.THREADS)
                .found();
    }

    private static OptionalFigure atLeastOne(double waiting) {
        return waiting >= 1 ? OptionalFigure.of(waiting) : OptionalFigure.empty();
    }

    private static RuleResult workers(RuleEntry r, TrialFacts s) {
        if (s.isObserved()) {
            return workersOfOthers(r, s);
        }
        Optional<OperatingPoint> c = s.point();
        if (c.isEmpty() || c.get().busy().isEmpty()) {
            return new RuleResult.NotObserved("the worker threads could not be read");
        }
        Optional<Explanation> x = s.explained().filter(y -> y.limit() == Limit.THREADS && !s.cpuFull());
        if (x.isEmpty()) {
            return new RuleResult.Healthy(Format.count(c.get().busy().getAsDouble())
                    + (c.get().usable().isPresent()
                            ? " of " + FigureText.count((int) c.get().usable().getAsDouble(), "worker")
                            : " workers")
                    + " busy");
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        OptionalFigure needed = c.get().threadsNeeded();
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "explained",
                        x.get().sentences().getFirst(),
                        "needed",
                        needed.isPresent() ? Long.toString(Math.round(needed.getAsDouble())) : "",
                        "refuted",
                        x.get().refutedBy())
                .seen(hold(s))
                .waitsFor(OtherWaitRule.isLongest(s), "application")
                .share(s.queueShare())
                .knob(OperatingPoint.THREADS)
                .found();
    }
}
