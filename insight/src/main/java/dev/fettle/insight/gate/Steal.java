package dev.fettle.insight.gate;

import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Optional;

/**
 * CPU time the hypervisor took from a target's own CPUs, and what the target would reach without that.
 *
 * <p>A CPU-bound target drops to 1 − s of its throughput when a share s of its CPU time is stolen; one with idle CPU loses next
 * to nothing. A mean over all CPUs would hide that behind the generator's idle ones.
 *
 * @param share of the time of the target's CPUs, 0 to 1
 * @param used share of the remaining time that the target used, 0 to 1; empty if unknown
 */
public record Steal(double share, OptionalFigure used) {
    /**
     * Above this share of one side's CPUs a trial is void. By simulation (StealTest), the trials of a CPU-bound target that
     * remain read 1.6 to 2.3 % slower than on a dedicated machine for a mean steal of 2 to 8 %, and at most 5 %; a bound of 3 %
     * would halve that, but void two trials of three at 8 %.
     */
    public static final double MOST = Bounds.value("stolen");

    /** A target that uses at least this share of what it gets is CPU-bound. */
    private static final double CPU_BOUND = 0.9;

    /** A trial's steal; empty if it is not known for the target's own CPUs. */
    public static Optional<Steal> of(TrialOutcome trial) {
        return trial.evidence()
                .flatMap(e -> of(
                        e,
                        trial.measurement()
                                .map(m -> m.elapsed().toNanos() / 1e9)
                                .orElse(0.0)));
    }

    static Optional<Steal> of(Evidence e, double seconds) {
        if (e.get(Aggregate.SERVER_STEAL).isEmpty()) {
            return Optional.empty();
        }
        double share = Math.clamp(e.get(Aggregate.SERVER_STEAL).getAsDouble(), 0, 1);
        double given = e.serverCpus() * seconds * (1 - share);
        return Optional.of(new Steal(
                share,
                e.get(Aggregate.SERVER_CPU_SECONDS).isPresent() && given > 0
                        ? OptionalFigure.of(
                                Math.min(1, e.get(Aggregate.SERVER_CPU_SECONDS).getAsDouble() / given))
                        : OptionalFigure.empty()));
    }

    /** Whether the target used all the CPU time it got. */
    public boolean cpuBound() {
        return used.orElse(0) >= CPU_BOUND;
    }

    /**
     * Factor from the measured throughput to that on dedicated CPUs: 1 / (1 − s) for a CPU-bound target, else 1. It ignores the
     * indirect costs of steal: cold caches, and threads waiting for a descheduled one.
     */
    public double correction() {
        return cpuBound() && share < 1 ? 1 / (1 - share) : 1;
    }
}
