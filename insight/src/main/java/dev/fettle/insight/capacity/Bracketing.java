package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.model.text.OptionalFigure;
import java.util.Comparator;
import java.util.Optional;

/** The first half of a search: a rate that meets the SLO, and one not far above it that does not. */
record Bracketing(SearchState state) {
    static final double GROWTH = 2;
    /** Rates closer than this factor to one that the generator could not offer are not tried. */
    static final double NEAR = 1.1;
    /** The first look is this share below what an overloaded server finished. */
    private static final double JUST_BELOW = 0.04;

    private static final double LEAST_FALL = 0.97;
    private static final double STEEPEST_FALL = 16;
    /**
     * If the rates that met and broke the SLO are farther apart than this factor, the rate at which the server fell
     * behind is tried first.
     */
    private static final double MUCH = 1.15;

    private static final double FURTHER = 1.02;
    /** From this share of the ceiling on, steps up are small. */
    private static final double NEAR_CEILING = 0.85;

    private static final double SMALL_STEP = 0.06;
    /** No rate is tried beyond this multiple of the highest that met the SLO or the lowest that broke it. */
    private static final double BEYOND = 1.15;

    /** The next rate when all probes broke the SLO; empty if the lowest rate that can be judged did so twice. */
    OptionalFigure down() {
        Probe lowest = state.seen().stream()
                .filter(j -> j.verdict().result() == Result.BROKEN)
                .map(Judged::probe)
                .min(Comparator.comparingDouble(Probe::rate))
                .orElseThrow();
        double rate = lowest.rate();
        if (CapacitySearch.same(rate, state.settings().floor())) {
            long failures = state.valid().stream()
                    .filter(s -> CapacitySearch.same(s.rate(), rate))
                    .count();
            return failures > 1 ? OptionalFigure.empty() : OptionalFigure.of(rate);
        }
        return OptionalFigure.of(Math.clamp(below(lowest), rate / STEEPEST_FALL, rate * LEAST_FALL));
    }

    /** The next rate when all probes met the SLO; empty if the generator can't offer clearly more. */
    OptionalFigure up() {
        double highest = state.highestMet().orElseThrow();
        double cap = state.cap();
        if (cap / highest < NEAR) {
            return OptionalFigure.empty();
        }
        double ceiling = state.settings().ceiling();
        double growth = GROWTH;
        if (ceiling > 0 && highest >= NEAR_CEILING * ceiling) {
            // so near, a small step may be enough; each further one is twice as large
            long near = state.valid().stream()
                    .filter(s -> s.rate() >= NEAR_CEILING * ceiling)
                    .count();
            growth = Math.min(GROWTH, 1 + SMALL_STEP * StrictMath.pow(2, near - 1));
        } else if (ceiling > 0) {
            growth = Math.min(GROWTH, ceiling / highest);
        }
        return OptionalFigure.of(Math.min(
                growth * highest, cap < Double.POSITIVE_INFINITY ? Math.sqrt(cap * highest) : Double.MAX_VALUE));
    }

    /**
     * The next rate while the gap between meeting and breaking the SLO is wide: what an overloaded server finishes is
     * nearly its limit.
     */
    OptionalFigure between() {
        double met = state.highestMet().orElseThrow();
        Optional<Probe> broken = state.seen().stream()
                .filter(j -> j.verdict().result() == Result.BROKEN && j.probe().rate() > met)
                .map(Judged::probe)
                .min(Comparator.comparingDouble(Probe::rate));
        return broken.filter(b -> b.rate() > MUCH * met)
                .map(this::below)
                .filter(r -> r > FURTHER * met && r < broken.get().rate() / FURTHER)
                .map(OptionalFigure::of)
                .orElse(OptionalFigure.empty());
    }

    /**
     * The next rate below a probe that broke the SLO. A server that fell behind finished as much as it can: the next
     * rate is just below that, and lower each time that was still too much. A server that kept up gives no such hint.
     */
    private double below(Probe broken) {
        double finished = broken.finishedRate();
        boolean behind = broken.fellBehind();
        long before = state.valid().stream().filter(s -> !s.met()).count() - 1;
        return behind
                ? finished * Math.max(0.5, 1 - JUST_BELOW * StrictMath.pow(2, Math.min(before, 5)))
                : broken.rate() / GROWTH;
    }

    /**
     * Clamps to rates that may be tried: the posterior may reach far beyond anything tried, and far leaps are left out.
     */
    double inReach(double rate) {
        double lowest = state.lowest();
        double highest = state.highestMet().orElse(lowest);
        double broken = state.lowestBroken().orElse(highest);
        double most = Math.min(BEYOND * Math.max(highest, broken), state.cap() / NEAR);
        return Math.clamp(rate, Math.min(lowest / GROWTH, most), most);
    }
}
