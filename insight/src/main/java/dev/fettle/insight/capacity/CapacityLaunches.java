package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Combines the results of several processes. The answer is the lowest rate, as any process may be the next one; a process in which
 * no probe was valid says nothing of the server, and counts only if there is no other. It is confirmed if each other process confirmed a
 * rate: one that was only seen to meet a higher rate, until the budget ran out, may fail at the lower one just as well.
 */
final class CapacityLaunches {
    private CapacityLaunches() {}

    /** @param each one or more conclusions of searches, without a spike */
    static CapacityConclusion together(List<CapacityConclusion> each) {
        List<CapacityResult> results =
                each.stream().flatMap(c -> c.result().stream()).toList();
        OptionalFigure idle = OptionalFigure.of(
                each.stream().flatMapToDouble(c -> c.idleMillis().stream()).average());
        List<String> notes =
                each.stream().flatMap(c -> c.notes().stream()).distinct().toList();
        Optional<CapacityResult> lowest = results.stream()
                .min(Comparator.comparing((CapacityResult r) -> r.outcome() == Outcome.NOTHING_VALID)
                        .thenComparingDouble(CapacityResult::rate));
        return new CapacityConclusion(idle, lowest.map(l -> told(l, results)), Optional.empty(), results, notes);
    }

    private static CapacityResult told(CapacityResult lowest, List<CapacityResult> all) {
        String rates = IntStream.range(0, all.size())
                .mapToObj(i -> all.get(i).outcome().confirmed()
                        ? CapacityWords.perSecond(all.get(i).rate())
                        : "none confirmed in process " + (i + 1))
                .collect(Collectors.joining(", "));
        List<Double> limits = all.stream()
                .flatMap(r -> r.limit().stream())
                .map(i -> i.estimate())
                .toList();
        var notes = new ArrayList<>(lowest.notes());
        notes.add(
                "Interval and what broke first are those of the process with the lowest answer; the probes are those of all.");
        if (limits.size() > 1) {
            double least = limits.stream().min(Double::compare).orElseThrow();
            double most = limits.stream().max(Double::compare).orElseThrow();
            notes.add("The limits of the " + limits.size() + " processes differ by "
                    + Format.share(most / least - 1)
                    + ": their own intervals included, for two searches of one process differ, too.");
        }
        boolean each = all.stream().allMatch(r -> r.outcome().confirmed());
        boolean lacking = lowest.outcome().confirmed()
                && all.stream()
                        .anyMatch(r -> r.outcome() != Outcome.NOTHING_VALID
                                && !r.outcome().confirmed());
        String headline = each
                ? "Each of " + all.size() + " processes confirmed at least " + CapacityWords.perSecond(lowest.rate())
                        + " with " + lowest.slo().quality() + ": " + rates + ", "
                        + CapacityWords.fresh(lowest.confirmations()) + " each."
                : "In " + all.size() + " processes: " + rates
                        + (lacking ? ", so that is not confirmed for each process" : "") + ". The lowest: "
                        + lowest.headline();
        if (!lacking) {
            return lowest.with().headline(headline).notes(notes).build();
        }
        notes.removeAll(CapacityWords.reached(lowest, ""));
        CapacityResult found = lowest.with()
                .outcome(Outcome.UNCONFIRMED)
                .confirmations(0)
                .headline(headline)
                .build();
        notes.addAll(0, CapacityWords.reached(found, "not each process confirmed a rate"));
        return found.withNotes(notes);
    }
}
