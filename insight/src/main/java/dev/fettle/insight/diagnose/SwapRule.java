package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Memory that is not where the process needs it: on the swap device, or to be read from a file again. */
final class SwapRule {
    static final String ID = "swapping";

    /** Swapped memory over the largest heap, all of which a full collection touches. */
    private static final double SWAPPED = 0.01;

    /** Page faults a second that wait for a device. */
    private static final double FAULTS = 10;

    /** Faults a second below which what is swapped is not touched, and slows nothing. */
    private static final double TOUCHED = 1;

    /** Share of the time in which some task waits for memory, or for I/O, below which faults are few enough to slow nothing, or are of files. */
    private static final double FELT = 0.01;

    private SwapRule() {}

    static List<Rule> rules() {
        return List.of(new Rule(
                        ID,
                        Stage.BROKEN,
                        "memory that is swapped, or read from a device",
                        "more than " + Say.whole(FAULTS)
                                + " page faults a second that wait for a device, unless the host's tasks wait for memory and for I/O for less"
                                + " than " + Say.share(FELT) + " of the time; or " + Say.whole(TOUCHED)
                                + ", and more swapped than " + Say.share(SWAPPED)
                                + " of the largest heap, or of the memory in"
                                + " RAM where that is unknown, unless they wait for memory for less than "
                                + Say.share(FELT),
                        List.of(),
                        SwapRule::look)
                .shownBy(Signals.SWAP_USED, Signals.FAULTS_MAJOR, Signals.PRESSURE_MEMORY));
    }

    private static RuleResult look(TrialFacts s) {
        OptionalFigure swapped = s.max(Signals.SWAP_USED);
        OptionalFigure faults = s.mean(Signals.FAULTS_MAJOR);
        if (swapped.isEmpty() && faults.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.SWAP_USED));
        }
        String heap = s.last(Signals.HEAP_MAX).isPresent() ? Signals.HEAP_MAX : Signals.MEMORY_RSS;
        double all = s.last(heap).orElse(0);
        boolean much = all > 0
                && swapped.orElse(0) > SWAPPED * all
                && faults.orElse(TOUCHED) >= TOUCHED
                && s.mean(Signals.PRESSURE_MEMORY).orElse(FELT) >= FELT;
        String figure = Stream.of(
                        swapped.isPresent() ? Optional.of(Say.memory(swapped.getAsDouble()) + " swapped") : none(),
                        faults.isPresent()
                                ? Optional.of(Say.number(faults.getAsDouble())
                                        + " page faults a second that wait for a device")
                                : none())
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        boolean many = faults.orElse(0) > FAULTS
                && (s.mean(Signals.PRESSURE_MEMORY).orElse(FELT) >= FELT
                        || s.mean(Signals.PRESSURE_IO).orElse(FELT) >= FELT);
        if (!much && !many) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        ID,
                        Severity.WARNING,
                        much
                                ? "Part of the process is on the swap device"
                                : "The process waits for its pages to be read from a device",
                        much
                                ? Say.memory(swapped.getAsDouble()) + " of the process are on the swap device, "
                                        + Say.percent(swapped.getAsDouble() / all) + " of "
                                        + (heap.equals(Signals.HEAP_MAX) ? "its largest heap" : "what it has in RAM")
                                        + ": a thread that touches one of these pages waits until it is read."
                                : Say.number(faults.orElse(0))
                                        + " times a second one of its threads waited for a page to be read from a device,"
                                        + " which is swap or a file that it has mapped.")
                .seen(figure)
                .seen(
                        s.before(Signals.SWAP_USED).isPresent()
                                ? Optional.of(
                                        Say.memory(s.before(Signals.SWAP_USED).getAsDouble()) + " swapped at first")
                                : none())
                .seen(
                        s.mean(Signals.PRESSURE_MEMORY).isPresent()
                                ? Optional.of("some task of the host waited for memory for "
                                        + Say.percent(
                                                s.mean(Signals.PRESSURE_MEMORY).getAsDouble()) + " of the time")
                                : none())
                .remedy(
                        "Less heap, fewer programs on the machine, or more memory: a JVM's heap has to be in RAM as a whole")
                .refutedBy("With enough memory and no swap, throughput and p99 stay as they are.")
                .found();
    }

    private static Optional<String> none() {
        return Optional.empty();
    }
}
