package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.gate.Steal;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Failure;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How much of what looks wrong may be other processes that take CPU time: what was kept from the target, and what does not need any. */
final class NoisyNeighbours {
    /** What a worker that is seen to wait so has on its stack; who reads a file or talks to its client may as well use a CPU. */
    private static final List<String> WAITS =
            List.of(Signals.WAIT_LOCK, Signals.WAIT_POOL, Signals.WAIT_SOCKET, Signals.WAIT_SLEEP, Signals.WAIT_OTHER);

    /** Threads that lack a CPU against those that wait for others. */
    private static final double FEW = 0.02;

    /** Seconds of a silence that are looked at: those after which it is taken for a hang. */
    private static final double OF_A_SILENCE = 5;

    private NoisyNeighbours() {}

    /**
     * Whether it wants CPU time: it uses some, or requests are under way in it. Of one that does not, no lack of CPU is a limit; that a thread
     * of it is ready now and then means nothing where all wait long. Under Fettle's load there are always requests.
     */
    static boolean wantsCpu(TrialFacts s) {
        return !s.isObserved()
                || s.cpu().orElse(0) * s.allowed() >= Bounds.value("wants-cpu")
                || Math.max(s.underWay(), s.meanOrNone(Signals.REQUESTS_UNDER_WAY)) >= 1;
    }

    /** What is known of whether a target that answers nothing any more only lacks a CPU. */
    enum Lack {
        /** Its threads were ready, and others had the CPUs. */
        SEEN,
        /** Others had the CPUs; whether its threads were ready was not read. */
        POSSIBLE,
        /** CPUs were left, or it wanted none, or it waits for something else. */
        NONE
    }

    /** Of a target that stopped answering; a deadlock is one all the same, and so is a heap that ran full. */
    static Lack ofAHang(TrialFacts s) {
        Optional<Failure> hung = s.trial()
                .failure()
                .filter(f -> f.kind() == TrialOutcome.Kind.HUNG)
                .filter(f -> f.seen().stream().noneMatch(g -> g.kind().equals(FailureRules.DUMP)));
        if (hung.isEmpty()
                || others(s) < Bounds.value("others-have-the-cpus")
                || HungRule.isOfItsOwn(s)
                || ChainRules.runsOn(s)
                || FailureRules.heapRanFull(s)) {
            return Lack.NONE;
        }
        OptionalFigure ready = atLast(s, Signals.RUNQUEUE_WAIT);
        return ready.isEmpty() ? Lack.POSSIBLE : ready.getAsDouble() >= 1 ? Lack.SEEN : Lack.NONE;
    }

    /** The part of the CPUs that others had while it answered nothing: of the machine's, or of those that it may run on. */
    static double others(TrialFacts s) {
        double seen = s.trial().failure().stream()
                .flatMap(f -> f.seen().stream())
                .filter(g -> g.kind().equals(Sighting.FOREIGN))
                .mapToDouble(Sighting::count)
                .max()
                .orElse(0);
        double own = s.allowed() > 0 ? atLast(s, Signals.CPU_TOTAL).orElse(s.allowed()) / s.allowed() : 1;
        double there = atLast(s, Signals.CPUS_BUSY).orElse(0) - own;
        return Math.max(seen, Math.max(there, atLast(s, Signals.HOST_FOREIGN).orElse(0)));
    }

    /** How many threads of a target were ready at last, and had no CPU: what then waits for another thread may wait for one of these. */
    static double readyAtLast(TrialFacts s) {
        return atLast(s, Signals.RUNQUEUE_WAIT).orElse(0);
    }

    private static OptionalFigure atLast(TrialFacts s, String signal) {
        double[] all = s.ever(signal);
        int n = (int) Math.ceil(OF_A_SILENCE / Math.max(s.stepSeconds(), 1e-3));
        return OptionalFigure.of(
                Arrays.stream(all, Math.max(0, all.length - n), all.length).average());
    }

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
