package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.tune.KnobSpace.Dimension;
import dev.fettle.insight.tune.SettingSearch.Proposal;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Trials of the best setting with changes removed: so the winner changes as little as possible, and it is known what
 * each change gives.
 *
 * @param surface the model of these trials
 * @param belief which of them is the best
 */
record TakenAway(List<SettingTrials> seen, TrialSurface surface, Posterior belief, Fresh fresh) {
    private static final double GIVES_NOTHING = StrictMath.log(1.01);
    private static final String SMALLER = "smaller";
    private static final String SIMPLER = "simpler";
    /** The origin of a trial that measures what one knob gives. */
    static final String ABLATION = "ablation";
    /** A smaller pool is worth a trial of its own if it is smaller by this factor. */
    private static final double CLEARLY = 1.3;

    /**
     * The best made simpler, and the best without one of its knobs, alternately and each once; then whichever is left.
     */
    Optional<Proposal> next() {
        Optional<Proposal> first = tried(SIMPLER) && !tried(ABLATION) ? ablation() : Optional.empty();
        return first.or(this::simpler).or(this::ablation);
    }

    private boolean tried(String origin) {
        return seen.stream().anyMatch(o -> o.origin().equals(origin));
    }

    /**
     * The best with only as many threads as its throughput needs by the default's holding time, once, if that is
     * clearly fewer: then something behind the pool, or the clients, are the limit, and most of the pool waits.
     */
    Optional<Proposal> smallerPool() {
        Optional<SettingTrials> best = belief.best();
        if (best.isEmpty() || tried(SMALLER)) {
            return Optional.empty();
        }
        OptionalDouble threads = HoldingTimeSearch.enough(
                seen.getFirst(), Statistics.average(best.get().throughputs()));
        OptionalLong now = best.get()
                .inForce(OperatingPoint.THREADS)
                .map(KnobValues::number)
                .orElse(OptionalLong.empty());
        Optional<KnobAxis> axis = pool(best.get().setting());
        if (threads.isEmpty() || now.isEmpty() || axis.isEmpty() || threads.getAsDouble() * CLEARLY > now.getAsLong()) {
            return Optional.empty();
        }
        KnobAxis pool = axis.get();
        Setting full = best.get().setting();
        List<String> gone = givesNothing(full);
        gone.remove(pool.knob());
        Setting s =
                surface.space().without(full, gone).with(pool.knob(), pool.text(pool.nearest(threads.getAsDouble())));
        return fresh.allows(s)
                ? Optional.of(new Proposal(s, SMALLER, "the best with as few threads as its throughput needs"))
                : Optional.empty();
    }

    /** The best without the knobs that give next to nothing, and with as few threads as give the same. */
    private Optional<Proposal> simpler() {
        Optional<SettingTrials> best = belief.best();
        if (best.isEmpty()) {
            return Optional.empty();
        }
        Setting full = best.get().setting();
        List<String> gone = givesNothing(full);
        Setting left = gone.isEmpty() ? full : surface.space().without(full, gone);
        // not one that was tried already: what it showed of a smaller pool is in the surface
        Optional<Setting> slim = fewerThreads(left).filter(fresh::allows);
        Optional<Setting> next = slim.or(() -> gone.isEmpty() ? Optional.empty() : Optional.of(left));
        var words = new ArrayList<String>();
        if (!gone.isEmpty()) {
            words.add("without " + TuneWords.list(gone) + ", which seems to give nothing");
        }
        if (slim.isPresent()) {
            words.add("with as few threads as seem to give the same");
        }
        return next.filter(fresh::allows)
                .map(s -> new Proposal(s, SIMPLER, "the best " + String.join(", and ", words)));
    }

    /** Knobs of a setting that can be removed, one after the other, for a loss of less than 1 % in all by the model. */
    private List<String> givesNothing(Setting full) {
        var gone = new ArrayList<String>();
        while (true) {
            String least = null;
            double loss = GIVES_NOTHING;
            for (Dimension d : surface.space().changed(full)) {
                if (!gone.contains(d.knob())) {
                    var without = new ArrayList<>(gone);
                    without.add(d.knob());
                    double lost = surface.difference(full, surface.space().without(full, without))
                            .mean();
                    if (lost < loss) {
                        loss = lost;
                        least = d.knob();
                    }
                }
            }
            if (least == null) {
                return gone;
            }
            gone.add(least);
        }
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
        Optional<Setting> found = Optional.empty();
        // all the way down: between a small pool that was tried and a large one, the model may sag
        for (double v = now.getAsLong() / HoldingTimeSearch.CLOSE;
                v >= Math.max(1, axis.from());
                v /= HoldingTimeSearch.CLOSE) {
            long threads = axis.nearest(v);
            Setting s = full.with(axis.knob(), axis.text(threads));
            if (threads * HoldingTimeSearch.CLOSE <= now.getAsLong() * 1.01
                    && surface.difference(full, s).mean() < GIVES_NOTHING) {
                found = Optional.of(s);
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

    /** The best without one of its knobs, to measure what that knob gives. */
    private Optional<Proposal> ablation() {
        Optional<SettingTrials> best = belief.recommended(seen.getFirst());
        KnobSpace space = surface.space();
        List<Dimension> changed = best.map(b -> space.changed(b.setting())).orElse(List.of());
        return changed.size() < 2
                ? Optional.empty()
                : changed.stream()
                        // the pool's size comes last: the law of the pool says much about it without a trial
                        .sorted(Comparator.comparing((Dimension d) -> d.knob().equals(OperatingPoint.THREADS)))
                        .map(d -> new Proposal(
                                space.without(best.get().setting(), List.of(d.knob())),
                                ABLATION,
                                "the best without " + d.knob() + ", to see what that gives"))
                        .filter(p -> fresh.allows(p.setting()))
                        .findFirst();
    }
}
