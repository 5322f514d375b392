package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.gate.Steal;
import dev.fettle.model.trial.Signals;
import java.util.List;

/** How much of what looks wrong may be other processes that take CPU time: what was kept from the target, and what does not need any. */
final class NoisyNeighbours {
    /** What a worker that is seen to wait so has on its stack; who reads a file or talks to its client may as well use a CPU. */
    private static final List<String> WAITS =
            List.of(Signals.WAIT_LOCK, Signals.WAIT_POOL, Signals.WAIT_SOCKET, Signals.WAIT_SLEEP, Signals.WAIT_OTHER);

    /** Threads that lack a CPU against those that wait for others. */
    private static final double FEW = 0.02;

    private NoisyNeighbours() {}

    /** Whether CPU would be left, or most of the busy workers wait, whatever others take. */
    static boolean workersWaitForOthers(TrialFacts s) {
        return leftAllTheSame(s) || mostWait(s);
    }

    /**
     * CPUs' worth of time that was kept from the target: its threads were ready and had none, or the hypervisor took it. Without end if
     * that was not read.
     */
    static double kept(TrialFacts s) {
        double stolen = Steal.of(s.trial()).map(Steal::share).orElse(0.0) * s.cpus();
        return s.mean(Signals.RUNQUEUE_WAIT).orElse(Double.POSITIVE_INFINITY) + stolen;
    }

    /** Whether few threads lack a CPU, against all those that wait for other threads: so few don't keep them waiting. */
    static boolean fewLackACpu(TrialFacts s) {
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
    static boolean mostWaitFor(String signal, TrialFacts s) {
        double wait = s.meanOrNone(signal) - kept(s);
        return wait > 0 && wait >= Thresholds.MOST_OF_A_REQUEST * s.busy().orElse(0);
    }
}
