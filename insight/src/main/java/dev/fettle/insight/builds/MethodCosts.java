package dev.fettle.insight.builds;

import dev.fettle.insight.GateWhy.Compared;
import dev.fettle.insight.GateWhy.Method;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.KnownMethods;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.StackFrames;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What each method costs a request in the two builds, by profiles of one kind, and which differ.
 *
 * <p>A method's weight is a count of samples, so its variance grows with its mean (quasi-Poisson: McCullagh and Nelder, Generalized Linear
 * Models, 1989, section 6.2). The factor is that of the methods' own scatter between processes of one build, and at least one sample's weight. To that comes by how
 * much the whole figure differs from process to process. The intervals share their error (Bonferroni).
 */
final class MethodCosts {
    /** With fewer samples on one side nothing is compared. */
    private static final int FEWEST_SAMPLES = 50;

    /** Of all cost; what no side spends so much in is not compared. */
    private static final double LEAST_SHARE = 0.003;

    /** Of the lists that are shown. */
    private static final int MOST = 8;

    /** How much a process differs from another of its build at the least, where too few were measured to say. */
    private static final double PROCESS = 0.01;

    private static final String COMPILER = "CompileBroker";
    static final String NO_CALLER = "threads of the JVM, and code of the JDK that no method calls";

    private final Profile.Kind kind;
    private final double process;
    private final List<Map<String, Double>> base;
    private final List<Map<String, Double>> head;
    private final Map<String, Map<String, Double>> callers = new HashMap<>();
    private double sample;

    /**
     * The costs of pairs that have a profile of the kind on both sides.
     *
     * @param process how much the logarithm of the whole figure differs from process to process of one build (deviation)
     */
    MethodCosts(Profile.Kind kind, List<GatePair> recorded, double process) {
        this.kind = kind;
        this.process = Math.max(PROCESS, process);
        var ofBase = new ArrayList<Map<String, Double>>();
        var ofHead = new ArrayList<Map<String, Double>>();
        for (GatePair p : recorded) {
            Optional<Map<String, Double>> one = costs(p.base());
            Optional<Map<String, Double>> other = costs(p.other());
            if (one.isPresent() && other.isPresent()) {
                ofBase.add(one.get());
                ofHead.add(other.get());
            }
        }
        this.base = List.copyOf(ofBase);
        this.head = List.copyOf(ofHead);
    }

    int pairs() {
        return base.size();
    }

    private Optional<Map<String, Double>> costs(TrialOutcome t) {
        OptionalFigure each = perRequest(t);
        return t.evidence().stream()
                .flatMap(e -> e.profiles().stream())
                .filter(p -> p.kind() == kind && each.isPresent())
                .findFirst()
                .flatMap(p -> costs(p, each.getAsDouble()));
    }

    /** The whole cost of a request, in the kind's unit; of waiting for locks the milliseconds that one millisecond of the profile stands for. */
    private OptionalFigure perRequest(TrialOutcome t) {
        return switch (kind) {
            case CPU -> OptionalFigure.from(OperatingPoint.of(t), OperatingPoint::cpuPerRequest);
            case ALLOC -> new GateFigure(GateMetric.ALLOCATION).of(t);
            case LOCK, WALL ->
                OptionalFigure.from(t.measurement().filter(m -> m.responses() > 0), m -> OptionalFigure.of(seconds(m)));
        };
    }

    private static double seconds(Measurement m) {
        return 1e-3 / m.responses();
    }

    private Optional<Map<String, Double>> costs(Profile p, double each) {
        List<String> names = p.frames();
        List<Profile.Stack> stacks = p.stacks().stream()
                .filter(s -> s.frames().stream().noneMatch(f -> names.get(f).contains(COMPILER)))
                .toList();
        double total = stacks.stream().mapToDouble(Profile.Stack::weight).sum();
        double one = stacks.stream().mapToDouble(Profile.Stack::weight).min().orElse(0);
        if (one <= 0 || total < FEWEST_SAMPLES * one) {
            return Optional.empty();
        }
        double factor = kind == Profile.Kind.LOCK || kind == Profile.Kind.WALL ? each : each / total;
        var costs = new HashMap<String, Double>();
        for (Profile.Stack s : stacks) {
            List<String> frames = s.frames().stream().map(names::get).toList();
            int at = StackFrames.caller(frames);
            String method = at < 0 ? NO_CALLER : StackFrames.plain(frames.get(at));
            costs.merge(method, s.weight() * factor, Double::sum);
            KnownMethods.ofProgram(frames)
                    .map(StackFrames::plain)
                    .filter(own -> !own.equals(method))
                    .ifPresent(own -> callers.computeIfAbsent(method, _ -> new HashMap<>())
                            .merge(own, s.weight() * factor, Double::sum));
        }
        sample = Math.max(sample, one * factor);
        return Optional.of(costs);
    }

    /** The methods that cost enough on one side to be compared. */
    private List<String> methods() {
        double least = LEAST_SHARE * Math.max(total(base), total(head));
        var all = new TreeSet<String>();
        Stream.of(base, head).flatMap(List::stream).forEach(m -> all.addAll(m.keySet()));
        return all.stream()
                .filter(m -> Math.max(mean(base, m), mean(head, m)) >= least)
                .toList();
    }

    private static double total(List<Map<String, Double>> side) {
        return side.stream()
                        .flatMap(m -> m.values().stream())
                        .mapToDouble(Double::doubleValue)
                        .sum()
                / Math.max(1, side.size());
    }

    private static double mean(List<Map<String, Double>> side, String method) {
        return side.stream()
                .mapToDouble(m -> m.getOrDefault(method, 0.0))
                .average()
                .orElse(0);
    }

    /** Variance over mean of a method's cost: Pearson's statistic over all methods and both sides, one sample's weight at the least. */
    private double dispersion(List<String> methods) {
        double sum = 0;
        int freedom = 0;
        for (List<Map<String, Double>> side : List.of(base, head)) {
            for (String m : methods) {
                double mean = mean(side, m);
                if (mean > 0 && side.size() > 1) {
                    for (Map<String, Double> one : side) {
                        double off = one.getOrDefault(m, 0.0) - mean;
                        // what processes differ by as a whole has a term of its own
                        sum += off * off / (mean + process * process * mean * mean / sample);
                    }
                    freedom += side.size() - 1;
                }
            }
        }
        return Math.max(sample, freedom == 0 ? 2 * sample : sum / freedom);
    }

    private double deviation(double base, double head, double dispersion) {
        double samples = dispersion * (base + head);
        double processes = process * process * (base * base + head * head);
        return Math.sqrt((samples + processes) / pairs());
    }

    /** Those that differ, the largest difference first. */
    List<Method> changed() {
        List<String> methods = methods();
        double dispersion = dispersion(methods);
        return methods.stream()
                .map(m -> changed(m, dispersion, methods.size()))
                .filter(m -> !m.change().contains(0))
                .sorted(Comparator.comparingDouble(
                                (Method m) -> -Math.abs(m.change().estimate()))
                        .thenComparing(Method::method))
                .limit(MOST)
                .toList();
    }

    private Method changed(String method, double dispersion, int of) {
        double a = mean(base, method);
        double b = mean(head, method);
        double half = quantile(of) * deviation(a, b, dispersion);
        String own = Optional.ofNullable(callers.get(method)).stream()
                .flatMap(c -> c.entrySet().stream())
                .max(Map.Entry.<String, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
        return new Method(
                kind,
                method,
                own,
                a,
                b,
                new Interval(b - a, b - a - half, b - a + half, Statistics.LEVEL, Interval.Method.STUDENT));
    }

    /** The scatter is that of all methods and pairs together. */
    private double quantile(int methods) {
        int freedom = Math.max(2, methods * 2 * Math.max(1, pairs() - 1));
        return Statistics.tQuantile(freedom, 1 - (1 - Statistics.LEVEL) / Math.max(1, methods));
    }

    Compared compared() {
        List<String> methods = methods();
        double hundredth = total(base) / 100;
        return new Compared(
                kind, methods.size(), quantile(methods.size()) * deviation(hundredth, hundredth, dispersion(methods)));
    }
}
