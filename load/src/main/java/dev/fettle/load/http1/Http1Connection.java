package dev.fettle.load.http1;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.ClientRing;
import dev.fettle.load.client.Clients;
import dev.fettle.load.client.Loop;
import dev.fettle.load.client.Peer;
import dev.fettle.load.client.Terms;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.schedule.Timeout;
import dev.fettle.load.script.Script;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks HTTP/1.1, with up to so many requests under way as it has clients (pipelining; RFC 9112, 9.3.2).
 *
 * <p>Those with it stand in a ring in the order in which they came: first the ones on the wire, whose answers come in that
 * order, then those still to be sent. A response which closes the connection leaves the ones behind it unprocessed
 * (RFC 9112, 9.6): they are sent again on the next connection. When it breaks otherwise, all on the wire fail.
 *
 * <p>A response that nobody asked for is found on a connection with nothing under way, and behind the last answer expected.
 * One that arrives alone in the very moment in which a request is being sent is taken for its answer, by any client: in
 * HTTP/1.1 nothing ties the two together.
 */
public final class Http1Connection implements Peer, Transport.Handler, Alarms.Sleeper {

    private enum State {
        CLOSED,
        CONNECTING,
        OPEN,
        RETIRED
    }

    private final Loop loop;
    private final Terms terms;
    private final Transport.Link link;
    private final Clients clients;
    private final Timeout timeout;
    private final ResponseParser parser = new ResponseParser();
    private final ClientRing ring;
    /** The same request many times over, to send several at once; without pipelining null. */
    private final @Nullable ByteBuffer repeated;

    private final int requestLength;

    private State state = State.CLOSED;
    /** What joins the ring now is sent, or the connection for it opened, at the end of what is being done. */
    private boolean gathering;
    /** Closed in order by the server, so that the next connect is a reconnect and no news. */
    private boolean closedInOrder;
    /** When the connect began. */
    private long since;

    private int failuresInRow;

    /**
     * @param number over all engine threads, from 0
     * @param repeated what is sent, if several are under way at once; null: one at a time
     */
    public Http1Connection(Loop loop, ScriptFactory scripts, int number, @Nullable RepeatedRequest repeated) {
        this.loop = loop;
        this.terms = loop.terms();
        this.link = loop.transport().newLink(this);
        this.timeout = new Timeout(loop.timeouts(), this);
        int depth = terms.inFlight();
        this.clients = new Clients(this, loop, scripts, number, depth);
        this.ring = new ClientRing(depth);
        this.repeated = repeated == null ? null : repeated.many().duplicate();
        this.requestLength = repeated == null ? 0 : repeated.length();
    }

    @Override
    public void start(long now) {
        if (terms.opensAhead()) {
            connect(now);
        } else {
            clients.begin(now);
        }
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public boolean isQuiet() {
        return state != State.CONNECTING && ring.count() == 0;
    }

    @Override
    public void carry(Client client, long now) {
        ring.add(client);
        if (!gathering) {
            goOn(now);
        }
    }

    /** Sends what is to be sent, opening first if need be. */
    private void goOn(long now) {
        if (state == State.OPEN) {
            flush(now);
        } else if (state == State.CLOSED && ring.count() > 0) {
            connect(now);
        }
    }

    private void connect(long now) {
        state = State.CONNECTING;
        since = now;
        if (closedInOrder) {
            closedInOrder = false;
            loop.recorder().reconnecting();
        }
        timeout.arm(now + terms.connectTimeoutNanos());
        link.connect();
    }

    @Override
    public void connected() {
        long now = loop.clock().read();
        state = State.OPEN;
        loop.recorder().connected(now - since);
        clients.connected();
        gathering = true;
        clients.begin(now);
        gathering = false;
        goOn(now);
    }

    private void flush(long now) {
        while (state == State.OPEN && ring.hasUnsent() && !link.sending()) {
            boolean first = ring.onTheWire() == 0;
            ByteBuffer bytes = repeated == null ? request(now) : requests(repeated, now);
            if (first) {
                expectNext();
                timeout.arm(now + terms.responseTimeoutNanos());
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
        while (state == State.OPEN && bytes.hasRemaining()) {
            if (ring.onTheWire() == 0) {
                unasked(bytes);
                break;
            }
            boolean begun = parser.finalBegun();
            int progress = parser.feed(bytes);
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

    /** A response is complete; bytes left over must belong to the next one. */
    private void done(ByteBuffer bytes, long now) {
        // an answer that came before its request was out leaves the rest of that nowhere to go
        boolean reusable = parser.keepAlive() && (ring.onTheWire() > 1 || !link.sending());
        if (bytes.hasRemaining() && (ring.onTheWire() == 1 || !reusable)) {
            String excerpt = Scan.excerpt(bytes, bytes.position(), bytes.limit());
            fail(ErrorKind.MALFORMED, bytes.remaining() + " bytes too many after a response: " + excerpt, now);
        } else {
            complete(reusable, now);
        }
    }

    private void complete(boolean reusable, long now) {
        Client client = ring.remove();
        failuresInRow = 0;
        if (!reusable || !terms.keepAlive()) {
            closedInOrder = terms.keepAlive();
            closeLink();
        }
        client.answered(parser, now);
        if (ring.onTheWire() > 0) {
            expectNext();
        }
    }

    /** Bytes came with nothing under way: that is an error, though no request failed by it. */
    private void unasked(ByteBuffer bytes) {
        if (loop.recorder().failed(ErrorKind.MALFORMED, 0)) {
            String excerpt = Scan.excerpt(bytes, bytes.position(), bytes.limit());
            loop.recorder().example(ErrorKind.MALFORMED, "bytes came that no request had asked for: " + excerpt);
        }
        closeLink();
    }

    @Override
    public void ended() {
        if (state == State.RETIRED) {
            link.close();
            return;
        }
        long now = loop.clock().read();
        gathering = true;
        if (ring.onTheWire() == 0) {
            closedInOrder = true;
            closeLink();
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
        if (state == State.RETIRED) {
            link.close();
            return;
        }
        boolean outer = gathering;
        long now = loop.clock().read();
        gathering = true;
        if (state == State.CONNECTING) {
            fail(kind, "while connecting: " + cause.getMessage(), now);
        } else if (ring.onTheWire() == 0) {
            // with nothing under way a reset is but another way to close
            closedInOrder = true;
            closeLink();
        } else {
            fail(kind, cause.getMessage() + ", " + parser.progress(), now);
        }
        gathering = outer;
        if (!outer) {
            goOn(now);
        }
    }

    /** The connection is lost, or could not be made, and those which it was for fail with it. Only while gathering. */
    private void fail(ErrorKind kind, String what, long now) {
        boolean opening = state == State.CONNECTING;
        int lost = opening ? ring.count() : ring.onTheWire();
        closeLink();
        failuresInRow++;
        long pause = loop.backOffNanos(failuresInRow, kind);
        for (int i = 0; i < lost; i++) {
            ring.remove().failed(kind, what, pause, now);
        }
        if (opening && lost == 0) {
            clients.first().failedAhead(kind, what, since, pause, now);
        }
    }

    @Override
    public void ring(long now) {
        if (state == State.CONNECTING) {
            check(
                    since + terms.connectTimeoutNanos(),
                    ErrorKind.CONNECT_TIMEOUT,
                    "while connecting: none within the time-out",
                    now);
        } else if (state == State.OPEN && ring.onTheWire() > 0) {
            check(
                    ring.first().sentAt() + terms.responseTimeoutNanos(),
                    ErrorKind.READ_TIMEOUT,
                    "no complete response within the time-out, ",
                    now);
        }
    }

    private void check(long deadline, ErrorKind kind, String what, long now) {
        if (now < deadline) {
            timeout.arm(deadline);
            return;
        }
        gathering = true;
        fail(kind, kind == ErrorKind.READ_TIMEOUT ? what + parser.progress() : what, now);
        gathering = false;
        goOn(now);
    }

    @Override
    public void over(Client client) {
        if (clients.over()) {
            // at the load's end all go at once, and that would take time from those that still wait for an answer
            if (!loop.isOver() || state != State.OPEN) {
                closeLink();
            }
            state = State.RETIRED;
            loop.retired();
        }
    }

    @Override
    public void sweep(boolean timeUp) {
        clients.sweep(timeUp);
    }

    @Override
    public long age(long now) {
        return clients.age(now);
    }

    @Override
    public void abandon(long now) {
        clients.abandon(now);
        closeLink();
        state = State.RETIRED;
    }

    private void closeLink() {
        state = State.CLOSED;
        ring.unsend();
        link.close();
    }
}
