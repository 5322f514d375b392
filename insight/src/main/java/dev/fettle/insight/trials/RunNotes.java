package dev.fettle.insight.trials;

import dev.fettle.insight.gate.AdvisoryNotes;
import dev.fettle.insight.stats.Power;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.words.FigureText;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.plan.CapacityTiming;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Notes on all trials of a run, for its conclusion. */
public final class RunNotes {
    /** Warm-ups at their bound from which it is reported; a single one may be an accident. */
    private static final int SEVERAL = 2;

    private RunNotes() {}

    /** The notes on a grid's trials. */
    public static List<String> of(Plan plan, List<Filled> filled) {
        List<TrialOutcome> attempts = TrialSlots.attempts(filled);
        var notes = new ArrayList<String>();
        voids(filled, attempts.size()).ifPresent(notes::add);
        warmUps(attempts).ifPresent(notes::add);
        sharedJvm(plan).ifPresent(notes::add);
        notes.addAll(AdvisoryNotes.notes(attempts));
        if (!spiked(plan)) {
            judgedBy(plan).ifPresent(notes::add);
        }
        return notes;
    }

    private static boolean spiked(Plan plan) {
        return plan.compare().flatMap(Plan.Compare::spike).isPresent();
    }

    /** The note for trials that share one JVM; empty if each has a fresh one, or may have one that a hook starts. */
    public static Optional<String> sharedJvm(Plan plan) {
        return switch (plan.target()) {
            case Target.Running _ ->
                notFresh(
                        "in one JVM that was running before and after",
                        "JVM starts",
                        "a grown heap, compiled code, full caches");
            case Target.Url _
            when plan.hooks().isEmpty() ->
                notFresh("on a server that Fettle did not start", "its starts", "full caches, say");
            default -> Optional.empty();
        };
    }

    private static Optional<String> notFresh(String where, String starts, String left) {
        return Optional.of("All trials ran " + where + ": none is fresh. Differences between " + starts
                + " are not covered, and each trial inherits what the one before left (" + left + ").");
    }

    /** Whether each trial has a JVM of its own, which a target that runs already has not. */
    public static boolean fresh(Plan plan) {
        return plan.target().isLaunched();
    }

    /** What this number of starts per side leaves open; empty if trials are not fresh JVMs. */
    public static Optional<String> scope(Plan plan, int starts) {
        return !fresh(plan) || starts < 1
                ? Optional.empty()
                : Optional.of("The intervals are of the JVMs that were started. What none of "
                        + FigureText.count(starts, "start") + " showed (a slow mode, say) may still be in up to "
                        + Format.share(Power.unseenShare(starts)) + " of all starts.");
    }

    private static Optional<String> voids(List<Filled> filled, int attempts) {
        int voids = filled.stream().mapToInt(Filled::voids).sum();
        return voids == 0
                ? Optional.empty()
                : Optional.of(FigureText.trials(voids, attempts) + " void or failed; "
                        + (voids == 1 ? "it was not" : "none of them was")
                        + " used. An attempt that is void for a"
                        + " passing reason is repeated at once, up to " + TrialSlots.RETRIES
                        + " times, within the time that was announced.");
    }

    /** The note if several warm-ups reached their bound before the target was steady. */
    private static Optional<String> warmUps(List<TrialOutcome> attempts) {
        List<TrialOutcome> bounded =
                attempts.stream().filter(RunNotes::reachedItsBound).toList();
        if (bounded.size() < SEVERAL) {
            return Optional.empty();
        }
        String bounds = bounded.stream() // it is raised once
                .map(t -> t.spec().load().warmUpAtMost())
                .distinct()
                .sorted()
                .map(b -> Format.seconds(b.toMillis() / 1e3))
                .collect(Collectors.joining(" or "));
        return Optional.of("In " + bounded.size() + " of " + attempts.size()
                + " trials the warm-up reached its bound (" + bounds
                + ") before the target was steady: raise load.warm-up.");
    }

    /** A steady target ends its warm-up, so one as long as its bound was not steady, however it was judged. */
    private static boolean reachedItsBound(TrialOutcome t) {
        Duration bound = t.spec().load().warmUpAtMost();
        return t.measurement().isPresent() && !bound.isZero() && t.warmUp().compareTo(bound) >= 0;
    }

    /** The metric a grid is judged by, unless it is the throughput of a closed load. */
    private static Optional<String> judgedBy(Plan plan) {
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        return switch (plan.objective().metric()) {
            case THROUGHPUT -> Optional.empty();
            case P99 ->
                Optional.of(
                        open
                                ? "Judged by p99, each trial's: the load is open, so its throughput is the rate that is offered."
                                : "Judged by p99, each trial's, as the objective says.");
            case CAPACITY, CPU_PER_REQUEST, MEMORY -> meaning(plan);
        };
    }

    /** What exactly a figure measures that needs an explanation; empty if a plan is judged by another metric. */
    public static Optional<String> meaning(Plan plan) {
        return switch (plan.objective().metric()) {
            case THROUGHPUT, P99 -> Optional.empty();
            case CAPACITY ->
                Optional.of("Judged by capacity: the rate "
                        + (plan.load().scenario().isPresent() ? "of iterations " : "")
                        + "of an open load at which a probe of "
                        + Format.seconds(
                                CapacityTiming.of(plan.load().measure()).probe().toNanos() / 1e9)
                        + " meets "
                        + plan.effectiveSlo()
                                .map(Slo::quality)
                                .map(Object::toString)
                                .orElse("its SLO")
                        + " with an even chance, found by about seven probes in each trial. At that rate the SLO is missed as"
                        + " often as met, and more often by longer probes: 'fettle capacity' confirms a rate that can be relied on. Throughput, p99 and errors"
                        + " next to it are what all " + plan.load().clients()
                        + " clients of a closed load got, who ask for all there is.");
            case CPU_PER_REQUEST ->
                Optional.of(
                        "Judged by CPU time per request: user and system time of the target's process over the requests that reached"
                                + " it, garbage collection included, the JVM's compilers left out. What it makes other processes and"
                                + " the kernel's own threads use is not observed.");
            case MEMORY ->
                Optional.of(
                        "Judged by resident memory: what of the target's process is in RAM, on average while it was measured. That is"
                                + " all of the heap that was ever touched, garbage included, and code, stacks and direct buffers; how"
                                + " much of the heap is needed is not observed by it, nor what a longer run would add.");
        };
    }
}
