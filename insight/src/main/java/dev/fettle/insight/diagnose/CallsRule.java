package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Calls;
import dev.fettle.insight.waits.FullScheduler;
import dev.fettle.insight.waits.Wait;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Requests that do more than they have to: that compute at once what one of them could compute, or call a database or another service many times, one call after the other. How many calls a request makes is not seen in
 * stacks: it is how often a thread that serves gives up its CPU to wait, for each answer, times the part of the stacks that such calls have.
 */
final class CallsRule {
    private static final int FEWEST_WINDOWS = 8;

    private CallsRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("connections-not-kept", CallsRule::notKept),
                DiagnosisRule.of("scheduler-held-up", CallsRule::scheduler),
                DiagnosisRule.of("peer-does-not-read", CallsRule::unread),
                DiagnosisRule.of("computed-at-once", CallsRule::atOnce),
                DiagnosisRule.of("calls-one-by-one", CallsRule::look));
    }

    /**
     * A service to which connections are opened all the time.
     *
     * @param peer its address
     * @param opened connections to it that were new at a look, of all looks at the target's files but the first
     * @param open those that were open at these looks, all added
     * @param each connections that are opened for each answer, of a network namespace: 0 where that was not counted
     * @param left whether as many stay open as come
     * @param maker the method that was seen to make a client of its own for that; empty if none was
     */
    record NewConnections(String peer, double opened, double open, double each, boolean left, Optional<String> maker) {
        /** Whether its connections are what is not closed, by whoever opens them: nothing else of the client was seen. */
        boolean isLeak() {
            return left && maker.isEmpty();
        }
    }

    /** The method from which most calls to services are made. */
    static Optional<String> calling(TrialFacts s) {
        return remote(s).map(Calls::site).or(() -> s.waits().callerIn("opens"));
    }

    private static Optional<Calls> remote(TrialFacts s) {
        return s.waits().calls().filter(x -> x.does() == Wait.REMOTE || x.does() == Wait.QUERY);
    }

    /** The service to which most new connections were seen, if a client that keeps its connections would have opened far fewer. */
    static Optional<NewConnections> newConnections(TrialFacts s) {
        RuleEntry r = DiagnosisRule.entry("connections-not-kept");
        Optional<Sighting> most = s.sightings(Sighting.PEER_OPENED).stream().findFirst();
        double answers = Math.max(s.answered(), s.attempts());
        if (most.isEmpty() || answers <= 0) {
            return Optional.empty();
        }
        double opened = most.get().count();
        double open = s.sightings(Sighting.PEER_LOOKED).stream()
                .filter(p -> p.what().equals(most.get().what()))
                .mapToDouble(Sighting::count)
                .sum();
        double load = s.measurement().map(m -> (double) m.connect().count()).orElse(0.0) / s.seconds();
        OptionalFigure opens = s.mean(Signals.TCP_OPENS);
        double each = Math.max(0, opens.orElse(0) - load) * s.seconds() / answers;
        boolean left = opened >= r.bound("left") && opened >= r.bound("each") * answers;
        boolean ended = open >= r.bound("open")
                && opened >= r.bound("new") * open
                && (opens.isEmpty() || each >= r.bound("each"));
        return left || ended
                ? Optional.of(new NewConnections(
                        most.get().what(), opened, open, each, left, s.waits().callerIn("makes")))
                : Optional.empty();
    }

    private static RuleResult notKept(RuleEntry r, TrialFacts s) {
        if (s.values(Signals.SOCKETS_OPENED).length == 0) {
            return new RuleResult.NotObserved(s.why(Signals.SOCKETS_OPENED));
        }
        Optional<NewConnections> found = newConnections(s);
        if (found.isEmpty()) {
            return new RuleResult.Healthy(s.sightings(Sighting.PEER_OPENED).stream()
                    .findFirst()
                    .map(p -> Format.whole(p.count()) + " new ones to " + p.what())
                    .orElse("no new one was seen"));
        }
        NewConnections c = found.get();
        Optional<Calls> calls = remote(s);
        double part = calls.map(Calls::share).orElse(0.0);
        boolean explains = c.left || part >= Thresholds.MOST_OF_A_REQUEST;
        return new FindingBuilder(
                        r,
                        explains ? Severity.WARNING : Severity.LIMIT,
                        "peer",
                        c.peer,
                        "opened",
                        c.opened,
                        "open",
                        c.left ? OptionalFigure.empty() : OptionalFigure.of(c.open),
                        "each",
                        c.each > 0 ? OptionalFigure.of(c.each) : OptionalFigure.empty(),
                        "site",
                        c.maker.or(() -> calling(s)),
                        "makes",
                        c.maker.isPresent(),
                        "library",
                        calls.map(Calls::calls).filter(x -> !x.isBlank()),
                        "part",
                        part > 0 ? OptionalFigure.of(part) : OptionalFigure.empty())
                .as(c.each >= r.bound("again") && c.maker.isEmpty() && !c.left ? "again" : "")
                .waitsFor(c.isLeak(), "sockets")
                .explains(explains && !c.isLeak())
                .seen(WaitRules.hold(s))
                .weight(Math.max(part, c.left ? 1 : 0))
                .found();
    }

    /**
     * A scheduler whose threads are all held by a task that takes long. That others of its tasks are late is not seen in stacks: only that
     * answers are wrong meanwhile, as where one of these keeps something fresh.
     */
    private static RuleResult scheduler(RuleEntry r, TrialFacts s) {
        Optional<FullScheduler> full = s.waits().fullScheduler();
        if (s.waits().looks() < r.bound("looks")) {
            return new RuleResult.NotObserved("its threads were not looked at often enough");
        }
        // a status below 500 is about the request: no task of the server's makes that wrong
        double failed = (double) (s.errors(ErrorKind.LENGTH, ErrorKind.BODY, ErrorKind.CHECK)
                        + s.measurement()
                                .map(m -> RequestRules.from500(m.statuses()))
                                .orElse(0L))
                / Math.max(1, s.attempts());
        if (full.isEmpty() || full.get().share() < r.bound("held") || failed <= r.bound("errors-many")) {
            return new RuleResult.Healthy(full.map(f -> "the threads " + f.threads() + " all ran tasks in "
                            + Format.share(f.share()) + " of the looks, and "
                            + Format.share(failed) + " of the answers were not as asked for")
                    .orElse("none has all its threads in tasks"));
        }
        FullScheduler f = full.get();
        double during = failing(s, f.fullAt());
        double else_ = failing(s, f.freeAt());
        // one that is never free shows no difference: then all answers would have to be wrong
        boolean together =
                f.freeAt().isEmpty() ? failed >= r.bound("all") : during > 0 && during >= r.bound("more") * else_;
        return new FindingBuilder(
                        r,
                        together ? Severity.WARNING : Severity.LIMIT,
                        "threads",
                        f.threads(),
                        "n",
                        f.count(),
                        "several",
                        f.count() > 1,
                        "does",
                        r.text(
                                "does-" + f.does().id(),
                                "where",
                                f.site(),
                                "calls",
                                Optional.of(f.calls()).filter(x -> !x.isBlank())),
                        "share",
                        f.share(),
                        "failed",
                        failed,
                        "during",
                        f.freeAt().isEmpty() ? OptionalFigure.empty() : OptionalFigure.of(during),
                        "else",
                        else_)
                .explains(together)
                .weight(together ? 1 : 0)
                .found();
    }

    /** Answers that were not as asked for, per second, at some times; 0 without any time. */
    private static double failing(TrialFacts s, List<Double> times) {
        double[][] errors = s.whileServed(Signals.LOAD_ERRORS);
        return times.stream()
                .mapToDouble(t -> IntStream.range(0, errors[0].length)
                        .boxed()
                        .min(Comparator.comparingDouble(i -> Math.abs(errors[0][i] - t)))
                        .map(i -> errors[1][i])
                        .orElse(0.0))
                .average()
                .orElse(0);
    }

    /** A peer that reads more slowly than the target writes to it, without waiting: what it has not read stays in memory. */
    private static RuleResult unread(RuleEntry r, TrialFacts s) {
        double[] untaken = s.values(Signals.SOCKETS_UNTAKEN);
        if (untaken.length == 0) {
            return new RuleResult.NotObserved(s.why(Signals.SOCKETS_UNTAKEN));
        }
        // whoever waits for memory sends nothing meanwhile, so that the queue of the kernel may be empty then
        double times = full(r, s.ever(Signals.SOCKETS_UNTAKEN));
        double often = full(r, untaken) / untaken.length;
        Optional<Sighting> peer = s.sightings(Sighting.PEER_UNTAKEN).stream().findFirst();
        Optional<String> waits = s.waits().waitingForMemory();
        Optional<String> site = waits.or(() -> s.waits().callerIn("writes"));
        boolean fills = waits.isPresent() || site.isPresent() && FailureRules.heapFull(s);
        boolean slow = often >= r.bound("often") && untaken.length >= r.bound("looks");
        boolean wasSlow = times >= r.bound("times")
                && waits.isPresent()
                && peer.filter(p -> !p.ofClient()).isPresent();
        if (!slow && !wasSlow || peer.isEmpty() || !fills) {
            return new RuleResult.Healthy(
                    "up to " + Format.bytes(peer.map(Sighting::count).orElse(0.0)) + " waited for one peer, and "
                            + (fills ? "memory was short" : "memory was not short"));
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "site",
                        site,
                        "peer",
                        peer.get().what(),
                        "times",
                        times,
                        "bytes",
                        peer.get().count(),
                        "memory",
                        waits.isPresent() ? "direct memory" : "heap")
                .weight(1)
                .found();
    }

    private static double full(RuleEntry r, double... untaken) {
        return Arrays.stream(untaken).filter(b -> b >= r.bound("full")).count();
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        Optional<Calls> most = s.waits().calls();
        if (s.waits().looks() == 0) {
            return new RuleResult.NotObserved("its threads were not looked at all at once");
        }
        if (most.isEmpty() || most.get().seen() < r.bound("least")) {
            return new RuleResult.Healthy("no more than "
                    + Format.whole(most.map(Calls::seen).orElse(0.0)) + " stacks are in calls from one method");
        }
        Calls c = most.get();
        OptionalFigure waits = waits(s, c);
        OptionalFigure n = waits.map(w -> w * c.share());
        boolean lazy = c.lazy() >= r.bound("lazy") && n.orElse(r.bound("lazy-calls")) >= r.bound("lazy-calls");
        if (n.isEmpty() && !lazy) {
            return new RuleResult.NotObserved("how often a request waits was not counted");
        }
        boolean many = n.orElse(0) >= r.bound("calls") && c.share() >= Thresholds.MOST_OF_A_REQUEST;
        if (!many && !lazy) {
            return new RuleResult.Healthy(
                    "a request makes about " + Format.count(n.orElse(0)) + " calls from " + c.site());
        }
        String does = "does-" + c.does().id();
        String cure = "cure-" + c.does().id();
        return new FindingBuilder(r, Severity.WARNING, "site", c.site(), "n", n, "waits", waits, "part", c.share())
                .with("lazy", lazy)
                .with("lazy-share", c.lazy())
                .with(
                        "does",
                        r.text(
                                does,
                                "where",
                                c.site(),
                                "calls",
                                Optional.of(c.calls()).filter(x -> !x.isBlank())))
                .with("cure", r.text(r.has(cure) ? cure : "cure-other"))
                .seen(Format.whole(c.seen()) + " stacks in "
                        + FigureText.count(s.waits().looks(), "look") + " at all threads")
                .seen(WaitRules.hold(s))
                .share(c.share())
                .found();
    }

    /** How often a thread that serves waits for each answer; empty where that was not counted, or virtual threads make the calls. */
    private static OptionalFigure waits(TrialFacts s, Calls c) {
        OptionalFigure waits = s.mean(Signals.CTXT_SERVING);
        double served = s.answered() / s.seconds();
        return waits.isPresent() && served > 0 && !c.virtual() ? waits.map(w -> w / served) : OptionalFigure.empty();
    }

    /**
     * Requests that all do at once what most of the time none of them has to do, as where an entry of a cache expires and each that misses it
     * computes it anew. A slow way that some requests take at random looks the same in latencies, but then throughput is steady.
     */
    private static RuleResult atOnce(RuleEntry r, TrialFacts s) {
        if (s.measurement().isEmpty()
                || s.trial().spec().load().scenario().isPresent()
                || !(s.trial().spec().load().arrivals() instanceof Arrivals.Closed)) {
            return new RuleResult.NotObserved("this is seen in a closed load of one request only");
        }
        LatencySummary latency = s.measurement().get().latency();
        double[] rates = s.values(Signals.LOAD_RATE);
        if (latency.count() == 0 || rates.length < FEWEST_WINDOWS) {
            return new RuleResult.NotObserved("too few answers came");
        }
        double share = latency.mean() > 0 ? latency.p50() / latency.mean() : 1;
        double swing = swing(rates);
        Optional<String> where = s.waits().together(Thresholds.MOST_OF_A_REQUEST);
        if (share > r.bound("median") || swing < r.bound("swing") || where.isEmpty()) {
            return new RuleResult.Healthy("the median is " + Format.share(share)
                    + " of the mean, and throughput swings by " + Format.share(swing));
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "where",
                        where.get(),
                        "median",
                        latency.p50() / 1e9,
                        "mean",
                        latency.mean() / 1e9,
                        "least",
                        Arrays.stream(rates).min().orElse(0),
                        "most",
                        Arrays.stream(rates).max().orElse(0),
                        "clients",
                        s.trial().spec().load().clients())
                .seen("the median is " + Format.share(share) + " of the mean")
                .weight(1)
                .found();
    }

    /** The standard deviation over the mean. */
    private static double swing(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        double square = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / values.length;
        return mean > 0 ? StrictMath.sqrt(square) / mean : 0;
    }
}
