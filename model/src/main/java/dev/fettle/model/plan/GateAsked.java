package dev.fettle.model.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The request for a gate, beyond the plan, whose comparison has the two programs: enough to resume it.
 *
 * @param time when it ends at the latest; a pair that would end later is not begun
 * @param allow losses that are allowed where they are not the usual ones, as {@link GateMetric#allowed}; who names one makes it decide
 * @param aa whether base is compared with itself, to see what this machine can show
 * @param answersMayDiffer whether the head may answer otherwise than the base
 * @param unsure what "can't tell" is to a script
 * @param why pairs that are recorded after the answer, to say where the difference lies; 0: none
 * @param base which program the base is, in words: {@code shop.jar of main at 1a2b3c4d5, SHA-256 0f1e2d3c}
 * @param head the same of the head
 */
public record GateAsked(
        Duration time,
        Map<GateMetric, Double> allow,
        boolean aa,
        boolean answersMayDiffer,
        WhenUnsure unsure,
        int why,
        String base,
        String head) {
    /** The names of the two variants, and that of the base's second process in a pair of base against base. */
    public static final String BASE = "base";

    public static final String HEAD = "head";
    public static final String AGAIN = "base again";

    public GateAsked {
        var copy = new EnumMap<GateMetric, Double>(GateMetric.class);
        copy.putAll(allow);
        allow = Collections.unmodifiableMap(copy);
    }

    /** What "can't tell" is to a script. */
    public enum WhenUnsure {
        /** An exit code of its own: the script decides. */
        SAYS,
        FAILS,
        PASSES,
        WARNS
    }

    /** The loss that is allowed. */
    public double allowed(GateMetric metric) {
        return allow.getOrDefault(metric, metric.allowed());
    }

    /** Whether nothing passes without an answer by this metric. */
    public boolean decides(GateMetric metric) {
        return metric.decides() || allow.containsKey(metric);
    }
}
