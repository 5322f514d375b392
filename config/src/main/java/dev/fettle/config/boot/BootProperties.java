package dev.fettle.config.boot;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knobs as Spring Boot's properties, written and read. The names are the catalogue's; the forms of values are those of
 * Spring Boot's {@code DurationStyle}, {@code DataSize} and {@code StringToBooleanConverter}.
 */
public final class BootProperties {
    private static final Pattern AMOUNT =
            Pattern.compile("([+-]?[0-9]{1,18})(ns|us|ms|s|m|h|d|)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SIZE = Pattern.compile("([+-]?[0-9]{1,18})([kmgt]?b|)", Pattern.CASE_INSENSITIVE);
    private static final long MILLI = 1_000_000;

    /** An index, or a name in brackets, which may lack its end. */
    private static final Pattern IN_BRACKETS = Pattern.compile("\\.?+\\[(?:[0-9]++\\]|([^\\]]*+)(\\]?+))");

    private static final Set<String> YES = Set.of("true", "on", "yes", "1");
    private static final Set<String> NO = Set.of("false", "off", "no", "0");

    /** Prefix of Undertow's own options: bare numbers, whatever they count. */
    private static final String OPTIONS = "server.undertow.options.";

    private BootProperties() {}

    /** Spring Boot's property for a knob on a server, if it has one. */
    public static Optional<String> name(ServerKind server, String knob) {
        return Knobs.find(knob)
                .map(k -> k.on(server))
                .filter(NativeKnob::applies)
                .flatMap(NativeKnob::bootProperty);
    }

    /**
     * A knob's value as its property takes it: {@code 60000ms}, {@code 8192}, {@code true}.
     *
     * @param value canonical; anything that is not a value of the knob is returned unchanged
     */
    public static String value(String property, String knob, String value) {
        Optional<Knob> known = Knobs.find(knob);
        try {
            String plain = known.map(k -> k.plain(value)).orElse(value);
            boolean duration = known.filter(k -> k.type() == Knob.Type.DURATION).isPresent();
            return duration && !property.startsWith(OPTIONS) ? plain + "ms" : plain;
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    /**
     * The canonical value of a knob for the text of its property.
     *
     * @throws IllegalArgumentException with a reason, if Spring Boot or the knob does not accept it
     */
    static String knobValue(Knob knob, String text) {
        String t = text.strip();
        return switch (knob.type()) {
            case INT -> knob.canonical(t.startsWith("+") ? t.substring(1) : t);
            case BOOL -> bool(t);
            case DURATION -> knob.canonical(Long.toString(millis(t)));
            case SIZE -> knob.canonical(Long.toString(bytes(t)));
            case ENUM, JDK, FLAGS, TEXT -> knob.canonical(t);
        };
    }

    /**
     * A name in the form in which Spring Boot compares it: {@code server.tomcat.maxThreads}, {@code …max-threads} and
     * {@code …MAX_THREADS} are equal.
     */
    public static String canonical(String name) {
        String plain = IN_BRACKETS
                .matcher(name.toLowerCase(Locale.ROOT))
                .replaceAll(m -> Matcher.quoteReplacement(
                        m.group(1) == null || m.group(1).isEmpty() || m.group(2).isEmpty()
                                ? m.group()
                                : "." + m.group(1)));
        return plain.replaceAll("[^a-z0-9.\\[\\]]", "");
    }

    /** A name as environment variables spell it: only its letters and digits count. */
    static String bare(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static String bool(String text) {
        String t = text.toLowerCase(Locale.ROOT);
        if (YES.contains(t)) {
            return "true";
        }
        if (NO.contains(t)) {
            return "false";
        }
        throw new IllegalArgumentException("'%s' is neither true nor false".formatted(text));
    }

    /** A number without a unit is milliseconds; fractions of a millisecond are cut off, as in Spring Boot. */
    private static long millis(String text) {
        Matcher m = AMOUNT.matcher(text);
        try {
            if (!m.matches()) {
                return Duration.parse(text).toMillis();
            }
            long n = Long.parseLong(m.group(1));
            long unit = m.group(2).isEmpty() ? MILLI : Units.nanos(m.group(2));
            return unit < MILLI ? n / (MILLI / unit) : Math.multiplyExact(n, unit / MILLI);
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException("'%s' is no duration of Spring Boot".formatted(text), e);
        }
    }

    private static long bytes(String text) {
        Matcher m = SIZE.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("'%s' is no size of Spring Boot: 8KB".formatted(text));
        }
        long n = Long.parseLong(m.group(1));
        long unit = Units.bytes(m.group(2).replaceFirst("(?i)b$", ""));
        if (n < 0 || n > Long.MAX_VALUE / unit) {
            throw new IllegalArgumentException("'%s' is no amount".formatted(text));
        }
        return n * unit;
    }
}
