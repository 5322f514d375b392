package dev.fettle.bench.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The heads of one message, split in the simplest way: lines at LF, minus a preceding CR, up to the first empty line,
 * interim heads first. Only for judging a difference after the fact.
 *
 * @param from where in the text the message begins
 * @param status the last status line
 * @param lines lines of the last head, without the status line and the empty line
 * @param interim lines of the heads before it, including status lines
 * @param complete whether the empty line after the last head has come
 * @param bodyAt where the body begins, or the text ends
 */
record Anatomy(
        String text, int from, String status, List<String> lines, List<String> interim, boolean complete, int bodyAt) {

    private static final Pattern INTERIM = Pattern.compile("HTTP/1\\.[01] 1(?!01)\\d\\d( .*)?", Pattern.DOTALL);

    static Anatomy of(String text, int from) {
        List<String> interim = new ArrayList<>();
        int at = from;
        while (true) {
            List<String> lines = new ArrayList<>();
            boolean complete = false;
            while (at < text.length() && !complete) {
                int lf = text.indexOf('\n', at);
                int end = lf < 0 ? text.length() : lf;
                String line = text.substring(at, end > at && text.charAt(end - 1) == '\r' && lf >= 0 ? end - 1 : end);
                at = Math.min(text.length(), end + 1);
                // an empty first line is a status line, but a bad one
                if (line.isEmpty() && lf >= 0 && !lines.isEmpty()) {
                    complete = true;
                } else {
                    lines.add(line);
                }
            }
            String status = lines.isEmpty() ? "" : lines.getFirst();
            if (complete && INTERIM.matcher(status).matches()) {
                interim.addAll(lines);
            } else {
                List<String> rest = lines.isEmpty() ? lines : lines.subList(1, lines.size());
                return new Anatomy(text, from, status, rest, interim, complete, at);
            }
        }
    }

    /** The line that ends at a position or, if there is none, the line that contains it. */
    String lineAt(int end) {
        boolean whole = end > from && text.charAt(end - 1) == '\n';
        int last = whole ? end - 1 : end;
        int start = Math.max(from, text.lastIndexOf('\n', last - 1) + 1);
        String line = text.substring(Math.min(start, last), last);
        return whole && line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    }

    /** The line before the one that ends at a position; empty if there is none. */
    String lineBefore(int end) {
        int last = end > from && text.charAt(end - 1) == '\n' ? end - 1 : end;
        int lf = text.lastIndexOf('\n', last - 1);
        return lf < from ? "" : lineAt(lf + 1);
    }

    /** Values of a field in the last head, trimmed. */
    List<String> values(String name) {
        return lines.stream()
                .map(line -> value(line, name))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The value of a line, if it belongs to this field by the letter of RFC 9112, section 5. */
    static Optional<String> value(String line, String name) {
        return line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":")
                ? Optional.of(trim(line.substring(name.length() + 1)))
                : Optional.empty();
    }

    /** Removes blanks at both ends. */
    static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** All status lines and header lines of the message, including those of interim heads and possible trailers. */
    Stream<String> allLines() {
        Stream<String> heads = Stream.concat(interim.stream(), Stream.concat(Stream.of(status), lines.stream()));
        return Stream.concat(heads, Stream.of(text.substring(bodyAt).split("\n")));
    }

    /** The codings of all Transfer-Encoding fields, in order, in lower case. */
    List<String> codings() {
        List<String> all = new ArrayList<>();
        for (String value : values("Transfer-Encoding")) {
            for (String coding : value.split(",", -1)) {
                if (!trim(coding).isEmpty()) {
                    all.add(trim(coding).toLowerCase(Locale.ROOT));
                }
            }
        }
        return all;
    }
}
