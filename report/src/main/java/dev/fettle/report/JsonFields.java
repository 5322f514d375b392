package dev.fettle.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object with fields in insertion order. It defines the JSON form of the model: durations in seconds, enums in lower
 * case, a setting as its values. Unknown values are left out: empty optionals and figures that are not finite. Records are
 * written by Jackson.
 */
public final class JsonFields {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a field, unless its value is unknown. */
    public JsonFields put(String name, Object value) {
        Object known = json(value);
        if (known != null) {
            values.put(name, known);
        }
        return this;
    }

    /** Adds two fields. */
    public JsonFields put(String name1, Object value1, String name2, Object value2) {
        return put(name1, value1).put(name2, value2);
    }

    /** Adds three fields. */
    public JsonFields put(String name1, Object value1, String name2, Object value2, String name3, Object value3) {
        return put(name1, value1, name2, value2).put(name3, value3);
    }

    /** Adds a field, {@code null} if the value is unknown. */
    public JsonFields orNull(String name, Optional<?> value) {
        return put(name, value.<Object>map(v -> v).orElse(NullNode.getInstance()));
    }

    /** Adds a figure, unless it is not finite. */
    public JsonFields known(String name, double figure) {
        return Double.isFinite(figure) ? put(name, figure) : this;
    }

    /** Adds a text, unless it is blank. */
    public JsonFields unlessBlank(String name, String text) {
        return text.isBlank() ? this : put(name, text);
    }

    /** Adds an array with an element for each of {@code all}, unless there are none. */
    public <T> JsonFields eachIfAny(String name, Collection<T> all, Function<? super T, ?> element) {
        return all.isEmpty() ? this : each(name, all, element);
    }

    /** Adds milliseconds, unless they are not known. */
    public JsonFields millis(String name, double nanos) {
        return known(name, nanos / 1e6);
    }

    /** Adds an array with an element for each of {@code all}. */
    public <T> JsonFields each(String name, Collection<T> all, Function<? super T, ?> element) {
        return put(name, all.stream().<Object>map(element).toList());
    }

    /** The object as an indented document. */
    public String document() {
        return text(values, true);
    }

    /** Several as an indented array. */
    public static String document(List<JsonFields> all) {
        return text(all, true);
    }

    /** The object on one line. */
    public String line() {
        return text(values, false);
    }

    private static String text(Object value, boolean indented) {
        var text = new StringWriter();
        try (JsonGenerator to = Json.mapper().createGenerator(text)) {
            if (indented) {
                to.useDefaultPrettyPrinter();
            }
            write(value, to);
        } catch (IOException e) {
            throw new IllegalStateException("records and maps can always be written", e);
        }
        return text.toString();
    }

    /** Uses Jackson's reflection for records only: it is most of the cost of a short document. */
    private static void write(@Nullable Object value, JsonGenerator to) throws IOException {
        switch (value) {
            case null -> to.writeNull();
            case JsonFields f -> write(f.values, to);
            case Map<?, ?> map -> {
                to.writeStartObject();
                for (var e : map.entrySet()) {
                    to.writeFieldName(e.getKey().toString());
                    write(e.getValue(), to);
                }
                to.writeEndObject();
            }
            case Collection<?> all -> {
                to.writeStartArray();
                for (Object one : all) {
                    write(one, to);
                }
                to.writeEndArray();
            }
            case String s -> to.writeString(s);
            case Boolean b -> to.writeBoolean(b);
            case Integer n -> to.writeNumber(n);
            case Long n -> to.writeNumber(n);
            case Double d -> to.writeNumber(d);
            default -> to.writePOJO(value);
        }
    }

    private static @Nullable Object json(Object value) {
        return switch (value) {
            case Optional<?> o -> o.isPresent() ? json(o.get()) : null;
            case OptionalFigure d -> d.isPresent() && Double.isFinite(d.getAsDouble()) ? d.getAsDouble() : null;
            case OptionalInt i -> i.isPresent() ? i.getAsInt() : null;
            case OptionalLong n -> n.isPresent() ? n.getAsLong() : null;
            case OptionalDouble d -> d.isPresent() ? d.getAsDouble() : null;
            case Duration d -> d.toNanos() / 1e9;
            case Instant i -> i.toString();
            case Enum<?> e -> e.name().toLowerCase(Locale.ROOT);
            case Setting s -> s.asMap();
            case Interval i -> interval(i);
            case LatencySummary l -> latency(l);
            default -> value;
        };
    }

    /** Bounds that are not finite are left out. */
    private static JsonFields interval(Interval i) {
        var fields = new JsonFields().known("estimate", i.estimate());
        return i.bounded()
                ? fields.put("low", i.low())
                        .put("high", i.high())
                        .put("level", i.level())
                        .put("method", i.method())
                : fields;
    }

    /** A distribution: the count and, if above 0, the figures. */
    public static JsonFields latency(LatencySummary s) {
        var fields = new JsonFields().put("count", s.count());
        return s.count() == 0 ? fields : fields.percentiles(s);
    }

    /** Adds an estimate, and its bounds if there are any, as a plot has them. */
    public JsonFields estimate(Interval i) {
        put("est", i.estimate());
        return i.bounded() ? put("lo", i.low(), "hi", i.high()) : this;
    }

    /** Adds a distribution's mean, percentiles and maximum. */
    public JsonFields percentiles(LatencySummary s) {
        return millis("meanMillis", s.mean())
                .millis("p50Millis", s.p50())
                .millis("p75Millis", s.p75())
                .millis("p90Millis", s.p90())
                .millis("p95Millis", s.p95())
                .millis("p99Millis", s.p99())
                .millis("p999Millis", s.p999())
                .millis("p9999Millis", s.p9999())
                .millis("maxMillis", s.max());
    }
}
