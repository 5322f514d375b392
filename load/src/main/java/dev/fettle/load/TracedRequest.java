package dev.fettle.load;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A request that named itself to the server in a {@code traceparent} field (<a href="https://www.w3.org/TR/trace-context/">W3C Trace
 * Context</a>), so that the server's tracing knows it by the same id.
 *
 * @param high the upper half of the trace's id, never 0
 * @param low the lower half
 * @param nanos from the intended send time to the end of the answer, or to the failure
 * @param valid whether the answer was right
 */
public record TracedRequest(long high, long low, long nanos, boolean valid) {
    /** The most that are kept of a window: the slowest. */
    public static final int KEPT = 5;

    /** The trace's id: 32 hexadecimal digits. */
    public String id() {
        return String.format("%016x%016x", high, low);
    }

    /** The slowest of two lists, slowest first. */
    static List<TracedRequest> slowest(List<TracedRequest> some, List<TracedRequest> others) {
        return others.isEmpty()
                ? some
                : Stream.concat(some.stream(), others.stream())
                        .sorted(Comparator.comparingLong(TracedRequest::nanos).reversed())
                        .limit(KEPT)
                        .toList();
    }
}
