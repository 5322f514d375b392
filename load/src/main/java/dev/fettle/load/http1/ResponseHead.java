package dev.fettle.load.http1;

import dev.fettle.load.bytes.Scan;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The parts of a response's head on which the rest of the connection depends (RFC 9112, sections 4 to 6). */
final class ResponseHead {

    private static final long HTTP_1_1 = Scan.word("HTTP/1.1");
    private static final long HTTP_1_0 = Scan.word("HTTP/1.0");
    private static final long CONTENT_ = Scan.word("content-");
    private static final long T_LENGTH = Scan.word("t-length");
    private static final long CONNECTI = Scan.word("connecti");
    private static final long NNECTION = Scan.word("nnection");
    private static final long TRANSFER = Scan.word("transfer");
    private static final long _ENCODIN = Scan.word("-encodin");
    private static final long ENCODING = Scan.word("encoding");

    /** Longest run of decimal digits taken as a length; it fits a long. */
    private static final int MAX_DIGITS = 18;

    private int status;
    private boolean persistent;
    private boolean closing;
    private boolean transferCoded;
    private boolean chunked;
    private long contentLength;
    /** The last line affects the framing, so it must not be continued on the next line. */
    private boolean framing;

    private @Nullable String problem;

    void reset() {
        status = 0;
        persistent = false;
        closing = false;
        transferCoded = false;
        chunked = false;
        contentLength = -1;
        framing = false;
        problem = null;
    }

    int status() {
        return status;
    }

    /** Whether the connection may be reused, if the body has an end. */
    boolean persistent() {
        return persistent;
    }

    boolean transferCoded() {
        return transferCoded;
    }

    boolean chunked() {
        return chunked;
    }

    /** The announced length, -1 if none was. */
    long contentLength() {
        return contentLength;
    }

    /** What was wrong, after a method has returned false. */
    String problem() {
        return problem == null ? "nothing is wrong" : problem;
    }

    boolean statusLine(ByteBuffer b, int from, int to) {
        long version = to - from < 12 ? 0 : b.getLong(from);
        if (version != HTTP_1_1 && version != HTTP_1_0) {
            problem = "no HTTP/1.x status line: " + ForeignProtocol.describe(b, from, to);
            return false;
        }
        int hundreds = b.get(from + 9) - '0';
        int tens = b.get(from + 10) - '0';
        int ones = b.get(from + 11) - '0';
        boolean digits = hundreds >= 1 && hundreds <= 5 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
        if (b.get(from + 8) != ' ' || !digits || (to - from > 12 && b.get(from + 12) != ' ')) {
            return bad("no status from 100 to 599", b, from, to);
        }
        status = hundreds * 100 + tens * 10 + ones;
        persistent = version == HTTP_1_1;
        return true;
    }

    boolean header(ByteBuffer b, int from, int to) {
        int first = b.get(from);
        if (Scan.isBlank(first)) {
            // obsolete line folding: a client reads it as a space (RFC 9112, 5.2), but no framing header may hide
            // behind it
            return !framing || bad("a folded framing header", b, from, to);
        }
        int colon = Scan.indexOf(b, from, to, (byte) ':');
        if (colon <= from || Scan.isBlank(b.get(colon - 1))) {
            return bad("no header line", b, from, to);
        }
        framing = false;
        int lower = first | 0x20;
        if (lower != 'c' && lower != 't') {
            return true;
        }
        return switch (colon - from) {
            case 10 -> isConnection(b, from) ? connection(b, colon + 1, to) : true;
            case 14 -> isContentLength(b, from) ? contentLength(b, colon + 1, to) : true;
            case 17 -> isTransferEncoding(b, from) ? transferEncoding(b, colon + 1, to) : true;
            default -> true;
        };
    }

    private static boolean isConnection(ByteBuffer b, int from) {
        return Scan.lower8(b, from) == CONNECTI && Scan.lower8(b, from + 2) == NNECTION;
    }

    private static boolean isContentLength(ByteBuffer b, int from) {
        return Scan.lower8(b, from) == CONTENT_ && Scan.lower8(b, from + 6) == T_LENGTH && b.get(from + 7) == '-';
    }

    private static boolean isTransferEncoding(ByteBuffer b, int from) {
        return Scan.lower8(b, from) == TRANSFER
                && Scan.lower8(b, from + 8) == _ENCODIN
                && Scan.lower8(b, from + 9) == ENCODING
                && b.get(from + 8) == '-';
    }

    private boolean contentLength(ByteBuffer b, int valueFrom, int valueTo) {
        framing = true;
        int from = Scan.skipBlanks(b, valueFrom, valueTo);
        int to = Scan.trimBlanks(b, from, valueTo);
        if (to == from || to - from > MAX_DIGITS) {
            return bad("Content-Length is no length", b, from, to);
        }
        long length = 0;
        for (int i = from; i < to; i++) {
            int digit = b.get(i) - '0';
            if (digit < 0 || digit > 9) {
                return bad("Content-Length is no length", b, from, to);
            }
            length = length * 10 + digit;
        }
        if (contentLength >= 0 && contentLength != length) {
            return bad("two Content-Lengths which differ", b, from, to);
        }
        contentLength = length;
        return true;
    }

    private boolean transferEncoding(ByteBuffer b, int from, int to) {
        framing = true;
        if (chunked) {
            return bad("a Transfer-Encoding after chunked", b, from, to);
        }
        if (Scan.hasControl(b, from, to)) {
            return bad("a control byte in Transfer-Encoding", b, from, to);
        }
        transferCoded = true;
        // the last coding decides; empty elements of a list do not count (RFC 9110, 5.6.1.2)
        int end = Scan.trimBlanks(b, from, to);
        while (end > from && b.get(end - 1) == ',') {
            end = Scan.trimBlanks(b, from, end - 1);
        }
        int last = from;
        for (int comma; (comma = Scan.indexOf(b, last, end, (byte) ',')) >= 0; ) {
            last = comma + 1;
        }
        chunked = Scan.equalsIgnoreCase(b, Scan.skipBlanks(b, last, end), end, "chunked");
        return true;
    }

    private boolean connection(ByteBuffer b, int valueFrom, int to) {
        framing = true;
        if (Scan.hasControl(b, valueFrom, to)) {
            return bad("a control byte in Connection", b, valueFrom, to);
        }
        int from = valueFrom;
        while (from < to) {
            int comma = Scan.indexOf(b, from, to, (byte) ',');
            int end = comma < 0 ? to : comma;
            int start = Scan.skipBlanks(b, from, end);
            int stop = Scan.trimBlanks(b, start, end);
            if (Scan.equalsIgnoreCase(b, start, stop, "close")) {
                persistent = false;
                closing = true;
            } else if (!closing && Scan.equalsIgnoreCase(b, start, stop, "keep-alive")) {
                persistent = true;
            }
            from = end + 1;
        }
        return true;
    }

    private boolean bad(String what, ByteBuffer b, int from, int to) {
        problem = what + ": " + Scan.excerpt(b, from, to);
        return false;
    }
}
