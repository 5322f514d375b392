package dev.fettle.insight.diagnose;

import dev.fettle.model.trial.Signals;
import java.util.Set;

/** What other processes who take CPU time can make of a server with nothing wrong. */
final class Others {
    /**
     * Findings that they can cause. Not among them is what the target's own CPU time shows (others can only make that less), what
     * clients who pause show (others only make the rest longer), and a rate that was served all the same.
     */
    private static final Set<String> CAN_CAUSE = Set.of(
            WaitRules.LOCK,
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

    /** Whether a finding may be their doing. Where the target itself was seen to do it, it is not. */
    static boolean canCause(String rule, Sight s) {
        return CAN_CAUSE.contains(rule) && !seenInside(rule, s);
    }

    private static boolean seenInside(String rule, Sight s) {
        return switch (rule) {
            // the kernel holds the write back
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
