package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.tune.KnobSpace.Dimension;
import dev.fettle.insight.tune.SettingSearch.Proposal;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Trials of the best setting with changes removed: so the winner changes as little as possible, and it is known what
 * each change gives.
 *
 * @param surface the model of these trials
 * @param belief which of them is the best
 */
record KnobAblation(List<SettingTrials> seen, TrialSurface surface, Posterior belief, NoveltyFilter fresh) {
    private static final double GIVES_NOTHING = StrictMath.log(1.01);
    /** What is more likely than not to break a limit, or to fail, is no simpler form of the best. */
    private static final double FEASIBLE = 0.5;

    /** The origin of a trial that measures what one knob gives. */
    /** A smaller pool is worth a trial of its own if it is smaller by this factor. */
    private static final double CLEARLY = 1.3;

    /**
     * The best made simpler, and the best without one of its knobs, alternately and each once; then whichever is left.
     */
    Optional<Proposal> next() {
        Optional<Proposal> first = tried(Origin.SIMPLER) && !tried(Origin.ABLATION) ? ablation() : Optional.empty();
        return first.or(this::simpler).or(this::ablation);
    }

    private boolean tried(Origin origin) {
        return seen.stream().anyMatch(o -> o.origin().equals(origin));
    }

    /**
     * The best with only as many threads as its throughput needs by the default's holding time, once, if that is
     * clearly fewer: then something behind the pool, or the clients, are the limit, and most of the pool waits.
     */
    Optional<Proposal> smallerPool() {
        Optional<SettingTrials> best = belief.best();
        if (best.isEmpty() || tried(Origin.SMALLER)) {
            return Optional.empty();
        }
        OptionalFigure threads = enough();
        OptionalLong now = best.get()
                .inForce(OperatingPoint.THREADS)
                .map(KnobValues::number)
                .orElse(OptionalLong.empty());
        Optional<KnobAxis> axis = pool(best.get().setting());
        if (threads.isEmpty() || now.isEmpty() || axis.isEmpty() || threads.getAsDouble() * CLEARLY > now.getAsLong()) {
            return Optional.empty();
        }
        KnobAxis pool = axis.get();
        Setting left = simplest(best.get().setting(), pool.knob());
        return sized(left, pool, pool.atLeast(threads.getAsDouble()))
                .filter(fresh::allows)
                .map(s -> new Proposal(s, Origin.SMALLER, "the best with as few threads as its throughput needs"));
    }

    /**
     * Threads that the best's throughput needs by the default's holding time, with some to spare. With a full CPU that time is mostly
     * waiting for it. Empty, too, where trials offer rates of their own: what the default's clients could use is no bound then.
     */
    private OptionalFigure enough() {
        return belief.best()
                .filter(_ -> surface.has(SearchPart.LAW) && !PoolSizes.isFull(seen.getFirst()) && !surface.atAnyRate())
                .map(b -> HoldingTimeSearch.enough(seen.getFirst(), Statistics.average(b.throughputs())))
                .orElse(OptionalFigure.empty());
    }

    /** A setting with another size of the pool, without what that size rules out. */
    private Optional<Setting> sized(Setting s, KnobAxis pool, long threads) {
        String size = pool.text(threads);
        return surface.space()
                .possible(s.with(pool.knob(), size).asMap())
                .filter(x -> x.get(pool.knob()).filter(size::equals).isPresent());
    }

    /** The best without the knobs that give next to nothing, and with as few threads as give the same. */
    private Optional<Proposal> simpler() {
        Optional<SettingTrials> best = belief.best();
        if (best.isEmpty()) {
            return Optional.empty();
        }
        Setting full = best.get().setting();
        Setting left = simplest(full, "");
        List<String> gone = surface.space().gone(full, left);
        // not one that was tried already: what it showed of a smaller pool is in the surface
        Optional<Setting> slim = fewerThreads(left).filter(fresh::allows);
        Optional<Setting> next = slim.or(() -> gone.isEmpty() ? Optional.empty() : Optional.of(left));
        var words = new ArrayList<String>();
        if (!gone.isEmpty()) {
            words.add("without " + Format.list(gone, "and") + ", which seems to give nothing");
        }
        if (slim.isPresent()) {
            words.add("with as few threads as seem to give the same");
        }
        return next.filter(fresh::allows)
                .map(s -> new Proposal(s, Origin.SIMPLER, "the best " + String.join(", and ", words)));
    }

    /**
     * A setting without the knobs that can be taken away, one after the other, for a loss of less than 1 % in all by the model.
     *
     * @param kept a knob that stays, whatever it gives
     */
    private Setting simplest(Setting full, String kept) {
        KnobSpace space = surface.space();
        Setting left = full;
        while (true) {
            Setting next = null;
            double loss = GIVES_NOTHING;
            for (Dimension d : space.changed(left)) {
                Optional<Setting> without = d.knob().equals(kept) ? Optional.empty() : space.without(left, d.knob());
                double lost = without.map(s -> lost(full, s)).orElse(Double.POSITIVE_INFINITY);
                if (lost < loss) {
                    loss = lost;
                    next = without.get();
                }
            }
            if (next == null) {
                return left;
            }
            left = next;
        }
    }

    /** What a simpler setting loses by the model, as a logarithm; all, if it probably breaks a limit or fails. */
    private double lost(Setting full, Setting simpler) {
        return surface.feasible(simpler) < FEASIBLE
                ? Double.POSITIVE_INFINITY
                : surface.difference(full, simpler).mean();
    }

    /**
     * The same setting with the smallest pool that loses less than 1 % by the model; empty if that is hardly smaller. A
     * pool that the setting does not change is left alone.
     */
    private Optional<Setting> fewerThreads(Setting full) {
        Optional<KnobAxis> pool = pool(full);
        OptionalLong now =
                full.get(OperatingPoint.THREADS).map(KnobValues::number).orElse(OptionalLong.empty());
        if (pool.isEmpty() || now.isEmpty()) {
            return Optional.empty();
        }
        KnobAxis axis = pool.get();
        // where the law of the pool says how many its throughput takes, the model's word alone is not enough for fewer
        double least = enough().orElse(1);
        Optional<Setting> found = Optional.empty();
        // all the way down: between a small pool that was tried and a large one, the model may sag
        for (double v = now.getAsLong() / HoldingTimeSearch.CLOSE;
                v >= Math.max(Math.max(1, least), axis.from());
                v /= HoldingTimeSearch.CLOSE) {
            long threads = axis.atLeast(v);
            Optional<Setting> s = sized(full, axis, threads);
            if (threads * HoldingTimeSearch.CLOSE <= now.getAsLong() * 1.01
                    && s.isPresent()
                    && lost(full, s.get()) < GIVES_NOTHING) {
                found = s;
            }
        }
        return found;
    }

    /** The size of the worker pool, if a setting changes it. */
    private Optional<KnobAxis> pool(Setting full) {
        return surface.space().changed(full).stream()
                .filter(d -> d.knob().equals(OperatingPoint.THREADS))
                .findFirst()
                .flatMap(Dimension::numbers);
    }

    /** The best without one of its knobs, to measure what that knob gives, with those that can't be set without it. */
    private Optional<Proposal> ablation() {
        Optional<SettingTrials> best = belief.recommended(seen.getFirst());
        KnobSpace space = surface.space();
        List<Dimension> changed = best.map(b -> space.changed(b.setting())).orElse(List.of());
        return changed.size() < 2
                ? Optional.empty()
                : changed.stream()
                        // the pool's size comes last: the law of the pool says much about it without a trial
                        .sorted(Comparator.comparing((Dimension d) -> d.knob().equals(OperatingPoint.THREADS)))
                        .flatMap(d -> space.without(best.get().setting(), d.knob()).stream())
                        .filter(fresh::allows)
                        .map(s -> new Proposal(
                                s,
                                Origin.ABLATION,
                                "the best without "
                                        + Format.list(space.gone(best.get().setting(), s), "and")
                                        + ", to see what that gives"))
                        .findFirst();
    }
}
