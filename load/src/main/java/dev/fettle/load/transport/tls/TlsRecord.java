package dev.fettle.load.transport.tls;

import java.nio.ByteBuffer;

/** Finds the end of a TLS record; RFC 8446, 5.1 and RFC 5246, 6.2. */
final class TlsRecord {

    static final int HEADER = 5;
    /** 2^14 bytes of content, at most 2048 for the cipher (TLS 1.2; 256 in 1.3), and the header. */
    static final int MAX = HEADER + (1 << 14) + 2048;

    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;
    private static final int MAJOR_VERSION = 3;

    private TlsRecord() {}

    /** Whether a header may have this byte at this position; only the type and the version are checked. */
    static boolean plausible(ByteBuffer bytes, int from, int to) {
        return (to <= from || (bytes.get(from) >= FIRST_TYPE && bytes.get(from) <= LAST_TYPE))
                && (to <= from + 1 || bytes.get(from + 1) == MAJOR_VERSION);
    }

    /** Length of the record whose header begins here, header included; may exceed {@link #MAX}. */
    static int length(ByteBuffer bytes, int from) {
        return HEADER + ((bytes.get(from + 3) & 0xff) << 8 | bytes.get(from + 4) & 0xff);
    }
}
