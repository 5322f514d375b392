package dev.fettle.insight.explain;

import dev.fettle.insight.words.FigureText;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a CPU ceiling, cores / S, leaves out. It assumes that every CPU is whole, belongs to the target alone, and that the
 * work spreads over all of them. Where that was checked, the figure is given; where not, that is said.
 */
public final class CpuCaveats {
    private static final double NOTABLE_STEAL = 0.01;

    private CpuCaveats() {}

    /** What it leaves out in a trial, in sentences; blank if nothing. */
    public static String of(TrialOutcome trial, List<TrialOutcome> run) {
        var seen = new ArrayList<String>();
        var open = new ArrayList<String>();
        Optional<Evidence> e = trial.evidence();
        double seconds =
                trial.measurement().map(m -> m.elapsed().toNanos() / 1e9).orElse(0.0);
        var steal = e.map(x ->
                x.get(Aggregate.SERVER_STEAL).isPresent() ? x.get(Aggregate.SERVER_STEAL) : x.get(Aggregate.STEAL));
        if (steal.isEmpty() || steal.get().isEmpty()) {
            open.add("time stolen by the hypervisor");
        } else if (steal.get().getAsDouble() >= NOTABLE_STEAL) {
            seen.add(Format.share(steal.get().getAsDouble()) + " of it was stolen by the hypervisor");
        }
        var gc = e.map(x -> x.get(Aggregate.GC_MILLIS));
        if (gc.isEmpty() || gc.get().isEmpty()) {
            open.add("garbage collection");
        } else if (seconds > 0 && gc.get().getAsDouble() / 1e3 / seconds >= Thresholds.GC_NOTABLE) {
            seen.add(
                    "garbage collection took " + Format.share(gc.get().getAsDouble() / 1e3 / seconds) + " of the time");
        }
        var compilers = e.map(x -> x.get(Aggregate.COMPILER_CPU_SECONDS));
        if (compilers.isEmpty() || compilers.get().isEmpty()) {
            open.add("the compilers' share");
        }
        Timeline t = e.map(Evidence::timeline).orElse(Timeline.NONE);
        int cpus = e.map(Evidence::serverCpus).orElse(0);
        quota(t, cpus, seen, open);
        cores(t, cpus, seen, open);
        oneThread(trial, seen, open);
        String text = beaten(trial, run)
                + (seen.isEmpty() ? "" : "Of the CPU: " + String.join(", ", seen) + ". ")
                + (open.isEmpty() ? "" : "Not considered for the CPU's ceiling: " + String.join(", ", open) + ".");
        return text.strip();
    }

    private static void quota(Timeline t, int cpus, List<String> seen, List<String> open) {
        OptionalFigure quota = t.max(Signals.CGROUP_QUOTA);
        if (quota.isEmpty()) {
            open.add("a CPU quota");
        } else if (quota.getAsDouble() < cpus) {
            String held = t.mean(Signals.CGROUP_THROTTLED).stream()
                    .mapToObj(v -> ", and held it back in " + Format.share(v) + " of its periods")
                    .findFirst()
                    .orElse("");
            seen.add("its control group allows it " + Format.number(quota.getAsDouble()) + " of its "
                    + FigureText.count(cpus, "CPU") + held);
        }
    }

    private static void cores(Timeline t, int cpus, List<String> seen, List<String> open) {
        OptionalFigure cores = t.max(Signals.CPU_CORES);
        if (cores.isEmpty()) {
            open.add("CPUs that share a core");
        } else if (cores.getAsDouble() < cpus) {
            seen.add("its " + FigureText.count(cpus, "CPU") + " are "
                    + FigureText.count((int) cores.getAsDouble(), "core")
                    + ", so that two of them give less than twice as much as one");
        } else if (t.max(Signals.CPU_NEIGHBOURS).orElse(0) > 0) {
            seen.add("other programs may run on "
                    + FigureText.count((int) t.max(Signals.CPU_NEIGHBOURS).orElse(0), "CPU") + " that share its cores");
        }
    }

    /** Whether one thread that serves uses a CPU by itself, and most of what those use. */
    public static boolean oneThreadIsFull(TrialOutcome trial) {
        return BusiestThread.of(trial).filter(BusiestThread::isFull).isPresent();
    }

    private static void oneThread(TrialOutcome trial, List<String> seen, List<String> open) {
        Optional<BusiestThread> busiest = BusiestThread.of(trial);
        if (busiest.isEmpty()) {
            open.add("whether one thread alone is full");
        } else if (busiest.get().isFull()) {
            String who = busiest.get().who().map(name -> " (" + name + ")").orElse("");
            seen.add("one thread" + who + " used "
                    + Format.share(busiest.get().cpu())
                    + " of a CPU by itself: more CPUs don't help what it does alone");
        }
    }

    /** Another trial of the run went beyond this ceiling, so it holds only for what a request costs under this setting. */
    private static String beaten(TrialOutcome trial, List<TrialOutcome> run) {
        Optional<OperatingPoint> own = OperatingPoint.of(trial);
        double ceiling =
                own.map(c -> c.cpuCeiling().orElse(Double.POSITIVE_INFINITY)).orElse(Double.POSITIVE_INFINITY);
        return run.stream()
                .filter(TrialOutcome::valid)
                .filter(o -> ComparableTrials.load(o).equals(ComparableTrials.load(trial))
                        && o.spec().target().equals(trial.spec().target()))
                .flatMap(o -> OperatingPoint.of(o).stream()
                        .filter(c -> own.filter(p -> p.cores() == c.cores() && p.allowed() == c.allowed())
                                .isPresent())
                        .filter(c -> c.throughput() > 1.1 * ceiling
                                && c.cpuPerRequest().isPresent())
                        .map(c -> new Beat(o, c)))
                .max(Comparator.comparingDouble(b -> b.c().throughput()))
                .map(b -> "With " + b.o().spec().setting() + " the same CPUs gave "
                        + Format.number(b.c().throughput()) + "/s, at "
                        + Format.seconds(b.c().cpuPerRequest().orElse(0)) + " a request. ")
                .orElse("");
    }

    private record Beat(TrialOutcome o, OperatingPoint c) {}
}
