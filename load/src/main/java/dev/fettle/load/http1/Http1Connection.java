package dev.fettle.load.http1;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget.OverBudget;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.Connection;
import dev.fettle.load.client.Loop;
import dev.fettle.load.script.Script;
import dev.fettle.load.script.ScriptFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks HTTP/1.1, with up to as many requests in flight as it has clients (pipelining; RFC 9112,
 * 9.3.2).
 *
 * <p>Clients with a request are in a ring in order of arrival: first those whose request is on the wire, whose answers
 * come in that order, then those still to be sent. A response that closes the connection leaves the requests behind it
 * unprocessed (RFC 9112, 9.6): they are sent again on the next connection. If the connection breaks otherwise, all
 * requests on the wire fail.
 *
 * <p>A response that answers no request is detected if nothing is in flight, or if it comes after the last answer
 * expected. One that arrives alone just when a request is being sent is taken for its answer, as by any client: in
 * HTTP/1.1 nothing ties the two together.
 */
public final class Http1Connection extends Connection {

    private final ResponseParser parser;
    /** Copies of the same request, to send several at once; null without pipelining. */
    private final @Nullable ByteBuffer repeated;

    private final int requestLength;

    /**
     * @param number over all engine threads, from 0
     * @param repeated the request to send, if several can be in flight at once; null: one at a time
     */
    public Http1Connection(Loop loop, ScriptFactory scripts, int number, @Nullable RepeatedRequest repeated) {
        super(loop, scripts, number);
        this.parser = new ResponseParser(loop.budget());
        this.repeated = repeated == null ? null : repeated.many().duplicate();
        this.requestLength = repeated == null ? 0 : repeated.length();
    }

    @Override
    public void connected() {
        long now = loop.clock().read();
        state.connected(now);
        gathering = true;
        clients.begin(now);
        gathering = false;
        goOn(now);
    }

    @Override
    protected void flush(long now) {
        while (state.isOpen() && ring.hasUnsent() && !link.sending()) {
            boolean first = ring.onTheWire() == 0;
            ByteBuffer bytes = repeated == null ? request(now) : requests(repeated, now);
            if (first) {
                expectNext();
                state.awaitAnswer(now);
            }
            link.send(bytes);
        }
    }

    private ByteBuffer request(long now) {
        Client client = ring.send();
        client.sent(now);
        return client.script().request();
    }

    private ByteBuffer requests(ByteBuffer many, long now) {
        int atMost = many.capacity() / requestLength;
        int from = ring.onTheWire();
        while (ring.hasUnsent() && ring.onTheWire() - from < atMost) {
            request(now);
        }
        return many.limit((ring.onTheWire() - from) * requestLength).position(0);
    }

    private void expectNext() {
        Script script = ring.first().script();
        parser.begin(script.isHead(), script.sink());
    }

    @Override
    public void sent() {
        if (ring.hasUnsent()) {
            flush(loop.clock().read());
        }
    }

    @Override
    public void received(ByteBuffer bytes) {
        long now = loop.clock().read();
        gathering = true;
        while (state.isOpen() && bytes.hasRemaining()) {
            if (ring.onTheWire() == 0) {
                unasked(bytes);
                break;
            }
            boolean begun = parser.finalBegun();
            int progress = feed(bytes, now);
            if (!begun && parser.finalBegun()) {
                ring.first().firstByte(now);
            }
            if (progress == ResponseParser.BAD) {
                fail(ErrorKind.MALFORMED, parser.problem(), now);
            } else if (progress == ResponseParser.DONE) {
                done(bytes, now);
            }
        }
        gathering = false;
        goOn(now);
    }

    /** Lets the parser read; a response that needs more memory than there is ends the connection. */
    private int feed(ByteBuffer bytes, long now) {
        try {
            return parser.feed(bytes);
        } catch (OverBudget e) {
            fail(ErrorKind.MALFORMED, e.what(), now);
            return ResponseParser.MORE;
        }
    }

    /** A response is complete; bytes left over must belong to the next one. */
    private void done(ByteBuffer bytes, long now) {
        // the answer came before its request was fully sent: the rest of the request can't be sent any more
        boolean reusable = parser.keepAlive() && (ring.onTheWire() > 1 || !link.sending());
        if (bytes.hasRemaining() && (ring.onTheWire() == 1 || !reusable)) {
            String excerpt = Scan.excerpt(bytes, bytes.position(), bytes.limit());
            fail(ErrorKind.MALFORMED, bytes.remaining() + " bytes too many after a response: " + excerpt, now);
        } else {
            complete(reusable, now);
        }
    }

    private void complete(boolean reusable, long now) {
        parser.release();
        Client client = ring.remove();
        state.answered();
        if (!reusable || !terms.keepAlive()) {
            if (terms.keepAlive()) {
                state.closesInOrder();
            }
            leave();
        }
        client.answered(parser, now);
        if (ring.onTheWire() > 0) {
            expectNext();
        }
    }

    /** Bytes arrived with nothing under way: an error, although no request failed. */
    private void unasked(ByteBuffer bytes) {
        if (loop.recorder().failed(ErrorKind.MALFORMED, 0)) {
            String excerpt = Scan.excerpt(bytes, bytes.position(), bytes.limit());
            loop.recorder().example(ErrorKind.MALFORMED, "bytes came that no request had asked for: " + excerpt);
        }
        leave();
    }

    @Override
    public void ended() {
        if (state.isRetired()) {
            link.close();
            return;
        }
        long now = loop.clock().read();
        gathering = true;
        if (ring.onTheWire() == 0) {
            state.closesInOrder();
            leave();
        } else if (parser.endsAtClose()) {
            complete(false, now);
        } else {
            fail(ErrorKind.CLOSED_EARLY, "the server closed " + parser.progress(), now);
        }
        gathering = false;
        goOn(now);
    }

    @Override
    public void broke(ErrorKind kind, IOException cause) {
        if (state.isRetired()) {
            link.close();
            return;
        }
        boolean outer = gathering;
        long now = loop.clock().read();
        gathering = true;
        if (state.isConnecting()) {
            fail(kind, "while connecting: " + cause.getMessage(), now);
        } else if (ring.onTheWire() == 0) {
            // with nothing in flight a reset is just another way to close
            state.closesInOrder();
            leave();
        } else {
            fail(kind, cause.getMessage() + ", " + parser.progress(), now);
        }
        gathering = outer;
        if (!outer) {
            goOn(now);
        }
    }

    /** The connection is lost or could not be made, and its requests fail with it. Called only while gathering. */
    private void fail(ErrorKind kind, String what, long now) {
        boolean opening = state.isConnecting();
        int lost = opening ? ring.count() : ring.onTheWire();
        leave();
        long pause = state.pauseAfter(kind);
        for (int i = 0; i < lost; i++) {
            ring.remove().failed(kind, what, pause, now);
        }
        if (opening && lost == 0) {
            state.failedAhead(kind, what, pause, now);
        }
    }

    @Override
    public void ring(long now) {
        if (state.isConnecting()) {
            if (state.isConnectLate(now)) {
                timedOut(ErrorKind.CONNECT_TIMEOUT, "while connecting: none within the time-out", now);
            }
        } else if (state.isOpen()
                && ring.onTheWire() > 0
                && state.isAnswerLate(ring.first().sentAt(), now)) {
            timedOut(ErrorKind.READ_TIMEOUT, "no complete response within the time-out, " + parser.progress(), now);
        }
    }

    private void timedOut(ErrorKind kind, String what, long now) {
        gathering = true;
        fail(kind, what, now);
        gathering = false;
        goOn(now);
    }

    @Override
    public void over(Client client) {
        if (clients.over()) {
            if (!state.mayStay()) {
                leave();
            }
            state.retire();
            loop.retired();
        }
    }

    @Override
    protected void leave() {
        state.close();
        parser.release();
        ring.unsend();
        link.close();
    }
}
