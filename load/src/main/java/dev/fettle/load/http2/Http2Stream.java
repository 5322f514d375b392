package dev.fettle.load.http2;

import dev.fettle.load.bytes.Scan;
import dev.fettle.load.client.Client;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.ResponseSink;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One of the streams that a connection can have at once: a request and its response. Used again for later requests.
 */
final class Http2Stream implements Answer, HpackDecoder.Fields {

    private static final int LONGEST_LENGTH = 18;

    /** The stream's number; 0 while it is not in use. */
    private int id;

    private @Nullable Client client;
    /** The part of the request's body still to be sent; null: none. */
    private @Nullable ByteBuffer body;
    /** How much of it the server accepts now; a change of the server's settings can make it negative. */
    private long window;
    /** Bytes received and not yet acknowledged by a window update. */
    private int unreported;

    private boolean headRequest;
    private @Nullable ResponseSink sink;
    private int status;
    private long contentLength;
    private long bodyBytes;
    private boolean hasHead;

    private boolean regular;
    private @Nullable String problem;

    /** A request begins. */
    void begin(int number, Client whose, long initialWindow) {
        id = number;
        client = whose;
        body = null;
        window = initialWindow;
        unreported = 0;
        headRequest = whose.script().isHead();
        sink = whose.script().sink();
        status = 0;
        contentLength = -1;
        bodyBytes = 0;
        hasHead = false;
        problem = null;
        if (sink != null) {
            sink.begin();
        }
    }

    /** Ends the stream: it is not in use any more. Returns its client. */
    Client free() {
        Client whose = client();
        id = 0;
        client = null;
        body = null;
        sink = null;
        return whose;
    }

    int id() {
        return id;
    }

    boolean isUsed() {
        return id != 0;
    }

    Client client() {
        Client whose = client;
        if (whose == null) {
            throw new IllegalStateException("a stream which is not in use");
        }
        return whose;
    }

    // the request's body

    @Nullable
    ByteBuffer body() {
        return body;
    }

    void body(@Nullable ByteBuffer rest) {
        body = rest;
    }

    long window() {
        return window;
    }

    void widen(long bytes) {
        window += bytes;
    }

    // the response

    /** A header block begins. */
    void beginBlock() {
        regular = false;
        if (!hasHead) {
            status = 0;
            contentLength = -1;
        }
    }

    @Override
    public void field(ByteBuffer b, int nameFrom, int valueFrom, int valueTo) {
        if (nameFrom == valueFrom) {
            note("a field without a name");
            return;
        }
        if (b.get(nameFrom) == ':') {
            pseudo(b, nameFrom, valueFrom, valueTo);
            return;
        }
        regular = true;
        if (hasHead) {
            return; // trailers
        }
        if (Scan.equalsIgnoreCase(b, nameFrom, valueFrom, "content-length")) {
            length(b, valueFrom, valueTo);
        }
        ResponseSink looker = sink;
        if (looker != null && looker.wantsHeaders() && status >= 200) {
            looker.header(b, nameFrom, valueFrom, valueFrom, valueTo);
        }
    }

    private void pseudo(ByteBuffer b, int nameFrom, int valueFrom, int valueTo) {
        boolean first = status == 0 && !regular && !hasHead;
        if (!first || !Scan.equalsIgnoreCase(b, nameFrom, valueFrom, ":status")) {
            problem = "a pseudo-header where none can be: " + Scan.excerpt(b, nameFrom, valueTo);
            return;
        }
        int value = 0;
        for (int i = valueFrom; i < valueTo; i++) {
            int digit = b.get(i) - '0';
            value = digit < 0 || digit > 9 ? 1000 : value * 10 + digit;
        }
        if (valueTo - valueFrom != 3 || value < 100 || value > 599) {
            problem = "no status from 100 to 599: " + Scan.excerpt(b, valueFrom, valueTo);
        }
        status = value;
    }

    private void length(ByteBuffer b, int from, int to) {
        long value = 0;
        boolean digits = to > from && to - from <= LONGEST_LENGTH;
        for (int i = from; i < to && digits; i++) {
            int digit = b.get(i) - '0';
            digits = digit >= 0 && digit <= 9;
            value = value * 10 + digit;
        }
        if (!digits || (contentLength >= 0 && contentLength != value)) {
            problem = (digits ? "differing content-lengths: " : "no content-length: ") + Scan.excerpt(b, from, to);
        }
        contentLength = value;
    }

    /** The block has ended; true if it was the head of the final response. */
    boolean endBlock(boolean endOfStream) {
        if (problem != null || hasHead) {
            if (!endOfStream) {
                note("trailers which do not end the response");
            }
            return false;
        }
        if (status == 0) {
            note("a response without :status");
        } else if (status == 101) {
            note("status 101, which is not for HTTP/2");
        } else if (status >= 200) {
            hasHead = true;
            return true;
        } else if (endOfStream) {
            note("a response which ends with interim status " + status);
        }
        return false;
    }

    /** Part of the response's body. */
    void data(ByteBuffer b, int from, int to) {
        if (!hasHead) {
            note("data before the head of a response");
            return;
        }
        bodyBytes += to - from;
        if (sink != null) {
            sink.body(b, from, to);
        }
    }

    /**
     * Counts bytes that arrived; returns how many to acknowledge with a window update, 0 while they are fewer than
     * {@code enough}.
     */
    int received(int bytes, int enough) {
        unreported += bytes;
        if (unreported < enough) {
            return 0;
        }
        int report = unreported;
        unreported = 0;
        return report;
    }

    /** The response is over. */
    void end() {
        if (!hasHead) {
            note("a stream which ends without a response");
            return;
        }
        boolean bodiless = headRequest || status == 204 || status == 304;
        if (bodiless ? bodyBytes > 0 : contentLength >= 0 && bodyBytes != contentLength) {
            note(bodyBytes + " body bytes where " + (bodiless ? "none belong" : contentLength + " were announced"));
        }
    }

    private void note(String what) {
        if (problem == null) {
            problem = what;
        }
    }

    /** What is wrong with the response so far. */
    @Nullable
    String problem() {
        return problem;
    }

    /** How far the response has come, for a message. */
    String progress() {
        if (!hasHead) {
            return "before the head of a response";
        }
        return "after " + bodyBytes + (contentLength < 0 ? "" : " of " + contentLength) + " body bytes";
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public long bodyLength() {
        return headRequest ? Math.max(contentLength, 0) : bodyBytes;
    }
}
