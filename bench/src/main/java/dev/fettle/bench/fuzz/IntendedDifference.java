package dev.fettle.bench.fuzz;

import dev.fettle.load.http1.LineReader;
import dev.fettle.load.script.Answer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The intended differences between Fettle's parser and Netty's. Each defines, by its own plain reading of the bytes,
 * what must hold of the message for a difference to count as this one; anything else is an unexplained disagreement.
 */
enum IntendedDifference {
    // ---- we are stricter: leniency would hide a broken server, or leave the end of a message in doubt
    STATUS_LINE(
            "stricter",
            "RFC 9112, 4",
            "a status line is HTTP/1.0 or HTTP/1.1, one space, three digits from 100 to 599; Netty skips control bytes and"
                    + " blanks before it, takes several blanks between its parts, and any number as status",
            c -> (c.weRefuse("no HTTP/1.x status line") || c.weRefuse("no status from"))
                    && !matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?", c.badLine())),
    SWITCHING(
            "stricter",
            "RFC 9110, 15.2.2",
            "101 without having asked for it is an error",
            c -> c.weRefuse("the server switches protocols")
                    && c.anatomy().status().startsWith(" 101", 8)),
    HEADER_LINE(
            "stricter",
            "RFC 9112, 5 and 5.1",
            "a header line has a name and no blank before its colon; Netty drops the blanks",
            c -> c.weRefuse("no header line") && !matches("[^: \\t]([^:]*[^: \\t])?:.*", c.badLine())),
    LENGTH(
            "stricter",
            "RFC 9110, 8.6",
            "a length is 1 to 18 digits; Netty takes signs, lists of equal ones, 19 digits",
            c -> c.weRefuse("Content-Length is no length")
                    && Anatomy.value(c.badLine(), "Content-Length")
                            .filter(value -> !matches("[0-9]{1,18}", value))
                            .isPresent()),
    TWO_LENGTHS(
            "stricter",
            "RFC 9112, 6.3",
            "two lengths that differ are refused, and at once; Netty waits for the end of the head, and takes one of them if"
                    + " it is HTTP/1.0",
            c -> c.weRefuse("two Content-Lengths which differ")
                    && allLengths(c.anatomy()).distinct().count() > 1),
    TWO_FRAMINGS(
            "stricter",
            "RFC 9112, 6.3",
            "Transfer-Encoding and Content-Length together \"ought to be handled as an error\"; Netty takes one",
            c -> c.weRefuse("both Transfer-Encoding")
                    && !c.anatomy().values("Transfer-Encoding").isEmpty()
                    && !c.anatomy().values("Content-Length").isEmpty()),
    CODING_AFTER_CHUNKED(
            "stricter",
            "RFC 9112, 6.1",
            "no Transfer-Encoding line follows one that ends in chunked",
            c -> c.weRefuse("a Transfer-Encoding after chunked") && chunkedBeforeLastLine(c.anatomy())),
    FOLDED_FRAMING(
            "stricter",
            "RFC 9112, 5.2",
            "a field that decides about the connection must not be continued on the next line; Netty joins them",
            c -> c.weRefuse("a folded framing header") && matches("[ \\t].*", c.badLine()) && foldsFraming(c)),
    CONTROL(
            "stricter",
            "RFC 9110, 5.5",
            "a control byte in Transfer-Encoding or Connection is refused; Netty takes it off at the ends, or finds no token"
                    + " that it knows",
            c -> c.weRefuse("a control byte in")
                    && matches("(?i)(transfer-encoding|connection):.*[\\x00-\\x08\\x0a-\\x1f\\x7f].*", c.badLine())),
    CHUNK_SIZE(
            "stricter",
            "RFC 9112, 7.1",
            "a chunk size is 1 to 15 hexadecimal digits, then blanks, then an extension or nothing; Netty skips blanks"
                    + " before it, and ends it at any control byte or blank",
            c -> c.weRefuse("no chunk size") && !matches("[0-9a-fA-F]{1,15}[ \\t]*(;.*)?", c.badLine())),
    LINE_LIMIT(
            "stricter",
            "RFC 9110, 5.4",
            "a line has at most 64 KiB",
            c -> c.weRefuse("a line longer than") && longestLine(c.anatomy()) > LineReader.MAX_LINE - 1),
    HEAD_LIMIT(
            "stricter",
            "RFC 9110, 5.4",
            "a head has at most 1 MiB",
            c -> c.weRefuse("a head longer than")
                    && c.ours().badAt() - c.anatomy().from() > Answer.MAX_HEAD),
    // ---- we report it sooner
    SOONER(
            "sooner",
            "-",
            "the first bytes which cannot begin a status line, or a line end after a chunk, are refused at once; Netty"
                    + " waits for the end of the line",
            c -> c.weRefuse() && c.ours().badAt() == c.anatomy().text().length() && tooSoonForNetty(c)),
    // ---- we are laxer: we do not look at what does not decide where a message ends
    BARE_LF(
            "laxer",
            "RFC 9112, 2.2",
            "LF alone may end a line, also about chunks; Netty takes that in heads only",
            c -> (c.nettyRefuses("InvalidChunkExtension") || c.nettyRefuses("InvalidChunkTermination"))
                    && c.anatomy().complete()
                    && ChunkWalk.of(c.anatomy()).bareLf()),
    REASON(
            "laxer",
            "RFC 9112, 4",
            "a client should ignore the reason phrase, so that control bytes in it do not matter; Netty refuses some",
            c -> (c.nettyRefuses("Illegal character in request line")
                            || c.nettyRefuses("reasonPhrase contains")
                            || c.nettyRefuses("Invalid separator"))
                    && c.anatomy()
                            .allLines()
                            .anyMatch(
                                    line -> matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?[\\x00-\\x1f\\x7f].*", line))),
    VALUE(
            "laxer",
            "RFC 9110, 5.5",
            "values that do not decide about the connection are not looked at; Netty refuses white space that is no blank at"
                    + " their beginning",
            c -> c.nettyRefuses("Invalid separator")
                    && c.anatomy()
                            .allLines()
                            .anyMatch(line -> matches("[^:]*:[ \\t]*[\\x0b\\x0c\\r\\x1c-\\x1f].*", line))),
    TRAILERS(
            "laxer",
            "RFC 9110, 6.5.1",
            "trailers are passed over up to the empty line; Netty wants a colon in each",
            c -> c.nettyRefuses("No colon found")
                    && ChunkWalk.of(c.anatomy()).trailers().stream().anyMatch(line -> line.indexOf(':') < 0)),
    FOLDED_TRAILER(
            "laxer",
            "RFC 9112, 5.2 and 7.1.2",
            "a trailer may be continued on the next line; Netty throws",
            c -> c.nettyRefuses("UnsupportedOperationException")
                    && ChunkWalk.of(c.anatomy()).trailers().stream().anyMatch(line -> matches("[ \\t].*", line))),
    LARGE_CHUNK(
            "laxer",
            "RFC 9112, 7.1",
            "a chunk may have up to 2^60 - 1 bytes; Netty refuses from 2^31 on, and takes 2^32 for 0",
            c -> !c.weRefuse() && ChunkWalk.of(c.anatomy()).largest() > Integer.MAX_VALUE),
    EQUAL_LENGTHS(
            "laxer",
            "RFC 9110, 8.6",
            "lengths which are the same number are the same; Netty wants the same digits",
            c -> c.nettyRefuses("Multiple Content-Length values")
                    && sameNumber(c.anatomy().values("Content-Length"))),
    BLANK_IN_NAME(
            "laxer",
            "RFC 9112, 5.1",
            "a blank within a name makes it another name; Netty ends the name there",
            c -> !c.weRefuse()
                    && c.anatomy()
                            .allLines()
                            .anyMatch(line -> matches(
                                    "(?i)(content-length|transfer-encoding|connection|upgrade)[ \\t]+[^: \\t].*:.*",
                                    line))),
    // ---- both accept it, as different things
    CHUNKED_NOT_LAST(
            "other",
            "RFC 9112, 6.3",
            "a response whose last coding is not chunked ends with the connection; Netty reads chunks if chunked is among the"
                    + " codings",
            c -> c.anatomy().codings().contains("chunked")
                    && !c.anatomy().codings().getLast().equals("chunked")
                    && !c.weRefuse());

    private final String direction;
    private final String paragraph;
    private final String what;
    private final Predicate<Case> holds;

    IntendedDifference(String direction, String paragraph, String what, Predicate<Case> holds) {
        this.direction = direction;
        this.paragraph = paragraph;
        this.what = what;
        this.holds = holds;
    }

    /** The intended difference that explains a difference, if any does. */
    static Optional<IntendedDifference> of(Case difference) {
        for (IntendedDifference each : values()) {
            if (each.holds.test(difference)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** stricter, sooner, laxer or other: ours compared with Netty. */
    String direction() {
        return direction;
    }

    /** The paragraph of the RFC that allows it. */
    String paragraph() {
        return paragraph;
    }

    /** The difference in a sentence. */
    String what() {
        return what;
    }

    private static boolean matches(String regex, String text) {
        return Pattern.compile(regex, Pattern.DOTALL).matcher(text).matches();
    }

    private static boolean chunkedBeforeLastLine(Anatomy anatomy) {
        List<String> lines = anatomy.values("Transfer-Encoding");
        return lines.size() > 1
                && lines.subList(0, lines.size() - 1).stream()
                        .anyMatch(line -> matches("(.*,)?[ \\t]*chunked[ \\t,]*", line.toLowerCase(Locale.ROOT)));
    }

    private static boolean foldsFraming(Case c) {
        return matches("(?i)(content-length|transfer-encoding|connection):.*", c.lineBefore());
    }

    private static boolean sameNumber(List<String> values) {
        return values.stream().allMatch(value -> matches("[0-9]{1,18}", value))
                && values.stream().mapToLong(Long::parseLong).distinct().count() == 1;
    }

    private static Stream<String> allLengths(Anatomy anatomy) {
        return anatomy.allLines()
                .map(line -> Anatomy.value(
                        line.endsWith("\r") ? line.substring(0, line.length() - 1) : line, "Content-Length"))
                .flatMap(Optional::stream);
    }

    private static int longestLine(Anatomy anatomy) {
        int longest = 0;
        int at = anatomy.from();
        String text = anatomy.text();
        while (at < text.length()) {
            int lf = text.indexOf('\n', at);
            int end = lf < 0 ? text.length() : lf + 1;
            longest = Math.max(longest, end - at);
            at = end;
        }
        return longest;
    }

    private static boolean tooSoonForNetty(Case c) {
        String line = c.badLine();
        return !c.nettyRefuses()
                && c.theirs().end() == Reading.End.TORN
                && (c.weRefuse("no HTTP/1.x status line")
                                && !"HTTP/1.".startsWith(line.substring(0, Math.min(7, line.length())))
                        || c.weRefuse("no line end after a chunk"));
    }
}
