package dev.fettle.load.script;

import dev.fettle.load.bytes.Scan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Compares a body that comes in pieces with what was sent, without allocating. */
final class EchoMatcher implements BodyCheck {

    private final ByteBuffer sent;
    private int seen;
    private boolean same;

    /** @param sent from 0 to its capacity; neither moved nor changed */
    EchoMatcher(ByteBuffer sent) {
        this.sent = sent.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public EchoMatcher another() {
        return new EchoMatcher(sent);
    }

    @Override
    public void begin() {
        seen = 0;
        same = true;
    }

    @Override
    public void body(ByteBuffer b, int from, int to) {
        int length = to - from;
        same = same && length <= sent.capacity() - seen && Scan.equal(sent, seen, b, from, length);
        seen = same ? seen + length : seen;
    }

    @Override
    public boolean found() {
        return same && seen == sent.capacity();
    }
}
