package dev.fettle.load.transport.tls;

import java.nio.ByteBuffer;

/** Where a TLS record ends; RFC 8446, 5.1 and RFC 5246, 6.2. */
final class TlsRecord {

    static final int HEADER = 5;
    /** 2^14 bytes of content, at most 2048 for the cipher (TLS 1.2; 256 in 1.3), and the header. */
    static final int MAX = HEADER + (1 << 14) + 2048;

    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;
    private static final int MAJOR_VERSION = 3;

    private TlsRecord() {}

    /** Whether the byte at this place of a header can be there; only types and the version are looked at. */
    static boolean plausible(ByteBuffer bytes, int from, int to) {
        return (to <= from || (bytes.get(from) >= FIRST_TYPE && bytes.get(from) <= LAST_TYPE))
                && (to <= from + 1 || bytes.get(from + 1) == MAJOR_VERSION);
    }

    /** Length of the record, header included, whose header begins here; may be over {@link #MAX}. */
    static int length(ByteBuffer bytes, int from) {
        return HEADER + ((bytes.get(from + 3) & 0xff) << 8 | bytes.get(from + 4) & 0xff);
    }
}
