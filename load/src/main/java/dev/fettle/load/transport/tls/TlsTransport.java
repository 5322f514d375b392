package dev.fettle.load.transport.tls;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * TLS between the clients and another transport, with the JDK's {@link SSLEngine}.
 *
 * <p>A link is connected when its handshake is complete. The recorder counts the bytes of the other transport: records,
 * not plain text. Links share the buffers that only one of them needs at a time. Each link has its own for bytes being
 * sent and, while it waits for the rest of a record, for the record's beginning.
 */
final class TlsTransport implements Transport {

    private static final int RECORDS_AT_ONCE = 4;

    private final Transport raw;
    private final TlsSetup setup;
    private final Budget budget;
    private final SecureRandom random = new SecureRandom();
    private final SSLContext resuming;
    private final ByteBuffer plain = ByteBuffer.allocate(TlsRecord.MAX).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer wrapped = ByteBuffer.allocate(RECORDS_AT_ONCE * TlsRecord.MAX);
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();

    TlsTransport(Transport raw, TlsSetup setup, Budget budget) {
        this.budget = budget;
        this.raw = raw;
        this.setup = setup;
        this.resuming = setup.newContext(random);
    }

    @Override
    public Link newLink(Handler handler) {
        return new TlsLink(this, raw, handler);
    }

    /** An engine for a new connection. */
    SSLEngine newEngine() {
        // a fresh context has no session to resume
        return setup.newEngine(setup.resumes() ? resuming : setup.newContext(random));
    }

    TlsSetup setup() {
        return setup;
    }

    /** For the plain text of one record, until the handler has seen it. */
    ByteBuffer plain() {
        return plain.clear();
    }

    /** For a few records that will be copied to where they are sent from. */
    ByteBuffer wrapped() {
        return wrapped.clear();
    }

    /**
     * For one record that comes in pieces; must be given back.
     *
     * @throws Budget.OverBudget if too many links wait for the rest of a record
     */
    ByteBuffer borrow() {
        ByteBuffer some = spare.pollLast();
        if (some != null) {
            return some.clear();
        }
        budget.take(TlsRecord.MAX);
        return ByteBuffer.allocate(TlsRecord.MAX);
    }

    void giveBack(ByteBuffer borrowed) {
        if (budget.isTight()) {
            budget.give(borrowed.capacity());
        } else {
            spare.addLast(borrowed);
        }
    }

    Budget budget() {
        return budget;
    }

    @Override
    public int poll(long maxNanos) throws IOException {
        return raw.poll(maxNanos);
    }

    @Override
    public void wakeup() {
        raw.wakeup();
    }

    @Override
    public int openLinks() {
        return raw.openLinks();
    }

    @Override
    public void close() {
        raw.close();
    }
}
