package dev.fettle.load;

import java.util.OptionalDouble;

/**
 * How one of the processes that send a load together did.
 *
 * @param name of the process, as in {@link SenderCount}
 * @param lateNanos by how much it began later than agreed, 0 or more
 * @param clockErrorNanos how well its clock is known: half of the shortest round trip, 0 or more
 * @param clockMovedNanos by how much its clock moved against this one while the load ran, beyond what both measurements may be wrong by
 * @param hostCpuShare of its host's CPUs that were busy, 0 to 1; empty if unknown
 * @param lost why it was lost before the end; empty if it was not
 */
public record SenderState(
        String name,
        long lateNanos,
        long clockErrorNanos,
        long clockMovedNanos,
        OptionalDouble hostCpuShare,
        String lost) {}
