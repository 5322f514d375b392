package dev.fettle.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One adjustable thing, under one name for all servers.
 *
 * @param name common name, for example {@code threads.max}
 * @param type how values are written
 * @param scale how a search should space its steps
 * @param min smallest value of an {@code INT}, {@code DURATION} (milliseconds) or {@code SIZE} (bytes)
 * @param max largest value, in the same unit
 * @param choices the values of an {@code ENUM} or {@code BOOL}
 * @param live whether the embedded servers take a new value without a restart
 * @param about one line for help texts
 * @param natives what it is on each server
 */
public record Knob(
        String name,
        Type type,
        Scale scale,
        long min,
        long max,
        List<String> choices,
        boolean live,
        String about,
        Map<ServerKind, Native> natives) {
    public Knob {
        choices = List.copyOf(choices);
        natives = Collections.unmodifiableMap(new EnumMap<>(natives));
    }

    /** How values are written. */
    public enum Type {
        /** A whole number. */
        INT,
        /** {@code true} or {@code false}. */
        BOOL,
        /** Written {@code 60s}; canonical: whole milliseconds, {@code 60000}; {@code -1} is no limit. */
        DURATION,
        /** Written and canonical in JVM notation: {@code 512m}. */
        SIZE,
        /** One of {@link #choices}. */
        ENUM,
        /** Anything; the knob's own rule applies. */
        TEXT
    }

    /** How a search should space its steps. */
    public enum Scale {
        LINEAR,
        LOG
    }

    /**
     * A knob on one server.
     *
     * @param applies whether the server has it
     * @param name the server's own name; when it has none, what to do instead
     * @param byDefault the server's default as text; empty when the server has no such knob
     */
    public record Native(boolean applies, String name, String byDefault) {

        /** {@code maxThreads}, or {@code n/a: always 1}. */
        @Override
        public String toString() {
            return applies ? name : "n/a: " + name;
        }
    }

    /** What this knob is on a server. */
    public Native on(ServerKind server) {
        Native found = natives.get(server);
        return found == null ? new Native(false, "unknown on " + server.id(), "") : found;
    }

    /** Whether a tune may be given an interval of values. */
    public boolean hasInterval() {
        return type == Type.INT || type == Type.DURATION || type == Type.SIZE;
    }

    /** The canonical form of a number on this knob's interval. */
    public String text(long value) {
        return type == Type.SIZE ? Units.sizeText(value) : Long.toString(value);
    }

    /**
     * The number behind a value of a knob that {@link #hasInterval}: itself, milliseconds, or bytes.
     *
     * @throws IllegalArgumentException with a message for the user, if the value does not fit
     */
    public long number(String value) {
        String v = value.strip();
        long n = switch (type) {
            case INT -> integer(v);
            case DURATION ->
                v.matches("-?[0-9]{1,18}")
                        ? Long.parseLong(v)
                        : Units.duration(v).toMillis();
            case SIZE -> Units.size(v);
            case BOOL, ENUM, TEXT -> throw new IllegalArgumentException(name + " is not a number");
        };
        if (n < min || n > max) {
            throw new IllegalArgumentException(
                    "%s=%s is out of range: %s to %s".formatted(name, v, shown(min), shown(max)));
        }
        return n;
    }

    /**
     * The canonical form of a value; canonical values are their own canonical form.
     *
     * @throws IllegalArgumentException with a message for the user, if the value does not fit
     */
    public String canonical(String value) {
        String v = value.strip();
        return switch (type) {
            case INT, DURATION, SIZE -> text(number(v));
            case BOOL, ENUM -> {
                if (!choices.contains(v)) {
                    throw new IllegalArgumentException(
                            "%s is one of %s, not '%s'".formatted(name, String.join(", ", choices), v));
                }
                yield v;
            }
            case TEXT -> flags(v);
        };
    }

    private long integer(String v) {
        if (!v.matches("-?[0-9]{1,18}")) {
            throw new IllegalArgumentException(
                    "%s is a whole number from %d to %d, not '%s'".formatted(name, min, max, v));
        }
        return Long.parseLong(v);
    }

    /** The one text knob holds JVM flags. */
    private String flags(String v) {
        if (v.isEmpty()) {
            return v;
        }
        for (String flag : v.split("\\s+")) {
            if (!flag.startsWith("-")) {
                throw new IllegalArgumentException("%s: a JVM flag starts with '-', not '%s'".formatted(name, flag));
            }
        }
        return v.replaceAll("\\s+", " ");
    }

    private String shown(long value) {
        return type == Type.DURATION && value >= 0 ? Units.text(java.time.Duration.ofMillis(value)) : text(value);
    }
}
