package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Tests;
import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rules about what keeps requests from the workers: the accept queue, the connections, the threads that hand requests
 * over.
 */
final class ConnectionRules {
    /** How many connections a server takes. */
    private static final String CONNECTIONS = "connections.max";

    private ConnectionRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("accept-queue", ConnectionRules::acceptQueue)
                        .othersCanCauseUnless(ConnectionRules::queueTiny)
                        .refutedBy(Refutation.by((_, b) -> RefutationTrial.twice("backlog", "the backlog", b))
                                .figure(ConnectionRules::drops)
                                .tests(Tests.COUNTED)),
                DiagnosisRule.of("before-the-workers", ConnectionRules::before)
                        .othersCanCauseUnless(ConnectionRules::ioSeenToWait),
                DiagnosisRule.of("virtual-pinned", ConnectionRules::pinned)
                        .othersCanCauseUnless(ConnectionRules::keepTheirCarriers),
                DiagnosisRule.of("keep-alive-off", ConnectionRules::keepAlive)
                        .refutedBy(Refutation.by((_, b) -> RefutationTrial.set(
                                        "keepalive.requests", "-1", "with no limit of requests a connection", b))
                                .figure(
                                        (_, before, after, clear) -> TestedFigure.throughput(before, after, clear)
                                                .unless(
                                                        after.closedPerAnswer() > Thresholds.RECONNECTS,
                                                        "The server closed its connections all the same, so this test decides nothing."))
                                .tests(Tests.COUNTED)));
    }

    /** Connections dropped at a full accept queue, over the connects. */
    private static TestedFigure drops(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        AcceptQueue was = AcceptQueue.of(before.trial());
        AcceptQueue is = AcceptQueue.of(after.trial());
        if (after.evidence().isEmpty() || (was.looked() && !is.looked())) {
            return TestedFigure.unknown(before, after, clear);
        }
        boolean fewer = dropped(is, after) * TestedFigure.HALF < dropped(was, before);
        double gain = TestedFigure.gain(before, after);
        return new TestedFigure(
                        gain >= clear || (fewer && !is.limits()),
                        !fewer && is.limits() && gain < Thresholds.NO_GAIN,
                        ", " + Format.whole(is.drops()) + " connections dropped for "
                                + Format.whole(connects(after))
                                + " connects instead of " + Format.whole(was.drops()) + " for "
                                + Format.whole(connects(before)),
                        Optional.empty())
                .unless(
                        queueTiny(after),
                        "Even with that, the queue has room for few of the clients, so this test decides nothing.");
    }

    private static double dropped(AcceptQueue queue, TrialFacts s) {
        return queue.drops() / Math.max(1, connects(s));
    }

    private static double connects(TrialFacts s) {
        return s.measurement().map(m -> (double) m.connect().count()).orElse(0.0);
    }

    /**
     * Whether the queue has room for at most one client in ten: it overflows when clients connect together, even
     * without other processes.
     */
    static boolean queueTiny(TrialFacts s) {
        return s.evidence()
                .filter(e -> !s.isObserved()
                        && e.acceptQueueLimit().isPresent()
                        && e.acceptQueueLimit().getAsInt()
                                <= s.trial().spec().load().connections() / 10.0)
                .isPresent();
    }

    private static RuleResult acceptQueue(RuleEntry r, TrialFacts s) {
        if (s.evidence().isEmpty() || s.measurement().isEmpty() && !s.isObserved()) {
            return new RuleResult.NotObserved("nothing was watched on the target's host");
        }
        var e = s.evidence().get();
        boolean drops = e.get(Aggregate.ACCEPT_QUEUE_DROPS).isPresent()
                || e.get(Aggregate.ACCEPT_QUEUE_MAX).isPresent();
        AcceptQueue queue = AcceptQueue.of(s.trial());
        Optional<Sighting> waits = s.sightings(Sighting.LISTENER).stream().findFirst();
        double limit = e.acceptQueueLimit().orElse(0);
        double room = limit > 0 ? limit : r.bound("waiting");
        if (waits.filter(w -> w.count() >= room).isPresent()) { // sockets as somebody printed them, which have no drops
            return new FindingBuilder(
                            r,
                            Severity.WARNING,
                            "n",
                            waits.get().count(),
                            "limit",
                            limit > 0 ? Optional.of(limit) : Optional.empty(),
                            "where",
                            waits.get().what())
                    .as("printed")
                    .waitsFor(true, "service", "io-threads", "root")
                    .found();
        }
        if (!queue.limits()) {
            return drops
                    ? new RuleResult.Healthy("at most "
                            + e.get(Aggregate.ACCEPT_QUEUE_MAX).orElse(0) + " waited"
                            + (e.acceptQueueLimit().isPresent()
                                    ? " of " + e.acceptQueueLimit().getAsInt()
                                    : "") + ", "
                            + Format.whole(e.get(Aggregate.ACCEPT_QUEUE_DROPS).orElse(0)) + " dropped")
                    : new RuleResult.NotObserved("the target's listening socket was not read");
        }
        double sockets = s.max(Signals.SOCKETS_ESTABLISHED).orElse(0);
        OptionalLong connections = limitOfConnections(s, sockets);
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "queue",
                        queue.sentence(),
                        "limit",
                        connections.isPresent() ? Optional.of(connections.getAsLong()) : Optional.empty(),
                        "sockets",
                        sockets)
                .as(connections.isPresent() ? "full" : "")
                // a queue with room for hardly any client overflows all the same
                .waitsFor(!queueTiny(s), "service")
                // whose threads accept nothing meanwhile
                .waitsFor(ioSeenToWait(s), "io-threads")
                .seen(s.measurement()
                        .map(m -> "connects took " + Format.time(m.connect().p99()) + " at p99"))
                .knob(connections.isPresent() ? CONNECTIONS : "backlog")
                .found();
    }

    /** How many connections a server takes, if it has as many: it accepts no more, however long its queue. */
    private static OptionalLong limitOfConnections(TrialFacts s, double sockets) {
        return OperatingPoint.knob(s.trial().spec(), s.evidence(), CONNECTIONS)
                .map(KnobValues::number)
                .filter(n -> n.isPresent() && n.getAsLong() > 0 && sockets >= n.getAsLong())
                .orElse(OptionalLong.empty());
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

    private static RuleResult before(RuleEntry r, TrialFacts s) {
        if (ioSeenToWait(s)) {
            return new FindingBuilder(
                            r,
                            Severity.WARNING,
                            "blocked",
                            s.meanOrNone(Signals.IO_BLOCKED),
                            "all",
                            s.meanOrNone(Signals.IO_THREADS),
                            "where",
                            s.sighting("io.frame"),
                            "detail",
                            s.detail("io.frame"))
                    .weight(blocked(s))
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
            return new RuleResult.Healthy("what waits outside a worker may wait for a CPU: " + Format.count(ready)
                    + " threads were ready and had none");
        }
        double waiting = s.ownLatency().orElse(0) - s.holding().orElse(0);
        boolean open = c.get().offered().isPresent();
        if (queue.getAsDouble() < Thresholds.MOST_OF_A_REQUEST
                || s.cpu().getAsDouble() >= Thresholds.CPU_SPARE
                || c.get().threadsFull()
                || open
                || waiting < r.bound("least")) {
            return new RuleResult.Healthy(
                    Format.share(queue.getAsDouble()) + " of a request's time is outside a worker");
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        double outside = s.meanOrNone(Signals.ACCEPT_QUEUE);
        // where nothing was seen to be held up, requests that are handled asynchronously look the same
        boolean door = outside >= r.bound("at-the-door");
        String spent = r.text(
                "spent",
                "share",
                queue,
                "waiting",
                waiting,
                "busy",
                s.busy().orElse(0),
                "cpu",
                s.cpu().getAsDouble());
        return new FindingBuilder(r, door ? Severity.WARNING : Severity.LIMIT, "spent", spent, "queued", outside)
                .as(door ? "door" : "elsewhere")
                .waitsFor(true, "accept-queue")
                .seen(r.text("io", "io", s.mean(Signals.CPU_IO)))
                .share(queue.getAsDouble())
                .found();
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

    /** Whether they wait, and not for a CPU that others have. */
    private static boolean keepTheirCarriers(TrialFacts s) {
        return idleCarriers(s, NoisyNeighbours.kept(s)) >= DiagnosisRule.bound("virtual-pinned", "idle");
    }

    private static RuleResult pinned(RuleEntry r, TrialFacts s) {
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
        double idle = idleCarriers(s, 0);
        String figure = r.text("figure", "mounted", mounted, "carriers", carriers, "queued", queued);
        if (taken < r.bound("taken") || queued.getAsDouble() < 1 || idle < r.bound("idle")) {
            return new RuleResult.Healthy(figure);
        }
        if (s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        return new FindingBuilder(
                        r, Severity.WARNING, "share", taken, "queued", queued, "used", used, "could", carriersCould(s))
                .seen(figure)
                .weight(idle)
                .found();
    }

    private static RuleResult keepAlive(RuleEntry r, TrialFacts s) {
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        var m = s.measurement().get();
        if (!s.trial().spec().load().keepAlive()) {
            return new RuleResult.NotObserved("the load asks for a new connection each time");
        }
        double each = s.closedPerAnswer();
        if (each <= Thresholds.RECONNECTS) {
            return new RuleResult.Healthy(Format.share(each) + " of the answers closed their connection");
        }
        return new FindingBuilder(r, Severity.WARNING, "n", m.reconnects(), "each", 1 / each)
                .seen("connects took " + Format.time(m.connect().p50()) + " at p50")
                .weight(each)
                .knob("keepalive.requests")
                .found();
    }
}
