package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.waits.WaitGraph;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome.Failure;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A target that answers nothing any more, or hardly anything: what the thread dump shows that was taken then. Where there is none, it is
 * said why.
 */
final class HungRule {
    /** Threads that run, by the kind of their sighting: they may only wait for a CPU. */
    private static final String RUNNING = "running";

    /** Waits that another thread ends. */
    private static final Set<String> OF_OTHER_THREADS = Set.of("lock", "other");

    private HungRule() {}

    static DiagnosisRule rule() {
        return DiagnosisRule.of("hung", HungRule::look)
                .othersCanCauseUnless(s -> s.trial().failure().isPresent() && !s.starved() || isOfItsOwn(s));
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        Optional<Failure> failure = s.trial().failure().filter(f -> f.kind() == Kind.HUNG);
        List<Sighting> stacks = stacks(s);
        if (s.isObserved()) {
            return new RuleResult.NotObserved(s.noAnswers());
        }
        if (failure.isEmpty() && (stacks.isEmpty() || !hardlyAnswers(s))) {
            return new RuleResult.Healthy("did not happen in " + Format.seconds(Math.max(1, s.seconds())));
        }
        boolean selfLocked = !stacks.isEmpty() && selfLocked(s, stacks);
        var d = new FindingBuilder(
                        r,
                        Severity.FAULT,
                        "failed",
                        failure.isPresent(),
                        "message",
                        failure.map(Failure::message),
                        "last",
                        last(s),
                        "most",
                        most(s),
                        "what",
                        stacks.stream()
                                .findFirst()
                                .map(g -> selfLocked
                                        ? r.text("self-locked")
                                        : g.what() + " " + g.detail().split(",", 2)[0]),
                        "ended",
                        WaitGraph.endedLoops(s.threadsSeen()),
                        "shown",
                        shown(r, s, stacks, selfLocked),
                        "cure",
                        r.text(cure(r, s, stacks, selfLocked)))
                .weight(1);
        if (failure.isEmpty()) { // else its message says so
            s.sightings(Sighting.DUMP).forEach(k -> d.seen(k.detail()));
        }
        return d.waitsFor(stacks.isEmpty() || ChainRules.seen(s), "waits").found();
    }

    /**
     * Whether a dump shows that its threads wait for something that CPU time does not bring: then it is no matter how busy other processes
     * are. A single thread that waits may do so whenever one looks; and while threads are ready and have no CPU, those that wait for another
     * thread, or for the holder of a lock, may wait for one of these.
     */
    static boolean isOfItsOwn(TrialFacts s) {
        return stacks(s).stream()
                .findFirst()
                .filter(g -> !doing(g).equals(RUNNING) && g.count() >= 2)
                .filter(g -> !OF_OTHER_THREADS.contains(doing(g)) || NoisyNeighbours.readyAtLast(s) < 1)
                .isPresent();
    }

    /** What most threads of a kind did, those with most threads first; those that run come last, as any dump has some. */
    private static List<Sighting> stacks(TrialFacts s) {
        return s.sightings().stream()
                .filter(g -> g.kind().startsWith(Sighting.DUMP_STACK))
                .sorted(Comparator.<Sighting>comparingInt(g -> doing(g).equals(RUNNING) ? 1 : 0)
                        .thenComparing(
                                Comparator.comparingDouble(Sighting::count).reversed()))
                .toList();
    }

    private static String doing(Sighting stack) {
        return stack.kind().substring(Sighting.DUMP_STACK.length());
    }

    /** Whether it answers at last a small part of what it answered before. */
    static boolean hardlyAnswers(TrialFacts s) {
        return !(last(s) > DiagnosisRule.bound("hung", "hardly") * most(s));
    }

    private static double last(TrialFacts s) {
        double[] rates = s.values(Signals.LOAD_RATE);
        return Arrays.stream(rates, rates.length - rates.length / 3, rates.length)
                .average()
                .orElse(Double.NaN);
    }

    private static double most(TrialFacts s) {
        return Arrays.stream(s.ever(Signals.LOAD_RATE)).max().orElse(0);
    }

    /** Whether all threads that do not wait for work wait for the same pool: then nobody is left who works with one of its elements. */
    private static boolean selfLocked(TrialFacts s, List<Sighting> stacks) {
        double busy = s.sightings(Sighting.DUMP_BUSY).stream()
                .mapToDouble(Sighting::count)
                .max()
                .orElse(0);
        return stacks.getFirst().kind().equals(Sighting.DUMP_STACK + "pool")
                && stacks.getFirst().count() >= 2
                && stacks.getFirst().count() >= busy;
    }

    private static String shown(RuleEntry r, TrialFacts s, List<Sighting> stacks, boolean selfLocked) {
        if (stacks.isEmpty()) {
            boolean kept = !s.sightings(Sighting.DUMP).isEmpty();
            return kept
                    ? " " + r.text("no-place")
                    : s.sightings(Sighting.DEADLOCK).isEmpty() ? " " + r.text("no-dump") : "";
        }
        return " "
                + r.text(
                        "dumped",
                        "stacks",
                        stacks.stream().map(g -> g.what() + " " + g.detail()).collect(Collectors.joining("; ")))
                + (selfLocked ? " " + r.text("nobody-works") : "");
    }

    private static String cure(RuleEntry r, TrialFacts s, List<Sighting> stacks, boolean selfLocked) {
        if (stacks.isEmpty()) {
            return s.sightings(Sighting.DUMP).isEmpty() ? "cure-no-dump" : "cure-no-place";
        }
        String doing = "cure-" + doing(stacks.getFirst());
        return selfLocked ? "cure-self-locked" : r.has(doing) ? doing : "cure-other";
    }
}
