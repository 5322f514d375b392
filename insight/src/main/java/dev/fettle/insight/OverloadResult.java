package dev.fettle.insight;

import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Slice;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * What a spike did to a server.
 *
 * @param base arrivals a second before and after the spike
 * @param spike arrivals a second during the spike
 * @param before the base load before the spike, once settled
 * @param during the spike
 * @param after the base load after the spike, until recovered or the watch ended
 * @param recovery seconds from the end of the spike to the start of the first consecutive windows that all meet the SLO; empty
 *     if there were none
 * @param slices window by window
 * @param voided why the figures say nothing of the server; empty if they are valid
 */
@RecordBuilder
public record OverloadResult(
        Slo slo,
        double base,
        double spike,
        Slice before,
        Slice during,
        Slice after,
        OptionalFigure recovery,
        String headline,
        List<String> notes,
        List<Slice> slices,
        Optional<String> voided)
        implements OverloadResultBuilder.With {
    /** The beginning of the headline of a void spike. */
    public static final String VOID = "The spike is void: ";

    public OverloadResult {
        notes = List.copyOf(notes);
        slices = List.copyOf(slices);
    }
}
