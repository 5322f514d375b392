package dev.fettle.load;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What happened in one step of the scenarios.
 *
 * @param latency latency of its valid responses, from the intended send time, in nanoseconds
 * @param failed its failed attempts
 */
public record StepCount(Histogram latency, long failed) {

    /** Adds counts to those collected so far, for each step. */
    static void addAll(List<StepCount> sum, List<StepCount> more) {
        for (int i = 0; i < more.size(); i++) {
            if (i == sum.size()) {
                sum.add(new StepCount(Window.growing(), 0));
            }
            sum.get(i).latency.add(more.get(i).latency);
            sum.set(i, new StepCount(sum.get(i).latency, sum.get(i).failed + more.get(i).failed));
        }
    }
}
