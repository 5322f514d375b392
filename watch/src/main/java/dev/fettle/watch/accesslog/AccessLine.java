package dev.fettle.watch.accesslog;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A line of an access log: of the common or the combined format, or one that has at least a time, a request and a status, in this or another
 * order, with more figures after them.
 *
 * @param at the time on the line, of the request's begin or end
 * @param client the first word: an address
 * @param path what was asked for, without what may be secret or is of one request only: queries, numbers, keys
 * @param status 100 to 599
 * @param columns further words that may be figures, by their names ({@code rt} of {@code rt=0.012}) or, where they have none, their places
 */
record AccessLine(Instant at, String client, String path, int status, Map<String, String> columns) {
    /** A longer line is read up to here. */
    private static final int MOST_CHARACTERS = 1 << 14;

    private static final int MOST_WORDS = 60;

    private static final Set<String> METHODS = Set.of("""
            GET POST PUT DELETE HEAD OPTIONS PATCH TRACE CONNECT PROPFIND REPORT PRI""".split("\\s+"));

    private static final DateTimeFormatter COMMON = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("dd/MMM/uuuu:HH:mm:ss")
            .optionalStart()
            .appendFraction(java.time.temporal.ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .appendPattern(" Z")
            .toFormatter(Locale.ROOT);

    AccessLine {
        columns = Map.copyOf(columns);
    }

    /** What a word was in. */
    private enum In {
        NOTHING,
        QUOTES,
        BRACKETS
    }

    private record Word(String text, In in) {}

    /** Reads a line; empty if it has no time, request or status. */
    static Optional<AccessLine> read(String line) {
        List<Word> words = words(line);
        int time = -1;
        Optional<Instant> at = Optional.empty();
        for (int i = 0; i < words.size() && at.isEmpty(); i++) {
            at = words.get(i).in == In.QUOTES ? Optional.empty() : time(words.get(i).text);
            time = i;
        }
        if (at.isEmpty()) {
            return Optional.empty();
        }
        for (int i = 0; i < words.size(); i++) {
            Optional<Asked> asked = asked(words, i);
            if (asked.isPresent()) {
                int status = asked.get().next;
                while (status < words.size() && status < asked.get().next + 3 && status(words.get(status)) < 0) {
                    status++; // a pattern may have something in between
                }
                if (status < words.size() && status(words.get(status)) > 0) {
                    return Optional.of(new AccessLine(
                            at.get(),
                            words.getFirst().text,
                            asked.get().path,
                            status(words.get(status)),
                            columns(words, time, status)));
                }
            }
        }
        return Optional.empty();
    }

    /** A request, and the place of the word after it. */
    private record Asked(String path, int next) {}

    private static Optional<Asked> asked(List<Word> words, int i) {
        Word w = words.get(i);
        if (w.in == In.QUOTES) {
            int first = w.text.indexOf(' ');
            int second = w.text.indexOf(' ', first + 1);
            if (first > 0 && METHODS.contains(w.text.substring(0, first))) {
                return Optional.of(
                        new Asked(path(w.text.substring(first + 1, second < 0 ? w.text.length() : second)), i + 1));
            }
            // what is no request: empty, or the first bytes of TLS; its status follows
            boolean none = i + 1 < words.size() && status(words.get(i + 1)) > 0 && i > 1;
            return none ? Optional.of(new Asked("", i + 1)) : Optional.empty();
        }
        if (w.in == In.NOTHING && METHODS.contains(w.text) && i + 1 < words.size()) {
            boolean protocol = i + 2 < words.size() && words.get(i + 2).text.startsWith("HTTP/");
            return Optional.of(new Asked(path(words.get(i + 1).text), i + (protocol ? 3 : 2)));
        }
        return Optional.empty();
    }

    private static int status(Word w) {
        boolean digits = w.text.length() == 3 && w.text.chars().allMatch(c -> c >= '0' && c <= '9');
        int n = digits ? Integer.parseInt(w.text) : -1;
        return n >= 100 && n < 600 ? n : -1;
    }

    /** The words after the status and the size, and those with names, wherever they are. */
    private static Map<String, String> columns(List<Word> words, int time, int status) {
        var columns = new TreeMap<String, String>();
        for (int i = 0; i < words.size(); i++) {
            Word w = words.get(i);
            int equals = w.text.indexOf('=');
            if (w.in == In.NOTHING && equals > 0 && equals < 30) {
                columns.putIfAbsent(w.text.substring(0, equals), unquoted(w.text.substring(equals + 1)));
            } else if (i > status + 1 && i != time) {
                columns.put("%02d".formatted(i - status), w.text);
            }
        }
        return columns;
    }

    private static String unquoted(String text) {
        return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    /** {@code 29/Nov/2026:10:38:00 +0100}, or ISO 8601. */
    private static Optional<Instant> time(String text) {
        if (text.length() < 19 || text.length() > 40) {
            return Optional.empty();
        }
        try {
            if (text.charAt(2) == '/') {
                return Optional.of(COMMON.parse(text, OffsetDateTime::from).toInstant());
            }
            if (text.charAt(4) == '-' && text.charAt(10) == 'T') {
                return Optional.of(OffsetDateTime.parse(text).toInstant());
            }
        } catch (DateTimeException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Words at spaces; what is in quotes or brackets is one, and so are the parts of a list after a comma. */
    private static List<Word> words(String line) {
        var words = new ArrayList<Word>();
        int end = Math.min(line.length(), MOST_CHARACTERS);
        int i = 0;
        while (i < end && words.size() < MOST_WORDS) {
            char c = line.charAt(i);
            if (c == ' ' || c == '\t') {
                i++;
                continue;
            }
            int close = c == '"' ? quote(line, i + 1, end) : c == '[' ? line.indexOf(']', i) : -1;
            if (close > i && close < end) {
                words.add(new Word(line.substring(i + 1, close), c == '"' ? In.QUOTES : In.BRACKETS));
                i = close + 1;
            } else {
                int to = plain(line, i, end);
                words.add(new Word(line.substring(i, to), In.NOTHING));
                i = to;
            }
        }
        return words;
    }

    /** The end of a word without quotes around it: {@code urt="0.1, 0.2"} and {@code 0.1, 0.2} are one. */
    private static int plain(String line, int from, int end) {
        int i = from;
        while (i < end) {
            char c = line.charAt(i);
            if (c == '"' && i > from && line.charAt(i - 1) == '=') {
                i = Math.min(end, quote(line, i + 1, end) + 1);
            } else if (c == ' ' || c == '\t') {
                if (line.charAt(i - 1) != ',') {
                    return i;
                }
                i++;
            } else {
                i++;
            }
        }
        return end;
    }

    /** The quote that ends what begins here; the end of the line if there is none. */
    private static int quote(String line, int from, int end) {
        for (int i = from; i < end; i++) {
            char c = line.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                return i;
            }
        }
        return end;
    }

    private static final int MOST_PARTS = 5;
    private static final int LONG_PART = 24;

    /** A name may have a year or a version; more than this is a key. */
    private static final int MOST_DIGITS = 4;

    /** Without query, session and host; a star for each part that is a number or a key, and for all after the fifth. */
    static String path(String target) {
        String path = target;
        int scheme = path.indexOf("://");
        if (scheme > 0 && scheme < 9) {
            int slash = path.indexOf('/', scheme + 3);
            path = slash < 0 ? "/" : path.substring(slash);
        }
        int end = path.length();
        for (char c : new char[] {'?', '#'}) {
            int at = path.indexOf(c);
            end = at >= 0 && at < end ? at : end;
        }
        var out = new StringBuilder();
        int parts = 0;
        int i = 0;
        while (i < end && parts <= MOST_PARTS) {
            int next = path.indexOf('/', i + 1);
            next = next < 0 || next > end ? end : next;
            if (parts++ == MOST_PARTS) {
                out.append("/*");
                break;
            }
            out.append(part(path.substring(i, next)));
            i = next;
        }
        return out.isEmpty() ? "/" : out.toString();
    }

    private static String part(String part) {
        int semicolon = part.indexOf(';');
        String kept = semicolon < 0 ? part : part.substring(0, semicolon);
        String name = kept.startsWith("/") ? kept.substring(1) : kept;
        long digits = name.chars().filter(c -> c >= '0' && c <= '9').count();
        boolean own = name.length() > LONG_PART
                || digits >= MOST_DIGITS
                || digits > 0 && digits == name.length()
                || name.chars().anyMatch(c -> c < 0x20 || c == '@' || c == '%' || c > 0x7e);
        return own ? (kept.startsWith("/") ? "/*" : "*") : kept;
    }
}
