package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.WaitGraph;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome.Failure;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Rules about a target that failed as a whole, or in which something is stuck or exhausted. */
final class FailureRules {
    /** The watch's kind for a thread dump with a deadlock in it. */
    static final String DUMP = Sighting.DEADLOCK;

    private static final Set<Kind> ENDED =
            EnumSet.of(Kind.DIED, Kind.DID_NOT_START, Kind.NEVER_READY, Kind.IMPOSSIBLE_SETTING);

    /** As {@code java.nio.Bits} says it, and older versions. */
    private static final Pattern DIRECT = Pattern.compile("(?i)direct buffer memory");

    private FailureRules() {}

    private static boolean isOfDirectBuffers(Failure f) {
        return f.kind() == Kind.OUT_OF_MEMORY && DIRECT.matcher(f.message()).find();
    }

    /**
     * Whether the target opened most of the connections in CLOSE_WAIT itself; else its clients may have given up on it.
     */
    static boolean leftOpenItself(TrialFacts s) {
        return s.closedBy().filter(p -> !p.ofClient()).isPresent();
    }

    static List<DiagnosisRule> rules() {
        return List.of(
                lastWords("direct-memory-exhausted", FailureRules::isOfDirectBuffers, "jvm.direct.max"),
                heapExhausted(),
                lastWords("threads-limit", f -> f.kind() == Kind.PROCESS_LIMIT, "process.nproc"),
                DiagnosisRule.of("jvm-crashed", CrashRule::look),
                DiagnosisRule.of("deadlock", FailureRules::deadlock),
                HungRule.rule(),
                DiagnosisRule.of(
                        "died",
                        (r, s) -> s.isRecorded()
                                ? new RuleResult.NotObserved("what was recorded ends when the recording does")
                                : failed(r, s, f -> ENDED.contains(f.kind()), Optional.empty())),
                DiagnosisRule.of("descriptors-used-up", FailureRules::descriptors),
                DiagnosisRule.of("connections-left-open", FailureRules::closeWait)
                        .othersCanCauseUnless(FailureRules::leftOpenItself),
                DiagnosisRule.of("ports-used-up", FailureRules::ports));
    }

    /** A failure that only the target's own last words tell, which are read where the plan starts it. */
    private static DiagnosisRule lastWords(String id, Predicate<Failure> which, String knob) {
        return DiagnosisRule.of(
                id,
                (r, s) -> s.isLaunched() || s.trial().failure().isPresent()
                        ? failed(r, s, which, Optional.of(knob))
                        : new RuleResult.NotObserved(
                                "what it writes is read only if the plan starts it as its target"));
    }

    /** Its last words, or a heap that was full before it ended or stopped answering: a thread that got no memory ends, and what it held is freed. */
    private static DiagnosisRule heapExhausted() {
        DiagnosisRule said =
                lastWords("heap-exhausted", f -> f.kind() == Kind.OUT_OF_MEMORY && !isOfDirectBuffers(f), "jvm.heap");
        return DiagnosisRule.of(
                "heap-exhausted",
                (r, s) -> heapRanFull(s) ? heapFull(r, s) : said.rule().look(s));
    }

    private static RuleResult heapFull(RuleEntry r, TrialFacts s) {
        return new FindingBuilder(
                        r,
                        Severity.FAULT,
                        "message",
                        s.trial().failure().map(Failure::message),
                        "after",
                        afterCollections(s),
                        "max",
                        most(s, Signals.HEAP_MAX),
                        "collecting",
                        Math.min(1, most(s, Signals.GC_SHARE)),
                        "in",
                        WaitGraph.mostAtWork(s.threadsSeen()),
                        "holds",
                        HistogramRule.ofProgram(s)
                                .filter(_ -> s.sightings(Sighting.HOLDER).isEmpty())
                                .map(Sighting::what),
                        "objects",
                        HistogramRule.ofProgram(s).map(Sighting::detail))
                .as("full")
                .seen(HistogramRule.largest(s))
                .weight(1)
                .knob("jvm.heap")
                .found();
    }

    /** Whether the target ended or stopped answering after its heap had been full, and the JVM had done nothing but collect. */
    static boolean heapRanFull(TrialFacts s) {
        return s.trial()
                        .failure()
                        .filter(f -> f.kind() == Kind.HUNG || f.kind() == Kind.DIED)
                        .isPresent()
                && heapWasFull(s);
    }

    /** Whether its heap was full at any time, and the JVM did hardly anything but collect. */
    static boolean heapWasFull(TrialFacts s) {
        return heapFull(s) && collectedMuch(s);
    }

    /** Whether collections took much of some time, the warm-up's too. */
    static boolean collectedMuch(TrialFacts s) {
        return most(s, Signals.GC_SHARE) >= Thresholds.GC_MUCH;
    }

    /** Whether a collection left nearly all of the heap in use, at any time. */
    static boolean heapFull(TrialFacts s) {
        return afterCollections(s) >= DiagnosisRule.bound("heap-exhausted", "full");
    }

    /** The largest part of the heap that a collection left in use, at any time. */
    private static double afterCollections(TrialFacts s) {
        double max = most(s, Signals.HEAP_MAX);
        double left = Math.max(most(s, Signals.HEAP_AFTER_GC), most(s, Signals.HEAP_LIVE));
        return max > 0 ? Math.min(1, left / max) : 0;
    }

    private static double most(TrialFacts s, String signal) {
        return Arrays.stream(s.ever(signal)).max().orElse(0);
    }

    private static RuleResult failed(RuleEntry r, TrialFacts s, Predicate<Failure> which, Optional<String> knob) {
        Optional<Failure> failure = s.trial().failure().filter(which);
        if (failure.isEmpty()) {
            return new RuleResult.Healthy("did not happen in " + Format.seconds(Math.max(1, s.seconds())));
        }
        var d = new FindingBuilder(r, Severity.FAULT, "message", failure.get().message()).weight(1);
        knob.ifPresent(d::knob);
        return d.found();
    }

    private static RuleResult deadlock(RuleEntry r, TrialFacts s) {
        Optional<String> dump = s.detail(DUMP);
        OptionalFigure stuck = s.max(Signals.THREADS_DEADLOCKED);
        if (dump.isEmpty() && stuck.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.THREADS_DEADLOCKED));
        }
        if (dump.isEmpty() && stuck.getAsDouble() <= 0) {
            return new RuleResult.Healthy("the JVM reports none");
        }
        return new FindingBuilder(
                        r, Severity.FAULT, "n", stuck.orElse(0) > 0 ? stuck : OptionalFigure.empty(), "dump", dump)
                .weight(1)
                .found();
    }

    private static RuleResult descriptors(RuleEntry r, TrialFacts s) {
        OptionalFigure open = s.max(Signals.FDS_OPEN);
        OptionalFigure limit = s.last(Signals.FDS_LIMIT);
        if (open.isEmpty() || limit.isEmpty() || limit.getAsDouble() <= 0) {
            return new RuleResult.NotObserved(s.why(open.isEmpty() ? Signals.FDS_OPEN : Signals.FDS_LIMIT));
        }
        double share = open.getAsDouble() / limit.getAsDouble();
        String figure = Format.whole(open.getAsDouble()) + " of " + Format.whole(limit.getAsDouble()) + " open";
        if (share <= r.bound("fds")) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(r, Severity.FAULT, "figure", figure, "share", share)
                .seen(figure)
                .seen(begin(s, Signals.FDS_OPEN).map(f -> Format.whole(f) + " before the load"))
                .waitsFor(leftOpenItself(s) && leftOpen(s) > open.getAsDouble() / 2, "sockets")
                .weight(share)
                .knob("process.nofile")
                .found();
    }

    private static Optional<Double> begin(TrialFacts s, String id) {
        return s.before(id).isPresent() ? Optional.of(s.before(id).getAsDouble()) : Optional.empty();
    }

    /** Most connections in CLOSE_WAIT at any time; 0 where none was seen. */
    private static double leftOpen(TrialFacts s) {
        return Arrays.stream(s.ever(Signals.SOCKETS_CLOSE_WAIT)).max().orElse(0);
    }

    private static RuleResult closeWait(RuleEntry r, TrialFacts s) {
        // with many sockets the watch rarely looks, perhaps only in the warm-up; but what is not closed by then stays
        double[] seen = s.ever(Signals.SOCKETS_CLOSE_WAIT);
        if (seen.length == 0) {
            return new RuleResult.NotObserved(s.why(Signals.SOCKETS_CLOSE_WAIT));
        }
        double n = leftOpen(s);
        double open = Arrays.stream(s.ever(Signals.SOCKETS_ESTABLISHED)).max().orElse(0);
        double grew = seen[seen.length - 1] - seen[0];
        // one moment of others' sockets shows no growth: then it has to be most of them
        boolean once = s.isRecorded() && seen.length == 1;
        if (n <= Math.max(r.bound("least"), r.bound("of-open") * open) || (once ? n < open : grew <= 0)) {
            return new RuleResult.Healthy("at most " + Format.whole(n) + " of " + Format.whole(open + n));
        }
        Optional<Sighting> peer = s.closedBy();
        boolean gaveUp = peer.filter(Sighting::ofClient).isPresent();
        return new FindingBuilder(
                        r,
                        Severity.FAULT,
                        "n",
                        n,
                        "grew",
                        once ? OptionalFigure.empty() : OptionalFigure.of(grew),
                        "peer",
                        peer.map(p -> gaveUp ? p.what() : "to " + p.what()),
                        "site",
                        peer.filter(p -> !gaveUp).flatMap(_ -> CallsRule.calling(s)))
                .as(gaveUp ? "given-up" : "")
                .seen(Format.whole(n) + " in CLOSE_WAIT, " + Format.whole(open) + " established")
                .waitsFor(gaveUp, "service", "door")
                .waitsFor(ofNewConnections(s, peer), "new-connections")
                .found();
    }

    /** Whether a client of its own for each call, or a new connection, is what they come from. */
    private static boolean ofNewConnections(TrialFacts s, Optional<Sighting> peer) {
        return peer.isPresent()
                && CallsRule.newConnections(s)
                        .filter(c -> c.peer().equals(peer.get().what()) && !c.isLeak())
                        .isPresent();
    }

    private static RuleResult ports(RuleEntry r, TrialFacts s) {
        long own = s.errors(ErrorKind.OTHER);
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        if (own <= r.bound("errors") * s.attempts()) {
            return new RuleResult.Healthy(
                    own == 0
                            ? "no attempt failed there"
                            : Format.whole(own) + " of " + Format.whole(s.attempts()) + " attempts failed there");
        }
        return new FindingBuilder(
                        r,
                        Severity.FAULT,
                        "n",
                        own,
                        "all",
                        s.attempts(),
                        "first",
                        RequestRules.example(s, ErrorKind.OTHER))
                .weight((double) own / Math.max(1, s.attempts()))
                .found();
    }
}
