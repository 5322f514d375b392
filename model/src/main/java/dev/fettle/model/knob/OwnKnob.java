package dev.fettle.model.knob;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.fettle.model.knob.Knob.Scale;
import dev.fettle.model.knob.Knob.Type;
import dev.fettle.model.text.Units;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A knob of the user's own application, which a plan declares, such as the size of its connection pool. Its name begins
 * with {@link #PREFIX}, which distinguishes it from the catalogue's knobs.
 *
 * @param name with the prefix: {@code own.pool}
 * @param type how values are written in the plan
 * @param scale how a search should space its steps
 * @param min smallest value of an {@code INT}, {@code DURATION} (milliseconds) or {@code SIZE} (bytes)
 * @param max largest value, in the same unit
 * @param choices the values of an {@code ENUM} or {@code BOOL}
 * @param byDefault the application's value when nothing is set, if the plan gives it; canonical
 * @param unit of a {@code DURATION}: the application's unit ({@code ms} by default); of others: a word for reports
 * @param about one line for reports; may be empty
 * @param set where the value goes
 * @param read where the value in effect can be seen, if anywhere
 */
@RecordBuilder
public record OwnKnob(
        String name,
        Type type,
        Scale scale,
        long min,
        long max,
        List<String> choices,
        Optional<String> byDefault,
        String unit,
        String about,
        How set,
        Optional<ReadBack> read)
        implements OwnKnobBuilder.With {
    /** The prefix of all own knobs. */
    public static final String PREFIX = "own.";

    /** The units in which an application may read a duration, in nanoseconds. */
    private static final Map<String, Long> TIMES = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    public OwnKnob {
        choices = List.copyOf(choices);
    }

    /** Where a value is written. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Placeholder.class, name = "placeholder"),
        @JsonSubTypes.Type(value = Property.class, name = "property"),
        @JsonSubTypes.Type(value = SystemProperty.class, name = "system-property"),
        @JsonSubTypes.Type(value = Variable.class, name = "env"),
        @JsonSubTypes.Type(value = Line.class, name = "line"),
        @JsonSubTypes.Type(value = Attribute.class, name = "xpath")
    })
    public sealed interface How {}

    /** Replaces {@code {own.NAME}} in the command, its environment or its templates. */
    public record Placeholder() implements How {}

    /** A property of a Spring Boot application. */
    public record Property(String property) implements How {}

    /** A system property of the JVM. */
    public record SystemProperty(String property) implements How {}

    /** An environment variable. */
    public record Variable(String variable) implements How {}

    /**
     * A line of a text file.
     *
     * @param file from the server's base, or among the command's files
     * @param line with {@code {value}} in it; it replaces the line that begins in the same way, or is added
     */
    public record Line(String file, String line) implements How {}

    /**
     * An attribute in an XML file.
     *
     * @param file from the server's base, or among the command's files
     * @param xpath of the attribute: {@code //Resource[@name='jdbc/shop']/@maxTotal}
     */
    public record Attribute(String file, String xpath) implements How {}

    /** Where the value in effect can be read. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Actuator.class, name = "actuator"),
        @JsonSubTypes.Type(value = Bean.class, name = "mbean"),
        @JsonSubTypes.Type(value = Document.class, name = "url"),
        @JsonSubTypes.Type(value = Output.class, name = "run")
    })
    public sealed interface ReadBack {}

    /** The first value of a metric of Spring Boot's actuator. */
    public record Actuator(String metric) implements ReadBack {}

    /** An attribute of an MBean; the name may be a pattern that matches one bean. */
    public record Bean(String bean, String attribute) implements ReadBack {}

    /**
     * An answer of the target.
     *
     * @param path on the target, from {@code /} on
     * @param pointer a JSON pointer (RFC 6901) into the answer; empty: the answer is the value
     */
    public record Document(String path, String pointer) implements ReadBack {}

    /** What a command prints; {@code {pid}} and {@code {port}} stand for the target's. */
    public record Output(List<String> command) implements ReadBack {
        public Output {
            command = List.copyOf(command);
        }
    }

    /** Whether a name is that of an own knob, declared or not. */
    public static boolean is(String name) {
        return name.startsWith(PREFIX);
    }

    /** Whether this is a valid unit of durations. */
    public static boolean isTime(String unit) {
        return TIMES.containsKey(unit);
    }

    /** This knob in the form of a catalogue knob. */
    public Knob knob() {
        return Knob.uncatalogued(name, type, scale, min, max, choices, about);
    }

    /** What a report says about it: {@code the most connections that HikariCP keeps (in connections; 10 by default)}. */
    public String described() {
        String facts = Stream.of(
                        unit.isEmpty() ? "" : "in " + unit,
                        byDefault.map(v -> knob().shown(v) + " by default").orElse(""))
                .filter(t -> !t.isEmpty())
                .collect(Collectors.joining("; "));
        String kind = about.isEmpty() ? type.name().toLowerCase(Locale.ROOT) : about;
        return facts.isEmpty() ? kind : kind + " (" + facts + ")";
    }

    /** A canonical value as the application reads it: a duration in its unit, a size in bytes. */
    public String written(String canonical) {
        String plain = knob().plain(canonical);
        if (type != Type.DURATION) {
            return plain;
        }
        BigDecimal nanos = new BigDecimal(plain).movePointRight(6);
        return nanos.divide(BigDecimal.valueOf(TIMES.getOrDefault(unit, 1_000_000L)), 9, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** The canonical form of a value that the application reports; the text itself if it is not a valid value. */
    public String told(String text) {
        String t = text.strip();
        try {
            if (type == Type.INT || type == Type.SIZE) {
                // actuators report every number with a fraction
                return new BigDecimal(t).stripTrailingZeros().scale() <= 0
                        ? knob().canonical(new BigDecimal(t).toBigInteger().toString())
                        : t;
            }
            if (type == Type.DURATION) {
                BigDecimal ms = t.matches("-?[0-9.]+(E-?[0-9]+)?")
                        ? new BigDecimal(t)
                                .multiply(BigDecimal.valueOf(TIMES.getOrDefault(unit, 1_000_000L)))
                                .movePointLeft(6)
                        : BigDecimal.valueOf(Units.duration(t).toNanos(), 6);
                return ms.stripTrailingZeros().toPlainString();
            }
            return knob().canonical(t);
        } catch (IllegalArgumentException e) {
            return t;
        }
    }
}
