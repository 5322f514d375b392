package dev.fettle.load.script;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the bodies of a sample of one client's answers as they pass, and passes them on to another sink. Allocates nothing.
 */
public final class Fingerprint implements ResponseSink {

    /** So many first answers of a client are in the sample: a slow server gives few. */
    public static final int FIRST = 16;

    /** Then one in so many; a prime, so that answers that a server gives in turns are all met. */
    public static final int EVERY = 61;

    private final CRC32C crc = new CRC32C();
    private @Nullable ResponseSink other;
    private long answers;
    private boolean sampling;

    /**
     * The next answer comes. Returns the sink that is to look at it, perhaps this one; null: none.
     *
     * @param looker looks at it anyway; null: none
     */
    @Nullable
    public ResponseSink on(@Nullable ResponseSink looker) {
        sampling = answers < FIRST || answers % EVERY == 0;
        answers++;
        other = looker;
        return sampling ? this : looker;
    }

    /** Whether the answer that is complete now is one of the sample. */
    public boolean isSampled() {
        return sampling;
    }

    /** CRC-32C of its body. */
    public int hash() {
        return (int) crc.getValue();
    }

    @Override
    public void begin() {
        crc.reset();
        if (other != null) {
            other.begin();
        }
    }

    @Override
    public boolean wantsHeaders() {
        return other != null && other.wantsHeaders();
    }

    @Override
    public void header(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (other != null) {
            other.header(b, nameFrom, nameTo, valueFrom, valueTo);
        }
    }

    @Override
    public void body(ByteBuffer b, int from, int to) {
        int position = b.position();
        int limit = b.limit();
        crc.update(b.limit(to).position(from));
        b.limit(limit).position(position);
        if (other != null) {
            other.body(b, from, to);
        }
    }
}
