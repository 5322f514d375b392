package dev.fettle.junit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a valid load.
 *
 * @param throughput valid answers a second
 * @param responses valid answers
 * @param errorShare of the attempts: failed, given up, or due and never sent; 0 to 1
 * @param latency of valid answers, from when a request was due
 * @param cautions what does not make the figures void, but affects how to read them
 * @param json all that the command reported: the document {@code fettle.bench/1}; numbers are {@link Double}
 */
public record BenchResult(
        double throughput,
        long responses,
        double errorShare,
        Latency latency,
        List<String> cautions,
        Map<String, @Nullable Object> json) {

    /** Latencies; all zero if there was no valid answer. */
    public record Latency(Duration mean, Duration p50, Duration p90, Duration p99, Duration p999, Duration max) {
        static Latency of(Map<String, @Nullable Object> json) {
            return new Latency(
                    millis(json, "meanMillis"),
                    millis(json, "p50Millis"),
                    millis(json, "p90Millis"),
                    millis(json, "p99Millis"),
                    millis(json, "p999Millis"),
                    millis(json, "maxMillis"));
        }

        private static Duration millis(Map<String, @Nullable Object> json, String key) {
            double millis = Json.number(json.get(key));
            return Double.isNaN(millis) ? Duration.ZERO : Duration.ofNanos(Math.round(millis * 1e6));
        }
    }

    static BenchResult of(Map<String, @Nullable Object> json) {
        return new BenchResult(
                Json.number(json.get("throughputPerSecond")),
                Math.round(Json.number(json.get("responses"))),
                Json.number(json.get("errorShare")),
                Latency.of(Json.asObject(json.get("latency"))),
                messages(json.get("advisories")),
                json);
    }

    /** The messages of a list of rules that spoke. */
    static List<String> messages(@Nullable Object rules) {
        return Json.objects(rules).stream()
                .map(r -> Json.asText(r.get("rule")).orElse("?") + ": "
                        + Json.asText(r.get("message")).orElse(""))
                .toList();
    }

    /** The figures in one line. */
    @Override
    public String toString() {
        return "%,.0f/s, p50 %s, p99 %s, max %s, errors %s, %,d valid answers"
                .formatted(
                        throughput,
                        text(latency.p50()),
                        text(latency.p99()),
                        text(latency.max()),
                        share(errorShare),
                        responses);
    }

    private static String text(Duration time) {
        return String.format(Locale.ROOT, "%.3g ms", time.toNanos() / 1e6);
    }

    private static String share(double share) {
        return String.format(Locale.ROOT, "%.3g %%", 100 * share);
    }

    /** The conditions that were broken, each with its figure. */
    String broken() {
        return Json.objects(json.get("failIf")).stream()
                .filter(c -> Boolean.TRUE.equals(c.get("met")))
                .map(c -> condition(Json.asText(c.get("condition")).orElse("?"), Json.number(c.get("value"))))
                .collect(Collectors.joining("; "));
    }

    /** A condition to fail on, as what was wanted: the opposite comparison. */
    private static String condition(String failIf, double value) {
        String wanted = Slo.failIf(failIf);
        String figure = wanted.startsWith("errors")
                ? share(value)
                : wanted.startsWith("throughput")
                        ? String.format(Locale.ROOT, "%,.1f/s", value)
                        : String.format(Locale.ROOT, "%.4g ms", value / 1e6);
        return wanted + " is broken: " + figure;
    }
}
