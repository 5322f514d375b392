package dev.fettle.insight.gate;

import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the hypervisor took from a target's own CPUs, and what the target would give if it had not.
 *
 * <p>A target that uses all that it gets of its CPUs gives 1 − s of its throughput when a share s of them is stolen; one that
 * leaves some idle loses next to nothing. The mean over all CPUs hides the first behind the generator's idle ones.
 *
 * @param share of the time of the target's CPUs, 0 to 1
 * @param used share of what it got of them that the target used, 0 to 1; empty if unknown
 */
public record Steal(double share, OptionalDouble used) {
    /**
     * Above this share of one side's CPUs a trial is void. By simulation (StealTest): what is kept of a CPU-bound target reads 1.6 to
     * 2.3 % slower than on a machine of its own for steal of 2 to 8 % on average, and at most 5 %; a bound of 3 % would halve that
     * and make two trials of three void at 8 %.
     */
    public static final double MOST = 0.05;

    /** From this share on it is worth a word. */
    static final double NOTABLE = 0.01;

    /** A target that uses this much of what it gets is limited by it. */
    private static final double CPU_BOUND = 0.9;

    /** Of a trial; empty where it is not known of the target's own CPUs. */
    public static Optional<Steal> of(TrialOutcome trial) {
        return trial.evidence()
                .flatMap(e -> of(
                        e,
                        trial.measurement()
                                .map(m -> m.elapsed().toNanos() / 1e9)
                                .orElse(0.0)));
    }

    static Optional<Steal> of(Evidence e, double seconds) {
        if (e.serverSteal().isEmpty()) {
            return Optional.empty();
        }
        double share = Math.clamp(e.serverSteal().getAsDouble(), 0, 1);
        double given = e.serverCpus() * seconds * (1 - share);
        return Optional.of(new Steal(
                share,
                e.serverCpuSeconds().isPresent() && given > 0
                        ? OptionalDouble.of(Math.min(1, e.serverCpuSeconds().getAsDouble() / given))
                        : OptionalDouble.empty()));
    }

    /** Whether the target used all that it got. */
    public boolean cpuBound() {
        return used.orElse(0) >= CPU_BOUND;
    }

    /**
     * By what its throughput is to be multiplied for that of CPUs of its own: 1 / (1 − s) of a target that used all it got, else 1. It
     * leaves out what steal costs beyond the time itself, in caches and in threads that wait for one that is not run.
     */
    public double correction() {
        return cpuBound() && share < 1 ? 1 / (1 - share) : 1;
    }

    String text() {
        String stolen = Say.percent(share) + " of the time of the target's CPUs was stolen by the hypervisor: ";
        if (used.isEmpty()) {
            return stolen + "it may be up to that much faster on CPUs of its own";
        }
        return cpuBound()
                ? stolen + "it used all it got, so on CPUs of its own it gives about " + Say.percent(correction() - 1)
                        + " more"
                : stolen + "it left " + Say.percent(1 - used.getAsDouble())
                        + " of the rest idle, so that cost it little";
    }
}
