package dev.fettle.insight.capacity;

import java.util.OptionalDouble;

/** Which rate is proposed as the answer, to be confirmed by fresh probes. */
final class Proposals {
    /**
     * A rate is first proposed as the answer when a probe at it is thought to meet the SLO with this chance. Of rates that are then
     * confirmed, fresh probes meet it in 92 % and more ({@code CapacityOfAQueueTest}): confirmations weed out those too high.
     */
    private static final double PROPOSED = 0.8;
    /** And the limit lies above it but for this chance. */
    private static final double ABOVE = 0.25;
    /** The same where nothing is confirmed. */
    private static final double UNCONFIRMED = 0.9;

    private static final double UNCONFIRMED_ABOVE = 0.05;
    /**
     * After the first failed confirmation the rate falls by at most so many times the precision, then by twice that, …
     * With 3, the lowest of 200 answers at a heavy tail was at 0.72 of the limit, with this at 0.81.
     */
    private static final double STEP_DOWN = 1.5;
    /** A rate is worth confirmations of its own when it is this much of the precision above one that is confirmed. */
    private static final double WORTH = 0.5;

    private final SearchState state;

    Proposals(SearchState state) {
        this.state = state;
    }

    /**
     * The more often a proposal failed, the more cautious the next; but as long as little is known of how gradual the knee
     * is, caution would reach for half of the rate because of one failure, and its confirmation would end the search there.
     */
    double proposed(LimitPosterior posterior) {
        double failures = state.failedConfirmations().count();
        double cautious = cautious(posterior, failures);
        double lowest = belowFailed(1 - STEP_DOWN * state.settings().precision() * StrictMath.pow(2, failures - 1));
        return failures == 0 ? cautious : Math.max(cautious, lowest);
    }

    private static double cautious(LimitPosterior posterior, double failures) {
        return Math.min(
                posterior.rateWithChance(1 - (1 - PROPOSED) / StrictMath.pow(2, failures)),
                posterior.quantile(ABOVE));
    }

    /** What is told where nothing was confirmed: no fresh probe has weeded it out if it is too high, so it is more cautious. */
    double unconfirmed(LimitPosterior posterior) {
        double finished = state.seen().stream()
                .map(Judged::probe)
                .filter(p -> p.finished() < ProbeVerdict.KEEPS_UP * p.rate() * p.seconds())
                .mapToDouble(p -> p.finished() / p.seconds())
                .max()
                .orElse(Double.POSITIVE_INFINITY);
        double cautious = Math.min(posterior.rateWithChance(UNCONFIRMED), posterior.quantile(UNCONFIRMED_ABOVE));
        // no more than the most that it finished when it fell behind
        return Math.min(Math.min(proposed(posterior), cautious), finished);
    }

    /**
     * A rate above the one that is confirmed, where the confirmations themselves have shown that it was too low and there is
     * time to confirm another; what failed before is not tried again.
     */
    OptionalDouble higher(LimitPosterior posterior, double confirmed) {
        double rate = Math.min(cautious(posterior, 0), belowFailed());
        return rate >= confirmed * (1 + WORTH * state.settings().precision())
                        && state.left() >= state.settings().confirmations()
                ? OptionalDouble.of(rate)
                : OptionalDouble.empty();
    }

    /** A step below the lowest rate that failed to be confirmed: trying one again and again would find luck. */
    double belowFailed() {
        return belowFailed(1 - state.settings().precision());
    }

    private double belowFailed(double part) {
        return part * state.failedConfirmations().mapToDouble(Probe::rate).min().orElse(Double.POSITIVE_INFINITY);
    }
}
