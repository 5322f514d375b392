package dev.fettle.lab.journal;

import dev.fettle.model.plan.Plan;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/**
 * A run as journalled.
 *
 * @param id for example {@code login-page-3}
 * @param kind {@code tune}, {@code sweep}, {@code compare} or {@code capacity}
 * @param planFile the plan it was started from; needed again to resume, since secrets are not journalled. Empty if there is
 *     none: a capacity search of a URL
 * @param planHash SHA-256 of that file's content; empty without one
 * @param plan the plan without its secrets; for a URL, the equivalent plan
 * @param environment the machine, as names and values shown in reports
 */
public record RunRecord(
        String id,
        String kind,
        Path planFile,
        String planHash,
        Plan plan,
        Map<String, String> environment,
        Instant started,
        State state) {

    /** Whether a run is finished. */
    public enum State {
        /** Running, or stopped before its end: it can be resumed. */
        OPEN,
        /** It has its conclusion. */
        DONE
    }
}
