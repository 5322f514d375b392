package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Something that recurs at a fixed interval and slows requests. It shows in slow windows, or in the CPU time of the
 * application's own threads, if requests are slow during its bursts.
 */
final class PeriodicRule {
    static final String ID = "periodic-job";

    private static final long MILLI = 1_000_000L;

    /** Windows worse than usual by this factor belong to a job. */
    private static final double WORSE = 2.5;

    /** Fewer slow stretches or bursts are not a pattern. */
    private static final int REPEATS = 4;

    /**
     * Largest coefficient of variation of the intervals (standard deviation over mean) that counts as regular. Noise
     * alone (lognormal with a deviation of 0.5 to 1.2, twenty windows) is as regular in 1 to 6 % of the runs; a job of
     * 0.4 s every 1.5 to 2.3 s in 85 % and more.
     */
    private static final double REGULAR = 0.15;

    /**
     * The same for bursts of CPU time, which is only read once or twice a second: half a point in a period of two
     * seconds.
     */
    private static final double REGULAR_BURSTS = 0.25;

    /**
     * Least CPU use of a burst by threads other than workers, in CPUs, over the second or so between two reads. Timers
     * of servers use a hundredth.
     */
    private static final double BURST = 0.1;

    /**
     * A burst starts this share of the way from the lowest to the highest value; a read that covers only part of a
     * burst is lower.
     */
    private static final double UP = 0.25;

    /** Bursts stand out if the highest value is this multiple of the lowest. */
    private static final double ABOVE_ELSE = 5;

    /** p99 during bursts over p99 otherwise, from which on requests feel them. */
    private static final double FELT = 1.25;

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

    static List<Rule> rules() {
        return List.of(new Rule(
                        ID,
                        Stage.TAIL,
                        "something that comes back at the same interval",
                        REPEATS + " times or more a p99 of " + Say.about(WORSE)
                                + " times the usual, evenly apart (spread "
                                + Say.share(REGULAR)
                                + ": simulated noise alone is as even in 1 to 6 % of the runs); or "
                                + REPEATS + " bursts of the application's own threads, " + Say.share(BURST)
                                + " of a CPU or more and evenly apart (spread " + Say.share(REGULAR_BURSTS)
                                + "), with a p99 of " + Say.about(FELT) + " times the usual",
                        List.of(
                                HeapRules.EXPLICIT_GC,
                                HeapRules.HEAP_SMALL,
                                TimeRules.PAUSES,
                                TimeRules.DNS,
                                TimeRules.TIME_OUTS),
                        PeriodicRule::look)
                .shownBy(Signals.LOAD_P99, Signals.CPU_APP, Signals.HOST_FOREIGN));
    }

    /** Whether the target's own threads were seen to do it. */
    static boolean ownDoing(TrialFacts s) {
        return bursts(s).isPresent() || comesWith(s, APP);
    }

    private static RuleResult look(TrialFacts s) {
        List<Measurement.Window> windows = s.measurement()
                .map(m -> m.windows().stream()
                        .filter(Measurement.Window::measured)
                        .toList())
                .orElse(List.of());
        Optional<RuleResult> bursts = bursts(s);
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
                v -> v > WORSE * usual && v > 20 * MILLI);
        if (starts.length >= REPEATS && spread(starts) <= REGULAR * interval(starts)) {
            OptionalFigure pause = pauseWhenSlow(s);
            if (pause.isPresent() && !comesWith(s, APP)) {
                return new RuleResult.Healthy("the slow windows are those with the collector's pauses, of "
                        + Say.seconds(pause.getAsDouble() / 1e3) + " on average");
            }
            return found(
                    s,
                    starts,
                    "p99 is " + Say.nanos(usual) + " as a rule and more than " + WORSE + " times that " + starts.length
                            + " times, ");
        }
        return bursts.orElseGet(() -> new RuleResult.Healthy(
                starts.length == 0
                        ? "no window stands out"
                        : starts.length < REPEATS
                                ? "too few windows stand out"
                                : "windows that stand out come at no interval"));
    }

    /** Regular bursts of the application's own threads that slow requests. */
    private static Optional<RuleResult> bursts(TrialFacts s) {
        double[][] both = s.together(Signals.LOAD_P99, APP);
        double[] cpu = both[1];
        if (cpu.length < 2 * REPEATS) {
            return Optional.empty();
        }
        double least = DoubleStream.of(cpu).min().orElse(0);
        double most = DoubleStream.of(cpu).max().orElse(0);
        double bound = Math.max(BURST, least + UP * (most - least));
        double[] starts = starts(
                IntStream.range(0, cpu.length)
                        .mapToDouble(i -> i * s.seconds() / cpu.length)
                        .toArray(),
                cpu,
                v -> v >= bound);
        double slow = mean(both[1], both[0], c -> c >= bound);
        double quick = mean(both[1], both[0], c -> c < bound);
        boolean burst = starts.length >= REPEATS && most >= ABOVE_ELSE * least;
        if (!burst || spread(starts) > REGULAR_BURSTS * interval(starts) || !(slow > FELT * quick)) {
            return Optional.empty();
        }
        return Optional.of(found(
                s,
                starts,
                "Threads of the application's own" + hottest(s) + " take " + Say.percent(bound) + " of a CPU and more "
                        + starts.length
                        + " times, and p99 is " + Say.seconds(slow / 1e3) + " then and " + Say.seconds(quick / 1e3)
                        + " else; "));
    }

    private static RuleResult found(TrialFacts s, double[] starts, String what) {
        return new FindingBuilder(
                        ID,
                        Severity.WARNING,
                        "Something comes back every " + Say.seconds(interval(starts)) + " and slows requests",
                        what + Say.seconds(interval(starts)) + " apart (± " + Say.seconds(spread(starts)) + ").")
                .seen(whose(s))
                .seen("at "
                        + DoubleStream.of(starts)
                                .mapToObj(Say::seconds)
                                .reduce((a, b) -> a + ", " + b)
                                .orElse(""))
                .remedy(
                        "Find what runs at that interval (a scheduled job, a flush, a cache that expires as a whole) and spread"
                                + " it out or take it off this machine")
                .refutedBy("The same load with the job switched off has the same peaks.")
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
                    + Say.percent(mean(both[0], both[1], p -> p > from))
                    + " of " + pulse.of() + " when requests are slow, and "
                    + Say.percent(mean(both[0], both[1], p -> p <= from))
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
        return sorted.length == 0 ? 0 : WORSE * sorted[sorted.length / 4];
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
