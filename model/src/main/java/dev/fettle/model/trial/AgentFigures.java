package dev.fettle.model.trial;

import dev.fettle.model.text.OptionalFigure;

/**
 * What one of the hosts that send a load together did in the measured time.
 *
 * @param name of the host, as the user calls it
 * @param responses valid responses
 * @param failed failed attempts
 * @param latency of the valid responses, from the intended send time
 * @param lateMillis by how much it began later than agreed
 * @param clockErrorMillis how well its clock is known: half of the shortest round trip to it
 * @param clockMovedMillis by how much its clock moved against the controller's meanwhile, beyond what both measurements may be wrong by
 * @param cpuShare of the host's CPUs that were busy, 0 to 1; empty if unknown, or if the target is on this host, too
 * @param lost why it was lost before the end; empty if it was not
 */
public record AgentFigures(
        String name,
        long responses,
        long failed,
        LatencySummary latency,
        double lateMillis,
        double clockErrorMillis,
        double clockMovedMillis,
        OptionalFigure cpuShare,
        String lost) {}
