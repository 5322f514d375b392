package dev.fettle.model.trial;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.fettle.load.api.ErrorKind;
import java.util.Map;

/**
 * A stretch of an open load. An attempt counts where it ends.
 *
 * @param at start, seconds since the load began
 * @param seconds length
 * @param responses valid responses
 * @param inTime valid responses within the longest latency that the SLO names; all of them if it names none
 * @param failed failed attempts
 * @param lost attempts given up, and arrivals never sent
 * @param held arrivals that found no free connection and waited for one
 * @param errors failed ones by kind
 * @param latency of valid responses, from the intended send time
 */
public record Slice(
        double at,
        double seconds,
        long responses,
        long inTime,
        long failed,
        long lost,
        long held,

        @JsonDeserialize(using = ByErrorKind.CountReader.class)
        Map<ErrorKind, Long> errors,

        LatencySummary latency)
        implements MeasuredValues {
    public Slice {
        errors = ErrorKind.ordered(errors);
    }

    /** Valid responses per second that came in time. */
    public double goodput() {
        return seconds > 0 ? inTime / seconds : 0;
    }

    @Override
    public double percentile(double percent) {
        return latency.percentile(percent);
    }

    @Override
    public double mean() {
        return latency.mean();
    }

    @Override
    public double errorShare() {
        return MeasuredValues.errorShare(responses, failed + lost);
    }

    @Override
    public double throughput() {
        return seconds > 0 ? responses / seconds : 0;
    }
}
