package dev.fettle.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What one of the processes that send a load together has sent in a window.
 *
 * @param name of the process, as its user calls it
 * @param responses valid responses
 * @param failed failed attempts
 * @param latency of the valid responses, from the intended send time, in nanoseconds
 */
public record SenderCount(String name, long responses, long failed, Histogram latency) {

    /** The sums, by name, in the order in which they first come. */
    static List<SenderCount> merged(List<SenderCount> all) {
        return all.stream()
                .collect(Collectors.toMap(SenderCount::name, s -> s, SenderCount::plus, LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    private SenderCount plus(SenderCount more) {
        Histogram sum = Window.growing();
        sum.add(latency);
        sum.add(more.latency);
        return new SenderCount(name, responses + more.responses, failed + more.failed, sum);
    }
}
