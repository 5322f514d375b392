package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Held;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.capacity.Probe.Phase;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Finds the highest rate that meets an SLO, in three phases. First up or down until one rate meets it and one does not,
 * starting just below what the server finished where that is known ({@link Bracketing}). Then probes where the outcome
 * is least certain, until the limit is known well enough. Then fresh probes that must all meet the SLO, with a step
 * down if one does not ({@link Proposals}). Confirmations count as data: where they show that the limit lies clearly
 * higher, a higher rate is confirmed, too, if there is time. A probe near the limit is a coin toss, so no single one
 * decides: {@link LimitPosterior} weighs them all.
 *
 * <p>A pure function of its settings and of the probes so far, like an {@link Experiment}.
 */
public final class CapacitySearch {
    /**
     * Narrowing alternates between the rate with the least certain outcome and the rate that likely meets the SLO: near
     * the answer.
     */
    private static final double LIKELY = 0.8;
    /** The limit's interval is skewed if its upper end is beyond this multiple of its middle. */
    private static final double LONG_TAIL = 1.05;

    /** After several disturbed probes the rate is lowered by this share; then by twice that, and so on. */
    private static final double LOWER = 0.05;

    private static final double MOST_LOWER = 0.2;
    /**
     * A gap between what met the SLO and what was disturbed that is below this multiple of the precision is not worth
     * more probes.
     */
    private static final double NEAR = 2;

    /** A probe near the limit lasts at most so many times as long as the others. */
    private static final double LONGER = 3;

    /** A rate holds for good if the limit lies above with this probability, and if it was held so many times as long as the queue needs to settle. */
    private static final double SURE = 0.95;

    private static final double SETTLED = 3;

    /** At this share of a rate that broke the SLO nothing queues. */
    static final double UNBURDENED = 0.5;

    private static final int VOID_IN_A_ROW = 4;
    /** Arrivals of a probe at the lowest rate. */
    private static final int FEWEST = 20;
    /** Narrowing takes at least this many probes: fewer say little about the noise. */
    private static final int LEAST_NARROWING = 5;

    private final Slo slo;
    private final Settings settings;

    /**
     * Bounds of a search.
     *
     * @param first the first rate, arrivals a second
     * @param floor the lowest rate that is tried; see {@link #floor}
     * @param precision the search stops narrowing when the limit's interval is within this share of its middle, on both
     *     sides
     * @param confirmations fresh probes that must meet the SLO, 1 or more
     * @param budget time for everything; time lost to disturbed probes is added, up to half of it
     * @param mostProbes most probes, void ones included
     * @param probe how long a probe measures
     * @param hold how long a confirmation measures; if that is longer than a probe, the limit is that of the long run, and probes near it
     *     last longer, too
     * @param ceiling throughput when more clients asked than the server could serve: nearly its limit; 0 if unknown
     */
    public record Settings(
            double first,
            double floor,
            double precision,
            int confirmations,
            Duration budget,
            int mostProbes,
            double ceiling,
            Duration probe,
            Duration hold) {

        boolean longRun() {
            return hold.compareTo(probe) > 0;
        }
    }

    public CapacitySearch(Slo slo, Settings settings) {
        this.slo = slo;
        this.settings = settings;
    }

    /** One answer of the search. */
    public sealed interface Step {

        /**
         * Offer this rate.
         *
         * @param measure how long; 0: as long as the others
         */
        record Offer(Phase phase, double rate, Duration measure) implements Step {}

        /** Enough is known: the search ends. */
        record Stop(CapacityResult result) implements Step {}
    }

    /**
     * The lowest rate at which a probe can be judged: it sends enough requests for one to lie beyond the highest
     * percentile of the SLO, and has at least 20 arrivals.
     *
     * @param measured how long a probe measures
     */
    public static double floor(Slo slo, Duration measured, Iteration each) {
        double requests = slo.conditions().all().stream()
                .mapToDouble(c -> switch (c.metric()) {
                    case P95 -> FEWEST;
                    case P99 -> 100;
                    case P999 -> 1_000;
                    case P9999 -> 10_000;
                    default -> FEWEST;
                })
                .max()
                .orElse(FEWEST);
        return Math.max(requests / each.requests(), FEWEST) / (measured.toNanos() / 1e9);
    }

    /** The next step after these probes, which are the answers to all steps so far, in order. */
    public Step next(List<Probe> probes) {
        List<Judged> seen =
                probes.stream().map(p -> new Judged(p, ProbeVerdict.of(p, slo))).toList();
        return new Turn(new SearchState(slo, settings, seen)).next();
    }

    /** One step of the search. */
    private final class Turn {
        private final SearchState state;
        private final Bracketing bracketing;
        private final Proposals proposals;

        Turn(SearchState state) {
            this.state = state;
            this.bracketing = new Bracketing(state);
            this.proposals = new Proposals(state);
        }

        Step next() {
            if (state.seen().isEmpty()) {
                return offer(Phase.BRACKET, settings.first());
            }
            if (state.left() < 1) {
                return stop(exhausted());
            }
            Probe last = state.last().probe();
            Result result = state.last().verdict().result();
            if (result == Result.VOID && state.voidsAt(last.rate()) < SearchState.TRIES) {
                return offer(last.phase(), last.rate());
            }
            if (result == Result.DISTURBED) {
                return afterDisturbance(last);
            }
            if (state.valid().isEmpty()) {
                boolean giveUp = state.seen().size() >= 2 * VOID_IN_A_ROW || last.rate() <= settings.floor();
                return giveUp ? stop(Outcome.NOTHING_VALID) : offer(Phase.BRACKET, last.rate() / Bracketing.GROWTH);
            }
            if (state.noneMet()) {
                OptionalFigure down = bracketing.down();
                return down.isPresent() ? offer(Phase.BRACKET, down.getAsDouble()) : stop(Outcome.NO_RATE);
            }
            if (state.allMet()) {
                return allMet();
            }
            return narrow(state.posterior());
        }

        /**
         * A disturbed probe does not say whether its rate meets the SLO, so the rate is tried again. Where that does
         * not help, a lower rate is tried: it may meet the SLO even so, which leaves less open. Later the search asks
         * for the higher rate again.
         */
        private Step afterDisturbance(Probe last) {
            // a lower rate between confirmations would start the series anew
            int many = last.phase() == Phase.CONFIRM ? state.disturbedInARow() : state.lately();
            int further = many - SearchState.TRIES;
            if (further < 0) {
                return offer(last.phase(), last.rate());
            }
            double step = Math.min(MOST_LOWER, LOWER * StrictMath.pow(2, further));
            Phase phase = last.phase() == Phase.BRACKET ? Phase.BRACKET : Phase.NARROW;
            return offer(phase, (1 - step) * last.rate());
        }

        /** The next step when nothing has broken the SLO yet, except perhaps disturbed probes. */
        private Step allMet() {
            double met = state.highestMet().orElseThrow();
            OptionalFigure unclear = state.unclear();
            if (unclear.isEmpty()) {
                OptionalFigure up = bracketing.up();
                return up.isPresent() ? offer(Phase.BRACKET, up.getAsDouble()) : confirm(met, Outcome.GENERATOR_LIMIT);
            }
            boolean near = unclear.getAsDouble() < met * (1 + NEAR * settings.precision());
            boolean hurry = state.left() < settings.confirmations() + 2;
            if (state.confirmed().isEmpty() && (near || hurry || state.confirming())) {
                double most = (1 - settings.precision())
                        * state.disturbedConfirmation().orElse(Double.POSITIVE_INFINITY);
                return confirm(Math.min(met, most), Outcome.DISTURBED);
            }
            return offer(Phase.BRACKET, Math.sqrt(met * unclear.getAsDouble()));
        }

        private Outcome exhausted() {
            if (state.valid().isEmpty()) {
                return Outcome.NOTHING_VALID;
            }
            if (state.noneMet()) {
                return bracketing.down().isEmpty() ? Outcome.NO_RATE : Outcome.UNCONFIRMED;
            }
            OptionalFigure confirmed = state.confirmed();
            if (state.allMet()) {
                return confirmed.isEmpty()
                        ? Outcome.BUDGET
                        : state.disturbedAbove(confirmed.getAsDouble()) ? Outcome.DISTURBED : Outcome.GENERATOR_LIMIT;
            }
            boolean above = state.posterior().above(state.cap()) > 0.5; // as in narrow()
            return confirmed.isEmpty() ? Outcome.UNCONFIRMED : above ? Outcome.GENERATOR_LIMIT : Outcome.FOUND;
        }

        private Step narrow(LimitPosterior posterior) {
            if (posterior.above(state.cap()) > 0.5) {
                // the rate that broke it lower down was disturbed
                return confirm(
                        Math.min(state.highestMet().orElseThrow(), state.cap() / Bracketing.NEAR),
                        Outcome.GENERATOR_LIMIT);
            }
            if (state.confirmed().isPresent()) {
                return higher(posterior, state.confirmed().getAsDouble());
            }
            if (settings.longRun() && !state.unburdened()) {
                return offer(Phase.BRACKET, UNBURDENED * state.lowestBroken().orElseThrow());
            }
            OptionalFigure between = bracketing.between();
            if (between.isPresent()) {
                return offer(Phase.BRACKET, between.getAsDouble());
            }
            Interval limit = posterior.interval();
            long narrowed = state.narrowed();
            boolean hurry = settings.longRun()
                    ? state.spareSeconds() < settings.probe().toNanos() / 1e9
                    : state.left() < 2 * settings.confirmations() + 2;
            if (state.confirming() || hurry || (state.precise() && narrowed >= LEAST_NARROWING)) {
                return confirm(proposals.proposed(posterior), Outcome.FOUND);
            }
            double up = limit.high() / limit.estimate();
            if (narrowed % 3 == 1 && up > LONG_TAIL && up > limit.estimate() / limit.low()) {
                // the rates that broke the SLO may all have been disturbed; a rate that is certainly too high settles
                // that
                return offer(Phase.NARROW, bracketing.inReach(Math.sqrt(limit.estimate() * limit.high())));
            }
            boolean middle = narrowed % 3 != 2;
            return offer(Phase.NARROW, bracketing.inReach(posterior.rateWithChance(middle ? 0.5 : LIKELY)));
        }

        /** What follows a confirmed rate: another that is under way, or a try at a lower or a higher one, or the end. */
        private Step higher(LimitPosterior posterior, double confirmed) {
            int inARow = state.inARow();
            double at = state.last().probe().rate();
            if (inARow > 0 && inARow < settings.confirmations() && (at > confirmed || settings.longRun())) {
                return confirmation(at, inARow);
            }
            OptionalFigure lower = proposals.lower(posterior);
            if (lower.isPresent()) {
                return confirmation(lower.getAsDouble(), 0);
            }
            OptionalFigure higher = proposals.higher(posterior, confirmed);
            return higher.isPresent() && rounded(higher.getAsDouble()) > confirmed
                    ? confirmation(higher.getAsDouble(), 0)
                    : stop(Outcome.FOUND);
        }

        private Step confirm(double proposed, Outcome outcome) {
            int inARow = state.inARow();
            if (inARow >= settings.confirmations()) {
                return stop(outcome);
            }
            double rate = inARow > 0 ? state.last().probe().rate() : Math.min(proposed, proposals.belowFailed());
            boolean late = settings.longRun() && !state.timeFor(settings.confirmations() - inARow);
            return rate < settings.floor() * 0.999 || late ? stop(Outcome.UNCONFIRMED) : confirmation(rate, inARow);
        }

        private Step confirmation(double rate, int before) {
            return offer(Phase.CONFIRM, rate);
        }

        private Step offer(Phase phase, double rate) {
            return new Step.Offer(phase, Math.max(settings.floor(), rounded(rate)), length(phase, rate));
        }

        /** How long a probe measures: longer the slower the queue settles; a confirmation as long as was asked for. */
        private Duration length(Phase phase, double rate) {
            if (!settings.longRun() || phase == Phase.BRACKET) {
                return settings.probe();
            }
            if (phase == Phase.CONFIRM) {
                return settings.hold();
            }
            double usual = settings.probe().toNanos() / 1e9;
            double longest = Math.clamp(state.spareSeconds(), usual, LONGER * usual);
            double seconds = Math.clamp(state.relaxation(rate), usual, longest);
            return Duration.ofMillis(Math.round(1000 * seconds));
        }

        private Step stop(Outcome outcome) {
            boolean both = !state.valid().isEmpty() && !state.noneMet() && !state.allMet();
            Optional<LimitPosterior> posterior = both ? Optional.of(state.posterior()) : Optional.empty();
            double rate = switch (outcome) {
                case FOUND, DISTURBED ->
                    settings.longRun() && posterior.isPresent()
                            ? proposals.held(posterior.get())
                            : state.confirmed().orElseThrow();
                case GENERATOR_LIMIT ->
                    state.confirmed().orElse(state.last().probe().rate());
                case UNCONFIRMED -> {
                    double guess = posterior.map(proposals::unconfirmed).orElse(0.0);
                    double best = Math.min(guess, proposals.belowFailed());
                    yield best < settings.floor() ? 0 : rounded(best);
                }
                case BUDGET -> state.highestMet().orElse(0);
                case NO_RATE, NOTHING_VALID -> 0;
            };
            Optional<Interval> limit =
                    outcome == Outcome.GENERATOR_LIMIT ? Optional.empty() : posterior.map(LimitPosterior::interval);
            boolean confirmed = outcome == Outcome.FOUND || outcome == Outcome.DISTURBED;
            int confirmations = confirmed ? settings.confirmations() : state.inARow();
            CapacityResult result = CapacityWords.result(slo, outcome, rate, limit, confirmations, state.seen());
            return new Step.Stop(
                    confirmed && settings.longRun() ? CapacityWords.held(result, held(rate, posterior)) : result);
        }

        private Held held(double rate, Optional<LimitPosterior> posterior) {
            double seconds = settings.hold().toNanos() / 1e9;
            double settles = state.relaxation(rate);
            boolean above = posterior.isPresent() && posterior.get().above(rate) >= SURE;
            return new Held(seconds, settles, above && seconds >= SETTLED * settles);
        }
    }

    static boolean same(double a, double b) {
        return Math.abs(a - b) <= 1e-6 * Math.max(a, b);
    }

    /** Rounded to four significant digits: a rate that people can say, and offer again. */
    static double rounded(double rate) {
        double unit = StrictMath.pow(10, Math.floor(StrictMath.log10(rate)) - 3);
        return Math.rint(rate / unit) * unit;
    }
}
