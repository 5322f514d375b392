package dev.fettle.insight.explain;

import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a CPU ceiling, cores / S, leaves out. It takes every CPU to be a whole one that is the target's alone, and work to
 * spread over all of them; where that was looked at the figure is told, where it was not, that is told.
 */
final class CpuCaveats {
    private static final double NOTABLE_STEAL = 0.01;

    private CpuCaveats() {}

    static String of(TrialOutcome trial, List<TrialOutcome> run) {
        var seen = new ArrayList<String>();
        var open = new ArrayList<String>();
        Optional<Evidence> e = trial.evidence();
        double seconds =
                trial.measurement().map(m -> m.elapsed().toNanos() / 1e9).orElse(0.0);
        var steal = e.map(x -> x.serverSteal().isPresent() ? x.serverSteal() : x.steal());
        if (steal.isEmpty() || steal.get().isEmpty()) {
            open.add("time stolen by the hypervisor");
        } else if (steal.get().getAsDouble() >= NOTABLE_STEAL) {
            seen.add(Say.percent(steal.get().getAsDouble()) + " of it was stolen by the hypervisor");
        }
        var gc = e.map(Evidence::gcMillis);
        if (gc.isEmpty() || gc.get().isEmpty()) {
            open.add("garbage collection");
        } else if (seconds > 0 && gc.get().getAsDouble() / 1e3 / seconds >= Thresholds.GC_NOTABLE) {
            seen.add("garbage collection took " + Say.percent(gc.get().getAsDouble() / 1e3 / seconds) + " of the time");
        }
        var compilers = e.map(Evidence::compilerCpuSeconds);
        if (compilers.isEmpty() || compilers.get().isEmpty()) {
            open.add("the compilers' share");
        }
        open.add("a CPU quota");
        open.add("CPUs that share a core");
        open.add("whether one thread alone is full");
        return beaten(trial, run)
                + (seen.isEmpty() ? "" : "Of the CPU: " + String.join(", ", seen) + ". ")
                + "Not looked at for the CPU's ceiling: " + String.join(", ", open) + ".";
    }

    /** A ceiling that another trial of the run has passed holds for this setting's price of a request only. */
    private static String beaten(TrialOutcome trial, List<TrialOutcome> run) {
        double ceiling = OperatingPoint.of(trial)
                .map(c -> c.cpuCeiling().orElse(Double.POSITIVE_INFINITY))
                .orElse(Double.POSITIVE_INFINITY);
        return run.stream()
                .filter(TrialOutcome::valid)
                .filter(o -> o.spec().load().equals(trial.spec().load()))
                .flatMap(o -> OperatingPoint.of(o).stream()
                        .filter(c -> c.throughput() > 1.1 * ceiling
                                && c.cpuPerRequest().isPresent())
                        .map(c -> new Beat(o, c)))
                .max(Comparator.comparingDouble(b -> b.c().throughput()))
                .map(b -> "With " + b.o().spec().setting() + " the same CPUs gave "
                        + Say.number(b.c().throughput()) + "/s, at "
                        + Say.seconds(b.c().cpuPerRequest().orElse(0)) + " a request. ")
                .orElse("");
    }

    private record Beat(TrialOutcome o, OperatingPoint c) {}
}
