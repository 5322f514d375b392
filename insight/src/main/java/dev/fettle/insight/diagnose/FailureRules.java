package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.load.api.ErrorKind;
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
    static final String HEAP_EXHAUSTED = "heap-exhausted";
    static final String DIRECT_EXHAUSTED = "direct-memory-exhausted";
    static final String THREADS_LIMIT = "threads-limit";
    static final String HUNG = "hung";
    static final String DIED = "died";
    static final String DEADLOCK = "deadlock";
    static final String FDS = "descriptors-used-up";
    static final String CLOSE_WAIT = "connections-left-open";
    static final String PORTS = "ports-used-up";

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

    static List<Rule> rules() {
        return List.of(
                lastWords(failed(
                        DIRECT_EXHAUSTED,
                        "the memory for direct buffers ran full",
                        List.of(DEADLOCK, GrowthRules.NATIVE_GROWS),
                        FailureRules::isOfDirectBuffers,
                        "No memory is left for direct buffers",
                        "Find who keeps them: they are freed when no object refers to them any more (the java.nio"
                                + " BufferPool MBean counts them, a heap dump has their owners); give more"
                                + " (-XX:MaxDirectMemorySize) only if all are needed",
                        Optional.of("jvm.direct.max"),
                        "Twice the memory is used up as well: then they are kept, and not too little.")),
                lastWords(failed(
                        HEAP_EXHAUSTED,
                        "the heap ran full",
                        List.of(DEADLOCK, GrowthRules.SESSIONS),
                        f -> f.kind() == Kind.OUT_OF_MEMORY && !isOfDirectBuffers(f),
                        "The heap is too small for what it holds",
                        "Take a heap dump (-XX:+HeapDumpOnOutOfMemoryError) and see what fills it; give more heap"
                                + " (-Xmx) only if it is all needed",
                        Optional.of("jvm.heap"),
                        "Twice the heap runs full as well: then it is a leak, and not the heap.")),
                lastWords(failed(
                        THREADS_LIMIT,
                        "no more threads",
                        List.of(DEADLOCK),
                        f -> f.kind() == Kind.PROCESS_LIMIT,
                        "A limit of threads or processes is reached",
                        "Raise the one limit that is the nearest (ulimit -u, TasksMax, the container's pids limit), or"
                                + " have fewer threads",
                        Optional.of("process.nproc"),
                        "With the limit doubled it fails as before.")),
                new Rule(
                                DEADLOCK,
                                Stage.BROKEN,
                                "threads that wait for each other",
                                "any deadlock that the JVM itself reports",
                                List.of(),
                                FailureRules::deadlock)
                        .shownBy(Signals.THREADS_DEADLOCKED, Signals.WAIT_LOCK, Signals.LOAD_RATE),
                HungRule.RULE,
                failed(
                        DIED,
                        "the process ended",
                        List.of(DEADLOCK),
                        f -> ENDED.contains(f.kind()),
                        "The target ended, or never was ready",
                        "Read what it said last; nothing can be tuned before it stays up",
                        Optional.empty(),
                        "The same start with nothing changed stays up."),
                new Rule(
                                FDS,
                                Stage.BROKEN,
                                "file descriptors used up",
                                "more than " + Say.share(Thresholds.FDS) + " of the limit are open",
                                List.of(),
                                FailureRules::descriptors)
                        .shownBy(Signals.FDS_OPEN, Signals.SOCKETS_ESTABLISHED),
                new Rule(
                                CLOSE_WAIT,
                                Stage.BROKEN,
                                "connections that the peer closed and the target did not (CLOSE_WAIT)",
                                "more than " + (int) Thresholds.CLOSE_WAIT_LEAST
                                        + " and " + Say.share(Thresholds.CLOSE_WAIT_SHARE)
                                        + " of the open ones, and more than when the load began",
                                List.of(DEADLOCK, HUNG),
                                FailureRules::closeWait)
                        .shownBy(Signals.SOCKETS_CLOSE_WAIT, Signals.FDS_OPEN),
                new Rule(
                        PORTS,
                        Stage.BROKEN,
                        "attempts that fail on the generator's side, as without a free local port",
                        "more than " + Say.share(Thresholds.ERRORS) + " of the attempts",
                        List.of(),
                        FailureRules::ports));
    }

    /** A failure that only the target's own last words tell, which are read where the plan starts it. */
    private static Rule lastWords(Rule rule) {
        return new Rule(
                rule.id(),
                rule.stage(),
                rule.what(),
                rule.threshold(),
                rule.symptomOf(),
                s -> s.isLaunched() || s.trial().failure().isPresent()
                        ? rule.look().apply(s)
                        : new RuleResult.NotObserved(
                                "what it writes is read only if the plan starts it as its target"));
    }

    private static Rule failed(
            String id,
            String what,
            List<String> symptomOf,
            Predicate<Failure> which,
            String title,
            String remedy,
            Optional<String> knob,
            String refuted) {
        return new Rule(id, Stage.FAILED, what, "the trial ended so", symptomOf, s -> {
            Optional<Failure> failure = s.trial().failure().filter(which);
            if (failure.isEmpty()) {
                return new RuleResult.Healthy("did not happen in " + Say.seconds(Math.max(1, s.seconds())));
            }
            var d = new FindingBuilder(
                            id,
                            Severity.FAULT,
                            title,
                            title + ": " + failure.get().message() + ".")
                    .weight(1)
                    .remedy(remedy)
                    .refutedBy(refuted);
            knob.ifPresent(d::knob);
            return d.found();
        });
    }

    private static RuleResult deadlock(TrialFacts s) {
        Optional<String> dump = s.detail(DUMP);
        OptionalFigure stuck = s.max(Signals.THREADS_DEADLOCKED);
        if (dump.isEmpty() && stuck.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.THREADS_DEADLOCKED));
        }
        if (dump.isEmpty() && stuck.getAsDouble() <= 0) {
            return new RuleResult.Healthy("the JVM reports none");
        }
        return new FindingBuilder(
                        DEADLOCK,
                        Severity.FAULT,
                        "Threads wait for each other for ever (a deadlock)",
                        "The JVM reports a deadlock"
                                + (stuck.orElse(0) > 0 ? " of " + Say.count((int) stuck.getAsDouble(), "thread") : "")
                                + dump.map(d -> ": " + d).orElse("")
                                + ". A thread that needs one of their locks never gets it.")
                .weight(1)
                .remedy("Take the locks in the same order everywhere; then restart, for a deadlock does not go away")
                .refutedBy("A second thread dump in which one of these threads has gone on.")
                .found();
    }

    private static RuleResult descriptors(TrialFacts s) {
        OptionalFigure open = s.max(Signals.FDS_OPEN);
        OptionalFigure limit = s.last(Signals.FDS_LIMIT);
        if (open.isEmpty() || limit.isEmpty() || limit.getAsDouble() <= 0) {
            return new RuleResult.NotObserved(s.why(open.isEmpty() ? Signals.FDS_OPEN : Signals.FDS_LIMIT));
        }
        double share = open.getAsDouble() / limit.getAsDouble();
        String figure = Say.whole(open.getAsDouble()) + " of " + Say.whole(limit.getAsDouble()) + " open";
        if (share <= Thresholds.FDS) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        FDS,
                        Severity.FAULT,
                        "The file descriptors are used up",
                        "The process has " + figure + " (" + Say.percent(share)
                                + "): at the limit it can neither accept a connection nor open a file.")
                .seen(figure)
                .seen(begin(s, Signals.FDS_OPEN).map(f -> Say.whole(f) + " before the load"))
                .becauseOf(leftOpenItself(s) && leftOpen(s) > open.getAsDouble() / 2, CLOSE_WAIT)
                .weight(share)
                .remedy(
                        "Raise it (LimitNOFILE= in the unit, ulimit -n); if the number grows under a steady load, find what"
                                + " is not closed: readlink /proc/PID/fd/*")
                .knob("process.nofile")
                .refutedBy("With the limit doubled, the same share of requests fails.")
                .found();
    }

    private static Optional<Double> begin(TrialFacts s, String id) {
        return s.before(id).isPresent() ? Optional.of(s.before(id).getAsDouble()) : Optional.empty();
    }

    /** Most connections in CLOSE_WAIT at any time; 0 where none was seen. */
    private static double leftOpen(TrialFacts s) {
        return Arrays.stream(s.ever(Signals.SOCKETS_CLOSE_WAIT)).max().orElse(0);
    }

    private static RuleResult closeWait(TrialFacts s) {
        // with many sockets the watch rarely looks, perhaps only in the warm-up; but what is not closed by then stays
        double[] seen = s.ever(Signals.SOCKETS_CLOSE_WAIT);
        if (seen.length == 0) {
            return new RuleResult.NotObserved(s.why(Signals.SOCKETS_CLOSE_WAIT));
        }
        double n = leftOpen(s);
        double open = Arrays.stream(s.ever(Signals.SOCKETS_ESTABLISHED)).max().orElse(0);
        double grew = seen[seen.length - 1] - seen[0];
        if (n <= Math.max(Thresholds.CLOSE_WAIT_LEAST, Thresholds.CLOSE_WAIT_SHARE * open) || grew <= 0) {
            return new RuleResult.Healthy("at most " + Say.whole(n) + " of " + Say.whole(open + n));
        }
        Optional<Sighting> peer = s.closedBy();
        boolean gaveUp = peer.filter(Sighting::ofClient).isPresent();
        return new FindingBuilder(
                        CLOSE_WAIT,
                        Severity.FAULT,
                        "Connections are left open after the peer closed them (CLOSE_WAIT)",
                        Say.whole(n) + " connections are in CLOSE_WAIT, " + Say.whole(grew)
                                + " more than when the load began: the peer has closed them, and the application has not"
                                + peer.map(p -> "; most of them " + (gaveUp ? p.what() : "to " + p.what()))
                                        .orElse("") + ".")
                .seen(Say.whole(n) + " in CLOSE_WAIT, " + Say.whole(open) + " established")
                .becauseOf(gaveUp, ConnectionRules.KEEP_WAITING)
                .becauseOf(
                        gaveUp,
                        List.of(ConnectionRules.ACCEPT_QUEUE, ConnectionRules.BEFORE_WORKERS, ConnectionRules.PINNED))
                .remedy(
                        gaveUp
                                ? "These are the server's own clients, who gave up: cure what keeps it from answering, or from"
                                        + " noticing that they have gone"
                                : "Close the client's answer in a finally or try-with-resources; the peer's port says whose client"
                                        + " it is (80 and 443 HTTP, 6379 Redis, 3306 and 5432 a database)")
                .refutedBy("The number stays when the load ends and the workers are idle for a minute: else it is only"
                        + " workers that are late.")
                .found();
    }

    private static RuleResult ports(TrialFacts s) {
        long own = s.errors(ErrorKind.OTHER);
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        if (own <= Thresholds.ERRORS * s.attempts()) {
            return new RuleResult.Healthy(
                    own == 0
                            ? "no attempt failed there"
                            : Say.whole(own) + " of " + Say.whole(s.attempts()) + " attempts failed there");
        }
        return new FindingBuilder(
                        PORTS,
                        Severity.FAULT,
                        "The generator's own side was in the way",
                        Say.whole(own) + " of " + Say.whole(s.attempts()) + " attempts failed on the generator's side"
                                + RequestRules.example(s, ErrorKind.OTHER) + ".")
                .weight((double) own / Math.max(1, s.attempts()))
                .remedy(
                        "Without a free local port: keep-alive, or more source addresses (--source 127.0.0.2,127.0.0.3);"
                                + " without a free descriptor: a higher ulimit -n; without a route: see how the target is reached")
                .refutedBy("The same load from another machine fails as often.")
                .found();
    }
}
