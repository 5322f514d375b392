package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.gate.LostSyns;
import dev.fettle.insight.stats.Latencies.Spread;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rules about latencies whose length gives away their cause, and about what happens only now and then. */
final class TimeRules {
    private static final long MILLI = 1_000_000L;

    /** Stacks of workers that a look reads at most. */
    private static final double STACKS = 32;

    /** No answer takes longer. */
    private static final double LONGEST_MILLIS = 3_600_000;

    private TimeRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("slow-lookup", TimeRules::lookup),
                DiagnosisRule.of("calls-time-out", TimeRules::timeOuts),
                // the kernel itself reports that the write is held back
                DiagnosisRule.of("delayed-ack", TimeRules::delayedAck)
                        .othersCanCauseUnless(s -> s.mean(Signals.SOCKETS_HELD).isPresent()),
                DiagnosisRule.of("connects-sent-again", TimeRules::connects).othersCanCauseIt(),
                DiagnosisRule.of("long-pauses", TimeRules::pauses).othersCanCauseIt());
    }

    private static double between(Spread s, double fromMillis, double toMillis) {
        return s.share((long) (fromMillis * MILLI), (long) (toMillis * MILLI));
    }

    /**
     * Answers that took as long as a resolver's time-out, or that of two tries.
     *
     * @param one share of the answers that took one time-out
     * @param two share of those that took two
     * @param others share of those that took another time that counts
     * @param answers how many there are in all
     */
    private record TimedOut(RuleEntry rule, double one, double two, double others, double answers) {
        /** Empty if the distribution of latencies is not known. */
        static Optional<TimedOut> of(RuleEntry r, TrialFacts facts) {
            double one = 1000 * r.bound("resolver");
            double two = 1000 * r.bound("twice");
            return facts.latencies()
                    .map(s -> new TimedOut(
                            r,
                            between(s, one - 100, one + 400),
                            between(s, two - 100, two + 500),
                            between(s, 1000 * r.bound("others"), one - 200)
                                    + between(s, one + 500, two - 200)
                                    + between(s, two + 600, LONGEST_MILLIS),
                            s.count()));
        }

        double share() {
            return one + two;
        }

        /** What they add to a request's mean time, seconds. */
        double time() {
            return rule.bound("resolver") * one + rule.bound("twice") * two;
        }

        /** Whether they are enough for a pattern. A server that is slow as a whole has answers of five seconds, too. */
        boolean standOut() {
            return share() >= rule.bound("rare")
                    && share() * answers >= rule.bound("few")
                    && others <= share() / rule.bound("stands-out");
        }

        String words() {
            return rule.text("timed-out", "share", share());
        }

        FindingBuilder found(TrialFacts s) {
            return new FindingBuilder(rule, Severity.WARNING, "timed-out", words(), "other", others)
                    .share(
                            s.latency().isPresent()
                                    ? OptionalFigure.of(time() / s.latency().getAsDouble())
                                    : OptionalFigure.empty());
        }
    }

    /** Whether a worker was seen to look a name up. */
    private static boolean lookupsSeen(TrialFacts s) {
        return s.max(Signals.WAIT_LOOKUP).orElse(0) > 0;
    }

    /** Whether there were looks enough at the workers' stacks to have seen lookups of names, had these requests waited for them. */
    private static boolean lookedEnough(TrialFacts s, TimedOut t) {
        double atOnce = s.seconds() > 0 ? t.time() * t.answers() / s.seconds() : 0;
        double read = Math.min(1, STACKS / Math.max(1, s.busy().orElse(0)));
        return s.values(Signals.WAIT_LOOKUP).length * atOnce * read >= t.rule().bound("few");
    }

    private static RuleResult lookup(RuleEntry r, TrialFacts s) {
        Optional<TimedOut> seen = TimedOut.of(r, s);
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
        return t.found(s).found();
    }

    private static RuleResult timeOuts(RuleEntry r, TrialFacts s) {
        Optional<TimedOut> seen = TimedOut.of(r, s);
        if (seen.isEmpty()) {
            return new RuleResult.NotObserved("the distribution of latencies is not known");
        }
        TimedOut t = seen.get();
        if (!t.standOut() || lookupsSeen(s)) {
            return new RuleResult.Healthy(t.words() + (t.standOut() ? ", and names were looked up" : ""));
        }
        return t.found(s)
                .with("enough", lookedEnough(s, t))
                .with("sampled", s.mean(Signals.WAIT_LOOKUP).isPresent())
                .with("where", s.mostly(Sighting.WAITS_SOCKET))
                .found();
    }

    /**
     * A small write after another one waits for the acknowledgement of the first, which the peer delays by 40 ms
     * (Linux) or 200 ms. The kernel reports which sockets hold one back. Where it does not, only the plateau is left,
     * and that only counts for the server's own answers: a request that waits in a worker may wait for a service that
     * takes as long.
     */
    private static RuleResult delayedAck(RuleEntry r, TrialFacts s) {
        OptionalFigure held = s.mean(Signals.SOCKETS_HELD);
        double underWay = s.underWay();
        if (held.isPresent() && underWay > 0) {
            double share = held.getAsDouble() / underWay;
            String figure = r.text("figure", "sockets", held, "under-way", underWay);
            if (share < r.bound("held")) {
                return new RuleResult.Healthy(figure);
            }
            // of few requests a part of one is no pattern by itself: then their lengths tell
            if (held.getAsDouble() >= 1 || share >= r.bound("held-by-most")) {
                return new FindingBuilder(r, Severity.WARNING, "figure", figure, "at", plateau(r, s))
                        .share(share)
                        .found();
            }
        }
        Optional<Integer> plateau = plateau(r, s);
        double hold = s.holding().orElse(Double.NaN);
        // with its pipeline, a request waits for those before it, too
        if (plateau.isPresent() && 1e3 * hold * s.inLine() < r.bound("of-the-delay") * plateau.get() && !s.cpuFull()) {
            int at = plateau.get();
            double here = s.latencies().map(l -> between(l, at - 2, at + 8)).orElse(0.0);
            return new FindingBuilder(
                            r, Severity.WARNING, "here", here, "at", at, "from", at - 2, "to", at + 8, "hold", hold)
                    .as("plateau")
                    .weight(here)
                    .found();
        }
        return s.holding().isEmpty() || s.measurement().isEmpty()
                ? new RuleResult.NotObserved(s.why(Signals.SOCKETS_HELD))
                : new RuleResult.Healthy(r.text("no-plateau"));
    }

    /** 40 or 200 ms, if answers pile up there: a fifth of them, and three times as many as just below and just above. */
    private static Optional<Integer> plateau(RuleEntry r, TrialFacts s) {
        return s.latencies()
                .flatMap(l -> Stream.of((int) r.bound("linux"), (int) r.bound("elsewhere"))
                        .filter(at -> {
                            double here = between(l, at - 2, at + 8);
                            double below = between(l, at - 14, at - 4);
                            double above = between(l, at + 10, at + 20);
                            return here >= r.bound("plateau") && here > r.bound("stands-out") * Math.max(below, above);
                        })
                        .findFirst());
    }

    private static RuleResult connects(RuleEntry r, TrialFacts s) {
        double fewest = r.bound("fewest");
        if (s.measurement().isEmpty() || s.measurement().get().connect().count() < fewest) {
            return new RuleResult.NotObserved("fewer than " + Format.whole(fewest) + " connects were made");
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
        String figure = r.text("figure", "time", slow, "percentile", many ? "p99" : "p90");
        return slow < LostSyns.SENT_AGAIN_NANOS
                ? new RuleResult.Healthy(figure)
                : new FindingBuilder(r, Severity.WARNING, "figure", figure)
                        .seen(figure)
                        .found();
    }

    /** Whether its longest pause is long, and as long as the slowest requests. */
    static boolean pausesLong(TrialFacts s) {
        OptionalFigure longest = s.max(Signals.GC_PAUSE_MAX);
        return longest.isPresent()
                && longest.getAsDouble() / 1e3 >= DiagnosisRule.bound("long-pauses", s.isObserved() ? "alone" : "least")
                && longest.getAsDouble() / 1e3 >= DiagnosisRule.bound("long-pauses", "of-the-tail") * tail(s);
    }

    /** The p99.9, seconds; of a target that died under load nothing was measured. */
    private static double tail(TrialFacts s) {
        return s.measurement().map(m -> m.latency().p999() / 1e9).orElse(0.0);
    }

    private static RuleResult pauses(RuleEntry r, TrialFacts s) {
        OptionalFigure longest = s.max(Signals.GC_PAUSE_MAX);
        if (longest.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_PAUSE_MAX));
        }
        double ms = longest.getAsDouble();
        if (!pausesLong(s)) {
            return new RuleResult.Healthy("the longest took " + Format.seconds(ms / 1e3));
        }
        // what p99 was about when it was seen, if it stands out then; else only the lengths can be compared
        OptionalFigure then = s.aboutPeak(Signals.GC_PAUSE_MAX, Signals.LOAD_P99);
        double[] p99 = s.values(Signals.LOAD_P99);
        Arrays.sort(p99);
        double usual = p99.length == 0 ? 0 : p99[p99.length / 2];
        boolean felt = then.isPresent() && then.getAsDouble() >= ms / 2 && then.getAsDouble() >= 2 * usual;
        double tail = tail(s);
        return new FindingBuilder(
                        r,
                        felt ? Severity.WARNING : Severity.LIMIT,
                        "longest",
                        ms / 1e3,
                        "tail",
                        tail > 0 ? OptionalFigure.of(tail) : OptionalFigure.empty(),
                        "then",
                        felt ? OptionalFigure.of(then.getAsDouble() / 1e3) : OptionalFigure.empty(),
                        "usual",
                        usual / 1e3)
                .knob("jvm.gc")
                .found();
    }
}
