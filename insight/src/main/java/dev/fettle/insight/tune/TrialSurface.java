package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.surface.Point;
import dev.fettle.insight.surface.Prediction;
import dev.fettle.insight.surface.Sample;
import dev.fettle.insight.surface.Surface;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A model of all settings from trials: how good each one is, and whether it meets the limits and runs without a
 * failure.
 */
final class TrialSurface implements Posterior.Model {
    /** Distances from the limit (log scale) are clamped to this. */
    private static final double FAR = 1;
    /** Prior mean of the distance from the limit: an unknown setting is assumed to meet it. */
    private static final double HOPE = -0.5;
    /** Deviation of that: failures in one region are to say little of the others. */
    private static final double HOPE_SPREAD = 0.25;

    private static final double LIMIT_SIGMA = 0.1;
    /**
     * Least deviation of a score that is known only to lie between what was measured when the trial was ended early, and what it
     * would have given at best. The model takes the middle, with half the distance as a deviation.
     */
    private static final double CENSORED = 0.05;

    private final KnobSpace space;
    private final Set<SearchPart> parts;
    private final Scoring scoring;
    private final Optional<ThreadLaw> law;
    private final Optional<Surface> objective;
    private final Optional<Surface> reserved;
    private final Optional<Surface> limits;
    private final double level;
    private final boolean atAnyRate;

    TrialSurface(Plan plan, Scoring scoring, List<SettingTrials> seen, Set<SearchPart> parts) {
        this.parts = parts;
        this.atAnyRate = HoldingTimeSearch.atAnyRate(plan);
        this.space = new KnobSpace(plan, seen.getFirst());
        this.scoring = scoring;
        // what a process uses does not follow from how many requests its threads can hold
        this.law = scoring.objective().metric().ofProcess() || !has(SearchPart.LAW)
                ? Optional.empty()
                : ThreadLaw.of(plan, seen.getFirst());
        var noise = new Noise();
        var values = new ArrayList<Sample>();
        var feasible = new ArrayList<Sample>();
        double now = 0;
        for (SettingTrials o : seen) {
            Point at = space.at(o);
            // what failed has no ordinal: it came after the one before
            now = o.valid().isEmpty() ? now + 1 : o.valid().getFirst().ordinal();
            if (scoring.measured(o)) {
                noise.add(scoring.of(o));
                for (TrialOutcome t : o.valid()) {
                    o.score(t, scoring.figure())
                            .ifPresent(score -> values.add(new Sample(at, score, expected(o.setting()), t.ordinal())));
                }
            }
            if (o.worse() && scoring.atBest(o).isPresent()) {
                TrialOutcome t = o.early().orElseThrow();
                double most = scoring.atBest(o).getAsDouble();
                double least = scoring.figure().score(t).orElse(most);
                double blur = Math.max(CENSORED, Math.abs(most - least) / 2);
                values.add(new Sample(at, (most + least) / 2, expected(o.setting()), t.ordinal(), blur));
            }
            OptionalFigure beyond = beyond(o);
            if (beyond.isPresent()) {
                feasible.add(new Sample(at, beyond.getAsDouble() - HOPE, 0, now));
            }
        }
        this.objective = values.isEmpty()
                ? Optional.empty()
                : Optional.of(Surface.fit(space.axes(), values, noise.sigma(), has(SearchPart.PAIRS)));
        this.reserved = objective.map(Surface::likeliest);
        // all alike: nothing to learn from
        boolean some = has(SearchPart.LIMITS) && feasible.stream().anyMatch(s -> s.value() + HOPE > -FAR);
        this.limits = some
                ? Optional.of(
                        Surface.aroundZero(space.axes(), feasible, LIMIT_SIGMA, HOPE_SPREAD, has(SearchPart.PAIRS)))
                : Optional.empty();
        this.level = -HOPE;
    }

    /** How far beyond the limits a setting was, on the log scale; negative within them; empty if unknown. */
    private OptionalFigure beyond(SettingTrials o) {
        if (o.failure().isPresent() && o.ignored().isEmpty()) {
            return OptionalFigure.of(FAR);
        }
        if (o.valid().isEmpty() || o.otherAnswers().isPresent()) {
            return OptionalFigure.empty();
        }
        if (o.errorShare() > scoring.objective().errorsAtMost() || scoring.hopeless(o)) {
            return OptionalFigure.of(FAR);
        }
        return OptionalFigure.of(Math.clamp(scoring.beyondLatencies(o).orElse(-FAR), -FAR, FAR));
    }

    /** Whether the search that it is for has a part. */
    boolean has(SearchPart part) {
        return parts.contains(part);
    }

    /** Whether trials offer rates of their own. */
    boolean atAnyRate() {
        return atAnyRate;
    }

    KnobSpace space() {
        return space;
    }

    /** By the law of the pool, which on another server has another size where the setting does not set it. */
    private double expected(Setting s) {
        return law.map(l -> l.expected(space.value(OperatingPoint.THREADS, s)
                        .map(threads -> s.with(OperatingPoint.THREADS, threads))
                        .orElse(s)))
                .orElse(0.0);
    }

    /** The estimated score of a setting; used for those that were tried, too, as a single trial is part luck. */
    Prediction guess(Setting s) {
        return objective.map(o -> o.at(space.at(s), expected(s))).orElse(new Prediction(0, 1));
    }

    /** The estimated score of a setting that was tried, for what to try next. */
    double estimate(SettingTrials o) {
        return mean(objective, o);
    }

    /** The same for what to choose: with the most probable scales alone, which make less of luck. So are differences. */
    @Override
    public double mean(SettingTrials o) {
        return mean(reserved, o);
    }

    private double mean(Optional<Surface> by, SettingTrials o) {
        return by.map(s -> s.at(space.at(o), expected(o.setting())).mean()).orElse(0.0);
    }

    @Override
    public Prediction difference(SettingTrials o, SettingTrials than) {
        return difference(space.at(o), o.setting(), space.at(than), than.setting());
    }

    /** The score of one setting less that of another. */
    Prediction difference(Setting a, Setting b) {
        return difference(space.at(a), a, space.at(b), b);
    }

    private Prediction difference(Point atA, Setting a, Point atB, Setting b) {
        return reserved.map(s -> s.difference(atA, expected(a), atB, expected(b)))
                .orElse(new Prediction(0, 1));
    }

    /** The probability that a setting runs and meets the limits. */
    double feasible(Setting s) {
        return limits.map(l -> l.at(space.at(s), 0).chanceBelow(level)).orElse(1.0);
    }

    double sigma() {
        return objective.map(Surface::sigma).orElse(0.03);
    }

    /**
     * The law of the pool: m threads, each held for R seconds by a request, give at most m / R, and no more than the
     * ceilings of the CPU and, where trials offer no rates of their own, the clients.
     */
    record ThreadLaw(double leased, double holding, double ceiling, double own) {

        /** Only from a trial whose CPU was not full; else the holding time includes waiting for the CPU. */
        static Optional<ThreadLaw> of(Plan plan, SettingTrials base) {
            Optional<TrialOutcome> first = base.valid().stream().findFirst();
            Optional<OperatingPoint> point = first.flatMap(OperatingPoint::of);
            if (point.isEmpty()
                    || point.get().offered().isPresent()
                    || point.get().holding().isEmpty()
                    || point.get().utilisation().orElse(1) >= OperatingPoint.CPU_FULL) {
                return Optional.empty();
            }
            OperatingPoint p = point.get();
            double ceiling = Math.min(
                    p.cpuCeiling().orElse(Double.POSITIVE_INFINITY),
                    HoldingTimeSearch.atAnyRate(plan)
                            ? Double.POSITIVE_INFINITY
                            : p.clientCeiling().orElse(Double.POSITIVE_INFINITY));
            OptionalLong own =
                    base.inForce(OperatingPoint.THREADS).map(KnobValues::number).orElse(OptionalLong.empty());
            return own.isEmpty() || Double.isInfinite(ceiling) || p.holding().getAsDouble() <= 0
                    ? Optional.empty()
                    : Optional.of(
                            new ThreadLaw(p.leased(), p.holding().getAsDouble(), ceiling, (double) own.getAsLong()));
        }

        /** The logarithm of the throughput that the law expects; virtual threads count as unlimited. */
        double expected(Setting s) {
            if (s.get(OperatingPoint.VIRTUAL).filter("true"::equals).isPresent()) {
                return StrictMath.log(ceiling);
            }
            OptionalLong set =
                    s.get(OperatingPoint.THREADS).map(KnobValues::number).orElse(OptionalLong.empty());
            double threads = Math.max(1, (set.isPresent() ? set.getAsLong() : own) - leased);
            return StrictMath.log(Math.min(threads / holding, ceiling));
        }
    }
}
