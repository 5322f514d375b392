package dev.fettle.load.http2;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget.OverBudget;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.Connection;
import dev.fettle.load.client.Loop;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.ScriptFactory;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A connection that speaks HTTP/2 (RFC 9113): one stream per client, and as many streams at once as the server allows.
 * It counts as connected when the server's settings, which say how many that is, have arrived.
 *
 * <p>A stream that is reset, answered wrongly or not answered in time fails alone; a fault of the connection fails all
 * its streams. A server that goes away in order (GOAWAY, NO_ERROR) may finish the requests it has accepted; those that
 * it has not looked at are sent again on the next connection.
 */
public final class Http2Connection extends Connection implements Http2Session.Owner {

    private static final String WAITS_FOR_OTHERS =
            "the server ended a connection in order (GOAWAY): requests that it had"
                    + " not accepted waited until those that it had were answered";

    private final Http2Session session;

    /** Whether the link is up, so that a GOAWAY can be sent. */
    private boolean linked;
    /** When bytes last arrived. */
    private long heardAt;
    /** How long a client that fails now backs off; 0 unless the connection is lost. */
    private long pause;

    /** @param number over all engine threads, from 0 */
    public Http2Connection(Loop loop, ScriptFactory scripts, int number) {
        super(loop, scripts, number);
        this.session = new Http2Session(link, terms.inFlight(), this, loop.budget());
    }

    @Override
    public boolean isOpen() {
        return state.isOpen() && !session.isSpent();
    }

    @Override
    public boolean isQuiet() {
        return super.isQuiet() && session.open() == 0;
    }

    @Override
    protected void goOn(long now) {
        if (state.isOpen() && session.isSpent() && session.open() == 0) {
            if (ring.count() > 0 && !session.answeredAny()) {
                // connecting again for all that wait would never end
                gathering = true;
                fail(ErrorKind.CLOSED_EARLY, Http2Session.ANSWERED_NOTHING, Http2Code.NO_ERROR);
                gathering = false;
            } else {
                state.closesInOrder();
                leave();
            }
        } else if (state.isOpen() && session.isSpent() && ring.count() > 0) {
            loop.note(WAITS_FOR_OTHERS);
        }
        super.goOn(now);
    }

    @Override
    protected void flush(long now) {
        while (ring.count() > 0 && session.canOpen()) {
            Client client = ring.remove();
            client.sent(now);
            session.open(client);
            state.awaitAnswer(now);
        }
        if (ring.count() > 0 && session.open() == 0) {
            state.awaitAnswer(ring.first().sentAt());
        }
        session.flush();
    }

    // the link

    @Override
    public void connected() {
        linked = true;
        session.begin();
    }

    @Override
    public void received(ByteBuffer bytes) {
        heardAt = loop.clock().read();
        gathering = true;
        try {
            session.received(bytes);
        } catch (ProtocolError e) {
            fail(e.kind(), e.what(), e.code());
        } catch (OverBudget e) {
            fail(ErrorKind.MALFORMED, e.what(), Http2Code.ENHANCE_YOUR_CALM);
        }
        gathering = false;
        goOn(heardAt);
    }

    @Override
    public void sent() {
        if (state.isOpen()) {
            flush(loop.clock().read());
        } else {
            session.flush();
        }
    }

    @Override
    public void ended() {
        linked = false;
        lost(ErrorKind.CLOSED_EARLY, "the server closed");
    }

    @Override
    public void broke(ErrorKind kind, IOException cause) {
        linked = false;
        if (state.isConnecting() || state.isOpen()) {
            lost(kind, String.valueOf(cause.getMessage()));
        }
    }

    private void lost(ErrorKind kind, String what) {
        boolean outer = gathering;
        long now = loop.clock().read();
        gathering = true;
        if (state.isOpen() && session.open() == 0 && (ring.count() == 0 || session.answeredAny())) {
            // with nothing in flight there is nothing to fail; what waits would wait for ever if no connection answered
            // any
            state.closesInOrder();
            leave();
        } else {
            fail(kind, what, Http2Code.NO_ERROR);
        }
        gathering = outer;
        if (!outer) {
            goOn(now);
        }
    }

    /** The connection is lost or could not be made, and its requests fail with it. Called only while gathering. */
    private void fail(ErrorKind kind, String what, int code) {
        boolean opening = state.isConnecting();
        long now = loop.clock().last();
        leave(code);
        pause = state.pauseAfter(kind);
        if (opening) {
            failWaiting(kind, "while connecting: " + what, now);
        } else if (session.open() > 0) {
            session.failAll(kind, what);
        } else if (ring.count() > 0) {
            failWaiting(kind, what, now);
        } else if (loop.recorder().failed(kind, 0)) {
            // an error, although no request failed
            loop.recorder().example(kind, what);
        }
        pause = 0;
    }

    /** Those that waited for this connection fail; it was of no use to them. */
    private void failWaiting(ErrorKind kind, String what, long now) {
        int failing = ring.count();
        for (int i = 0; i < failing; i++) {
            ring.remove().failed(kind, what, pause, now);
        }
        if (failing == 0) {
            state.failedAhead(kind, what, pause, now);
        }
    }

    @Override
    protected void leave() {
        leave(Http2Code.NO_ERROR);
    }

    /** Closes, with a GOAWAY if the link is up. */
    private void leave(int code) {
        state.close();
        session.stop();
        if (linked) {
            session.goAway(code);
            linked = false;
        }
        link.close();
    }

    // the session

    @Override
    public void settled() {
        long now = loop.clock().last();
        if (state.isConnecting()) {
            state.connected(now);
        }
        if (session.limit() < terms.inFlight()) {
            loop.note("the server takes " + session.limit() + " streams at once on a connection, not the "
                    + terms.inFlight() + " asked for");
        }
        // with none, nothing would be tried, and nothing counted
        clients.begin(Math.max(1, session.limit()), now);
    }

    @Override
    public void answering(Client client) {
        client.firstByte(loop.clock().last());
    }

    @Override
    public void answered(Client client, Answer answer) {
        state.answered();
        if (!terms.keepAlive()) {
            leave();
        }
        client.answered(answer, loop.clock().last());
    }

    @Override
    public void failed(Client client, ErrorKind kind, String what) {
        client.failed(kind, what, pause, loop.clock().last());
    }

    @Override
    public void refused(Client client) {
        carry(client, loop.clock().last());
    }

    // time-outs

    @Override
    public void ring(long now) {
        gathering = true;
        if (state.isConnecting()) {
            checkConnect(now);
        } else if (state.isOpen() && (session.open() > 0 || ring.count() > 0)) {
            checkStreams(now);
        }
        gathering = false;
        goOn(now);
    }

    private void checkConnect(long now) {
        if (state.isConnectLate(now)) {
            String what = linked ? "no settings of the server within the time-out" : "none within the time-out";
            fail(ErrorKind.CONNECT_TIMEOUT, what, Http2Code.NO_ERROR);
        }
    }

    private void checkStreams(long now) {
        long tooLong = now - terms.responseTimeoutNanos();
        long first = session.firstSentAt();
        if (first <= tooLong && heardAt <= tooLong) {
            // no stream got anything: the connection is dead
            fail(ErrorKind.READ_TIMEOUT, "nothing came within the time-out", Http2Code.NO_ERROR);
            return;
        }
        session.cancelSentUntil(tooLong);
        if (session.open() > 0) {
            state.awaitAnswer(session.firstSentAt());
        } else if (!session.isSpent() && !session.canOpen()) {
            // else they leave now, here or on the next connection
            failLate(now);
        }
    }

    /** Those that waited too long for a stream fail; those that came later go to the next connection. */
    private void failLate(long now) {
        if (ring.count() == 0 || !state.isAnswerLate(ring.first().sentAt(), now)) {
            return;
        }
        leave();
        pause = state.pauseAfter(ErrorKind.READ_TIMEOUT);
        for (int left = ring.count();
                left > 0 && state.isAnswerLate(ring.first().sentAt(), now);
                left--) {
            ring.remove()
                    .failed(ErrorKind.READ_TIMEOUT, "the server let no stream open within the time-out", pause, now);
        }
        pause = 0;
    }

    // the clients

    @Override
    public void over(Client client) {
        if (clients.over()) {
            leave();
            state.retire();
            loop.retired();
        }
    }
}
