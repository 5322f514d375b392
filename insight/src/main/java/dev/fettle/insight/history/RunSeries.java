package dev.fettle.insight.history;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs that may be compared: of one plan, load, JDK and machine.
 *
 * @param conditions what is equal in them, by name
 * @param runs all of them, void ones too, oldest first
 * @param courses by metric; none for a metric of which no run has a figure
 */
public record RunSeries(Map<String, String> conditions, List<PastRun> runs, List<Course> courses) {
    public RunSeries {
        conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
        runs = List.copyOf(runs);
        courses = List.copyOf(courses);
    }
}
