package dev.fettle.load.websocket;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget.OverBudget;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.Connection;
import dev.fettle.load.client.Loop;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.script.ResponseSink;
import dev.fettle.load.script.ScriptFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened as a WebSocket (RFC 6455) and then carries messages, up to as many in flight as it has
 * clients. It counts as connected when the server has agreed to the WebSocket.
 *
 * <p>A message that arrives is the answer to the one that has waited longest: nothing else ties the two together. So a
 * server has to answer each message with one, and to send nothing else. A message without a request is an error where
 * it can be told from an answer. When the connection breaks, all messages on the wire fail.
 */
public final class WebSocketConnection extends Connection implements WebSocketReader.Sink {

    private final WebSocketOpening opening;
    private final WebSocketSender sender;
    private final WebSocketReader reader = new WebSocketReader(this);

    /** Whether the link is up. */
    private boolean linked;
    /** The handshake in progress; null when there is no link, or when the server has agreed. */
    private @Nullable WebSocketHandshake handshake;
    /** Receives the answer as it arrives; null: not needed. */
    private @Nullable ResponseSink looker;

    /** @param number over all engine threads, from 0 */
    public WebSocketConnection(Loop loop, ScriptFactory scripts, int number, WebSocketOpening opening) {
        super(loop, scripts, number);
        this.opening = opening;
        this.sender = new WebSocketSender(link, opening.opcode(), loop.budget());
    }

    @Override
    protected void flush(long now) {
        do {
            while (ring.hasUnsent() && sender.hasRoom()) {
                if (ring.onTheWire() == 0) {
                    state.awaitAnswer(now);
                }
                Client client = ring.send();
                client.sent(now);
                sender.message(client.script().request());
            }
            sender.flush();
        } while (state.isOpen() && ring.hasUnsent() && sender.hasRoom());
    }

    // the link

    @Override
    public void connected() {
        linked = true;
        reader.reset();
        handshake = sender.begin(opening);
        sender.flush();
    }

    @Override
    public void sent() {
        if (state.isOpen()) {
            flush(loop.clock().read());
        } else {
            sender.flush();
        }
    }

    @Override
    public void received(ByteBuffer bytes) {
        if (state.isRetired()) {
            return;
        }
        long now = loop.clock().read();
        gathering = true;
        try {
            if (handshake == null || isAgreed(handshake, bytes)) {
                reader.read(bytes);
                if (state.isConnecting()) {
                    opened(now);
                }
            }
        } catch (ProtocolError e) {
            fail(e.kind(), e.what(), e.code());
        } catch (OverBudget e) {
            fail(ErrorKind.MALFORMED, e.what(), WebSocketCode.POLICY);
        }
        gathering = false;
        goOn(now);
    }

    /** Whether the server has agreed to the WebSocket; false: its answer is not complete. */
    private boolean isAgreed(WebSocketHandshake asked, ByteBuffer bytes) throws ProtocolError {
        if (!asked.feed(bytes)) {
            return false;
        }
        loop.recorder().status(asked.status());
        asked.check();
        asked.release();
        handshake = null;
        if (asked.lacksSubprotocol()) {
            loop.note("the server selects none of the subprotocols that were offered");
        }
        return true;
    }

    /**
     * Called only after reading on: a server that has already sent an unrequested message breaks the protocol of the
     * load.
     */
    private void opened(long now) {
        state.connected(now);
        clients.begin(now);
    }

    @Override
    public void ended() {
        lost(
                ErrorKind.CLOSED_EARLY,
                "the server closed " + (handshake == null ? "without a Close frame" : handshake.progress()));
    }

    @Override
    public void broke(ErrorKind kind, IOException cause) {
        lost(kind, String.valueOf(cause.getMessage()));
    }

    private void lost(ErrorKind kind, String what) {
        linked = false;
        if (state.isRetired()) {
            link.close();
        }
        if (!state.isConnecting() && !state.isOpen()) {
            return;
        }
        boolean outer = gathering;
        long now = loop.clock().read();
        gathering = true;
        if (state.isOpen() && ring.onTheWire() == 0) {
            // with nothing in flight there is nothing to fail
            state.closesInOrder();
            leave();
        } else {
            fail(kind, what, WebSocketCode.NORMAL);
        }
        gathering = outer;
        if (!outer) {
            goOn(now);
        }
    }

    /** The connection is lost or could not be made, and its messages fail with it. Called only while gathering. */
    private void fail(ErrorKind kind, String what, int code) {
        boolean connecting = state.isConnecting();
        int failing = connecting ? ring.count() : ring.onTheWire();
        String text = connecting ? "while connecting: " + what : what + ", " + reader.progress();
        long now = loop.clock().last();
        leave(code);
        long pause = state.pauseAfter(kind);
        for (int i = 0; i < failing; i++) {
            ring.remove().failed(kind, text, pause, now);
        }
        if (failing > 0) {
            return;
        }
        if (connecting) {
            state.failedAhead(kind, text, pause, now);
        } else if (loop.recorder().failed(kind, 0)) {
            // an error, although no message failed
            loop.recorder().example(kind, what);
        }
    }

    @Override
    protected void leave() {
        leave(WebSocketCode.NORMAL);
    }

    /** Closes, with a Close frame if there is a WebSocket to close. */
    private void leave(int code) {
        state.close();
        reader.stop();
        ring.unsend();
        if (handshake != null) {
            handshake.release();
        } else if (linked) {
            sender.close(code);
        }
        linked = false;
        handshake = null;
        link.close();
    }

    // what the server says

    @Override
    public void begins() throws ProtocolError {
        if (ring.onTheWire() == 0) {
            throw new ProtocolError(
                    WebSocketCode.POLICY,
                    "a message came that answers none: the server may only answer, one message for each");
        }
        Client client = ring.first();
        client.firstByte(loop.clock().last());
        looker = client.script().sink();
        if (looker != null) {
            looker.begin();
        }
    }

    @Override
    public void data(ByteBuffer b, int from, int to) {
        if (looker != null) {
            looker.body(b, from, to);
        }
    }

    @Override
    public void complete() {
        Client client = ring.remove();
        state.answered();
        if (!terms.keepAlive()) {
            leave();
        }
        client.answered(reader, loop.clock().last());
    }

    @Override
    public void ping(ByteBuffer payload) throws ProtocolError {
        sender.pong(payload);
    }

    @Override
    public void closes(int code, String reason) throws ProtocolError {
        if (state.isOpen() && ring.onTheWire() == 0 && WebSocketCode.isOrderly(code)) {
            state.closesInOrder();
            leave(code);
        } else {
            String why = WebSocketCode.describe(code) + (reason.isEmpty() ? "" : ", '" + reason + "'");
            throw new ProtocolError(code, ErrorKind.CLOSED_EARLY, "the server closed the WebSocket: " + why);
        }
    }

    // time-outs

    @Override
    public void ring(long now) {
        if (state.isConnecting()) {
            if (state.isConnectLate(now)) {
                timedOut(ErrorKind.CONNECT_TIMEOUT, now);
            }
        } else if (state.isOpen()
                && ring.onTheWire() > 0
                && state.isAnswerLate(ring.first().sentAt(), now)) {
            timedOut(ErrorKind.READ_TIMEOUT, now);
        }
    }

    private void timedOut(ErrorKind kind, long now) {
        gathering = true;
        fail(kind, late(), WebSocketCode.NORMAL);
        gathering = false;
        goOn(now);
    }

    private String late() {
        if (state.isOpen()) {
            return "no complete answer within the time-out";
        }
        return handshake == null
                ? "none within the time-out"
                : "no answer to the upgrade within the time-out, " + handshake.progress();
    }

    // the clients

    @Override
    public void over(Client client) {
        if (clients.over()) {
            if (!state.mayStay()) {
                leave();
            }
            state.retire();
            reader.stop(); // nothing after the last answer matters
            loop.retired();
        }
    }
}
