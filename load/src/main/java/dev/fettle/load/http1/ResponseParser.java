package dev.fettle.load.http1;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.ResponseSink;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one HTTP/1.x response after another from one connection, in whatever pieces the bytes come.
 *
 * <p>Lenient where RFC 9112 allows it (a bare LF ends a line, equal Content-Lengths may be repeated), strict where leniency
 * would hide a broken server (differing or impossible lengths, both kinds of framing, no colon in a header line). Allocates
 * nothing for a response that is whole in one piece, and nothing in the long run for one that is not.
 */
public final class ResponseParser implements Answer {

    /** More bytes are needed. */
    static final int MORE = 0;
    /** The response is complete; bytes after it are left in the buffer. */
    public static final int DONE = 1;
    /** The response is broken: see {@link #problem()}. */
    public static final int BAD = 2;

    private static final byte[] PREFIX = {'H', 'T', 'T', 'P', '/', '1', '.'};
    private static final int MAX_HEX_DIGITS = 15;
    private static final int SWITCHING_PROTOCOLS = 101;

    private enum Phase {
        STATUS_LINE,
        HEADERS,
        LENGTH_BODY,
        OPEN_BODY,
        CHUNK_SIZE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILERS,
        OVER
    }

    private final LineReader lines;
    private final ResponseHead head = new ResponseHead();

    private Phase phase = Phase.STATUS_LINE;
    private boolean headRequest;
    private boolean upgrading;
    private @Nullable ResponseSink sink;
    private boolean begun;
    private boolean finalBegun;
    private int headBytes;
    private long left;
    private long bodyBytes;
    private @Nullable String problem;

    /** @param budget for lines that come in pieces */
    public ResponseParser(Budget budget) {
        lines = new LineReader(budget);
        begin(false, null);
    }

    /**
     * Begins a new response.
     *
     * @param toHead whether it answers a HEAD request, and so has no body
     * @param looker receives the response as it arrives; null: not needed
     */
    public void begin(boolean toHead, @Nullable ResponseSink looker) {
        phase = Phase.STATUS_LINE;
        lines.reset();
        head.reset();
        begun = false;
        finalBegun = false;
        headBytes = 0;
        bodyBytes = 0;
        problem = null;
        headRequest = toHead;
        upgrading = false;
        sink = looker;
        if (looker != null) {
            looker.begin();
        }
    }

    /** Releases what a large response needed; it has been read, or never will be. */
    public void release() {
        lines.release();
    }

    /**
     * Begins a new response to a request that asks for another protocol: a 101 may be the final response, and ends with
     * its head.
     */
    public void beginUpgrade(ResponseSink looker) {
        begin(false, looker);
        upgrading = true;
    }

    /**
     * Takes bytes from the buffer's position on, which must be in little-endian order.
     *
     * @return {@link #MORE}, {@link #DONE} or {@link #BAD}
     */
    public int feed(ByteBuffer in) {
        begun |= in.hasRemaining();
        while (true) {
            switch (phase) {
                case LENGTH_BODY -> {
                    if (!skip(in)) {
                        return MORE;
                    }
                    phase = Phase.OVER;
                }
                case OPEN_BODY -> {
                    left = Long.MAX_VALUE;
                    skip(in);
                    return MORE;
                }
                case CHUNK_DATA -> {
                    if (!skip(in)) {
                        return MORE;
                    }
                    phase = Phase.CHUNK_END;
                }
                case OVER -> {
                    return problem == null ? DONE : BAD;
                }
                default -> {
                    int start = in.position();
                    if (!lines.next(in)) {
                        return torn(in.position() - start);
                    }
                    if (!countHead(in.position() - start) || !line(lines.line(), lines.from(), lines.to())) {
                        phase = Phase.OVER;
                        return BAD;
                    }
                }
            }
        }
    }

    /** Whether the end of the stream now would complete the response. */
    public boolean endsAtClose() {
        return phase == Phase.OPEN_BODY;
    }

    /** Whether any byte of the response has come, an interim one included. */
    public boolean begun() {
        return begun;
    }

    /** Whether the final response has come so far that it is known not to be an interim one. */
    boolean finalBegun() {
        return finalBegun;
    }

    @Override
    public int status() {
        return head.status();
    }

    /** Whether the connection can be used again after this response. */
    public boolean keepAlive() {
        return phase == Phase.OVER && head.persistent();
    }

    @Override
    public long bodyLength() {
        return headRequest ? Math.max(0, head.contentLength()) : bodyBytes;
    }

    /** What was wrong, after {@link #BAD}. */
    public String problem() {
        return problem == null ? "nothing is wrong" : problem;
    }

    /** How far the response has come, for a message. */
    public String progress() {
        return switch (phase) {
            case STATUS_LINE -> begun ? "within the status line" : "before the first byte of a response";
            case HEADERS -> "within the head of a " + status();
            case LENGTH_BODY -> "after " + bodyBytes + " of " + head.contentLength() + " body bytes";
            case OPEN_BODY ->
                "after " + bodyBytes + " body bytes of a response without length, which only a close would end";
            case CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILERS ->
                "after " + bodyBytes + " body bytes of a chunked response without its last chunk";
            case OVER -> "after a response";
        };
    }

    private boolean skip(ByteBuffer in) {
        int take = (int) Math.min(left, in.remaining());
        if (sink != null) {
            sink.body(in, in.position(), in.position() + take);
        }
        in.position(in.position() + take);
        bodyBytes += take;
        left -= take;
        return left == 0;
    }

    /** Without a complete line: is the part of it so far acceptable? */
    private int torn(int consumed) {
        if (!countHead(consumed)) {
            phase = Phase.OVER;
            return BAD;
        }
        ByteBuffer torn = lines.torn();
        boolean bad = false;
        if (lines.tooLong()) {
            bad = bad("a line longer than " + LineReader.MAX_LINE + " bytes");
        } else if (phase == Phase.STATUS_LINE) {
            bad = !startsLikeHttp(torn)
                    && bad("no HTTP/1.x status line: " + ForeignProtocol.describe(torn, 0, torn.position()));
        } else if (phase == Phase.CHUNK_END && torn.position() > 0) {
            boolean ends = torn.position() == 1 && torn.get(0) == '\r';
            bad = !ends && bad("no line end after a chunk: " + Scan.excerpt(torn, 0, torn.position()));
        }
        if (bad) {
            phase = Phase.OVER;
            return BAD;
        }
        return MORE;
    }

    private static boolean startsLikeHttp(ByteBuffer torn) {
        int known = Math.min(PREFIX.length, torn.position());
        for (int i = 0; i < known; i++) {
            if (torn.get(i) != PREFIX[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean countHead(int bytes) {
        headBytes += phase == Phase.STATUS_LINE || phase == Phase.HEADERS || phase == Phase.TRAILERS ? bytes : 0;
        return headBytes <= Answer.MAX_HEAD || !bad("a head longer than " + Answer.MAX_HEAD + " bytes");
    }

    private boolean line(ByteBuffer b, int from, int to) {
        return switch (phase) {
            case STATUS_LINE -> {
                phase = Phase.HEADERS;
                boolean right = head.statusLine(b, from, to);
                finalBegun = right && status() >= 200;
                yield right || !bad(head.problem());
            }
            case HEADERS -> to == from ? endOfHead() : header(b, from, to);
            case CHUNK_SIZE -> chunkSize(b, from, to);
            case CHUNK_END -> {
                phase = Phase.CHUNK_SIZE;
                yield to == from || !bad("no line end after a chunk: " + Scan.excerpt(b, from, to));
            }
            case TRAILERS -> {
                phase = to == from ? Phase.OVER : Phase.TRAILERS;
                yield true;
            }
            default -> throw new IllegalStateException("no line is due in " + phase);
        };
    }

    private boolean header(ByteBuffer b, int from, int to) {
        if (!head.header(b, from, to)) {
            return !bad(head.problem());
        }
        ResponseSink looker = sink;
        if (looker != null && looker.wantsHeaders() && isFinal() && !Scan.isBlank(b.get(from))) {
            int colon = Scan.indexOf(b, from, to, (byte) ':');
            int valueFrom = Scan.skipBlanks(b, colon + 1, to);
            looker.header(b, from, colon, valueFrom, Scan.trimBlanks(b, valueFrom, to));
        }
        return true;
    }

    private boolean isFinal() {
        return status() >= 200 || status() == SWITCHING_PROTOCOLS && upgrading;
    }

    private boolean endOfHead() {
        int status = head.status();
        if (status == SWITCHING_PROTOCOLS && upgrading) {
            phase = Phase.OVER;
            return true;
        }
        if (status == SWITCHING_PROTOCOLS) {
            return !bad("the server switches protocols, unasked");
        }
        if (status < 200) {
            head.reset();
            phase = Phase.STATUS_LINE;
            return true;
        }
        if (head.transferCoded() && head.contentLength() >= 0) {
            return !bad("both Transfer-Encoding and Content-Length");
        }
        if (headRequest || status == 204 || status == 304) {
            phase = Phase.OVER;
        } else if (head.chunked()) {
            phase = Phase.CHUNK_SIZE;
        } else if (head.transferCoded() || head.contentLength() < 0) {
            phase = Phase.OPEN_BODY;
        } else {
            left = head.contentLength();
            phase = left == 0 ? Phase.OVER : Phase.LENGTH_BODY;
        }
        return true;
    }

    private boolean chunkSize(ByteBuffer b, int from, int to) {
        long size = 0;
        int i = from;
        for (; i < to; i++) {
            int digit = Character.digit(b.get(i), 16);
            if (digit < 0) {
                break;
            }
            size = size << 4 | digit;
        }
        int digits = i - from;
        int after = Scan.skipBlanks(b, i, to);
        boolean extensionOrEnd = after == to || b.get(after) == ';';
        if (digits == 0 || digits > MAX_HEX_DIGITS || !extensionOrEnd) {
            return !bad("no chunk size: " + Scan.excerpt(b, from, to));
        }
        left = size;
        phase = size == 0 ? Phase.TRAILERS : Phase.CHUNK_DATA;
        return true;
    }

    /** Records the problem, and returns true, for use in conditions. */
    private boolean bad(String what) {
        problem = what;
        return true;
    }
}
