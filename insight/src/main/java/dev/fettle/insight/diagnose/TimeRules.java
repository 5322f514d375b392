package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.gate.LostSyns;
import dev.fettle.insight.stats.Latencies.Spread;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Rules about latencies whose length gives away their cause, and about what happens only now and then. */
final class TimeRules {
    static final String DNS = "slow-lookup";
    static final String TIME_OUTS = "calls-time-out";
    static final String DELAYED_ACK = "delayed-ack";
    static final String SLOW_CONNECTS = "connects-sent-again";
    static final String PAUSES = "long-pauses";

    private static final long MILLI = 1_000_000L;

    /** A plateau holds at least this share of the answers. */
    private static final double PLATEAU = 0.2;

    /** It holds more than this many times the answers just below it, and just above it. */
    private static final double STANDS_OUT = 3;

    /**
     * Sockets that hold back a write, over the requests in flight. It is rare, as it takes two small writes in a row.
     */
    private static final double HELD = 0.2;

    /** The same where less than one socket holds a write back on average, as with a single client. */
    private static final double HELD_BY_MOST = 0.5;

    /** Smallest share of answers that take exactly the resolver's time-out. */
    private static final double RARE = 0.0005;

    /** A resolver's time-out: resolv.conf(5). */
    private static final int RESOLVER_SECONDS = 5;

    /** That of two tries. */
    private static final int TWICE_SECONDS = 2 * RESOLVER_SECONDS;

    private static final int FIVE = 1000 * RESOLVER_SECONDS;
    private static final int TEN = 1000 * TWICE_SECONDS;
    private static final String TIMES = RESOLVER_SECONDS + " or " + TWICE_SECONDS + " s";

    /** Other answers that count are longer. */
    private static final int OTHERS_FROM_SECONDS = 2;

    /** By how much a delayed acknowledgement comes later on Linux, and elsewhere or at most: TCP_DELACK_MIN, TCP_DELACK_MAX. */
    private static final int[] DELAYED_MILLIS = {40, 200};

    private static final String DELAYS = DELAYED_MILLIS[0] + " or " + DELAYED_MILLIS[1] + " ms";

    /** A worker is held for less than this part of the delay. */
    private static final double OF_THE_DELAY = 0.5;

    /** Fewer connects have no p90. */
    private static final int FEWEST_CONNECTS = 10;

    /** Shorter pauses are not long. */
    private static final double LONG_MILLIS = 50;

    /** Share of p99.9 from which on a pause may be why. */
    private static final double OF_THE_TAIL = 0.5;

    /** Fewer answers than this are no pattern. */
    private static final int FEW = 5;

    /** Stacks of workers that a look reads at most. */
    private static final double STACKS = 32;

    /** No answer takes longer. */
    private static final double LONGEST_MILLIS = 3_600_000;

    private TimeRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                                DNS,
                                Stage.TAIL,
                                "lookups of names that time out",
                                FEW + " answers or more, and " + Say.share(RARE) + " of all, of " + TIMES
                                        + " (a lookup's time-out is " + RESOLVER_SECONDS
                                        + " s: resolv.conf(5)), at least " + Say.about(STANDS_OUT)
                                        + " times as many as of other times above " + OTHERS_FROM_SECONDS
                                        + " s; and a worker was seen to look a name up",
                                List.of(FailureRules.DEADLOCK),
                                TimeRules::lookup)
                        .shownBy(Signals.LOAD_P99, Signals.WAIT_LOOKUP, Signals.WAIT_SOCKET),
                new Rule(
                                TIME_OUTS,
                                Stage.TAIL,
                                "calls that time out after " + TIMES,
                                "as many answers of " + TIMES
                                        + ", and no worker was seen to look a name up, or what workers do was not seen",
                                List.of(FailureRules.DEADLOCK, DNS),
                                TimeRules::timeOuts)
                        .shownBy(Signals.LOAD_P99, Signals.WAIT_SOCKET, Signals.WAIT_LOOKUP),
                new Rule(
                                DELAYED_ACK,
                                Stage.WAITING,
                                "answers that wait for a delayed acknowledgement",
                                "sockets that hold a write back, " + Say.share(HELD)
                                        + " of the requests under way: one at least, " + Say.share(HELD_BY_MOST)
                                        + " of them, or with a plateau; where they were not observed, a plateau alone: "
                                        + Say.share(PLATEAU) + " of the answers at " + DELAYS
                                        + " (Linux: TCP_DELACK_MIN, TCP_DELACK_MAX), while workers are held for less than "
                                        + Say.share(OF_THE_DELAY) + " of that",
                                List.of(FailureRules.DEADLOCK),
                                TimeRules::delayedAck)
                        .shownBy(Signals.SOCKETS_HELD, Signals.LOAD_P50),
                new Rule(
                                SLOW_CONNECTS,
                                Stage.TAIL,
                                "connects whose SYN was sent again",
                                "the p99 of " + AcceptQueue.ENOUGH_CONNECTS + " connects or more, or the p90 of "
                                        + FEWEST_CONNECTS + " or more, is " + Say.nanos(LostSyns.SENT_AGAIN_NANOS)
                                        + " or longer (a SYN is sent again after 1 s: RFC 6298)",
                                List.of(
                                        ConnectionRules.ACCEPT_QUEUE,
                                        FailureRules.FDS,
                                        FailureRules.DEADLOCK,
                                        WaitRules.WORKERS,
                                        HeapRules.HEAP_SMALL),
                                TimeRules::connects)
                        .shownBy(Signals.TCP_SYN_RETRANSMITS, Signals.ACCEPT_QUEUE),
                new Rule(
                                PAUSES,
                                Stage.TAIL,
                                "long pauses of the JVM",
                                "the longest takes " + Say.share(OF_THE_TAIL) + " of p99.9 or more, and "
                                        + Say.seconds(LONG_MILLIS / 1000) + " at least",
                                List.of(
                                        CpuRules.THROTTLED,
                                        SwapRule.ID,
                                        HeapRules.EXPLICIT_GC,
                                        HeapRules.HUMONGOUS,
                                        HeapRules.HEAP_SMALL,
                                        HeapRules.ALLOCATION,
                                        GrowthRules.SESSIONS,
                                        GrowthRules.HEAP_GROWS),
                                TimeRules::pauses)
                        .shownBy(Signals.GC_PAUSE_MAX, Signals.LOAD_P99));
    }

    private static double between(Spread s, double fromMillis, double toMillis) {
        return s.share((long) (fromMillis * MILLI), (long) (toMillis * MILLI));
    }

    /**
     * Answers that took 5 or 10 s.
     *
     * @param five share of the answers that took 5 s
     * @param ten share of those that took 10 s
     * @param others share of those that took another time above 2 s
     * @param answers how many there are in all
     */
    private record TimedOut(double five, double ten, double others, double answers) {
        double share() {
            return five + ten;
        }

        /** What they add to a request's mean time, seconds. */
        double time() {
            return RESOLVER_SECONDS * five + TWICE_SECONDS * ten;
        }

        /** Whether they are enough for a pattern. A server that is slow as a whole has answers of five seconds, too. */
        boolean standOut() {
            return share() >= RARE && share() * answers >= FEW && others <= share() / STANDS_OUT;
        }

        String words() {
            return Say.percent(share()) + " of the answers took " + TIMES;
        }
    }

    /** Empty if the distribution of latencies is not known. */
    private static TimedOut timedOut(Spread s) {
        return new TimedOut(
                between(s, FIVE - 100, FIVE + 400),
                between(s, TEN - 100, TEN + 500),
                between(s, 1000 * OTHERS_FROM_SECONDS, FIVE - 200)
                        + between(s, FIVE + 500, TEN - 200)
                        + between(s, TEN + 600, LONGEST_MILLIS),
                s.count());
    }

    /** Whether a worker was seen to look a name up. */
    private static boolean lookupsSeen(TrialFacts s) {
        return s.max(Signals.WAIT_LOOKUP).orElse(0) > 0;
    }

    /** Whether there were looks enough at the workers' stacks to have seen lookups of names, had these requests waited for them. */
    private static boolean lookedEnough(TrialFacts s, TimedOut t) {
        double atOnce = s.seconds() > 0 ? t.time() * t.answers() / s.seconds() : 0;
        double read = Math.min(1, STACKS / Math.max(1, s.busy().orElse(0)));
        return s.values(Signals.WAIT_LOOKUP).length * atOnce * read >= FEW;
    }

    private static RuleResult lookup(TrialFacts s) {
        Optional<TimedOut> seen = s.latencies().map(TimeRules::timedOut);
        if (seen.isEmpty()) {
            return new RuleResult.NotObserved("the distribution of latencies is not known");
        }
        TimedOut t = seen.get();
        if (!t.standOut()) {
            return new RuleResult.Healthy(t.words());
        }
        if (!lookupsSeen(s)) {
            return s.mean(Signals.WAIT_LOOKUP).isEmpty()
                    ? new RuleResult.NotObserved(s.why(Signals.WAIT_LOOKUP))
                    : new RuleResult.Healthy(t.words() + ", but no worker was seen to look a name up");
        }
        return slow(DNS, "Lookups of a name time out", t, s, ", which is a resolver's time-out, and " + others(t) + ".")
                .remedy(
                        "Keep the answers (networkaddress.cache.ttl), resolve through a local cache, and see whether the first"
                                + " name server in /etc/resolv.conf answers")
                .refutedBy("With the host in /etc/hosts, or its address in place of the name, these answers stay.")
                .found();
    }

    private static RuleResult timeOuts(TrialFacts s) {
        Optional<TimedOut> seen = s.latencies().map(TimeRules::timedOut);
        if (seen.isEmpty()) {
            return new RuleResult.NotObserved("the distribution of latencies is not known");
        }
        TimedOut t = seen.get();
        if (!t.standOut() || lookupsSeen(s)) {
            return new RuleResult.Healthy(t.words() + (t.standOut() ? ", and names were looked up" : ""));
        }
        boolean enough = lookedEnough(s, t);
        String where = s.mostly(Sighting.WAITS_SOCKET)
                .map(f -> "; workers that wait for a socket do so mostly in " + f)
                .orElse("");
        return slow(
                        TIME_OUTS,
                        "Calls time out after " + TIMES,
                        t,
                        s,
                        ", and " + others(t)
                                + (enough
                                        ? ", while no worker was seen to look a name up: that is consistent with a"
                                                + " time-out of that length for a call"
                                        : ": that is consistent with a time-out of that length, a call's or a resolver's;"
                                                + (s.mean(Signals.WAIT_LOOKUP).isPresent()
                                                        ? " workers were sampled too seldom to show which"
                                                        : " what workers wait for was not seen"))
                                + where + ".")
                .remedy(
                        "See which call has that time-out, and why it gets no answer: the service itself, a firewall that drops,"
                                + " a kept connection that is dead; a shorter time-out bounds what it costs. "
                                + (enough
                                        ? "If a resolver or threads of their own look names up, see the name server, too"
                                        : "A lookup of a name takes as long if the first name server in /etc/resolv.conf does"
                                                + " not answer"))
                .refutedBy(
                        enough
                                ? "With a time-out of another length for that call, these answers take as long as before."
                                : "With a time-out of another length for that call, and the host in /etc/hosts, these"
                                        + " answers take as long as before.")
                .found();
    }

    private static String others(TimedOut t) {
        return Say.percent(t.others()) + " another time above " + OTHERS_FROM_SECONDS + " s";
    }

    private static FindingBuilder slow(String rule, String title, TimedOut t, TrialFacts s, String rest) {
        return new FindingBuilder(rule, Severity.WARNING, title, t.words() + rest)
                .share(
                        s.latency().map(v -> t.time() / v));
    }

    /**
     * A small write after another one waits for the acknowledgement of the first, which the peer delays by 40 ms
     * (Linux) or 200 ms. The kernel reports which sockets hold one back. Where it does not, only the plateau is left,
     * and that only counts for the server's own answers: a request that waits in a worker may wait for a service that
     * takes as long.
     */
    private static RuleResult delayedAck(TrialFacts s) {
        OptionalFigure held = s.mean(Signals.SOCKETS_HELD);
        double underWay = s.underWay();
        if (held.isPresent() && underWay > 0) {
            double share = held.getAsDouble() / underWay;
            String figure = Say.about(held.getAsDouble()) + " sockets hold a small write back, for "
                    + Say.about(underWay) + " requests under way";
            if (share < HELD) {
                return new RuleResult.Healthy(figure);
            }
            // of few requests a part of one is no pattern by itself: then their lengths tell
            if (held.getAsDouble() >= 1 || share >= HELD_BY_MOST) {
                return held(
                                "Small writes wait for the acknowledgement of the ones before them",
                                "At any time " + figure
                                        + ": the second of two small writes waits until the peer acknowledges the first,"
                                        + " which it puts off (" + DELAYED_MILLIS[0] + " ms on Linux, up to "
                                        + DELAYED_MILLIS[1]
                                        + " ms elsewhere)"
                                        + plateau(s)
                                                .map(at -> "; answers pile up at " + at + " ms")
                                                .orElse("") + ".")
                        .share(share)
                        .found();
            }
        }
        Optional<Integer> at = plateau(s);
        double hold = s.holding().orElse(Double.NaN) * 1e3;
        // with its pipeline, a request waits for those before it, too
        if (at.isPresent() && hold * s.inLine() < OF_THE_DELAY * at.get() && !s.cpuFull()) {
            double here = s.latencies()
                    .map(l -> between(l, at.get() - 2, at.get() + 8))
                    .orElse(0.0);
            return held(
                            "Answers wait for a delayed acknowledgement",
                            Say.percent(here) + " of the answers took " + at.get() + " ms (" + (at.get() - 2) + " to "
                                    + (at.get() + 8) + "), but a request holds its worker for "
                                    + Say.seconds(hold / 1e3)
                                    + " only: that is consistent with the second of two small writes waiting for the"
                                    + " acknowledgement of the first.")
                    .weight(here)
                    .found();
        }
        return s.holding().isEmpty() || s.measurement().isEmpty()
                ? new RuleResult.NotObserved(s.why(Signals.SOCKETS_HELD))
                : new RuleResult.Healthy("no plateau at " + DELAYS + " that workers do not explain");
    }

    private static FindingBuilder held(String title, String sentence) {
        return new FindingBuilder(DELAYED_ACK, Severity.WARNING, title, sentence)
                .remedy(
                        "TCP_NODELAY on the sending side, and one write a request or answer (a buffer, no flush in between)")
                .refutedBy("With TCP_NODELAY the latency stays.");
    }

    /** 40 or 200 ms, if answers pile up there: a fifth of them, and three times as many as just below and just above. */
    private static Optional<Integer> plateau(TrialFacts s) {
        return s.latencies()
                .flatMap(l -> Arrays.stream(DELAYED_MILLIS)
                        .filter(at -> {
                            double here = between(l, at - 2, at + 8);
                            double below = between(l, at - 14, at - 4);
                            double above = between(l, at + 10, at + 20);
                            return here >= PLATEAU && here > STANDS_OUT * Math.max(below, above);
                        })
                        .boxed()
                        .findFirst());
    }

    private static RuleResult connects(TrialFacts s) {
        if (s.measurement().isEmpty() || s.measurement().get().connect().count() < FEWEST_CONNECTS) {
            return new RuleResult.NotObserved("fewer than " + FEWEST_CONNECTS + " connects were made");
        }
        if (!LostSyns.told(s.trial().spec().load(), s.measurement().get(), s.evidence())) {
            return new RuleResult.NotObserved(
                    s.trial().spec().load().wire().protocol().isWebSocket()
                            ? "to open a WebSocket is the application's work, too"
                            : "a connect's time is not TCP's alone here, and few SYNs or none were seen to be sent again");
        }
        var c = s.measurement().get().connect();
        // of fewer than a hundred the p99 is the slowest one
        boolean many = c.count() >= AcceptQueue.ENOUGH_CONNECTS;
        long slow = many ? c.p99() : c.p90();
        String figure = "connects took " + Say.nanos(slow) + " at " + (many ? "p99" : "p90");
        if (slow < LostSyns.SENT_AGAIN_NANOS) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        SLOW_CONNECTS,
                        Severity.WARNING,
                        "Connects wait for their SYN to be sent again",
                        figure + ": a SYN that gets no answer is sent again after a second, and then again.")
                .seen(figure)
                .remedy("See which queue drops them (accept queue, SYN queue, conntrack), and use keep-alive")
                .refutedBy("nstat shows no retransmitted SYN while it lasts.")
                .found();
    }

    static RuleResult pauses(TrialFacts s) {
        OptionalFigure longest = s.max(Signals.GC_PAUSE_MAX);
        if (longest.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_PAUSE_MAX));
        }
        double ms = longest.getAsDouble();
        // of a target that died under load nothing was measured
        double tail = s.measurement().map(m -> m.latency().p999() / 1e6).orElse(0.0);
        if (ms < LONG_MILLIS || ms < OF_THE_TAIL * tail) {
            return new RuleResult.Healthy("the longest took " + Say.seconds(ms / 1e3));
        }
        Optional<String> felt = felt(s, ms);
        return new FindingBuilder(
                        PAUSES,
                        felt.isPresent() ? Severity.WARNING : Severity.LIMIT,
                        "The JVM stands still for long",
                        "Its longest pause took " + Say.seconds(ms / 1e3)
                                + (tail > 0
                                        ? ", and p99.9 is " + Say.seconds(tail / 1e3)
                                                + felt.orElse(": that is consistent with the slowest requests being"
                                                        + " those that were under way.")
                                        : "; how long the slowest requests took was not measured."))
                .remedy(
                        "A collector with short pauses (-XX:+UseZGC), a smaller MaxGCPauseMillis for G1, or less to keep alive")
                .knob("jvm.gc")
                .refutedBy("With ZGC the p99.9 stays.")
                .found();
    }

    /** What p99 was about when the longest pause was seen, if it stands out then; else only the lengths can be compared. */
    private static Optional<String> felt(TrialFacts s, double pauseMillis) {
        OptionalFigure then = s.aboutPeak(Signals.GC_PAUSE_MAX, Signals.LOAD_P99);
        double[] p99 = s.values(Signals.LOAD_P99);
        Arrays.sort(p99);
        double usual = p99.length == 0 ? 0 : p99[p99.length / 2];
        return then.isPresent() && then.getAsDouble() >= pauseMillis / 2 && then.getAsDouble() >= 2 * usual
                ? Optional.of("; about when it was seen p99 was " + Say.seconds(then.getAsDouble() / 1e3)
                        + ", as a rule it is " + Say.seconds(usual / 1e3) + ".")
                : Optional.empty();
    }
}
