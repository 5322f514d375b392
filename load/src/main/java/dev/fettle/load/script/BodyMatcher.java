package dev.fettle.load.script;

import dev.fettle.load.bytes.BytePattern;
import java.nio.ByteBuffer;

/** Searches for a sequence of bytes in a body that comes in pieces, without allocating. */
public final class BodyMatcher implements BodyCheck {

    private final BytePattern pattern;
    private int matched;

    public BodyMatcher(byte[] wanted) {
        this(new BytePattern(wanted));
    }

    private BodyMatcher(BytePattern pattern) {
        this.pattern = pattern;
    }

    @Override
    public BodyMatcher another() {
        return new BodyMatcher(pattern);
    }

    @Override
    public void begin() {
        matched = 0;
    }

    @Override
    public void body(ByteBuffer bytes, int from, int to) {
        matched = pattern.advance(matched, bytes, from, to);
    }

    @Override
    public boolean found() {
        return pattern.isFound(matched);
    }
}
