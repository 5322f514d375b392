package dev.fettle.load.transport.tls;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget.OverBudget;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.transport.Outbox;
import dev.fettle.load.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS for one connection: a link for its client, and the handler of the link below. The handshake's work is done on the
 * engine thread. A renegotiation or a key update happens between two records; data to be sent waits for it.
 */
final class TlsLink implements Transport.Link, Transport.Handler {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** If more waits to be sent, it is what the engine answers to messages of a server that does not read. */
    private static final int MOST_WAITING = 256 * 1024;

    static final String FLOOD = "a flood of messages whose answers the server does not read";

    private final TlsTransport transport;
    private final Transport.Handler handler;
    private final Transport.Link raw;
    private final Outbox outbox;

    /** The engine of the current connection; null while there is none. */
    private @Nullable SSLEngine engine;

    private boolean established;
    /** Whether the closing alert is being sent, whose outcome is reported to nobody. */
    private boolean leaving;
    /** Plain text not yet fully wrapped. */
    private @Nullable ByteBuffer unsent;
    /** Whether bytes of the handler's are being sent, and it must be told when they are out. */
    private boolean owed;
    /** The beginning of an incomplete record. */
    private @Nullable ByteBuffer torn;

    TlsLink(TlsTransport transport, Transport below, Transport.Handler handler) {
        this.transport = transport;
        this.handler = handler;
        this.raw = below.newLink(this);
        this.outbox = new Outbox(raw, transport.budget());
    }

    // the link of its client

    @Override
    public void connect() {
        raw.connect();
    }

    @Override
    public void send(ByteBuffer bytes) {
        SSLEngine current = engine;
        if (current == null || !established) {
            throw new IllegalStateException("send on a closed link");
        }
        unsent = bytes;
        push(current);
        owed = engine == current && !isOut();
    }

    /** Only the client's bytes count, not the engine's own messages. */
    @Override
    public boolean sending() {
        return owed;
    }

    private boolean isOut() {
        return unsent == null && !outbox.isBusy();
    }

    @Override
    public void close() {
        SSLEngine current = engine;
        boolean polite = established;
        forget();
        if (current != null && polite) {
            current.closeOutbound();
            sendLastWords(current);
        }
        raw.close();
    }

    // the handler of the link below

    @Override
    public void connected() {
        SSLEngine fresh = transport.newEngine();
        engine = fresh;
        outbox.clear();
        try {
            fresh.beginHandshake();
        } catch (SSLException e) {
            fail(fresh, e);
            return;
        }
        push(fresh);
    }

    @Override
    public void received(ByteBuffer bytes) {
        SSLEngine current = engine;
        while (current != null && engine == current && bytes.hasRemaining()) {
            ByteBuffer record = record(bytes);
            if (record == null) {
                return;
            }
            unwrap(current, record);
        }
    }

    @Override
    public void sent() {
        SSLEngine current = engine;
        if (current != null) {
            push(current);
        }
    }

    @Override
    public void ended() {
        if (established && torn != null) {
            forget();
            raw.close();
            handler.broke(ErrorKind.CLOSED_EARLY, new IOException("the server closed within a TLS record"));
        } else if (established) {
            // no close_notify, which many servers omit: whether it matters depends on how the response is delimited
            handler.ended();
        } else {
            broken(new IOException(
                    "the server closed during the TLS handshake; perhaps it speaks no TLS on this port"));
        }
    }

    @Override
    public void broke(ErrorKind kind, IOException cause) {
        if (leaving) {
            return;
        }
        if (engine == null || established) {
            forget();
            handler.broke(kind, cause);
        } else {
            broken(new IOException(cause.getMessage() + " during the TLS handshake", cause));
        }
    }

    /**
     * A complete record at the position, here or assembled from pieces; null if there is none yet, or never will be.
     */
    private @Nullable ByteBuffer record(ByteBuffer bytes) {
        ByteBuffer kept = torn;
        int from = bytes.position();
        if (kept == null) {
            if (!TlsRecord.plausible(bytes, from, bytes.limit())) {
                notTls(bytes);
                return null;
            }
            if (bytes.remaining() >= TlsRecord.HEADER && bytes.remaining() >= TlsRecord.length(bytes, from)) {
                return bytes;
            }
            try {
                kept = transport.borrow();
            } catch (OverBudget e) {
                forget();
                raw.close();
                handler.broke(ErrorKind.MALFORMED, new IOException(e.what()));
                return null;
            }
            torn = kept;
        }
        fill(kept, bytes, TlsRecord.HEADER);
        if (!TlsRecord.plausible(kept, 0, kept.position())) {
            notTls(kept.flip());
            return null;
        }
        if (kept.position() < TlsRecord.HEADER) {
            return null;
        }
        int length = TlsRecord.length(kept, 0);
        if (length > kept.capacity()) {
            broken(new IOException("a TLS record of " + length + " bytes, which is longer than TLS allows"));
            return null;
        }
        fill(kept, bytes, length);
        return kept.position() == length ? kept.flip() : null;
    }

    private static void fill(ByteBuffer kept, ByteBuffer bytes, int upTo) {
        int count = Math.min(bytes.remaining(), upTo - kept.position());
        if (count > 0) {
            kept.put(kept.position(), bytes, bytes.position(), count);
            kept.position(kept.position() + count);
            bytes.position(bytes.position() + count);
        }
    }

    private void unwrap(SSLEngine current, ByteBuffer record) {
        ByteBuffer plain = transport.plain();
        SSLEngineResult result;
        try {
            result = current.unwrap(record, plain);
            while (result.bytesConsumed() == 0) {
                sayFirst(current, result);
                if (engine != current) {
                    return;
                }
                result = current.unwrap(record, plain);
            }
        } catch (SSLException e) {
            fail(current, e);
            return;
        }
        if (record == torn) {
            giveBack();
        }
        if (plain.position() > 0) {
            handler.received(plain.flip());
        }
        if (engine == current && result.getStatus() == SSLEngineResult.Status.CLOSED) {
            if (established) {
                handler.ended();
            } else {
                broken(new IOException("the server closed during the TLS handshake"));
            }
        } else if (engine == current && result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            push(current);
        }
    }

    /** The engine has accepted nothing: it first has work to do or something to send. */
    private void sayFirst(SSLEngine current, SSLEngineResult refusal) throws SSLException {
        push(current);
        boolean pushed = engine != current || current.getHandshakeStatus() != refusal.getHandshakeStatus();
        if (refusal.getStatus() != SSLEngineResult.Status.OK || !pushed) {
            throw new SSLException("TLS is stuck: " + refusal.getStatus() + ", " + refusal.getHandshakeStatus());
        }
    }

    /** Does the handshake's work, wraps what the engine and the client have to send, and sends it. */
    private void push(SSLEngine current) {
        outbox.flush();
        try {
            while (engine == current && wrapSome(current)) {
                outbox.flush();
            }
        } catch (SSLException e) {
            fail(current, e);
            return;
        }
        if (engine != current) {
            return;
        }
        if (!established && isShaken(current)) {
            established(current);
        } else if (owed && isOut()) {
            owed = false;
            handler.sent();
        }
    }

    private static boolean isShaken(SSLEngine current) {
        return current.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Fills the outbox with a few records at most; returns whether there are any to flush. */
    private boolean wrapSome(SSLEngine current) throws SSLException {
        ByteBuffer records = transport.wrapped();
        while (records.remaining() >= TlsRecord.MAX && wantsToWrap(current)) {
            ByteBuffer source = unsent == null ? NOTHING : unsent;
            SSLEngineResult result = current.wrap(source, records);
            if (unsent != null && !unsent.hasRemaining()) {
                unsent = null;
            }
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                break;
            }
        }
        if (records.position() == 0) {
            return false;
        }
        outbox.add(records.flip());
        if (outbox.waiting() > MOST_WAITING || outbox.isOverBudget()) {
            throw new SSLException(FLOOD);
        }
        return true;
    }

    private boolean wantsToWrap(SSLEngine current) {
        HandshakeStatus status = current.getHandshakeStatus();
        while (status == HandshakeStatus.NEED_TASK) {
            for (Runnable task = current.getDelegatedTask(); task != null; task = current.getDelegatedTask()) {
                task.run();
            }
            status = current.getHandshakeStatus();
        }
        // the engine's own messages always have room; the client's wait until the link is free, so that memory is
        // bounded
        return status == HandshakeStatus.NEED_WRAP
                || (unsent != null && status == HandshakeStatus.NOT_HANDSHAKING && !outbox.isBusy());
    }

    private void established(SSLEngine current) {
        String objection = transport.setup().objection(current);
        if (objection == null) {
            established = true;
            handler.connected();
        } else {
            current.closeOutbound();
            sendLastWords(current);
            broken(new IOException(objection));
        }
    }

    private void notTls(ByteBuffer bytes) {
        String what = Scan.excerpt(bytes, bytes.position(), bytes.limit());
        String text = established ? "no TLS record: " + what : "no TLS there, the server answers " + what;
        broken(new IOException(text));
    }

    private void fail(SSLEngine current, SSLException why) {
        sendLastWords(current);
        broken(new IOException(transport.setup().explain(why), why));
    }

    /** Sends the alert that the engine has ready, if that is possible at once. */
    private void sendLastWords(SSLEngine current) {
        if (raw.sending()) {
            return;
        }
        leaving = true;
        try {
            ByteBuffer records = transport.wrapped();
            current.wrap(NOTHING, records);
            outbox.clear();
            outbox.add(records.flip());
            outbox.flush();
        } catch (SSLException e) {
            // the connection is being given up, which the server will notice
        } finally {
            leaving = false;
        }
    }

    private void broken(IOException why) {
        forget();
        raw.close();
        handler.broke(ErrorKind.TLS, why);
    }

    private void forget() {
        engine = null;
        established = false;
        unsent = null;
        owed = false;
        outbox.clear();
        giveBack();
    }

    private void giveBack() {
        ByteBuffer kept = torn;
        if (kept != null) {
            torn = null;
            transport.giveBack(kept);
        }
    }
}
