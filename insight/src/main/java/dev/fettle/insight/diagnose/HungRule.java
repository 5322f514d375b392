package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome.Failure;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A target that answers nothing any more, or hardly anything: what the thread dump shows that was taken then. Where there is none, it is
 * said why.
 */
final class HungRule {
    /** The throughput at the end over the highest of the run, from which on it hardly answers. */
    private static final double HARDLY = 0.1;

    /** What workers wait for, as counted while it was watched; a dump says the same of each thread. */
    private static final List<String> WAITS = List.of(
            WaitRules.LOG_LOCK,
            WaitRules.LOCK,
            PoolRule.ID,
            WaitRules.FILE,
            WaitRules.SLEEP,
            WaitRules.BACKEND,
            OtherWaitRule.ID);

    static final Rule RULE = new Rule(
                    FailureRules.HUNG,
                    Stage.FAILED,
                    "no answers any more, or hardly any",
                    "the trial ended so; or a thread dump was taken because it answered nothing or less, and in the last third of the"
                            + " time it answered at most " + Say.percent(HARDLY) + " of its highest rate",
                    List.of(FailureRules.DEADLOCK),
                    HungRule::look)
            .shownBy(Signals.LOAD_RATE, Signals.WORKERS_BUSY);

    /** Threads that run, by the kind of their sighting: they may only wait for a CPU. */
    private static final String RUNNING = "running";

    private HungRule() {}

    private static RuleResult look(TrialFacts s) {
        Optional<Failure> failure = s.trial().failure().filter(f -> f.kind() == Kind.HUNG);
        List<Sighting> stacks = stacks(s);
        if (failure.isEmpty() && (stacks.isEmpty() || !hardlyAnswers(s))) {
            return new RuleResult.Healthy("did not happen in " + Say.seconds(Math.max(1, s.seconds())));
        }
        String happened = failure.map(f -> "The target stopped answering: " + f.message() + ".")
                .orElseGet(() -> "The target hardly answers: " + Say.number(last(s)) + "/s at last, and at most "
                        + Say.number(most(s)) + "/s before.");
        var d = new FindingBuilder(
                        FailureRules.HUNG,
                        Severity.FAULT,
                        title(s, stacks, failure.isPresent()),
                        happened + shown(s, stacks))
                .weight(1)
                .remedy(remedy(s, stacks))
                .refutedBy("A thread dump of the next time in which these threads stand elsewhere.");
        if (failure.isEmpty()) { // else its message says so
            s.sightings(Sighting.DUMP).forEach(k -> d.seen(k.detail()));
        }
        return d.becauseOf(stacks.isEmpty(), WAITS).found();
    }

    /**
     * Whether a dump shows that its threads wait for something that CPU time does not bring: then it is no matter how busy other processes
     * are. A single thread that waits may do so whenever one looks.
     */
    static boolean isOfItsOwn(TrialFacts s) {
        return stacks(s).stream()
                .findFirst()
                .filter(g -> !doing(g).equals(RUNNING) && g.count() >= 2)
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

    private static double last(TrialFacts s) {
        double[] rates = s.values(Signals.LOAD_RATE);
        return Arrays.stream(rates, rates.length - rates.length / 3, rates.length)
                .average()
                .orElse(Double.NaN);
    }

    private static double most(TrialFacts s) {
        return Arrays.stream(s.ever(Signals.LOAD_RATE)).max().orElse(0);
    }

    private static boolean hardlyAnswers(TrialFacts s) {
        return last(s) <= HARDLY * most(s);
    }

    private static String title(TrialFacts s, List<Sighting> stacks, boolean stopped) {
        String what = stopped ? "The target stopped answering" : "The target hardly answers";
        if (stacks.isEmpty()) {
            return what;
        }
        return what + ": "
                + (selfLocked(s, stacks)
                        ? "all that work wait for a pool, and nobody is seen who would give back"
                        : stacks.getFirst().what() + " "
                                + stacks.getFirst().detail().split(",", 2)[0]);
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

    private static String shown(TrialFacts s, List<Sighting> stacks) {
        if (stacks.isEmpty()) {
            return why(s);
        }
        var text = new StringBuilder(" In a dump of its threads taken then");
        String join = " ";
        for (Sighting g : stacks) {
            text.append(join).append(g.what()).append(' ').append(g.detail());
            join = "; ";
        }
        text.append('.');
        if (selfLocked(s, stacks)) {
            text.append(
                    " No other thread works: the threads that hold what the pool lends wait for the same pool, or have ended without"
                            + " returning it.");
        }
        return text.toString();
    }

    /** Why no stacks are told. */
    private static String why(TrialFacts s) {
        List<Sighting> kept = s.sightings(Sighting.DUMP);
        if (kept.isEmpty() && s.sightings(Sighting.DEADLOCK).isEmpty()) {
            return " No dump of its threads was taken.";
        }
        return kept.isEmpty()
                ? ""
                : " In a dump of its threads no more than half of any kind stand at one place outside the wait for work; virtual threads"
                        + " are not in it.";
    }

    private static String remedy(TrialFacts s, List<Sighting> stacks) {
        if (stacks.isEmpty()) {
            List<Sighting> kept = s.sightings(Sighting.DUMP);
            return kept.isEmpty()
                    ? "See where its workers stand when it hangs: jcmd PID Thread.print"
                    : "See in the dump what its workers, or what they wait for, do; of virtual threads: jcmd PID"
                            + " Thread.dump_to_file FILE";
        }
        if (selfLocked(s, stacks)) {
            return "A request that holds one must not ask the same pool for another: one for both, or more than one for each worker. If"
                    + " no method above asks for a second, one is not given back: close it in a try-with-resources";
        }
        return switch (doing(stacks.getFirst())) {
            case "pool" ->
                "See who holds what the pool lends, and give it back sooner or in a try-with-resources; a time-out for the wait";
            case "locked" ->
                "See why the owner does not go on, or, if none is shown, which path leaves without unlock (unlock belongs into a"
                        + " finally); no call that may wait while the lock is held";
            case "socket" -> "A time-out for the call (connect and read), and see why its peer does not answer";
            case "client" -> "A time-out for reading from and writing to clients, and see why they do not go on";
            case "lookup" -> "See why the name service does not answer; a shorter time-out for it, or a cache";
            case "file" -> "See why the file, or its device, does not answer; not in a thread that serves requests";
            case "sleep" -> "No sleep in a thread that serves requests or other connections";
            case RUNNING -> "See whether the loop there ends";
            default ->
                "See who should end that wait, and whether it still can: a result that nobody gives, a count or a signal that got lost; a"
                        + " time-out for the wait";
        };
    }
}
