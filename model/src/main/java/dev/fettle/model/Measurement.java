package dev.fettle.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the load engine saw in one trial's measuring phase.
 *
 * @param elapsed length of the measuring phase
 * @param responses valid responses
 * @param errors failed requests by kind ({@code READ_TIMEOUT}, {@code STATUS}, …)
 * @param errorExamples the first message of each kind
 * @param statuses responses by HTTP status, right and wrong ones
 * @param bytesRead bytes received, heads and bodies
 * @param occupied total time that connections were occupied by requests, failed ones included, in seconds; over
 *     {@code connections × elapsed} this is Little's law
 * @param latency of valid responses, from the intended send time
 * @param connect time to connect
 * @param reconnects connections opened again because the server closed them in an orderly way
 * @param connectionsOpen connections achieved at the end of the measuring phase
 * @param windows the run over time, warm-up included
 * @param histogram the latency histogram, HdrHistogram V2 compressed, base64
 */
public record Measurement(
        Duration elapsed,
        long responses,
        Map<String, Long> errors,
        Map<String, String> errorExamples,
        Map<Integer, Long> statuses,
        long bytesRead,
        double occupied,
        LatencySummary latency,
        LatencySummary connect,
        long reconnects,
        int connectionsOpen,
        List<Window> windows,
        String histogram) {
    public Measurement {
        errors = Collections.unmodifiableMap(new TreeMap<>(errors));
        errorExamples = Collections.unmodifiableMap(new TreeMap<>(errorExamples));
        statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
        windows = List.copyOf(windows);
    }

    /**
     * A slice of time.
     *
     * @param at start, seconds since the load began
     * @param seconds length
     * @param p99 nanoseconds
     * @param measured false for the warm-up
     */
    public record Window(double at, double seconds, long responses, long failed, long p99, boolean measured) {
        /** Valid responses per second. */
        public double throughput() {
            return seconds > 0 ? responses / seconds : 0;
        }
    }

    /** Valid responses per second. */
    public double throughput() {
        double s = elapsed.toNanos() / 1e9;
        return s > 0 ? responses / s : 0;
    }

    /** Failed requests. */
    public long failed() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Failed requests over all finished ones, 0 to 1; 0 when nothing finished. */
    public double errorShare() {
        long all = responses + failed();
        return all == 0 ? 0 : (double) failed() / all;
    }
}
