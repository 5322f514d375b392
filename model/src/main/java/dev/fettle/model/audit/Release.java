package dev.fettle.model.audit;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version by its numbers: {@code 6.18.44}. Anything after the numbers is ignored. */
public record Release(List<Integer> numbers) implements Comparable<Release> {
    private static final Pattern NUMBERS = Pattern.compile("\\D{0,3}(\\d{1,6}(?:\\.\\d{1,6}){0,5}).*", Pattern.DOTALL);
    private static final Pattern TERM = Pattern.compile("(?:(>=|<=|<|>|=)\\s*+)?+([\\d.]++)");

    public Release {
        numbers = List.copyOf(numbers);
    }

    /**
     * Reads a version.
     *
     * @throws IllegalArgumentException if there are no numbers
     */
    public static Release of(String text) {
        Matcher m = NUMBERS.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no version such as 6.18 or 11.0.24");
        }
        return new Release(
                Arrays.stream(m.group(1).split("\\.")).map(Integer::valueOf).toList());
    }

    /** Whether it is in a range: {@code >=5.4}, {@code >=9 <15}. */
    public boolean in(String range) {
        Matcher m = TERM.matcher(range);
        boolean any = false;
        while (m.find()) {
            any = true;
            int c = compareTo(of(m.group(2)));
            boolean holds = switch (m.group(1) == null ? "=" : m.group(1)) {
                case ">=" -> c >= 0;
                case "<=" -> c <= 0;
                case "<" -> c < 0;
                case ">" -> c > 0;
                default -> c == 0;
            };
            if (!holds) {
                return false;
            }
        }
        if (!any) {
            throw new IllegalArgumentException("'" + range + "' is no range such as >=5.4");
        }
        return true;
    }

    @Override
    public int compareTo(Release o) {
        for (int i = 0; i < Math.max(numbers.size(), o.numbers.size()); i++) {
            int c = Integer.compare(at(i), o.at(i));
            if (c != 0) {
                return c;
            }
        }
        return 0;
    }

    private int at(int i) {
        return i < numbers.size() ? numbers.get(i) : 0;
    }

    @Override
    public String toString() {
        return String.join(".", numbers.stream().map(String::valueOf).toList());
    }
}
