package dev.fettle.watch.host;

import dev.fettle.model.text.OptionalFigure;
import java.util.stream.Stream;

/**
 * CPU time taken by others between two moments; a figure is empty if it could not be read. The clock of {@code /proc} ticks every
 * 10 ms, so a share over one second of one CPU is accurate to about 1 %.
 *
 * @param steal share of the time of all CPUs in use that the hypervisor gave to someone else, 0 to 1
 * @param serverSteal the same for the target's own CPUs
 * @param generatorSteal the same for the generator's CPUs
 * @param foreign share of the time of all CPUs in use that was used by processes outside the trial, 0 to 1, without
 *     those at idle priority
 * @param yielding the same for processes at idle priority ({@code SCHED_IDLE}). The kernel stops them as soon as
 *     anything else wants the CPU, so they use only CPU time that would be idle; but they share the caches
 */
public record Disturbance(
        OptionalFigure steal,
        OptionalFigure serverSteal,
        OptionalFigure generatorSteal,
        OptionalFigure foreign,
        OptionalFigure yielding) {
    private static final OptionalFigure NO = OptionalFigure.empty();

    /** Nothing is known. */
    public static final Disturbance UNKNOWN = new Disturbance(NO, NO, NO, NO, NO);

    /** The larger of the shares stolen from the target's CPUs and from the generator's, as far as known. */
    public OptionalFigure stealOfEither() {
        return OptionalFigure.of(Stream.of(serverSteal, generatorSteal)
                .flatMapToDouble(OptionalFigure::stream)
                .max());
    }
}
