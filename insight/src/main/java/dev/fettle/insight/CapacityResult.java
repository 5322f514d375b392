package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Slo;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * What a capacity search found.
 *
 * @param rate the answer, arrivals a second: confirmed if {@link Outcome#confirmed()}, else the best guess; 0 if there is none
 * @param limit the rate at which a probe meets the SLO with probability 1/2: posterior median and 95 % credible interval;
 *     empty if the limit was not reached
 * @param confirmations consecutive fresh probes at {@code rate} that met the SLO
 * @param brokeFirst what broke the SLO at the lowest rate above the answer that did; empty if none did
 * @param headline one or two plain sentences
 * @param notes what the reader must know to judge it
 * @param held for how long the answer was shown to hold; empty if its confirmations were no longer than other probes
 */
@RecordBuilder
public record CapacityResult(
        Slo slo,
        Outcome outcome,
        double rate,
        Optional<Interval> limit,
        int confirmations,
        Optional<Broke> brokeFirst,
        String headline,
        List<String> notes,
        Optional<Held> held)
        implements CapacityResultBuilder.With {

    /** How the search ended. */
    public enum Outcome {
        /** The limit was found and a rate below it confirmed. */
        FOUND,
        /**
         * No rate passed enough consecutive probes before the budget ran out. Where the SLO was never met there is no limit
         * either: lower rates were not tried.
         */
        UNCONFIRMED,
        /** The generator was full before any rate broke the SLO; the highest rate that met it is confirmed. */
        GENERATOR_LIMIT,
        /**
         * Only disturbed probes broke the SLO, which says nothing about the server; the highest rate that met it is
         * confirmed.
         */
        DISTURBED,
        /** Nothing broke the SLO before the budget ran out. */
        BUDGET,
        /** Even the lowest rate that can be judged broke the SLO. */
        NO_RATE,
        /** Every probe was void. */
        NOTHING_VALID;

        /** Whether the rate was confirmed by fresh probes. */
        public boolean confirmed() {
            return this == FOUND || this == GENERATOR_LIMIT || this == DISTURBED;
        }

        /** Whether the server may sustain a higher rate than the answer: something else ended the search. */
        public boolean atLeast() {
            return this == GENERATOR_LIMIT || this == DISTURBED || this == BUDGET;
        }
    }

    /**
     * What broke the SLO, and where.
     *
     * @param server the saturated resource in the server's process at that point, one phrase; empty if it was not watched
     */
    public record Broke(double rate, String what, Optional<String> server) {}

    /**
     * For how long the answer was shown to hold.
     *
     * @param seconds length of each confirmation
     * @param settles in how many seconds a queue forgets how it began at this rate; 0 if neither a latency nor errors broke the SLO
     * @param forGood whether that was long enough to tell, and the limit of the long run lies above with a probability of 95 %
     */
    public record Held(double seconds, double settles, boolean forGood) {}

    public CapacityResult {
        notes = List.copyOf(notes);
    }

    /** The SLO's conditions on throughput that the answer does not meet. */
    public List<Condition> unreached() {
        return slo.throughput().stream()
                .filter(c -> c.comparison() == Condition.Comparison.MORE ? rate <= c.bound() : rate < c.bound())
                .toList();
    }

    /** Whether the SLO's conditions on throughput hold at the answer; true if it has none. */
    public boolean atLeastMet() {
        return unreached().isEmpty();
    }

    /** Whether they hold at a rate that fresh probes confirmed; true if there are none. */
    public boolean atLeastShown() {
        return slo.throughput().isEmpty() || outcome.confirmed() && atLeastMet();
    }

    /** Whether a condition on throughput is surely not met, as the limit lies below it. */
    public boolean missed() {
        return unreached().stream().anyMatch(c -> !mayBear(c.bound()));
    }

    /** Whether the server may sustain a rate above the answer, as far as this search knows. */
    public boolean mayBear(double higher) {
        return outcome.atLeast()
                || outcome == Outcome.NOTHING_VALID
                || (outcome == Outcome.UNCONFIRMED && limit.isEmpty())
                || limit.filter(i -> !(i.high() < higher)).isPresent();
    }
}
