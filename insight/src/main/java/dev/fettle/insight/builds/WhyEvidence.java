package dev.fettle.insight.builds;

import dev.fettle.insight.Finding;
import dev.fettle.insight.GateWhy;
import dev.fettle.insight.GateWhy.Compared;
import dev.fettle.insight.GateWhy.Figure;
import dev.fettle.insight.GateWhy.Found;
import dev.fettle.insight.GateWhy.Method;
import dev.fettle.insight.GateWhy.Warning;
import dev.fettle.insight.diagnose.Diagnosis;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the difference of two builds lies: of the pairs that decided what needs no recording, of those recorded afterwards the methods. */
final class WhyEvidence {
    private static final List<Profile.Kind> KINDS = List.of(Profile.Kind.CPU, Profile.Kind.ALLOC, Profile.Kind.LOCK);

    /** Found in so many of a side's trials, and in fewer than that many of the other's. */
    private static final double MOSTLY = 2.0 / 3;

    private static final double RARELY = 1.0 / 3;
    private static final int MOST_WARNINGS = 10;

    private final List<GatePair> decided;
    private final List<GatePair> recorded;

    /**
     * Evidence of both.
     *
     * @param decided the pairs of base and head that decided
     */
    WhyEvidence(List<GatePair> decided, List<GatePair> recorded) {
        this.decided = decided.stream().filter(GatePair::counts).toList();
        this.recorded = recorded.stream().filter(GatePair::counts).toList();
    }

    GateWhy why() {
        var methods = new ArrayList<Method>();
        var compared = new ArrayList<Compared>();
        int pairs = 0;
        for (Profile.Kind kind : KINDS) {
            var costs = new MethodCosts(kind, recorded, processes(kind));
            if (costs.pairs() > 0) {
                methods.addAll(costs.changed());
                compared.add(costs.compared());
                pairs = Math.max(pairs, costs.pairs());
            }
        }
        return new GateWhy(pairs, methods, compared, figures(), found(), warnings());
    }

    /** How much a process differs from another by the whole figure: a pair's ratio has the differences of two. */
    private double processes(Profile.Kind kind) {
        GateMetric metric = kind == Profile.Kind.ALLOC ? GateMetric.ALLOCATION : GateMetric.CPU;
        double[] losses = decided.stream()
                .map(p -> p.loss(metric))
                .flatMapToDouble(OptionalFigure::stream)
                .toArray();
        return Statistics.deviation(losses) / Math.sqrt(2);
    }

    // -- figures that need no recording

    /**
     * What a request has of something, in seconds or as a count.
     *
     * @param of of a trial and its served requests per second
     */
    private record Asked(String what, String unit, Function<TrialOutcome, OptionalFigure> of) {}

    private static final List<Asked> ASKED = List.of(
            waiting("waiting for locks", Signals.WAIT_LOCK),
            waiting("waiting for a connection of a pool", Signals.WAIT_POOL),
            waiting("waiting for another service", Signals.WAIT_SOCKET),
            waiting("waiting for files", Signals.WAIT_FILE),
            waiting("sleeping", Signals.WAIT_SLEEP),
            waiting("waiting for a worker", Signals.WORKERS_QUEUED),
            new Asked("CPU time of the garbage collector", "s", t -> perSecond(t, Signals.CPU_GC)),
            new Asked("pauses of the garbage collector", "s", WhyEvidence::pauses),
            new Asked("collections", "", t -> perSecond(t, Signals.GC_COUNT)),
            new Asked("times that a thread had to wait", "", t -> perSecond(t, Signals.CTXT_VOLUNTARY)));

    /** Little's law: the threads that wait, over the requests a second. */
    private static Asked waiting(String what, String signal) {
        return new Asked(what, "s", t -> perSecond(t, signal));
    }

    private static OptionalFigure perSecond(TrialOutcome t, String signal) {
        return OptionalFigure.from(t.evidence(), e -> e.timeline().mean(signal)).with(served(t), (v, x) -> v / x);
    }

    private static OptionalFigure pauses(TrialOutcome t) {
        OptionalFigure requests = OptionalFigure.from(
                t.measurement().filter(m -> m.responses() > 0), m -> OptionalFigure.of(m.responses()));
        return OptionalFigure.from(t.evidence(), e -> e.get(Aggregate.GC_MILLIS))
                .with(requests, (ms, n) -> ms / 1e3 / n);
    }

    private static OptionalFigure served(TrialOutcome t) {
        return OptionalFigure.from(
                t.measurement().filter(m -> m.throughput() > 0), m -> OptionalFigure.of(m.throughput()));
    }

    private List<Figure> figures() {
        return ASKED.stream().flatMap(a -> figure(a).stream()).toList();
    }

    /** Those whose interval excludes no difference; the intervals share their error. */
    private Optional<Figure> figure(Asked asked) {
        var base = new ArrayList<Double>();
        var head = new ArrayList<Double>();
        for (GatePair p : decided) {
            OptionalFigure a = asked.of().apply(p.base());
            OptionalFigure b = asked.of().apply(p.other());
            if (a.isPresent() && b.isPresent()) {
                base.add(a.getAsDouble());
                head.add(b.getAsDouble());
            }
        }
        double[] differences = new double[base.size()];
        Arrays.setAll(differences, i -> head.get(i) - base.get(i));
        if (differences.length < GateEvidence.LEAST_PAIRS) {
            return Optional.empty();
        }
        Interval change = Statistics.mean(differences, 1 - (1 - Statistics.LEVEL) / ASKED.size());
        boolean differs = Statistics.deviation(differences) > 0 && change.bounded() && !change.contains(0);
        return differs
                ? Optional.of(new Figure(asked.what(), asked.unit(), mean(base), mean(head), change))
                : Optional.empty();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    // -- the two diagnoses

    private record Diagnosed(Diagnosis diagnosis, Map<String, Finding> byTitle) {
        static Diagnosed of(TrialOutcome t) {
            Diagnosis d = Diagnosis.of(t);
            var titles = new LinkedHashMap<String, Finding>();
            d.findings().forEach(f -> titles.putIfAbsent(key(f), f));
            return new Diagnosed(d, titles);
        }

        /** A rule's findings about other methods or locks are other findings; figures in a title are not. */
        static String key(Finding f) {
            return f.rule() + " " + f.title().replaceAll("[0-9]", "");
        }

        boolean looked(String rule) {
            return diagnosis.notObserved().stream().noneMatch(n -> n.rule().equals(rule));
        }
    }

    private List<Found> found() {
        List<GatePair> all = Stream.concat(decided.stream(), recorded.stream()).toList();
        List<Diagnosed> base = all.stream().map(p -> Diagnosed.of(p.base())).toList();
        List<Diagnosed> head = all.stream().map(p -> Diagnosed.of(p.other())).toList();
        return Stream.concat(found(head, base, true).stream(), found(base, head, false).stream())
                .toList();
    }

    private static List<Found> found(List<Diagnosed> of, List<Diagnosed> other, boolean head) {
        var keys = new LinkedHashMap<String, Finding>();
        of.forEach(d -> keys.putAll(d.byTitle()));
        return keys.entrySet().stream()
                .map(e -> {
                    String rule = e.getValue().rule();
                    return new Found(
                            rule,
                            e.getValue().title(),
                            e.getValue().sentence(),
                            head,
                            count(of, e.getKey()),
                            looked(of, rule),
                            count(other, e.getKey()),
                            looked(other, rule));
                })
                .filter(f -> f.of() >= 2 && f.otherOf() >= 2)
                .filter(f -> f.in() >= MOSTLY * f.of() && f.otherIn() <= RARELY * f.otherOf())
                .toList();
    }

    private static int count(List<Diagnosed> of, String key) {
        return (int) of.stream().filter(d -> d.byTitle().containsKey(key)).count();
    }

    private static int looked(List<Diagnosed> of, String rule) {
        return (int) of.stream().filter(d -> d.looked(rule)).count();
    }

    // -- what the head's output warns of

    private List<Warning> warnings() {
        Set<String> known = new LinkedHashSet<>();
        recorded.forEach(p -> warnings(p.base()).forEach(w -> known.add(w.what())));
        int heads = recorded.size();
        Map<String, Double> times = recorded.stream()
                .flatMap(p -> warnings(p.other()).stream())
                .filter(w -> !known.contains(w.what()))
                .collect(Collectors.groupingBy(
                        Sighting::what, LinkedHashMap::new, Collectors.summingDouble(Sighting::count)));
        return times.entrySet().stream()
                .map(e -> new Warning(e.getKey(), e.getValue() / heads))
                .sorted(Comparator.comparingDouble((Warning w) -> -w.times()))
                .limit(MOST_WARNINGS)
                .toList();
    }

    private static List<Sighting> warnings(TrialOutcome t) {
        return t.evidence().stream()
                .flatMap(e -> e.timeline().sightings().stream())
                .filter(s -> s.kind().equals(Sighting.LOG_WARNING))
                .toList();
    }
}
