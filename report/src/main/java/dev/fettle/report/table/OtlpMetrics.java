package dev.fettle.report.table;

import dev.fettle.report.JsonFields;
import dev.fettle.report.Wording;
import dev.fettle.report.table.MetricFamily.Kind;
import dev.fettle.report.table.MetricFamily.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@link LiveMetrics} as a request of the OpenTelemetry protocol, in its JSON encoding
 * (<a href="https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding">OTLP 1.x</a>): whole numbers of 64 bits are texts, times count
 * in nanoseconds since 1970. What is counted is cumulative, so that a request that is lost costs one point and no count. The answer of the run
 * is an attribute of its scope, once there is one.
 */
public final class OtlpMetrics {
    private static final int CUMULATIVE = 2;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LiveMetrics metrics;
    private final Map<String, String> resource;
    private final String version;

    /**
     * What a request has.
     *
     * @param points figures in it
     */
    public record Request(String json, long points) {}

    /**
     * @param resource what the figures are of, by the names of OpenTelemetry's conventions
     * @param version Fettle's
     */
    public OtlpMetrics(LiveMetrics metrics, Map<String, String> resource, String version) {
        this.metrics = metrics;
        this.resource = new TreeMap<>(resource);
        this.version = version;
    }

    /**
     * All that is known now.
     *
     * @param now milliseconds since 1970
     */
    public Request request(long now) {
        List<MetricFamily> all = metrics.families();
        var scope = new JsonFields().put("name", "dev.fettle", "version", version);
        metrics.verdict().ifPresent(v -> scope.put("attributes", attributes(Map.of("fettle.verdict", v))));
        String json = new JsonFields()
                .put(
                        "resourceMetrics",
                        List.of(new JsonFields()
                                .put("resource", new JsonFields().put("attributes", attributes(resource)))
                                .put(
                                        "scopeMetrics",
                                        List.of(new JsonFields()
                                                .put("scope", scope)
                                                .each("metrics", all, f -> metric(f, now))))))
                .line();
        return new Request(json, all.stream().mapToLong(f -> f.samples().size()).sum());
    }

    private static JsonFields metric(MetricFamily f, long now) {
        var points = new JsonFields();
        if (f.kind() != Kind.GAUGE) {
            points.put("aggregationTemporality", CUMULATIVE);
        }
        if (f.kind() == Kind.COUNTER) {
            points.put("isMonotonic", true);
        }
        points.each("dataPoints", f.samples(), s -> point(f, s, now));
        String kind = switch (f.kind()) {
            case GAUGE -> "gauge";
            case COUNTER -> "sum";
            case HISTOGRAM -> "exponentialHistogram";
        };
        return new JsonFields()
                .put("name", f.dotted())
                .put("description", f.help())
                .put("unit", f.unit().ucum())
                .put(kind, points);
    }

    private static JsonFields point(MetricFamily f, Sample s, long now) {
        var point = new JsonFields().put("attributes", attributes(s.labels()));
        if (f.kind() != Kind.GAUGE) {
            point.put("startTimeUnixNano", nanos(s.since()));
        }
        point.put("timeUnixNano", nanos(now));
        s.times()
                .map(ExponentialBuckets::of)
                .ifPresentOrElse(b -> put(point, b), () -> point.put("asDouble", s.value()));
        return point;
    }

    private static void put(JsonFields point, ExponentialBuckets b) {
        point.put("count", Long.toString(b.count()), "sum", b.sum())
                .put("scale", b.scale(), "zeroCount", Long.toString(b.zero()))
                .put(
                        "positive",
                        new JsonFields()
                                .put("offset", b.offset())
                                .each("bucketCounts", b.counts(), c -> Long.toString(c)));
        if (b.count() > 0) {
            point.put("min", b.min(), "max", b.max());
        }
    }

    private static String nanos(long millis) {
        return Long.toString(millis * NANOS_PER_MILLI);
    }

    private static List<JsonFields> attributes(Map<String, String> named) {
        var all = new ArrayList<JsonFields>();
        new TreeMap<>(named)
                .forEach((key, value) -> all.add(new JsonFields()
                        .put("key", key, "value", new JsonFields().put("stringValue", Wording.clean(value)))));
        return all;
    }
}
