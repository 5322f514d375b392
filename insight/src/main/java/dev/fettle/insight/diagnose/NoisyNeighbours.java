package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.BusiestThread;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.gate.Steal;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Set;

/** What other processes that take CPU time can make look wrong in a healthy server. */
final class NoisyNeighbours {
    /**
     * Findings that they can cause. Left out are findings from the target's own CPU time (others can only reduce it),
     * from clients that pause (others can only make the rest longer), and from a rate that was served all the same. Clients that are
     * slow are the generator, whose CPU time others take as well.
     */
    private static final Set<String> CAN_CAUSE = Set.of(
            WaitRules.LOCK,
            WaitRules.LOG_LOCK,
            WaitRules.CLIENT,
            WaitRules.SLEEP,
            WaitRules.WORKERS,
            OtherWaitRule.ID,
            PoolRule.ID,
            HotThreadRule.ID,
            FailureRules.CLOSE_WAIT,
            FailureRules.HUNG,
            HeapRules.HEAP_SMALL,
            HeapRules.ALLOCATION,
            ConnectionRules.BEFORE_WORKERS,
            ConnectionRules.ACCEPT_QUEUE,
            ConnectionRules.PINNED,
            RequestRules.READ_TIMEOUTS,
            RequestRules.CONNECT_TIMEOUTS,
            RequestRules.CLIENTS,
            TimeRules.DELAYED_ACK,
            TimeRules.SLOW_CONNECTS,
            TimeRules.PAUSES,
            GrowthRules.WARMING,
            PeriodicRule.ID);

    /** What a worker that is seen to wait so has on its stack; who reads a file or talks to its client may as well use a CPU. */
    private static final List<String> WAITS =
            List.of(Signals.WAIT_LOCK, Signals.WAIT_POOL, Signals.WAIT_SOCKET, Signals.WAIT_SLEEP, Signals.WAIT_OTHER);

    /** Threads that lack a CPU against those that wait for others. */
    private static final double FEW = 0.02;

    private NoisyNeighbours() {}

    /** Whether other processes may have caused a finding. They have not if the target itself was seen to do it. */
    static boolean canCause(String rule, TrialFacts s) {
        return CAN_CAUSE.contains(rule) && !seenInside(rule, s);
    }

    private static boolean seenInside(String rule, TrialFacts s) {
        return switch (rule) {
            // the kernel itself reports that the write is held back
            case TimeRules.DELAYED_ACK -> s.mean(Signals.SOCKETS_HELD).isPresent();
            case FailureRules.CLOSE_WAIT -> FailureRules.leftOpenItself(s);
            // whether one that answers nothing at all waits for a CPU is decided before the rules
            case FailureRules.HUNG -> s.trial().failure().isPresent() || HungRule.isOfItsOwn(s);
            case WaitRules.LOCK, WaitRules.LOG_LOCK -> WaitRules.mostAtLock(s);
            case WaitRules.SLEEP -> mostWaitFor(Signals.WAIT_SLEEP, s);
            case WaitRules.WORKERS -> leftAllTheSame(s) || mostWait(s);
            case OtherWaitRule.ID -> fewLackACpu(s);
            case PoolRule.ID -> PoolRule.mostAtPool(s);
            case HotThreadRule.ID ->
                // a CPU's worth of its own time; or a line of others, who wait for it and not for a CPU
                BusiestThread.of(s.trial()).filter(BusiestThread::isFull).isPresent()
                        || mostWaitFor(Signals.WAIT_OTHER, s);
            case ConnectionRules.PINNED -> ConnectionRules.idleCarriers(s, kept(s)) >= ConnectionRules.IDLE;
            case ConnectionRules.BEFORE_WORKERS -> ConnectionRules.ioSeenToWait(s);
            case ConnectionRules.ACCEPT_QUEUE -> ConnectionRules.queueTiny(s);
            case HeapRules.HEAP_SMALL, HeapRules.ALLOCATION -> HeapRules.collectsMuchItself(s);
            case PeriodicRule.ID -> PeriodicRule.ownDoing(s);
            case GrowthRules.WARMING -> GrowthRules.sleepsLess(s);
            default -> false;
        };
    }

    /**
     * CPUs' worth of time that was kept from the target: its threads were ready and had none, or the hypervisor took it. Without end if
     * that was not read.
     */
    private static double kept(TrialFacts s) {
        double stolen = Steal.of(s.trial()).map(Steal::share).orElse(0.0) * s.cpus();
        return s.mean(Signals.RUNQUEUE_WAIT).orElse(Double.POSITIVE_INFINITY) + stolen;
    }

    /** Whether few threads lack a CPU, against all those that wait for other threads: so few don't keep them waiting. */
    private static boolean fewLackACpu(TrialFacts s) {
        return kept(s) < Math.max(1, FEW * s.meanOrNone(Signals.WAIT_OTHER));
    }

    /** Whether CPU would be left even if the target had used all that was kept from it. */
    private static boolean leftAllTheSame(TrialFacts s) {
        return s.cpu().isPresent()
                && s.cpu().getAsDouble() * s.allowed() + kept(s) < Thresholds.CPU_SPARE * s.allowed();
    }

    /**
     * Whether most of the busy workers were seen to wait, and not to run. A wait for other threads, or for the holder of a lock, may be
     * their want of a CPU.
     */
    private static boolean mostWait(TrialFacts s) {
        double wait = WAITS.stream()
                .filter(w -> !w.equals(Signals.WAIT_OTHER) || fewLackACpu(s))
                .filter(w -> !w.equals(Signals.WAIT_LOCK) || WaitRules.mostAtLock(s))
                .mapToDouble(s::meanOrNone)
                .sum();
        return wait > 0 && wait >= Thresholds.MOST_OF_A_REQUEST * s.busy().orElse(0);
    }

    /** Whether most of the busy workers wait so even without those whose wait is over and who only lack a CPU. */
    private static boolean mostWaitFor(String signal, TrialFacts s) {
        double wait = s.meanOrNone(signal) - kept(s);
        return wait > 0 && wait >= Thresholds.MOST_OF_A_REQUEST * s.busy().orElse(0);
    }
}
