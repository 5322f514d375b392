package dev.fettle.insight.capacity;

import dev.fettle.model.text.OptionalFigure;
import java.util.List;

/** Which rate is proposed as the answer, to be confirmed by fresh probes. */
record Proposals(SearchState state) {
    /**
     * A rate is first proposed as the answer when a probe at it is believed to meet the SLO with this probability. Of
     * the rates that are then confirmed, fresh probes meet it in 92 % or more ({@code CapacityOfAQueueTest}):
     * confirmations weed out those that are too high.
     */
    private static final double PROPOSED = 0.8;
    /** The limit may lie below a proposed rate with at most this probability. */
    private static final double ABOVE = 0.25;
    /** Like {@link #PROPOSED}, where nothing was confirmed. */
    private static final double UNCONFIRMED = 0.9;
    /** Like {@link #ABOVE}, for a rate that is to hold in the long run, which a single long probe shows only in part. */
    private static final double HELD = 0.04;

    /** The same for the first of two holds: if it is met, it tells much about the limit, and if not, there is time for another. */
    private static final double BOLD = 0.15;
    /** Of the rates that were held, the answer is the highest one that the limit lies above with this probability. */
    private static final double ABOVE_HELD = 0.95;

    private static final double UNCONFIRMED_ABOVE = 0.05;
    /**
     * After the first failed confirmation the rate falls by at most this multiple of the precision, then by twice that,
     * and so on. With a heavy tail, the lowest of 200 answers was at 0.72 of the limit with 3, and at 0.79 with this
     * value.
     */
    private static final double STEP_DOWN = 2;
    /** A rate deserves confirmations of its own if it is above the confirmed one by this multiple of the precision. */
    private static final double WORTH = 0.5;

    /**
     * The more often a proposal failed, the more cautious the next. But as long as little is known about how gradual
     * the knee is, caution alone would halve the rate after one failure, and its confirmation would end the search
     * there. So the fall is bounded.
     */
    double proposed(LimitPosterior posterior) {
        double failures = state.failedConfirmations().count();
        int each = state.settings().confirmations();
        if (state.settings().longRun() && failures == 0 && !state.precise() && state.timeFor(2 * each)) {
            return posterior.quantile(BOLD);
        }
        double cautious = cautious(posterior, failures);
        double lowest = belowFailed(1 - STEP_DOWN * state.settings().precision() * StrictMath.pow(2, failures - 1));
        return failures == 0 ? cautious : Math.max(cautious, lowest);
    }

    private double cautious(LimitPosterior posterior, double failures) {
        if (state.settings().longRun()) {
            return posterior.quantile(HELD / StrictMath.pow(2, failures));
        }
        return Math.min(
                posterior.rateWithChance(1 - (1 - PROPOSED) / StrictMath.pow(2, failures)), posterior.quantile(ABOVE));
    }

    /**
     * The answer if nothing was confirmed. No fresh probe has weeded it out if it is too high, so it is more cautious.
     */
    double unconfirmed(LimitPosterior posterior) {
        double finished = state.seen().stream()
                .map(Judged::probe)
                .filter(Probe::fellBehind)
                .mapToDouble(Probe::finishedRate)
                .max()
                .orElse(Double.POSITIVE_INFINITY);
        double cautious = Math.min(posterior.rateWithChance(UNCONFIRMED), posterior.quantile(UNCONFIRMED_ABOVE));
        // no more than the server finished at most when it fell behind
        return Math.min(Math.min(proposed(posterior), cautious), finished);
    }

    /** The answer: the highest held rate that the limit probably lies above, else the lowest held rate. */
    double held(LimitPosterior posterior) {
        List<Double> all = state.allConfirmed();
        return all.reversed().stream()
                .filter(rate -> posterior.above(rate) >= ABOVE_HELD)
                .findFirst()
                .orElse(all.getFirst());
    }

    /** A rate below the one that was held, if the limit may well lie below that and there is time to hold another. */
    OptionalFigure lower(LimitPosterior posterior) {
        double held = held(posterior);
        return state.settings().longRun()
                        && posterior.above(held) < ABOVE_HELD
                        && state.allConfirmed().size() == 1
                        && state.timeFor(state.settings().confirmations())
                ? OptionalFigure.of(Math.min(
                        cautious(posterior, 0),
                        held * (1 - WORTH / 2 * state.settings().precision())))
                : OptionalFigure.empty();
    }

    /**
     * A rate above the confirmed one, if the confirmations themselves show that it was too low and there is time to
     * confirm another. Rates that failed before are not tried again.
     */
    OptionalFigure higher(LimitPosterior posterior, double confirmed) {
        double rate = Math.min(cautious(posterior, 0), belowFailed());
        return rate >= confirmed * (1 + WORTH * state.settings().precision())
                        && (state.settings().longRun()
                                ? state.timeFor(state.settings().confirmations())
                                : state.left() >= state.settings().confirmations())
                ? OptionalFigure.of(rate)
                : OptionalFigure.empty();
    }

    /** A step below the lowest rate that failed to be confirmed: retrying one until it passes would find luck. */
    double belowFailed() {
        return belowFailed(1 - state.settings().precision());
    }

    private double belowFailed(double part) {
        return part * state.failed();
    }
}
