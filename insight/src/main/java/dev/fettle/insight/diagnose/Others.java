package dev.fettle.insight.diagnose;

import dev.fettle.model.trial.Signals;
import java.util.Set;

/** What other processes that take CPU time can make look wrong in a healthy server. */
final class Others {
    /**
     * Findings that they can cause. Left out are findings from the target's own CPU time (others can only reduce it),
     * from clients that pause (others can only make the rest longer), and from a rate that was served all the same. Clients that are
     * slow are the generator, whose CPU time others take as well.
     */
    private static final Set<String> CAN_CAUSE = Set.of(
            WaitRules.LOCK,
            WaitRules.CLIENT,
            FailureRules.CLOSE_WAIT,
            HeapRules.HEAP_SMALL,
            HeapRules.ALLOCATION,
            DoorRules.BEFORE_WORKERS,
            DoorRules.ACCEPT_QUEUE,
            RequestRules.READ_TIMEOUTS,
            RequestRules.CONNECT_TIMEOUTS,
            RequestRules.CLIENTS,
            TimeRules.DELAYED_ACK,
            TimeRules.SLOW_CONNECTS,
            TimeRules.PAUSES,
            GrowthRules.WARMING,
            PeriodicRule.ID);

    private Others() {}

    /** Whether other processes may have caused a finding. They have not if the target itself was seen to do it. */
    static boolean canCause(String rule, Sight s) {
        return CAN_CAUSE.contains(rule) && !seenInside(rule, s);
    }

    private static boolean seenInside(String rule, Sight s) {
        return switch (rule) {
            // the kernel itself reports that the write is held back
            case TimeRules.DELAYED_ACK -> s.mean(Signals.SOCKETS_HELD).isPresent();
            case FailureRules.CLOSE_WAIT -> FailureRules.leftOpenItself(s);
            case WaitRules.LOCK -> WaitRules.mostAtLock(s);
            case DoorRules.BEFORE_WORKERS -> DoorRules.ioSeenToWait(s);
            case DoorRules.ACCEPT_QUEUE -> DoorRules.queueTiny(s);
            case HeapRules.HEAP_SMALL, HeapRules.ALLOCATION -> HeapRules.collectsMuch(s);
            case PeriodicRule.ID -> PeriodicRule.ownDoing(s);
            case GrowthRules.WARMING -> GrowthRules.sleepsLess(s);
            default -> false;
        };
    }
}
