package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.capacity.LimitPosterior.Seen;
import dev.fettle.insight.capacity.Probe.Phase;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Finds the highest rate that meets an SLO: up (or down) until one rate meets it and one does not, from just below what the
 * server finished where that is known, probes
 * where the outcome is least certain until the limit is known well enough, then fresh probes that must all meet it, a step
 * down if one does not. A probe near the limit is a coin toss, so none is ever taken at its word: {@link LimitPosterior}
 * weighs them all.
 *
 * <p>A pure function of its settings and of the probes so far, like an {@link Experiment}.
 */
public final class CapacitySearch {
    private static final double GROWTH = 2;
    /** So far below what an overloaded server finished is looked first. */
    private static final double JUST_BELOW = 0.04;

    private static final double LEAST_FALL = 0.97;
    /** Between rates that lie this far apart, it is first looked where the server fell behind. */
    private static final double MUCH = 1.15;

    private static final double FURTHER = 1.02;
    /** The limit's interval reaches this much further than its middle. */
    private static final double LONG_TAIL = 1.05;
    /** Nor far beyond what broke the SLO, or met it at best. */
    private static final double BEYOND = 1.15;
    /** From this part of the ceiling on, steps up are small. */
    private static final double NEAR_CEILING = 0.85;

    private static final double SMALL_STEP = 0.06;
    private static final double STEEPEST_FALL = 16;
    /** A rate is first proposed as the answer when a probe at it is thought to meet the SLO with this chance. */
    private static final double PROPOSED = 0.9;
    /** Narrowing looks in turn where the outcome is least certain and where it is likely good: near the answer. */
    private static final double LIKELY = 0.8;
    /** And the limit lies above it but for this chance. */
    private static final double ABOVE = 0.05;
    /** After the first failed confirmation the rate falls by at most so many times the precision, then by twice that, … */
    private static final double STEP_DOWN = 3;
    /** Rates nearer than this to one that the generator could not offer are not tried. */
    private static final double NEAR = 1.1;

    private static final int VOID_IN_A_ROW = 4;
    /** A compiler or a neighbour may make the generator late twice; at the third time it is the rate. */
    private static final int TRIES = 3;
    /** Narrowing goes on for at least so many probes: fewer say little about the noise. */
    private static final int LEAST_NARROWING = 5;

    private final Slo slo;
    private final Settings settings;

    /**
     * Bounds of a search.
     *
     * @param first the first rate, arrivals a second
     * @param floor the lowest rate that is tried; see {@link #floor}
     * @param precision the search stops narrowing when the interval of the limit is within this share of its middle, both ways
     * @param confirmations fresh probes that must meet the SLO, 1 or more
     * @param budget time for everything
     * @param mostProbes most probes, void ones included
     * @param ceiling what the server finished a second when more clients asked than it could serve: nearly its limit; 0 if unknown
     */
    public record Settings(
            double first,
            double floor,
            double precision,
            int confirmations,
            Duration budget,
            int mostProbes,
            double ceiling) {
        /** Where nothing is known of the server. */
        public Settings(
                double first, double floor, double precision, int confirmations, Duration budget, int mostProbes) {
            this(first, floor, precision, confirmations, budget, mostProbes, 0);
        }
    }

    /** A search for this SLO. */
    public CapacitySearch(Slo slo, Settings settings) {
        this.slo = slo;
        this.settings = settings;
    }

    /** One answer of the search. */
    public sealed interface Step {

        /**
         * Offer this rate.
         *
         * @param purpose one phrase for the progress line
         */
        record Offer(Phase phase, double rate, String purpose) implements Step {}

        /** Enough is known. */
        record Stop(CapacityResult result) implements Step {}
    }

    /**
     * The lowest rate at which a probe can be judged: it has as many requests as it takes for one to lie beyond the highest
     * percentile of the SLO, and at least 20.
     *
     * @param measured how long a probe measures
     */
    public static double floor(Slo slo, Duration measured) {
        double requests = slo.conditions().all().stream()
                .mapToDouble(c -> switch (c.metric()) {
                    case P95 -> 20;
                    case P99 -> 100;
                    case P999 -> 1_000;
                    case P9999 -> 10_000;
                    default -> 20;
                })
                .max()
                .orElse(20);
        return requests / (measured.toNanos() / 1e9);
    }

    /** The next step after these probes, which are the answers to the steps so far, in order. */
    public Step next(List<Probe> probes) {
        List<Judged> seen =
                probes.stream().map(p -> new Judged(p, ProbeVerdict.of(p, slo))).toList();
        return new State(seen).next();
    }

    /** The search as it stands. */
    private final class State {
        private final List<Judged> seen;
        private final List<Seen> valid;
        private final double cap;

        State(List<Judged> seen) {
            this.seen = Disturbances.counted(seen, TRIES);
            this.valid = Distance.of(this.seen, slo);
            this.cap = cap();
        }

        /** The lowest rate that the generator failed to offer each time: above all that it did offer. */
        private double cap() {
            return seen.stream()
                    .filter(j -> j.verdict().result() == Result.VOID
                            && voidsAt(j.probe().rate()) >= TRIES)
                    .mapToDouble(j -> j.probe().rate())
                    .filter(rate -> valid.stream().noneMatch(s -> s.rate() > rate))
                    .min()
                    .orElse(Double.POSITIVE_INFINITY);
        }

        private long voidsAt(double rate) {
            return seen.stream()
                    .filter(j -> j.verdict().result() == Result.VOID
                            && same(j.probe().rate(), rate))
                    .count();
        }

        Step next() {
            if (seen.isEmpty()) {
                return offer(Phase.BRACKET, settings.first(), "first rate");
            }
            if (left() < 1) {
                return stop(valid.isEmpty() ? Outcome.NOTHING_VALID : exhausted());
            }
            Judged last = seen.getLast();
            if (last.verdict().result() == Result.VOID && voidsAt(last.probe().rate()) < TRIES) {
                return offer(last.probe().phase(), last.probe().rate(), "once more: the generator was late");
            }
            if (last.verdict().result() == Result.DISTURBED) {
                return offer(last.probe().phase(), last.probe().rate(), "once more: it was disturbed");
            }
            if (valid.isEmpty()) {
                boolean giveUp =
                        seen.size() >= 2 * VOID_IN_A_ROW || last.probe().rate() <= settings.floor();
                return giveUp
                        ? stop(Outcome.NOTHING_VALID)
                        : bracket(last.probe().rate() / GROWTH, "below the generator's limit");
            }
            if (valid.stream().noneMatch(Seen::met)) {
                return descend();
            }
            if (valid.stream().allMatch(Seen::met)) {
                return ascend();
            }
            return narrow();
        }

        /** How many probes the budget still allows, at the pace so far. */
        private double left() {
            double spent = seen.stream()
                    .mapToDouble(j -> j.probe().took().toNanos() / 1e9)
                    .sum();
            double each = spent / seen.size();
            double byTime = each > 0 ? (settings.budget().toNanos() / 1e9 - spent) / each : Double.POSITIVE_INFINITY;
            return Math.min(byTime, settings.mostProbes() - seen.size());
        }

        private Outcome exhausted() {
            if (valid.stream().noneMatch(Seen::met)) {
                return Outcome.NO_RATE;
            }
            return valid.stream().allMatch(Seen::met) ? Outcome.BUDGET : Outcome.UNCONFIRMED;
        }

        private Step descend() {
            Judged lowest = seen.stream()
                    .filter(j -> j.verdict().result() == Result.BROKEN)
                    .min((a, b) -> Double.compare(a.probe().rate(), b.probe().rate()))
                    .orElseThrow();
            double rate = lowest.probe().rate();
            if (same(rate, settings.floor())) {
                long failures = valid.stream().filter(s -> same(s.rate(), rate)).count();
                return failures > 1 ? stop(Outcome.NO_RATE) : bracket(rate, "once more at the lowest rate");
            }
            return bracket(
                    Math.clamp(below(lowest.probe()), rate / STEEPEST_FALL, rate * LEAST_FALL),
                    "below a rate that broke it");
        }

        /**
         * Where to look next below a probe that broke the SLO. One that fell behind finished what the server can: just below that
         * is next, and a little more each time it was too much. One that kept up tells nothing like it.
         */
        private double below(Probe broken) {
            double finished = broken.finished() / broken.seconds();
            boolean behind = finished < ProbeVerdict.KEEPS_UP * broken.rate();
            long before = valid.stream().filter(s -> !s.met()).count() - 1;
            return behind
                    ? finished * Math.max(0.5, 1 - JUST_BELOW * StrictMath.pow(2, Math.min(before, 5)))
                    : broken.rate() / GROWTH;
        }

        private Step ascend() {
            double highest = valid.stream().mapToDouble(Seen::rate).max().orElseThrow();
            if (cap / highest < NEAR) {
                return confirm(highest, Outcome.GENERATOR_LIMIT);
            }
            double growth = GROWTH;
            if (settings.ceiling() > 0 && highest >= NEAR_CEILING * settings.ceiling()) {
                // so near, a small step may be enough; if not, the next is larger
                long near = valid.stream()
                        .filter(s -> s.rate() >= NEAR_CEILING * settings.ceiling())
                        .count();
                growth = Math.min(GROWTH, 1 + SMALL_STEP * StrictMath.pow(2, near - 1));
            } else if (settings.ceiling() > 0) {
                growth = Math.min(GROWTH, settings.ceiling() / highest);
            }
            double next = Math.min(
                    growth * highest, cap < Double.POSITIVE_INFINITY ? Math.sqrt(cap * highest) : Double.MAX_VALUE);
            return bracket(next, "above a rate that met it");
        }

        private Step narrow() {
            LimitPosterior posterior = LimitPosterior.of(valid);
            if (posterior.above(cap) > 0.5) {
                // what broke it lower down was a disturbance
                double highest = valid.stream()
                        .filter(Seen::met)
                        .mapToDouble(Seen::rate)
                        .max()
                        .orElseThrow();
                return confirm(Math.min(highest, cap / NEAR), Outcome.GENERATOR_LIMIT);
            }
            OptionalDouble finished = justBelowWhatItFinished();
            if (finished.isPresent()) {
                return bracket(finished.getAsDouble(), "just below what it finished when it fell behind");
            }
            boolean confirming = seen.getLast().probe().phase() == Phase.CONFIRM
                    && seen.getLast().verdict().result() == Result.MET;
            Interval limit = posterior.interval();
            boolean precise = limit.high() / limit.low() <= (1 + settings.precision()) / (1 - settings.precision());
            long narrowed = seen.stream()
                    .filter(j -> j.probe().phase() != Phase.BRACKET)
                    .count();
            boolean hurry = left() < 2 * settings.confirmations() + 2;
            if (confirming || hurry || (precise && narrowed >= LEAST_NARROWING)) {
                return confirm(proposed(posterior), Outcome.FOUND);
            }
            double up = limit.high() / limit.estimate();
            if (narrowed % 3 == 1 && up > LONG_TAIL && up > limit.estimate() / limit.low()) {
                // what broke the SLO so far may have been disturbances: a rate that is surely too much ends that
                return offer(
                        Phase.NARROW,
                        inReach(Math.sqrt(limit.estimate() * limit.high())),
                        "whether the limit lies so high");
            }
            boolean middle = narrowed % 3 != 2;
            return offer(
                    Phase.NARROW,
                    inReach(posterior.rateWithChance(middle ? 0.5 : LIKELY)),
                    middle ? "where the outcome is least certain" : "where the answer may be");
        }

        /** While much lies between what met the SLO and what broke it: what an overloaded server finishes is nearly its limit. */
        private OptionalDouble justBelowWhatItFinished() {
            double met = valid.stream()
                    .filter(Seen::met)
                    .mapToDouble(Seen::rate)
                    .max()
                    .orElseThrow();
            Optional<Probe> broken = seen.stream()
                    .filter(j ->
                            j.verdict().result() == Result.BROKEN && j.probe().rate() > met)
                    .map(Judged::probe)
                    .min(Comparator.comparingDouble(Probe::rate));
            return broken.filter(b -> b.rate() > MUCH * met)
                    .map(this::below)
                    .filter(r -> r > FURTHER * met && r < broken.get().rate() / FURTHER)
                    .map(OptionalDouble::of)
                    .orElse(OptionalDouble.empty());
        }

        /** Far leaps are left out: the posterior may reach where nothing was tried. */
        private double inReach(double rate) {
            double lowest = valid.stream().mapToDouble(Seen::rate).min().orElseThrow();
            double highest = valid.stream()
                    .filter(Seen::met)
                    .mapToDouble(Seen::rate)
                    .max()
                    .orElse(lowest);
            double broken = valid.stream()
                    .filter(s -> !s.met())
                    .mapToDouble(Seen::rate)
                    .min()
                    .orElse(highest);
            double most = Math.min(BEYOND * Math.max(highest, broken), cap / NEAR);
            return Math.clamp(rate, Math.min(lowest / GROWTH, most), most);
        }

        private Step confirm(double proposed, Outcome outcome) {
            int inARow = confirmed();
            if (inARow >= settings.confirmations()) {
                return stop(outcome);
            }
            double rate = inARow > 0 ? seen.getLast().probe().rate() : Math.min(proposed, belowFailed());
            if (rate < settings.floor() * 0.999) {
                return stop(Outcome.UNCONFIRMED);
            }
            return offer(Phase.CONFIRM, rate, "confirmation " + (inARow + 1) + " of " + settings.confirmations());
        }

        /**
         * The more often a proposal failed, the more cautious the next; but as long as little is known of how gradual the knee
         * is, caution would reach for half of the rate because of one failure, and its confirmation would end the search there.
         */
        private double proposed(LimitPosterior posterior) {
            double failures = failedConfirmations().count();
            double cautious = Math.min(
                    posterior.rateWithChance(1 - (1 - PROPOSED) / StrictMath.pow(2, failures)),
                    posterior.quantile(ABOVE));
            double lowest = belowFailed(1 - STEP_DOWN * settings.precision() * StrictMath.pow(2, failures - 1));
            return failures == 0 ? cautious : Math.max(cautious, lowest);
        }

        private Stream<Probe> failedConfirmations() {
            return seen.stream()
                    .filter(j ->
                            j.probe().phase() == Phase.CONFIRM && j.verdict().result() == Result.BROKEN)
                    .map(Judged::probe);
        }

        /** A step below the lowest rate that failed to be confirmed: trying one again and again would find luck. */
        private double belowFailed() {
            return belowFailed(1 - settings.precision());
        }

        private double belowFailed(double part) {
            return part * failedConfirmations().mapToDouble(Probe::rate).min().orElse(Double.POSITIVE_INFINITY);
        }

        /** Confirmations met in a row at the same rate, up to the last probe. */
        private int confirmed() {
            int n = 0;
            for (Judged j : seen.reversed()) {
                if (j.verdict().result() == Result.VOID || j.verdict().result() == Result.DISTURBED) {
                    continue;
                }
                if (j.probe().phase() != Phase.CONFIRM
                        || j.verdict().result() != Result.MET
                        || !same(j.probe().rate(), seen.getLast().probe().rate())) {
                    break;
                }
                n++;
            }
            return n;
        }

        private Step bracket(double rate, String purpose) {
            return offer(Phase.BRACKET, rate, purpose);
        }

        private Step offer(Phase phase, double rate, String purpose) {
            return new Step.Offer(phase, Math.max(settings.floor(), rounded(rate)), purpose);
        }

        private Step stop(Outcome outcome) {
            boolean both = valid.stream().anyMatch(Seen::met) && !valid.stream().allMatch(Seen::met);
            Optional<LimitPosterior> posterior = both ? Optional.of(LimitPosterior.of(valid)) : Optional.empty();
            double highestMet = valid.stream()
                    .filter(Seen::met)
                    .mapToDouble(Seen::rate)
                    .max()
                    .orElse(0);
            double rate = switch (outcome) {
                case FOUND, GENERATOR_LIMIT -> seen.getLast().probe().rate();
                case UNCONFIRMED -> {
                    double guess = posterior.map(this::proposed).orElse(0.0);
                    double best = Math.min(guess, belowFailed());
                    yield best < settings.floor() ? 0 : rounded(best);
                }
                case BUDGET -> highestMet;
                case NO_RATE, NOTHING_VALID -> 0;
            };
            Optional<Interval> limit =
                    outcome == Outcome.GENERATOR_LIMIT ? Optional.empty() : posterior.map(LimitPosterior::interval);
            return new Step.Stop(CapacityWords.result(slo, outcome, rate, limit, confirmed(), seen));
        }
    }

    private static boolean same(double a, double b) {
        return Math.abs(a - b) <= 1e-6 * Math.max(a, b);
    }

    /** Four significant digits: a rate that people can say, and offer again. */
    static double rounded(double rate) {
        double unit = StrictMath.pow(10, Math.floor(StrictMath.log10(rate)) - 3);
        return Math.rint(rate / unit) * unit;
    }
}
