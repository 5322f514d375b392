package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.stats.Growth;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.StackFrames;
import dev.fettle.model.trial.ThreadsSeen;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Rules about the JVM's own machinery: compiled code, the collector's threads, stops of all threads, classes, threads, finalizers. */
final class VmRules {
    /** The threads that free what other objects hold, by the names that the JDK gives them. */
    private static final List<String> FREEING = List.of("Finalizer", "Common-Cleaner", "Cleaner-*");

    private static final String IDLE_THERE = "java.lang.ref.ReferenceQueue.";

    private VmRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("code-cache-full", VmRules::codeCache),
                DiagnosisRule.of("gc-threads", VmRules::gcThreads),
                DiagnosisRule.of("collector-always-runs", VmRules::alwaysCollects),
                DiagnosisRule.of("safepoints", VmRules::safepoints).othersCanCauseUnless(VmRules::mostlyUnstopped),
                DiagnosisRule.of("threads-for-each-request", VmRules::startsThreads),
                DiagnosisRule.of("threads-grow", VmRules::threads),
                DiagnosisRule.of("metaspace-grows", VmRules::classes),
                DiagnosisRule.of("finalizers", VmRules::finalizers));
    }

    private static RuleResult codeCache(RuleEntry r, TrialFacts s) {
        OptionalFigure used = s.max(Signals.CODECACHE_USED);
        OptionalFigure max = s.last(Signals.CODECACHE_MAX);
        if (used.isEmpty() || max.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.CODECACHE_USED));
        }
        double share = used.getAsDouble() / max.getAsDouble();
        double free = max.getAsDouble() - used.getAsDouble();
        if (share < r.bound("full") && free > r.bound("free")) {
            return new RuleResult.Healthy(
                    Format.bytes(used.getAsDouble()) + " of " + Format.bytes(max.getAsDouble()) + " in use");
        }
        return new FindingBuilder(r, Severity.WARNING, "used", used, "max", max, "jit", s.mean(Signals.CPU_JIT))
                .weight(share)
                .found();
    }

    private static RuleResult gcThreads(RuleEntry r, TrialFacts s) {
        OptionalFigure share = s.gcShare();
        OptionalFigure workers = s.max(Signals.GC_WORKERS);
        if (share.isEmpty() || workers.isEmpty()) {
            return new RuleResult.NotObserved(s.why(share.isEmpty() ? Signals.GC_SHARE : Signals.GC_WORKERS));
        }
        double n = workers.getAsDouble();
        double cpus = s.allowed() > 0 ? s.allowed() : s.cpus();
        double used = s.meanOrNone(Signals.CPU_GC);
        double waits = used > 0 ? s.meanOrNone(Signals.GC_WAITS) / used : 0;
        boolean many = share.getAsDouble() >= Thresholds.GC_NOTABLE
                && n > r.bound("many") * Math.max(1, cpus)
                && waits >= r.bound("waited");
        boolean few = share.getAsDouble() >= Thresholds.GC_MUCH && n == 1 && cpus >= r.bound("cpus");
        if (!many && !few) {
            return new RuleResult.Healthy(FigureText.count((int) n, "thread") + ", " + Format.share(share.getAsDouble())
                    + " of the time in collection");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "n",
                        n,
                        "on",
                        s.allowedCpus(),
                        "share",
                        share,
                        "many",
                        many,
                        "waits",
                        many ? OptionalFigure.of(waits) : OptionalFigure.empty())
                .weight(Math.max(share.getAsDouble(), HeapRules.ofCpu(s).orElse(0)))
                .found();
    }

    private static RuleResult alwaysCollects(RuleEntry r, TrialFacts s) {
        OptionalFigure cycles = s.mean(Signals.GC_CONCURRENT);
        OptionalFigure marking = s.mean(Signals.GC_MARKING);
        if (cycles.isEmpty() && marking.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_MARKING));
        }
        double markers = Math.max(1, s.max(Signals.GC_MARKERS).orElse(1));
        double share = Math.min(1, Math.max(cycles.orElse(0), marking.orElse(0) / markers));
        if (share < r.bound("always")) {
            return new RuleResult.Healthy("it ran for " + Format.share(share) + " of the time");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "share",
                        share,
                        "n",
                        cycles.isPresent() ? OptionalFigure.empty() : OptionalFigure.of(markers),
                        "marks",
                        cycles.isEmpty(),
                        "cpu",
                        s.mean(Signals.CPU_GC),
                        "max",
                        s.last(Signals.HEAP_MAX))
                .weight(HeapRules.ofCpu(s).orElse(share))
                .knob("jvm.heap")
                .found();
    }

    private static RuleResult safepoints(RuleEntry r, TrialFacts s) {
        OptionalFigure stopped = s.mean(Signals.SAFEPOINT_SHARE);
        OptionalFigure reach = s.mean(Signals.SAFEPOINT_REACH);
        OptionalFigure count = s.sum(Signals.SAFEPOINT_COUNT);
        if (stopped.isEmpty() || reach.isEmpty() || count.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.SAFEPOINT_SHARE));
        }
        double n = count.getAsDouble();
        double each = n > 0 ? reach.getAsDouble() * s.seconds() / n : 0;
        double gc = s.gcShare().orElse(0);
        boolean slow = n >= r.bound("few") && (reach.getAsDouble() >= r.bound("slow") || each >= r.bound("reach"));
        double rest = stopped.getAsDouble() - reach.getAsDouble() - gc;
        if (!slow && rest < r.bound("share")) {
            return new RuleResult.Healthy(Format.share(stopped.getAsDouble()) + " of the time stopped, "
                    + Format.seconds(each) + " each time until all had");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "n",
                        n,
                        "seconds",
                        s.seconds(),
                        "stopped",
                        stopped,
                        "gc",
                        gc > 0 ? OptionalFigure.of(gc) : OptionalFigure.empty(),
                        "reach",
                        reach,
                        "each",
                        each,
                        "thread",
                        s.sighting(Sighting.HOTTEST),
                        "in",
                        s.profile()
                                .map(CpuProfile::hottest)
                                .orElseGet(() -> s.deepStacks().hottest())
                                .map(Stacks.Hot::title))
                .as(slow ? "reach" : "")
                .weight(stopped.getAsDouble() + reach.getAsDouble())
                .found();
    }

    /**
     * Whether the program's own threads, outside the server, use most of its CPU time while the others wait for them to stop. Threads that
     * only wait for a CPU, since others have it, stop late as well.
     */
    private static boolean mostlyUnstopped(TrialFacts s) {
        return s.meanOrNone(Signals.SAFEPOINT_REACH) >= DiagnosisRule.bound("safepoints", "itself")
                && s.meanOrNone(Signals.CPU_APP)
                        >= Thresholds.MOST_OF_A_REQUEST
                                * s.mean(Signals.CPU_TOTAL).orElse(1);
    }

    private static RuleResult threads(RuleEntry r, TrialFacts s) {
        double[][] timed = s.whileServed(Signals.THREADS_TOTAL);
        double[] ever = s.ever(Signals.THREADS_TOTAL);
        if (timed[0].length < Growth.LEAST && !leaps(r, s, ever)) {
            return new RuleResult.NotObserved(
                    timed[0].length == 0
                            ? s.why(Signals.THREADS_TOTAL)
                            : Growth.LEAST + " points are needed to see growth");
        }
        double[] moreThan = {0, 0};
        if (timed[0].length < Growth.LEAST) {
            moreThan = new double[] {ever[0], ever[ever.length - 1]};
        } else {
            Growth all = s.growth(Signals.THREADS_TOTAL);
            Growth underWay = s.rise(Signals.LOAD_INFLIGHT);
            double grew = all.grew() - grown(s, Signals.WORKERS_TOTAL);
            if (!all.shown()
                    || grew < r.bound("least-threads")
                    || grew < r.bound("growth") * all.first()
                    || underWay.rises() && underWay.grew() >= r.bound("under-way") * grew) {
                return new RuleResult.Healthy(Format.whole(all.last()) + " threads");
            }
            moreThan = new double[] {all.last() - grew, all.last()};
        }
        Optional<ThreadsSeen.Group> kind = mostNew(s.threadsSeen());
        double each = started(s);
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "last",
                        moreThan[1],
                        "first",
                        moreThan[0],
                        "each",
                        each >= r.bound("each") ? OptionalFigure.of(each) : OptionalFigure.empty(),
                        "site",
                        s.waits().callerIn("starts").or(() -> s.waits().callerIn("makes")),
                        "kind",
                        kind.map(VmRules::unnumbered),
                        "in",
                        kind.flatMap(g -> own(s.threadsSeen(), g)))
                .weight(1 - moreThan[0] / Math.max(1, moreThan[1]))
                .found();
    }

    /**
     * Whether the threads became many more from look to look, the warm-up's included, where a target that starts thousands of them can be
     * looked at only a few times: at each look more, in the end far more than one for each request under way, and at the last look still so.
     */
    private static boolean leaps(RuleEntry r, TrialFacts s, double... ever) {
        int n = ever.length;
        double grew = n < 2 ? 0 : ever[n - 1] - ever[0] - grown(s, Signals.WORKERS_TOTAL);
        return n >= r.bound("looks")
                && IntStream.range(1, n).allMatch(i -> ever[i] > ever[i - 1])
                && ever[n - 1] - ever[n - 2] >= grew / (2 * (n - 1))
                && grew >= r.bound("leaps") + 2 * s.underWay()
                && ever[n - 1] >= 2 * ever[0];
    }

    /** Threads that are started for each request. */
    private static double started(TrialFacts s) {
        return s.sum(Signals.THREADS_STARTED).orElse(0) / Math.max(1, Math.max(s.answered(), s.attempts()));
    }

    /** Threads that are started for each request and end soon, or are thrown away with the client or pool that has them. */
    private static RuleResult startsThreads(RuleEntry r, TrialFacts s) {
        OptionalFigure all = s.sum(Signals.THREADS_STARTED);
        if (all.isEmpty() || s.answered() <= 0) {
            return new RuleResult.NotObserved(all.isEmpty() ? s.why(Signals.THREADS_STARTED) : s.noAnswers());
        }
        double each = started(s);
        if (each < r.bound("each-request") || all.getAsDouble() < r.bound("least")) {
            return new RuleResult.Healthy(Format.number(each) + " threads are started for each request");
        }
        Optional<String> makes = s.waits().callerIn("makes");
        double part = Math.max(s.waits().shareIn("starts"), s.waits().shareIn("makes"));
        boolean costs = part >= r.bound("part");
        return new FindingBuilder(
                        r,
                        costs ? Severity.WARNING : Severity.LIMIT,
                        "each",
                        each,
                        "n",
                        all,
                        "seconds",
                        s.seconds(),
                        "site",
                        makes.or(() -> s.waits().callerIn("starts")),
                        "makes",
                        makes.isPresent(),
                        "part",
                        part > 0 ? OptionalFigure.of(part) : OptionalFigure.empty())
                .explains(costs)
                .weight(part)
                .found();
    }

    private static double grown(TrialFacts s, String signal) {
        double[] v = s.values(signal);
        return v.length < 2 ? 0 : Math.max(0, v[v.length - 1] - v[0]);
    }

    /** The largest group of the kind of which there are most more at the last moment than at the first. */
    private static Optional<ThreadsSeen.Group> mostNew(ThreadsSeen seen) {
        if (seen.moments().size() < 2) {
            return Optional.empty();
        }
        Map<String, Integer> more = new HashMap<>();
        seen.moments().getLast().groups().forEach(g -> more.merge(unnumbered(g), g.count(), Integer::sum));
        seen.moments().getFirst().groups().forEach(g -> more.merge(unnumbered(g), -g.count(), Integer::sum));
        return more.entrySet().stream()
                .filter(e -> e.getValue() > 1)
                .max(Map.Entry.comparingByValue())
                .flatMap(e -> seen.moments().getLast().groups().stream()
                        .filter(g -> unnumbered(g).equals(e.getKey()))
                        .max((a, b) -> Integer.compare(a.count(), b.count())));
    }

    /** Its kind without any number: each pool of the JDK's numbers its threads, and itself. */
    private static String unnumbered(ThreadsSeen.Group g) {
        var name = new StringBuilder();
        for (char c : g.kind().toCharArray()) {
            boolean digit = c >= '0' && c <= '9';
            if (!digit || name.isEmpty() || name.charAt(name.length() - 1) != '*') {
                name.append(digit ? '*' : c);
            }
        }
        return name.toString();
    }

    /** The innermost method outside the JDK on a group's stack. */
    private static Optional<String> own(ThreadsSeen seen, ThreadsSeen.Group g) {
        List<String> frames = frames(seen, g);
        int caller = StackFrames.caller(frames);
        return caller < 0 ? Optional.empty() : Optional.of(frames.get(caller));
    }

    private static List<String> frames(ThreadsSeen seen, ThreadsSeen.Group g) {
        return g.stack().stream().map(i -> method(seen.frames().get(i))).toList();
    }

    /** A frame without its line. */
    private static String method(String frame) {
        int colon = frame.lastIndexOf(':');
        return colon < 0 ? frame : frame.substring(0, colon);
    }

    private static RuleResult classes(RuleEntry r, TrialFacts s) {
        double[] space = s.ever(Signals.METASPACE_USED);
        Growth loaded = s.growth(Signals.CLASSES_LOADED);
        if (loaded.points() < Growth.LEAST) {
            return new RuleResult.NotObserved(
                    loaded.points() == 0
                            ? s.why(Signals.CLASSES_LOADED)
                            : Growth.LEAST + " points are needed to see growth; " + loaded.points() + " were seen");
        }
        if (!loaded.shown()
                || loaded.grew() < r.bound("growth") * loaded.first()
                || loaded.grew() < r.bound("least-classes")) {
            return new RuleResult.Healthy(Format.whole(loaded.last()) + " classes");
        }
        double requests = s.answered();
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "classes",
                        loaded.grew(),
                        "seconds",
                        loaded.seconds(),
                        "all",
                        loaded.last(),
                        "space",
                        space.length == 0 ? OptionalFigure.empty() : OptionalFigure.of(space[space.length - 1]),
                        "each",
                        requests > 0 ? OptionalFigure.of(loaded.grew() / requests) : OptionalFigure.empty())
                .weight(loaded.grew() / loaded.last())
                .found();
    }

    private static RuleResult finalizers(RuleEntry r, TrialFacts s) {
        double[] waiting = s.values(Signals.FINALIZERS_WAITING);
        double[] ever = s.ever(Signals.FINALIZERS_WAITING);
        boolean collected = FailureRules.collectedMuch(s);
        Optional<Busy> seen = working(s);
        Optional<Busy> busy =
                seen.filter(b -> b.looks() >= (collected ? r.bound("samples-short") : r.bound("samples")));
        boolean many = waiting.length >= r.bound("samples")
                && waiting[waiting.length - 1] >= r.bound("least-waiting")
                && IntStream.range(1, waiting.length).allMatch(i -> waiting[i] > waiting[i - 1]);
        boolean always = busy.filter(b -> b.share() >= r.bound("often")).isPresent();
        // large objects need not be many, and a target that has stopped answering makes no more of them
        double most = Arrays.stream(ever).max().orElse(0);
        long looks =
                Arrays.stream(ever).filter(n -> n >= r.bound("some-waiting")).count();
        boolean atWork = seen.flatMap(Busy::in).isPresent();
        boolean some = collected && looks > 0 && (looks >= r.bound("some-looks") || atWork);
        if (!many && !always && !some) {
            return waiting.length == 0 && busy.isEmpty()
                    ? new RuleResult.NotObserved(s.why(Signals.FINALIZERS_WAITING))
                    : new RuleResult.Healthy(
                            Format.whole(s.last(Signals.FINALIZERS_WAITING).orElse(0)) + " objects wait");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "who",
                        seen.filter(b -> b.share() > 0)
                                .map(b -> "The thread that frees what unused objects hold (" + b.kind() + ")")
                                .orElse("The finalizer"),
                        "in",
                        seen.flatMap(Busy::in),
                        "waiting",
                        many ? s.last(Signals.FINALIZERS_WAITING) : OptionalFigure.empty(),
                        "grew",
                        many ? waiting[waiting.length - 1] - waiting[0] : 0,
                        "seconds",
                        s.seconds(),
                        "most",
                        most >= r.bound("some-waiting") && !many ? OptionalFigure.of(most) : OptionalFigure.empty(),
                        "seen",
                        always ? busy.map(Busy::share) : Optional.empty(),
                        "short",
                        collected)
                .explains(collected)
                .weight(1)
                .found();
    }

    /** A thread that frees things, the share of the looks at which it worked, of how many, and in which method. */
    private record Busy(String kind, double share, int looks, Optional<String> in) {}

    /** The one of them that worked most often, in moments and in the dump of a target that answers no more. */
    private static Optional<Busy> working(TrialFacts s) {
        ThreadsSeen seen = s.threadsSeen();
        List<Sighting> dumped = s.sightings(Sighting.DUMP_FREEING);
        int all = seen.moments().size() + (s.sightings(Sighting.DUMP).isEmpty() ? 0 : 1);
        if (all == 0 || seen.partial()) {
            return Optional.empty();
        }
        return FREEING.stream()
                .map(kind -> {
                    List<ThreadsSeen.Group> working = seen.moments().stream()
                            .flatMap(m -> m.groups().stream())
                            .filter(g -> g.kind().equals(kind) && !g.stack().isEmpty())
                            .filter(g -> frames(seen, g).stream().noneMatch(f -> f.startsWith(IDLE_THERE)))
                            .toList();
                    Optional<Sighting> then =
                            dumped.stream().filter(d -> d.what().equals(kind)).findFirst();
                    double n = working.size() + (then.isPresent() ? 1 : 0);
                    return new Busy(
                            kind,
                            Math.min(1, n / all),
                            all,
                            then.map(Sighting::detail)
                                    .or(() -> working.isEmpty() ? Optional.empty() : own(seen, working.getLast())));
                })
                .max((a, b) -> Double.compare(a.share(), b.share()));
    }
}
