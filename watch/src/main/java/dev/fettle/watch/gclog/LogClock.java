package dev.fettle.watch.gclog;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.WrittenTime;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the time at the beginning of a line: since the JVM's start, or of the day. Not thread-safe. */
final class LogClock {
    /** {@code [12.345s]} of {@code -Xlog}; {@code 12.345:} of Java 8, which writes the time of day before it. */
    private static final Pattern UPTIME = Pattern.compile(
            "^(?:\\[(?!\\d++[.,]\\d++s\\])[^\\]]*+\\])*+\\[(\\d++[.,]\\d++)s\\]|^(?:\\S+: )?(\\d+[.,]\\d{3}): ");

    private static final Pattern MILLIS = Pattern.compile("^(?:\\[(?!\\d++ms\\])[^\\]]*+\\])*+\\[(\\d{1,15})ms\\]");
    private static final Pattern DAY =
            Pattern.compile("^\\[?(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}[+-]\\d{4})");
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ");

    private @Nullable OffsetDateTime first;

    /** Seconds since the JVM's start; if there is only the time of day, since the first line that has one. */
    OptionalFigure seconds(String line) {
        Matcher up = UPTIME.matcher(line);
        if (up.find()) {
            String text = up.group(1) == null ? up.group(2) : up.group(1);
            return OptionalFigure.of(Double.parseDouble(text.replace(',', '.')));
        }
        Matcher millis = MILLIS.matcher(line);
        if (millis.find()) {
            return OptionalFigure.of(Long.parseLong(millis.group(1)) / 1e3);
        }
        Optional<OffsetDateTime> at = day(line);
        if (at.isPresent() && first == null) {
            first = at.get();
        }
        return at.isPresent() && first != null
                ? OptionalFigure.of(Duration.between(first, at.get()).toMillis() / 1e3)
                : OptionalFigure.empty();
    }

    /** The time of day on a line; empty if it has none. */
    static Optional<OffsetDateTime> day(String line) {
        Matcher day = DAY.matcher(line);
        try {
            return day.find()
                    ? Optional.of(OffsetDateTime.parse(day.group(1).replace(',', '.'), FORM))
                            .filter(t -> WrittenTime.in(t.toInstant()).isPresent())
                    : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
