package dev.fettle.watch.host;

import java.util.OptionalDouble;

/**
 * What others took of the CPUs between two moments; empty where it could not be read. The clock of {@code /proc} ticks every
 * 10 ms, so a share over one second of one CPU is good to about 1 %.
 *
 * @param steal share of the time of all CPUs in use that the hypervisor gave to somebody else, 0 to 1
 * @param serverSteal the same of the target's own CPUs
 * @param generatorSteal the same of the generator's CPUs
 * @param foreign share of the time of all CPUs in use that processes used which do not belong to the trial, 0 to 1
 */
public record Disturbance(
        OptionalDouble steal, OptionalDouble serverSteal, OptionalDouble generatorSteal, OptionalDouble foreign) {
    /** Nothing known. */
    public static final Disturbance UNKNOWN = new Disturbance(
            OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
}
