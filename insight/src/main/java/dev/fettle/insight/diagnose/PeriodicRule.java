package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Something that recurs at a fixed interval and slows requests. It shows in slow windows, or in the CPU time of the
 * application's own threads, if requests are slow during its bursts.
 */
final class PeriodicRule {
    private static final long MILLI = 1_000_000L;

    private static final String APP = Signals.CPU_APP;

    /**
     * Threads that may use the CPU in bursts.
     *
     * @param who they are
     * @param of what their signal is a share of
     */
    private record Pulse(String signal, String who, String of) {}

    private static final List<Pulse> PULSES = List.of(
            new Pulse(APP, "threads of the application's own", "a CPU"),
            new Pulse(Signals.CPU_GC, "the collector's threads", "a CPU"),
            new Pulse(Signals.HOST_FOREIGN, "other processes", "the CPUs"));

    private PeriodicRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("periodic-job", PeriodicRule::look).othersCanCauseUnless(PeriodicRule::ownDoing));
    }

    private static double bound(String name) {
        return DiagnosisRule.bound("periodic-job", name);
    }

    /** Whether the target's own threads were seen to do it. */
    static boolean ownDoing(TrialFacts s) {
        return bursts(DiagnosisRule.entry("periodic-job"), s).isPresent() || comesWith(s, APP);
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        List<Measurement.Window> windows = s.measurement()
                .map(m -> m.windows().stream()
                        .filter(Measurement.Window::measured)
                        .toList())
                .orElse(List.of());
        Optional<RuleResult> bursts = bursts(r, s);
        if (windows.size() < 10) {
            return bursts.orElseGet(
                    () -> new RuleResult.NotObserved("ten windows are needed; there are " + windows.size()));
        }
        double[] p99 =
                windows.stream().mapToDouble(Measurement.Window::p99).sorted().toArray();
        // a job may slow half of all windows, so the faster ones show what is usual
        double usual = p99[p99.length / 4];
        double[] starts = starts(
                windows.stream().mapToDouble(Measurement.Window::at).toArray(),
                windows.stream().mapToDouble(Measurement.Window::p99).toArray(),
                v -> v > bound("worse") * usual && v > 20 * MILLI);
        if (starts.length >= bound("repeats") && spread(starts) <= bound("regular") * interval(starts)) {
            OptionalFigure pause = pauseWhenSlow(s);
            if (pause.isPresent() && !comesWith(s, APP)) {
                return new RuleResult.Healthy("the slow windows are those with the collector's pauses, of "
                        + Format.seconds(pause.getAsDouble() / 1e3) + " on average");
            }
            return found(
                    r, s, starts, r.text("windows", "usual", usual, "times", Integer.toString(starts.length)) + " ");
        }
        return bursts.orElseGet(() -> new RuleResult.Healthy(
                starts.length == 0
                        ? "no window stands out"
                        : starts.length < bound("repeats")
                                ? "too few windows stand out"
                                : "windows that stand out come at no interval"));
    }

    /** Regular bursts of the application's own threads that slow requests. */
    private static Optional<RuleResult> bursts(RuleEntry r, TrialFacts s) {
        double[][] both = s.together(Signals.LOAD_P99, APP);
        double[] cpu = both[1];
        if (cpu.length < 2 * bound("repeats")) {
            return Optional.empty();
        }
        double least = DoubleStream.of(cpu).min().orElse(0);
        double most = DoubleStream.of(cpu).max().orElse(0);
        double bound = Math.max(bound("burst"), least + bound("up") * (most - least));
        double[] starts = starts(
                IntStream.range(0, cpu.length)
                        .mapToDouble(i -> i * s.seconds() / cpu.length)
                        .toArray(),
                cpu,
                v -> v >= bound);
        double slow = mean(both[1], both[0], c -> c >= bound);
        double quick = mean(both[1], both[0], c -> c < bound);
        boolean burst = starts.length >= bound("repeats") && most >= bound("above-else") * least;
        if (!burst || spread(starts) > bound("regular-bursts") * interval(starts) || !(slow > bound("felt") * quick)) {
            return Optional.empty();
        }
        return Optional.of(found(
                r,
                s,
                starts,
                r.text(
                                "bursts",
                                "thread",
                                hottest(s),
                                "bound",
                                bound,
                                "times",
                                Integer.toString(starts.length),
                                "slow",
                                slow / 1e3,
                                "quick",
                                quick / 1e3)
                        + " "));
    }

    private static RuleResult found(RuleEntry r, TrialFacts s, double[] starts, String seen) {
        return new FindingBuilder(
                        r, Severity.WARNING, "seen", seen, "interval", interval(starts), "spread", spread(starts))
                .seen(whose(s))
                .seen("at " + DoubleStream.of(starts).mapToObj(Format::seconds).collect(Collectors.joining(", ")))
                .found();
    }

    /** The times at which the values begin to stand out. */
    private static double[] starts(double[] at, double[] values, DoublePredicate standsOut) {
        var starts = new ArrayList<Double>();
        boolean in = false;
        for (int i = 0; i < values.length; i++) {
            boolean out = standsOut.test(values[i]);
            if (out && !in) {
                starts.add(at[i]);
            }
            in = out;
        }
        return starts.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double interval(double... starts) {
        return (starts[starts.length - 1] - starts[0]) / (starts.length - 1);
    }

    /** Standard deviation of the intervals. */
    private static double spread(double... starts) {
        double mean = interval(starts);
        double sum = 0;
        for (int i = 1; i < starts.length; i++) {
            sum += Math.pow(starts[i] - starts[i - 1] - mean, 2) / (starts.length - 1);
        }
        return Math.sqrt(sum);
    }

    /** The hottest thread of the application's own in brackets; the JIT compilers may be hotter. */
    private static String hottest(TrialFacts s) {
        return s.sighted(Sighting.HOTTEST).stream()
                .filter(t -> !t.matches("C[12] Comp.*|VM Thread|GC .*|http.*|qtp.*|XNIO.*|RMI TCP.*"))
                .findFirst()
                .map(t -> " (" + t + ")")
                .orElse("");
    }

    /** The group of threads whose CPU time is clearly higher in slow windows, if there is one. */
    private static Optional<String> whose(TrialFacts s) {
        return PULSES.stream().filter(p -> comesWith(s, p.signal())).findFirst().map(pulse -> {
            double[][] both = s.together(Signals.LOAD_P99, pulse.signal());
            double from = slowFrom(both[0]);
            return pulse.who() + (pulse.signal().equals(APP) ? hottest(s) : "") + " use "
                    + Format.share(mean(both[0], both[1], p -> p > from))
                    + " of " + pulse.of() + " when requests are slow, and "
                    + Format.share(mean(both[0], both[1], p -> p <= from))
                    + " else";
        });
    }

    /** The mean pause in slow windows, in milliseconds, where it is half of their p99 or more, and others have less. */
    private static OptionalFigure pauseWhenSlow(TrialFacts s) {
        double[][] both = s.together(Signals.LOAD_P99, Signals.GC_PAUSE_MAX);
        double from = slowFrom(both[0]);
        double slow = mean(both[0], both[1], p -> p > from);
        double quick = mean(both[0], both[1], p -> p <= from);
        double p99 = mean(both[0], both[0], p -> p > from);
        return slow > 0 && slow >= p99 / 2 && slow > quick ? OptionalFigure.of(slow) : OptionalFigure.empty();
    }

    /** Whether a group of threads clearly uses more CPU time in slow windows than in others. */
    private static boolean comesWith(TrialFacts s, String cpu) {
        double[][] both = s.together(Signals.LOAD_P99, cpu);
        double from = slowFrom(both[0]);
        double slow = mean(both[0], both[1], p -> p > from);
        double quick = mean(both[0], both[1], p -> p <= from);
        return slow > quick + 0.1 && slow > 1.5 * quick;
    }

    private static double slowFrom(double... p99) {
        double[] sorted = p99.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : bound("worse") * sorted[sorted.length / 4];
    }

    /** Mean of the second series over the points where the first matches. */
    private static double mean(double[] where, double[] of, DoublePredicate so) {
        double sum = 0;
        int n = 0;
        for (int i = 0; i < where.length; i++) {
            if (so.test(where[i])) {
                sum += of[i];
                n++;
            }
        }
        return n == 0 ? Double.NaN : sum / n;
    }
}
