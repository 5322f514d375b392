package dev.fettle.model.knob;

import dev.fettle.model.text.Units;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One adjustable parameter, with one name on all servers. The catalogue is {@link Knobs}.
 *
 * @param name common name, for example {@code threads.max}
 * @param part what it belongs to
 * @param type how values are written
 * @param scale how a search spaces its steps
 * @param min smallest value of an {@code INT}, {@code DURATION} (milliseconds) or {@code SIZE} (bytes); -1 where that
 *     stands for no limit
 * @param least the smallest amount: {@code min}, or the next larger value where {@code min} stands for no limit
 * @param max largest value, in the same unit
 * @param choices the values of an {@code ENUM} or {@code BOOL}
 * @param about one line for help texts
 * @param constraint what must hold, in words; may be empty
 * @param watch what to look out for; may be empty
 * @param shown whether its effective value is kept with every trial, set or not
 * @param needs the knobs, with their values, without which this one does nothing; an empty value matches any
 * @param atMost a knob whose value this one's must not exceed
 * @param natives its form on each server
 * @param option its form for the JVM, if it is the JVM's
 * @param launch its form for the launcher, if it is the process's
 */
public record Knob(
        String name,
        Part part,
        Type type,
        Scale scale,
        long min,
        long least,
        long max,
        List<String> choices,
        String about,
        String constraint,
        String watch,
        boolean shown,
        Map<String, String> needs,
        Optional<String> atMost,
        Map<ServerKind, NativeKnob> natives,
        Optional<JvmOption> option,
        Optional<LaunchOption> launch) {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    public Knob {
        choices = List.copyOf(choices);
        needs = Collections.unmodifiableMap(new LinkedHashMap<>(needs));
        natives = Collections.unmodifiableMap(new EnumMap<>(natives));
    }

    /** A knob that is not in the catalogue: it has no form on any server of its own. */
    static Knob uncatalogued(
            String name, Type type, Scale scale, long min, long max, List<String> choices, String about) {
        return new Knob(
                name,
                Part.SERVER,
                type,
                scale,
                min,
                min,
                max,
                choices,
                about,
                "",
                "",
                false,
                Map.of(),
                Optional.empty(),
                new EnumMap<>(ServerKind.class),
                Optional.empty(),
                Optional.empty());
    }

    /** What a knob belongs to. */
    public enum Part {
        SERVER,
        JVM,
        PROCESS
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
        /** A JDK: a feature release ({@code 17}) or its home folder. */
        JDK,
        /** JVM flags, separated by spaces. */
        FLAGS,
        /** Any text on one line. */
        TEXT
    }

    /** How a search should space its steps. */
    public enum Scale {
        LINEAR,
        LOG
    }

    /** What this knob is on a server. */
    public NativeKnob on(ServerKind server) {
        NativeKnob found = natives.get(server);
        return found == null ? NativeKnob.absent("unknown on " + server.id()) : found;
    }

    /** What a knob of the JVM or the process is, which is the same on every server. */
    public NativeKnob onAny() {
        return natives.values().iterator().next();
    }

    /** Whether -1 means no limit. */
    public boolean hasNoLimit() {
        return least > min;
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
                WHOLE.matcher(v).matches()
                        ? Long.parseLong(v)
                        : Units.duration(v).toMillis();
            case SIZE -> Units.size(v);
            case BOOL, ENUM, JDK, FLAGS, TEXT -> throw new IllegalArgumentException(name + " is not a number");
        };
        if (n < min || n > max) {
            throw new IllegalArgumentException(
                    "%s=%s is out of range: %s to %s".formatted(name, v, shown(min), shown(max)));
        }
        return n;
    }

    /** Whether a value read back is one that could be set, and does not stand for one that is found elsewhere, as 0 and -1 may. */
    public boolean takes(String value) {
        try {
            return !hasInterval() || number(value) >= min;
        } catch (IllegalArgumentException e) {
            return false; // out of its range
        }
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
            case JDK -> jdk(v);
            case FLAGS -> flags(v);
            case TEXT -> v;
        };
    }

    private long integer(String v) {
        if (!WHOLE.matcher(v).matches()) {
            throw new IllegalArgumentException(
                    "%s is a whole number from %d to %d, not '%s'".formatted(name, min, max, v));
        }
        return Long.parseLong(v);
    }

    private String jdk(String v) {
        if (v.matches("[1-9][0-9]{0,2}") || v.startsWith("/")) {
            return v;
        }
        throw new IllegalArgumentException(
                "%s is a feature release such as 25, or the home folder of a JDK from / on, not '%s'"
                        .formatted(name, v));
    }

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

    /** A canonical value in the numbers of the server and the JVM: plain milliseconds and bytes. */
    public String plain(String canonical) {
        return hasInterval() ? Long.toString(number(canonical)) : canonical;
    }

    /** A canonical value in a server's own words and units: {@code on} for {@code true}, plain milliseconds and bytes. */
    public String written(ServerKind server, String canonical) {
        String own = on(server).values().get(canonical);
        return own == null ? plain(canonical) : own;
    }

    /**
     * The canonical value behind one in a server's own words and units.
     *
     * @throws IllegalArgumentException with a message for the user, if it is none
     */
    public String common(ServerKind server, String own) {
        Map<String, String> words = on(server).values();
        for (var e : words.entrySet()) {
            if (e.getValue().equals(own)) {
                return e.getKey();
            }
        }
        if (!words.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s stands for one of %s, not '%s'".formatted(name, String.join(", ", words.values()), own));
        }
        return canonical(type == Type.BOOL ? own.toLowerCase(Locale.ROOT) : own);
    }

    /** A canonical value for readers: {@code 60s}, {@code 512m}, {@code no limit}. */
    public String shown(String canonical) {
        return hasInterval() ? shown(number(canonical)) : canonical;
    }

    private String shown(long value) {
        return type == Type.DURATION && value >= 0 ? Units.text(java.time.Duration.ofMillis(value)) : text(value);
    }
}
