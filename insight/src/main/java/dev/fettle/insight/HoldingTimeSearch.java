package dev.fettle.insight;

import dev.fettle.model.Constraints;
import dev.fettle.model.Evidence;
import dev.fettle.model.KnobRange;
import dev.fettle.model.Plan;
import dev.fettle.model.Setting;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A search that lets the laws choose the first point.
 *
 * <ol>
 *   <li>The size of the worker pool from the default's holding time and CPU per request (see {@link
 *       Capacity#threadsNeeded}); where that is unknown, log-spaced over the range.
 *   <li>A neighbour on both sides of the best pool size, at a factor of two or halfway (in logarithms) to what is known,
 *       as long as that moves the best.
 *   <li>Every other value of every other knob once, from the best so far.
 *   <li>Closer neighbours of the best, on every interval.
 * </ol>
 *
 * <p>A setting that breaks a constraint of the server is never proposed, nor one that was seen.
 */
public final class HoldingTimeSearch implements Search {
    /** Among settings within this (log) difference the one with fewer threads is the better one. */
    private static final double KNEE = 0.01;

    private static final int SPREAD = 5;

    private final Plan plan;
    private final Scoring scoring;

    /** A search over a plan's knobs. */
    public HoldingTimeSearch(Plan plan) {
        this.plan = plan;
        this.scoring = new Scoring(plan.objective());
    }

    @Override
    public Optional<Proposal> ask(List<Observation> seen) {
        if (seen.isEmpty() || plan.knobs().isEmpty()) {
            return Optional.empty();
        }
        Optional<KnobAxis> threads = plan.knobs().stream()
                .filter(k -> k.knob().equals(Capacity.THREADS))
                .findFirst()
                .flatMap(KnobAxis::of);
        Optional<Proposal> next = threads.flatMap(axis -> first(axis, seen));
        if (next.isEmpty()) {
            next = threads.flatMap(axis -> neighbour(axis, seen, 2));
        }
        if (next.isEmpty()) {
            next = oneKnob(seen);
        }
        for (KnobRange knob : plan.knobs()) {
            if (next.isEmpty()) {
                next = KnobAxis.of(knob).flatMap(axis -> neighbour(axis, seen, Math.sqrt(2)));
            }
        }
        return next;
    }

    private Optional<Proposal> first(KnobAxis axis, List<Observation> seen) {
        Observation base = seen.getFirst();
        Optional<Capacity> c = base.valid().isEmpty()
                ? Optional.empty()
                : Capacity.of(base.valid().getFirst());
        OptionalDouble needed = c.map(HoldingTimeSearch::predicted).orElse(OptionalDouble.empty());
        if (needed.isPresent()) {
            long threads = axis.nearest(needed.getAsDouble());
            if (near(axis, seen, threads)) {
                return Optional.empty();
            }
            Setting s = plan.hold().with(axis.knob(), axis.text(threads));
            return fresh(seen, s, "prediction", "predicted from holding time and CPU");
        }
        double top = Math.max(axis.from(), Math.min(axis.to(), 1.5 * plan.load().atOnce()));
        // middle first, then outwards
        for (double share : new double[] {0.5, 0.75, 0.25, 1, 0}) {
            double v = axis.from() * Math.pow(top / Math.max(1, axis.from()), share);
            Setting s = plan.hold().with(axis.knob(), axis.text(axis.nearest(v)));
            Optional<Proposal> p = fresh(seen, s, "log-spaced", "log-spaced over the range of " + axis.knob());
            if (p.isPresent() && spread(seen) < SPREAD) {
                return p;
            }
        }
        return Optional.empty();
    }

    private static long spread(List<Observation> seen) {
        return seen.stream().filter(o -> o.origin().equals("log-spaced")).count();
    }

    /**
     * The pool size to try first. When the CPU is full already the holding time is mostly waiting for the CPU and says nothing
     * about the threads needed; then twice the cores, which keeps the CPU busy if a request hardly waits.
     */
    private static OptionalDouble predicted(Capacity c) {
        return c.utilisation().orElse(0) >= Explainer.CPU_FULL
                ? OptionalDouble.of(2.0 * c.cores() + c.leased())
                : c.threadsNeeded();
    }

    private boolean near(KnobAxis axis, List<Observation> seen, long value) {
        return line(axis, seen, plan.hold()).keySet().stream()
                .anyMatch(v -> Math.abs(Math.log((double) v / value)) < 0.1);
    }

    /** The best setting, with fewer threads where it makes no difference. */
    private Observation best(List<Observation> seen) {
        double top = seen.stream().mapToDouble(scoring::rank).max().orElse(0);
        return seen.stream()
                .filter(o -> scoring.rank(o) >= top - KNEE)
                .min(Comparator.comparingLong(HoldingTimeSearch::threads))
                .orElse(seen.getFirst());
    }

    private static long threads(Observation o) {
        return o.inForce(Capacity.THREADS)
                .map(Values::number)
                .orElse(OptionalLong.empty())
                .orElse(Long.MAX_VALUE);
    }

    private Optional<Proposal> neighbour(KnobAxis axis, List<Observation> seen, double factor) {
        Observation best = best(seen);
        TreeMap<Long, Observation> line = line(axis, seen, best.setting());
        Optional<Long> at = line.entrySet().stream()
                .filter(e -> e.getValue() == best)
                .map(Map.Entry::getKey)
                .findFirst();
        if (at.isEmpty() || at.get() <= 0) {
            return Optional.empty();
        }
        double x = at.get();
        double top = axis.knob().equals(Capacity.THREADS) ? usefulThreads(axis, best) : axis.to();
        Long above = line.higherKey(at.get());
        Long below = line.lowerKey(at.get());
        double up = above == null ? Math.min(x * factor, top) : above > x * factor * 1.2 ? Math.sqrt(x * above) : x;
        double down =
                below == null ? Math.max(x / factor, axis.from()) : below < x / factor / 1.2 ? Math.sqrt(x * below) : x;
        for (double v : new double[] {up, down}) {
            long value = axis.nearest(v);
            if (value >= x * 1.12 || value <= x / 1.12) {
                Setting s = best.setting().with(axis.knob(), axis.text(value));
                Optional<Proposal> p = fresh(
                        seen, s, "neighbour", axis.knob() + (value > x ? " above " : " below ") + "the best so far");
                if (p.isPresent()) {
                    return p;
                }
            }
        }
        return Optional.empty();
    }

    /** Beyond one thread a client (and the leased ones) a closed load can't use any. */
    private double usefulThreads(KnobAxis axis, Observation o) {
        int leased = o.valid().isEmpty()
                ? 0
                : Capacity.of(o.valid().getFirst()).map(Capacity::leased).orElse(0);
        return Math.max(axis.from(), Math.min(axis.to(), plan.load().atOnce() + leased));
    }

    /** What is known along one knob, all other knobs as in a setting. */
    private TreeMap<Long, Observation> line(KnobAxis axis, List<Observation> seen, Setting through) {
        var line = new TreeMap<Long, Observation>();
        for (Observation o : seen) {
            if (others(o.setting(), axis.knob()).equals(others(through, axis.knob()))) {
                o.inForce(axis.knob())
                        .map(axis::number)
                        .filter(OptionalLong::isPresent)
                        .ifPresent(v -> line.putIfAbsent(v.getAsLong(), o));
            }
        }
        return line;
    }

    private static Map<String, String> others(Setting s, String knob) {
        var copy = new TreeMap<>(s.asMap());
        copy.remove(knob);
        return copy;
    }

    private Optional<Proposal> oneKnob(List<Observation> seen) {
        Observation best = best(seen);
        for (KnobRange range : plan.knobs()) {
            if (range.knob().equals(Capacity.THREADS) && KnobAxis.of(range).isPresent()) {
                continue;
            }
            for (String value : KnobAxis.values(range)) {
                boolean tried = seen.stream()
                        .anyMatch(o -> o.inForce(range.knob())
                                .filter(v -> Values.same(v, value))
                                .isPresent());
                Optional<Proposal> p = tried
                        ? Optional.empty()
                        : fresh(
                                seen,
                                best.setting().with(range.knob(), value),
                                "one knob",
                                range.knob() + "=" + value + " on the best so far");
                if (p.isPresent()) {
                    return p;
                }
            }
        }
        return Optional.empty();
    }

    /** A proposal unless the setting was seen or can't work. */
    private Optional<Proposal> fresh(List<Observation> seen, Setting s, String origin, String why) {
        boolean known = seen.stream().anyMatch(o -> o.setting().equals(s) || effectively(o, s));
        return known || !possible(s, seen.getFirst()) ? Optional.empty() : Optional.of(new Proposal(s, origin, why));
    }

    /** Whether a setting only spells out what was in force in the default's trial. */
    private boolean effectively(Observation o, Setting s) {
        return o.setting().equals(plan.hold())
                && s.values().entrySet().stream()
                        .allMatch(e -> o.inForce(e.getKey())
                                .filter(v -> Values.same(v, e.getValue()))
                                .isPresent());
    }

    private boolean possible(Setting s, Observation base) {
        int cpus = base.valid().isEmpty()
                ? 1
                : base.valid().getFirst().evidence().map(Evidence::serverCpus).orElse(1);
        return Constraints.check(plan.target(), s, Math.max(1, cpus), Integer.MAX_VALUE)
                .isEmpty();
    }
}
