package dev.fettle.model.imports;

import dev.fettle.model.text.Units;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses amounts in the units of other tools. */
final class Amounts {
    private static final Pattern TIME =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(ns|us|µs|μs|msecs?|ms|seconds?|secs?|s|mins?|m|h)?");
    private static final Pattern BYTES = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmg]?)(i?)b?(?:/s(?:ec)?)?");

    private Amounts() {}

    /**
     * A time in seconds; without a unit, it is in {@code otherwise} seconds. Compound times as in Go (1m30s) are added
     * up.
     */
    static OptionalDouble seconds(String text, double otherwise) {
        String t = text.strip().toLowerCase(Locale.ROOT);
        Matcher m = TIME.matcher(t);
        double sum = 0;
        int at = 0;
        while (at < t.length() && m.find(at) && m.start() == at && m.end() > at) {
            double unit = m.group(2) == null ? otherwise : Units.nanos(m.group(2)) / 1e9;
            sum += Double.parseDouble(m.group(1)) * unit;
            at = m.end();
        }
        return at == t.length() && at > 0 ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    static OptionalDouble time(String text, String pattern) {
        return ResultImport.first(text, pattern).map(t -> seconds(t, 1)).orElse(OptionalDouble.empty());
    }

    /** Bytes: {@code 10.5MB}, {@code 80 KB/s}; units are powers of 1024, as in the tools. */
    static OptionalDouble bytes(String text) {
        Matcher m = BYTES.matcher(text.strip().toLowerCase(Locale.ROOT));
        return m.matches()
                ? OptionalDouble.of(Double.parseDouble(m.group(1)) * Units.bytes(m.group(2)))
                : OptionalDouble.empty();
    }

    static OptionalDouble bytes(String text, String pattern) {
        Optional<String> found = ResultImport.first(text, pattern);
        return found.isPresent() ? bytes(found.get()) : OptionalDouble.empty();
    }

    /** Sets a mean that was rounded to its last digit; 0.00 means at most half of that. */
    static Published mean(Published p, String text, double unit) {
        return mean(p, text, unit, 0.5, 0.5);
    }

    /** Sets a mean that was cut off after its last digit: 0 means less than 1. */
    static Published cutMean(Published p, String text, double unit) {
        return mean(p, text, unit, 0, 1);
    }

    /** @param below by how much of its last digit it may be less; {@code above}: more */
    private static Published mean(Published p, String text, double unit, double below, double above) {
        OptionalDouble seconds = seconds(text, unit);
        if (seconds.isEmpty()) {
            return p;
        }
        Matcher digits = Pattern.compile("[0-9]+(?:\\.([0-9]+))?").matcher(text);
        int decimals =
                digits.find() && digits.group(1) != null ? digits.group(1).length() : 0;
        double of = seconds("1" + text.replaceAll("[0-9.\\s]", ""), unit).orElse(unit);
        double digit = of * Math.pow(10, -decimals);
        double most = above * digit;
        return seconds.getAsDouble() > 0
                ? p.withMean(seconds.getAsDouble(), below * digit, most)
                : p.withMean(most, most, 0);
    }
}
