package dev.fettle.load.http2;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.ClientRing;
import dev.fettle.load.client.Clients;
import dev.fettle.load.client.Loop;
import dev.fettle.load.client.Peer;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.client.Terms;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.schedule.Timeout;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A connection that speaks HTTP/2 (RFC 9113): a client a stream, and as many streams at once as the server takes. It is
 * connected when the server's settings are there, for they say how many those are.
 *
 * <p>A stream that is reset, or answered wrongly, or not in time, fails alone; what is wrong with the connection fails all its
 * streams. A server that goes away in order (GOAWAY, NO_ERROR) is let finish what it has taken on; the requests which it has
 * not looked at go out again on the next connection.
 */
public final class Http2Connection implements Peer, Transport.Handler, Http2Session.Owner, Alarms.Sleeper {

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
    private final Http2Session session;
    /** Those who wait for a stream. */
    private final ClientRing waiting;

    private State state = State.CLOSED;
    /** The link is up, so that there is somebody to take leave of. */
    private boolean linked;
    /** What is carried now is sent, or the connection for it opened, at the end of what is being done. */
    private boolean gathering;
    /** Closed in order by the server, so that the next connect is a reconnect and no news. */
    private boolean closedInOrder;
    /** When the connect began. */
    private long since;
    /** When something came last. */
    private long heardAt;
    /** How long who fails now backs off; 0 unless the connection is lost. */
    private long pause;

    private int failuresInRow;

    /** @param number over all engine threads, from 0 */
    public Http2Connection(Loop loop, ScriptFactory scripts, int number, boolean secure) {
        this.loop = loop;
        this.terms = loop.terms();
        this.link = loop.transport().newLink(this);
        this.timeout = new Timeout(loop.timeouts(), this);
        int streams = terms.inFlight();
        this.clients = new Clients(this, loop, scripts, number, streams);
        this.session = new Http2Session(link, streams, secure, this);
        this.waiting = new ClientRing(streams);
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
        return state == State.OPEN && !session.isSpent();
    }

    @Override
    public boolean isQuiet() {
        return state != State.CONNECTING && waiting.count() == 0 && session.open() == 0;
    }

    @Override
    public void carry(Client client, long now) {
        waiting.add(client);
        if (!gathering) {
            goOn(now);
        }
    }

    /** Sends what is to be sent, opening first if need be. */
    private void goOn(long now) {
        if (state == State.OPEN && session.isSpent() && session.open() == 0) {
            closedInOrder = true;
            leave(Http2Code.NO_ERROR);
        }
        if (state == State.OPEN) {
            flush(now);
        } else if (state == State.CLOSED && waiting.count() > 0) {
            connect(now);
        }
    }

    private void flush(long now) {
        while (waiting.count() > 0 && session.canOpen()) {
            Client client = waiting.remove();
            client.sent(now);
            session.open(client);
            timeout.arm(now + terms.responseTimeoutNanos());
        }
        session.flush();
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
        }
        gathering = false;
        goOn(heardAt);
    }

    @Override
    public void sent() {
        if (state == State.OPEN) {
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
        if (state == State.CONNECTING || state == State.OPEN) {
            lost(kind, String.valueOf(cause.getMessage()));
        }
    }

    private void lost(ErrorKind kind, String what) {
        boolean outer = gathering;
        long now = loop.clock().read();
        gathering = true;
        if (state == State.OPEN && session.open() == 0) {
            // with nothing under way there is nothing to fail
            closedInOrder = true;
            leave(Http2Code.NO_ERROR);
        } else {
            fail(kind, what, Http2Code.NO_ERROR);
        }
        gathering = outer;
        if (!outer) {
            goOn(now);
        }
    }

    /** The connection is lost, or could not be made, and those which it was for fail with it. Only while gathering. */
    private void fail(ErrorKind kind, String what, int code) {
        boolean opening = state == State.CONNECTING;
        long now = loop.clock().last();
        leave(code);
        failuresInRow++;
        pause = loop.backOffNanos(failuresInRow, kind);
        if (opening) {
            failOpening(kind, "while connecting: " + what, now);
        } else if (session.open() > 0) {
            session.failAll(kind, what);
        } else if (loop.recorder().failed(kind, 0)) {
            // an error, though no request failed by it
            loop.recorder().example(kind, what);
        }
        pause = 0;
    }

    private void failOpening(ErrorKind kind, String what, long now) {
        int failing = waiting.count();
        for (int i = 0; i < failing; i++) {
            waiting.remove().failed(kind, what, pause, now);
        }
        if (failing == 0) {
            clients.first().failedAhead(kind, what, since, pause, now);
        }
    }

    /** Closes, and says so if there is somebody to hear it. */
    private void leave(int code) {
        state = State.CLOSED;
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
        if (state == State.CONNECTING) {
            state = State.OPEN;
            loop.recorder().connected(now - since);
            clients.connected();
        }
        if (session.limit() < terms.inFlight()) {
            loop.note("the server takes " + session.limit() + " streams at once on a connection, not the "
                    + terms.inFlight() + " asked for");
        }
        clients.begin(session.limit(), now);
    }

    @Override
    public void answering(Client client) {
        client.firstByte(loop.clock().last());
    }

    @Override
    public void answered(Client client, Answer answer) {
        failuresInRow = 0;
        if (!terms.keepAlive()) {
            leave(Http2Code.NO_ERROR);
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
        if (state == State.CONNECTING) {
            checkConnect(now);
        } else if (state == State.OPEN && session.open() > 0) {
            checkStreams(now);
        }
        gathering = false;
        goOn(now);
    }

    private void checkConnect(long now) {
        if (now >= since + terms.connectTimeoutNanos()) {
            String what = linked ? "no settings of the server within the time-out" : "none within the time-out";
            fail(ErrorKind.CONNECT_TIMEOUT, what, Http2Code.NO_ERROR);
        } else {
            timeout.arm(since + terms.connectTimeoutNanos());
        }
    }

    private void checkStreams(long now) {
        long tooLong = now - terms.responseTimeoutNanos();
        long first = session.firstSentAt();
        if (first <= tooLong && heardAt <= tooLong) {
            // not one stream: the connection is dead
            fail(ErrorKind.READ_TIMEOUT, "nothing came within the time-out", Http2Code.NO_ERROR);
            return;
        }
        session.cancelSentUntil(tooLong);
        if (session.open() > 0) {
            timeout.arm(session.firstSentAt() + terms.responseTimeoutNanos());
        }
    }

    // the clients

    @Override
    public void over(Client client) {
        if (clients.over()) {
            leave(Http2Code.NO_ERROR);
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
        leave(Http2Code.NO_ERROR);
        state = State.RETIRED;
    }
}
