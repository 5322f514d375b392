package dev.fettle.model.trial;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.fettle.load.api.ErrorKind;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the load engine saw in one trial's measuring phase.
 *
 * @param elapsed length of the measuring phase
 * @param responses valid responses
 * @param errors failed requests by kind
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
 * @param detail where the time went, what was offered, and how it travelled
 */
@RecordBuilder
public record Measurement(
        Duration elapsed,
        long responses,

        @JsonDeserialize(using = ByErrorKind.CountReader.class)
        Map<ErrorKind, Long> errors,

        @JsonDeserialize(using = ByErrorKind.TextReader.class)
        Map<ErrorKind, String> errorExamples,

        Map<Integer, Long> statuses,
        long bytesRead,
        double occupied,
        LatencySummary latency,
        LatencySummary connect,
        long reconnects,
        int connectionsOpen,
        List<Window> windows,
        String histogram,
        Detail detail)
        implements MeasurementBuilder.With {
    public Measurement {
        errors = ErrorKind.ordered(errors);
        errorExamples = ErrorKind.ordered(errorExamples);
        statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
        windows = List.copyOf(windows);
    }

    /**
     * A slice of time. In a very long run neighbours are merged; the percentile is then the larger of the two, which
     * the percentile of the whole can't exceed.
     *
     * @param at start, seconds since the load began
     * @param seconds length
     * @param p50 nanoseconds, as the other latencies; 0 without a valid response
     * @param measured false for the warm-up
     */
    public record Window(
            double at,
            double seconds,
            long responses,
            long failed,
            long p50,
            long p90,
            long p99,
            long max,
            boolean measured) {
        /** A window with p99 as its only latency. */
        public Window(double at, double seconds, long responses, long failed, long p99, boolean measured) {
            this(at, seconds, responses, failed, 0, 0, p99, 0, measured);
        }

        /** Valid responses per second. */
        public double throughput() {
            return seconds > 0 ? responses / seconds : 0;
        }

        /** A copy that counts as measured, or not. */
        public Window asMeasured(boolean is) {
            return new Window(at, seconds, responses, failed, p50, p90, p99, max, is);
        }

        /** Merges this window with the one that follows. */
        public Window plus(Window next) {
            return new Window(
                    at,
                    seconds + next.seconds,
                    responses + next.responses,
                    failed + next.failed,
                    Math.max(p50, next.p50),
                    Math.max(p90, next.p90),
                    Math.max(p99, next.p99),
                    Math.max(max, next.max),
                    measured);
        }
    }

    /**
     * Where the time went, what was offered, and how it travelled.
     *
     * @param service of valid responses, from the actual send instead of the intended one
     * @param firstByte from the actual send to the first byte of the response
     * @param sendLag how late requests left although they could have: the generator's own delay; open model only
     * @param offered what the schedule of the open model wanted; empty in the closed model
     * @param steps the steps of the scenarios, in their order; empty for a plain load
     * @param abandoned attempts given up because the load ended
     * @param bytesWritten bytes sent, heads and bodies
     * @param notes what the user should know about how it ran: which transport was used, what fell back
     * @param serviceHistogram as {@link Measurement#histogram()}, from the actual send; blank in the closed model
     * @param answers what the answers looked like, one entry per step
     * @param slices of a spike, window by window; else empty
     * @param stages of a spike, one per stage of the load; their percentiles can't be derived from the windows
     * @param capacity what the trial's search for its capacity found, if it searched for it
     * @param stuck of the abandoned attempts those that the server seems to have left without an answer, if there are any
     */
    @RecordBuilder
    public record Detail(
            LatencySummary service,
            LatencySummary firstByte,
            LatencySummary sendLag,
            Optional<Offered> offered,
            List<Step> steps,
            long abandoned,
            long bytesWritten,
            List<String> notes,
            String serviceHistogram,
            List<Answers> answers,
            List<Slice> slices,
            List<Slice> stages,
            Optional<CapacitySeen> capacity,
            Optional<Stuck> stuck)
            implements MeasurementDetailBuilder.With {
        /** Nothing is known. */
        public static final Detail NONE = new Detail(
                LatencySummary.NONE,
                LatencySummary.NONE,
                LatencySummary.NONE,
                Optional.empty(),
                List.of(),
                0,
                0,
                List.of(),
                "",
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty());

        public Detail {
            steps = List.copyOf(steps);
            notes = List.copyOf(notes);
            answers = List.copyOf(answers);
            slices = List.copyOf(slices);
            stages = List.copyOf(stages);
        }
    }

    /**
     * Requests that were still unanswered when the load ended, although they had waited for at least a second and more than twice as
     * long as any that was answered: they are no chance of when it ended.
     *
     * @param count how many, at least 1
     * @param oldestSeconds how long the oldest had waited, from its actual send
     */
    public record Stuck(long count, double oldestSeconds) {}

    /**
     * What the schedule of an open load asked for.
     *
     * @param due requests (iterations of a scenario) that fell due in the measured time, whatever became of them. A
     *     request that was due earlier and answered in the measured time is not included, though its answer is among
     *     the responses
     * @param held requests that were due while no connection was free, and waited for one
     * @param unsent those never sent: no connection became free until the load ended
     * @param unanswered those that piled up in the server: in flight at the end, beyond those at the beginning; 0 if
     *     only the end was looked at
     */
    public record Offered(long due, long held, long unsent, long unanswered) {}

    /**
     * One step of the scenarios.
     *
     * @param latency of its valid responses, from the intended send time
     * @param failed its failed attempts
     */
    public record Step(String name, LatencySummary latency, long failed) {}

    /** A copy with what the trial's search for its capacity found. */
    public Measurement with(CapacitySeen found) {
        return withDetail(detail.withCapacity(Optional.of(found)));
    }

    /** A copy without histograms and without what the answers looked like. */
    public Measurement withoutHistograms() {
        Detail bare = detail.with().serviceHistogram("").answers(List.of()).build();
        return with().histogram("").detail(bare).build();
    }

    /** Valid responses per second. */
    public double throughput() {
        double s = elapsed.toNanos() / 1e9;
        return s > 0 ? responses / s : 0;
    }

    /** The rate that the schedule of an open load asked for, per second; 0 in the closed model. */
    public double offeredPerSecond() {
        double s = elapsed.toNanos() / 1e9;
        return s > 0 ? detail.offered().map(o -> o.due() / s).orElse(0.0) : 0;
    }

    /** Failed requests. */
    public long failed() {
        long sum = 0;
        for (long n : errors.values()) {
            sum += n;
        }
        return sum;
    }

    /** Failed requests of some kinds. */
    public long failed(Predicate<ErrorKind> kinds) {
        return errors.entrySet().stream()
                .filter(e -> kinds.test(e.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Requests that the server left without an answer: they piled up in it, or got {@linkplain Stuck stuck} there. */
    public long unanswered() {
        return Math.max(
                detail.offered().map(Offered::unanswered).orElse(0L),
                detail.stuck().map(Stuck::count).orElse(0L));
    }

    /**
     * Requests that were due but that the server did not handle: never sent, or left without an answer. Other attempts given up because
     * the load ended are not included: nobody waited for them.
     */
    public long lost() {
        return detail.offered().map(Offered::unsent).orElse(0L) + unanswered();
    }

    /** Requests that failed or were {@linkplain #lost() lost}, over all of them, 0 to 1; 0 if there were none. */
    public double errorShare() {
        return MeasuredValues.errorShare(responses, failed() + lost());
    }
}
