package dev.fettle.model.trial;

import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.List;

/**
 * What a trial's own short search found: the highest rate of an open load at which its target meets an SLO.
 *
 * @param end how the search ended
 * @param rate arrivals per second at which a probe meets the SLO with an even chance; 0 if the search found none
 * @param low lower end of the 95 % interval of the rate; 0 if there is none
 * @param high its upper end
 * @param why why there is no rate, one phrase; empty if there is one
 * @param before valid responses per second that all clients of the closed load got before the probes
 * @param after what they got after the probes, which shows how much the target changed; 0 if it was not measured
 * @param probes in their order, those included that say nothing; without histograms and timelines
 */
public record CapacitySeen(
        End end, double rate, double low, double high, String why, double before, double after, List<Probed> probes) {
    public CapacitySeen {
        probes = List.copyOf(probes);
    }

    /** How a search ended. */
    public enum End {
        /** Some rates met the SLO, and some did not. */
        FOUND,
        /** Even the lowest rate that can be judged broke it. */
        NO_RATE,
        /** Nothing broke it, or everything did, until the time was over. */
        OUT_OF_TIME,
        /** The generator could not offer enough. */
        GENERATOR,
        /** Others took CPU time during the probes that would have mattered. */
        DISTURBED
    }

    /** The capacity; 0 if no rate meets the SLO, empty if it is not known. */
    public OptionalFigure known() {
        return switch (end) {
            case FOUND -> OptionalFigure.of(rate);
            case NO_RATE -> OptionalFigure.of(0);
            case OUT_OF_TIME, GENERATOR, DISTURBED -> OptionalFigure.empty();
        };
    }

    /**
     * One probe: an open load at one rate.
     *
     * @param phase what it was for: {@code BRACKET}, {@code NARROW} or {@code CONFIRM}
     * @param rate arrivals offered per second
     * @param took total time, with the recovery from the probe before and the settling
     * @param seen what was measured, and what was seen meanwhile
     */
    public record Probed(TrialSpec.Phase phase, double rate, Duration took, Observation seen) {}
}
