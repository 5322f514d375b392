package dev.fettle.load.script;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks bodies with {@code Content-Encoding: gzip} (RFC 1952) piece by piece, and hashes the result: the same page,
 * compressed or not, has the same content. Holds some 40 kB once it has unpacked something, and allocates nothing after
 * that.
 */
final class Unzipper {

    /** Most bytes of an unpacked body; one that is larger is left alone. */
    private static final long MOST = 32 << 20;

    private static final int HEADER = 10;
    private static final int FHCRC = 2;
    private static final int FEXTRA = 4;
    private static final int FNAME = 8;
    private static final int FCOMMENT = 16;

    private final CRC32C crc = new CRC32C();
    private @Nullable Inflater inflater;
    private byte[] out = {};
    private int at;
    private int flags;
    private int extra;
    private long length;
    private boolean broken;

    /** A body begins. */
    void begin() {
        if (inflater == null) {
            inflater = new Inflater(true);
            out = new byte[8192];
        }
        inflater.reset();
        crc.reset();
        at = 0;
        flags = 0;
        extra = 0;
        length = 0;
        broken = false;
    }

    /** A piece of it; the buffer's position and limit are not changed. */
    void body(ByteBuffer b, int from, int to) {
        int i = from;
        while (i < to && !broken && inHeader()) {
            header(b.get(i++) & 0xff);
        }
        if (i == to || broken || inflater == null || inflater.finished()) {
            return;
        }
        int position = b.position();
        int limit = b.limit();
        inflater.setInput(b.limit(to).position(i));
        try {
            int n = inflater.inflate(out);
            while (n > 0) {
                crc.update(out, 0, n);
                length += n;
                n = length > MOST ? 0 : inflater.inflate(out);
            }
        } catch (DataFormatException e) {
            broken = true;
        }
        broken |= length > MOST;
        b.limit(limit).position(position);
    }

    /**
     * The optional fields follow the ten bytes in the order of the tests here; the flag of each is cleared when it has
     * ended.
     */
    private boolean inHeader() {
        return at < HEADER || (flags & (FEXTRA | FNAME | FCOMMENT | FHCRC)) != 0;
    }

    private void header(int value) {
        int i = at++;
        if (i < HEADER) {
            broken = i == 0 && value != 0x1f || i == 1 && value != 0x8b || i == 2 && value != 8;
            flags = i == 3 ? value : flags;
        } else if ((flags & FEXTRA) != 0) {
            int k = i - HEADER;
            extra += k < 2 ? value << 8 * k : 0;
            flags = k >= 1 && k - 1 == extra ? flags & ~FEXTRA : flags;
        } else if ((flags & FNAME) != 0) {
            flags = value == 0 ? flags & ~FNAME : flags;
        } else if ((flags & FCOMMENT) != 0) {
            flags = value == 0 ? flags & ~FCOMMENT : flags;
        } else {
            // two bytes of CRC-16: the first is marked by a bit that the format does not use
            flags = (flags & 0x100) == 0 ? flags | 0x100 : flags & ~(FHCRC | 0x100);
        }
    }

    /** Whether it was unpacked to its end. */
    boolean isWhole() {
        return !broken && inflater != null && inflater.finished();
    }

    /** CRC-32C of the unpacked body. */
    int hash() {
        return (int) crc.getValue();
    }

    /** Length of the unpacked body. */
    long length() {
        return length;
    }
}
