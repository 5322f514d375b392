package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.DiagnosisRule.Stage;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Root;
import dev.fettle.insight.waits.Root.Kind;
import dev.fettle.insight.waits.Wait;
import dev.fettle.insight.waits.WaitGraph;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.KnownMethod;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rules about the ends of chains: what those at work wait for, followed through locks, pools and results to the one that holds them up
 * ({@link WaitGraph}). One rule for each kind of end; {@code lock}, {@code connection-pool} and {@code waiting-workers} take their words from
 * here where the holder was seen.
 */
final class ChainRules {
    /** Requests for each thread that is left from which on they wait for it. */
    private static final double LINE = 2;

    private static final double PART = Bounds.value("chain-part");
    private static final double DUMPS = Bounds.value("chain-dumps");
    private static final double OFTEN = Bounds.value("chain-often");
    private static final double MOMENTS = Bounds.value("chain-moments");

    private ChainRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                rule("pool-locks-itself", Kind.POOL_OF_ITSELF),
                rule("waits-in-a-ring", Kind.RING),
                rule("executor-locks-itself", Kind.EXECUTOR_OF_ITSELF),
                rule("connections-not-returned", Kind.POOL_LOST),
                rule("permits-not-returned", Kind.PERMITS_LOST),
                rule("nobody-answers", Kind.NOBODY),
                rule("calls-that-hang", Kind.STUCK),
                DiagnosisRule.of("requests-run-on", ChainRules::runsOn),
                rule("connection-limit", Kind.CONNECTIONS),
                rule("blocked-loop", Kind.LOOP),
                rule("client-pool", Kind.CLIENT_POOL),
                rule("permits", Kind.PERMITS),
                rule("few-threads", Kind.EXECUTOR),
                rule("queue-for-threads", Kind.CREW)
                        .refutedBy(Refutation.by((_, b) -> RefutationTrial.clients(b, Expected.SAME))),
                rule("blocking-in-a-stream", Kind.STREAM),
                rule("log-writer", Kind.LOG),
                rule("cache-entry", Kind.CACHE),
                rule("few-workers-left", Kind.SERVER_POOL));
    }

    private static DiagnosisRule rule(String id, Kind kind) {
        return DiagnosisRule.of(id, (r, s) -> look(r, s, kind));
    }

    private static RuleResult look(RuleEntry r, TrialFacts s, Kind kind) {
        WaitGraph graph = s.waits();
        if (graph.looks() < moments(s)) {
            return new RuleResult.NotObserved(
                    graph.looks() == 0
                            ? "its threads were not looked at all at once"
                            : "all its threads were looked at only once");
        }
        if (graph.partial() && kind.needsAll()) {
            return new RuleResult.NotObserved(
                    "a recording has only what is long enough: that no thread does something is not seen in it");
        }
        Optional<Root> root = root(s, kind).filter(x -> holds(r, s, x));
        if (root.isEmpty() && graph.atWork() <= 0 && s.isRecorded()) {
            return new RuleResult.NotObserved("no thread is seen at work in it");
        }
        if (root.isEmpty()) {
            return new RuleResult.Healthy(words(graph, kind));
        }
        boolean broken = Stage.valueOf(r.text("stage").toUpperCase(Locale.ROOT)) == Stage.BROKEN;
        return found(new FindingBuilder(r, broken ? Severity.FAULT : Severity.WARNING), r, s, root.get())
                .weight(root.get().share())
                .waitsFor(root.get().does() == Wait.MEMORY, "unread")
                .found();
    }

    /** Whether threads run, and no request that they work on comes to an end; others can't cause that where the target has CPU time. */
    static boolean runsOn(TrialFacts s) {
        RuleEntry r = DiagnosisRule.entry("requests-run-on");
        return hangs(s)
                && !FailureRules.heapRanFull(s)
                && lately(s, Signals.CPU_TOTAL) >= r.bound("uses")
                && s.waits().runningIn(PART).filter(x -> x.threads() >= 1).isPresent();
    }

    private static RuleResult runsOn(RuleEntry r, TrialFacts s) {
        if (s.waits().looks() < MOMENTS) {
            return new RuleResult.NotObserved(
                    "its threads were looked at fewer than " + Format.whole(MOMENTS) + " times");
        }
        if (!runsOn(s)) {
            return new RuleResult.Healthy(
                    hangs(s) ? "no method has most of the threads at work run in it" : "requests are answered");
        }
        WaitGraph.Running in = s.waits().runningIn(PART).orElseThrow();
        Optional<KnownMethod> known = KnownMethodRules.mostRunning(s);
        return new FindingBuilder(r, Severity.FAULT, "method", in.method(), "running", in.threads(), "work", in.of())
                .with("looks", s.waits().looks())
                .with("cpu", lately(s, Signals.CPU_TOTAL))
                .with("does", known.map(KnownMethod::does))
                .with("cure", known.map(KnownMethod::remedy))
                .weight(1)
                .found();
    }

    /** A series' mean in the last third of its values. */
    private static double lately(TrialFacts s, String signal) {
        double[] all = s.ever(signal);
        return Arrays.stream(all, all.length - (all.length + 2) / 3, all.length)
                .average()
                .orElse(0);
    }

    private static String words(WaitGraph graph, Kind kind) {
        double share = graph.roots().stream()
                .filter(x -> x.kind() == kind)
                .mapToDouble(Root::share)
                .max()
                .orElse(0);
        return Format.share(share) + " of " + Format.count(graph.atWork()) + " threads at work, in "
                + FigureText.count(graph.looks(), "look");
    }

    /** The end of a kind that most wait for, whatever it is worth. */
    private static Optional<Root> root(TrialFacts s, Kind kind) {
        return s.waits().roots().stream().filter(x -> x.kind() == kind).findFirst();
    }

    /** Whether most of those at work were seen, more than once, to wait for others: what they wait for is followed then. */
    static boolean seen(TrialFacts s) {
        return s.waits().looks() >= moments(s)
                && s.waits().roots().stream().anyMatch(x -> x.share() >= PART && x.moments() >= moments(s));
    }

    /** The end of a kind whose holder was seen, if a rule that looks at figures over time takes its words from it. */
    static Optional<Root> held(TrialFacts s, RuleEntry r, Kind kind) {
        return root(s, kind).filter(x -> !x.where().isBlank()).filter(x -> holds(r, s, x));
    }

    /** Whether such a holder was seen to wait for something that a CPU does not bring: other processes can't cause that. */
    static boolean isHeld(TrialFacts s, Kind kind) {
        return held(s, DiagnosisRule.entry("lock"), kind)
                .filter(x -> x.does() != Wait.RUN)
                .isPresent();
    }

    /** Whether those who hold what most at a lock or a pool wait for run, or wait for a CPU, while all are busy: then these are what is short. */
    static boolean onlyForCpu(TrialFacts s, Kind kind) {
        return (s.cpuFull() || s.crowded())
                && root(s, kind).filter(x -> x.does() == Wait.RUN).isPresent();
    }

    /**
     * Whether it is more than chance, and more than what full CPUs look like: where they are full, who holds something waits for one of them.
     */
    private static boolean holds(RuleEntry r, TrialFacts s, Root x) {
        boolean often = x.moments() >= moments(s) && x.moments() >= OFTEN * x.looks();
        boolean onCpu = x.does() == Wait.RUN && (s.cpuFull() || s.crowded());
        return often
                && !onCpu
                && s.waits().looks() >= moments(s)
                && switch (x.kind()) {
                    case CONNECTIONS -> doorIsShut(s);
                    case SERVER_POOL -> clients(s) >= LINE * x.holders() && !s.cpuFull();
                    case NOBODY, STUCK -> x.share() >= PART && x.still() >= r.bound("unmoved") && hangs(s);
                    case LOOP -> x.share() >= PART;
                    case CREW -> x.share() >= PART && queues(r, s, x);
                    default -> x.share() >= PART && x.waiting() >= 2;
                };
    }

    /** Whether requests are seen to get no answer: who waits long for an event that comes in time, as long polling does, is in order. */
    private static boolean hangs(TrialFacts s) {
        return s.trial().failure().isPresent()
                || s.values(Signals.LOAD_RATE).length > 0 && HungRule.hardlyAnswers(s)
                || s.errors(ErrorKind.READ_TIMEOUT, ErrorKind.CONNECT_TIMEOUT)
                        > DiagnosisRule.bound("read-timeouts", "errors-many") * s.attempts()
                || s.isObserved() && nobodyIsFree(s);
    }

    /** Without load: whether no worker is left; in dumps, which have no count of workers, whether three of them show the same. */
    private static boolean nobodyIsFree(TrialFacts s) {
        OptionalFigure busy = s.busy();
        OptionalFigure all = s.max(Signals.WORKERS_TOTAL);
        return busy.isPresent() && all.isPresent()
                ? busy.getAsDouble() >= Thresholds.THREADS_FULL * all.getAsDouble()
                : s.isRecorded() && s.waits().looks() >= DUMPS;
    }

    /**
     * Whether there are many more requests under way than threads that are seen to have one, and each of these has one for so long
     * that it can wait for something: else these threads do something of their own, as a poller of messages does.
     */
    private static boolean queues(RuleEntry r, TrialFacts s, Root x) {
        return !s.cpuFull()
                && s.served() > 0
                && s.underWay() >= r.bound("line") * x.holders()
                && x.of() / s.served() >= r.bound("turn");
    }

    /** Whether clients are seen to wait outside while the acceptor waits for one of the others to go. */
    private static boolean doorIsShut(TrialFacts s) {
        return s.meanOrNone(Signals.ACCEPT_QUEUE) >= 1
                || s.max(Signals.ACCEPT_QUEUE).orElse(0) >= 1
                || s.measurement().isEmpty()
                        && !(s.isObserved() && s.mean(Signals.ACCEPT_QUEUE).isPresent());
    }

    /** In how many moments it has to be seen; of a single dump that somebody took, in that one. */
    private static double moments(TrialFacts s) {
        return s.isRecorded() && s.waits().looks() == 1 ? 1 : MOMENTS;
    }

    private static double clients(TrialFacts s) {
        return s.isObserved()
                ? s.max(Signals.SOCKETS_ESTABLISHED).orElse(0)
                : s.trial().spec().load().clients();
    }

    /** The figures of an end, for its rule's words. */
    static FindingBuilder found(FindingBuilder d, RuleEntry r, TrialFacts s, Root x) {
        String does = "does-" + x.does().id();
        Object doing = x.where().isBlank() || !r.has(does)
                ? Optional.empty()
                : r.text(
                        does,
                        "where",
                        x.where(),
                        "calls",
                        Optional.of(x.calls()).filter(c -> !c.isBlank()));
        return d.as(r.has("held-title") ? "held" : "")
                .with("in-query", x.does() == Wait.QUERY)
                .with("in-check", x.does() == Wait.VALIDATES)
                .with("known-hold", x.does() == Wait.QUERY || x.does() == Wait.VALIDATES)
                .with("subject", x.subject())
                .with("site", x.site())
                .with("where", Optional.of(x.method()).filter(w -> !w.isBlank()))
                .with("does", doing)
                .with("calls", Optional.of(x.calls()).filter(c -> !c.isBlank()))
                .with("path", Optional.of(x.path()).filter(p -> !p.isBlank()))
                .with("waiting", x.waiting())
                .with("work", Math.max(x.waiting(), s.waits().atWork()))
                .with("nested", x.holders())
                .with("holders", x.holders())
                .with("of", x.of())
                .with("several", x.of() > 1)
                .with("owned", x.holders() > 0)
                .with("taken", x.taken())
                .with("left", x.of() - x.taken())
                .with("clients", clients(s))
                .with("under-way", s.underWay())
                .with("enough", clients(s) + 1)
                .with("busy", s.busy().orElse(0))
                .with("peer", s.outgoing())
                .with("sockets", s.max(Signals.SOCKETS_ESTABLISHED))
                .with("moments", x.moments())
                .with("looks", x.looks())
                .with("still", x.still())
                .seen(r.text(
                        "seen",
                        "moments",
                        x.moments(),
                        "looks",
                        x.looks(),
                        "still",
                        x.still() > 0 ? Optional.of(x.still()) : Optional.empty()))
                .seen(WaitRules.hold(s));
    }
}
