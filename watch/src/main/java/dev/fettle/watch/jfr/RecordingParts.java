package dev.fettle.watch.jfr;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * The parts of a flight recorder's file, by their headers alone: a JVM begins a new one every few megabytes, and each can be read by itself.
 * What a header claims is held against the file before anything is read by it, since the file may be damaged, or made to do harm.
 *
 * @param from when the first one begins
 * @param to when the last complete one ends
 * @param cut whether another one follows that is not complete: of a recording that was copied while it ran, or cut off
 */
record RecordingParts(Instant from, Instant to, boolean cut) {
    /** What the file begins with. */
    static final String MAGIC = "FLR\0";

    /** Bytes of a header. */
    private static final int HEADER = 68;

    /** A larger file is refused: JVMs keep less by default. */
    private static final long MOST_BYTES = 4L << 30;

    /** With the least that a part has, these are more than such a file holds. */
    private static final int MOST_PARTS = 100_000;

    /** The year 2200, in nanoseconds since 1970. */
    private static final long LATEST = 7_258_118_400L * 1_000_000_000;

    /** A constant pool's head has so many numbers, each of a byte at least. */
    private static final int LEAST_POOL = 5;

    /** More than a constant pool's head has. */
    private static final int POOL_HEAD = 64;

    /**
     * Looks through a file's headers.
     *
     * @throws IOException if its first part can't be read; the message says why
     */
    static RecordingParts of(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = in.size();
            if (size > MOST_BYTES) {
                throw new IOException("it has " + (size >> 20) + " MiB, and at most " + (MOST_BYTES >> 20)
                        + " MiB are read: jfr disassemble takes it apart");
            }
            int whole = 0;
            long at = 0;
            long from = Long.MAX_VALUE;
            long to = 0;
            while (at < size) {
                try {
                    Header h = header(in, at, size);
                    from = Math.min(from, h.start);
                    to = Math.max(to, h.start + h.nanos);
                    at += h.bytes;
                } catch (IOException e) {
                    if (whole == 0) {
                        throw e;
                    }
                    return new RecordingParts(instant(from), instant(to), true);
                }
                if (++whole > MOST_PARTS) {
                    throw new IOException("it has more than " + MOST_PARTS + " parts");
                }
            }
            if (whole == 0) {
                throw new IOException("it is empty");
            }
            return new RecordingParts(instant(from), instant(to), false);
        }
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    private record Header(long bytes, long start, long nanos) {}

    private static Header header(FileChannel in, long at, long size) throws IOException {
        ByteBuffer h = read(in, at, HEADER, "it ends within the head of a part");
        var magic = new byte[MAGIC.length()];
        h.get(magic);
        if (!new String(magic, StandardCharsets.ISO_8859_1).equals(MAGIC)) {
            throw new IOException(at == 0 ? "it is no flight recording" : "what follows a part is none");
        }
        int major = h.getShort();
        int minor = h.getShort();
        if (major != 1 && major != 2) {
            throw new IOException("it has the format " + major + "." + minor
                    + (major == 0
                            ? " of Oracle's Java 7 and 8 before 8u262: JDK Mission Control opens that, recordings of 8u262 and later are read here"
                            : ", and 1 and 2 are known"));
        }
        long bytes = h.getLong();
        long pool = h.getLong();
        long metadata = h.getLong();
        long start = h.getLong();
        long nanos = h.getLong();
        h.getLong(); // the beginning in ticks
        long ticks = h.getLong();
        if (bytes == 0 || pool == 0 || metadata == 0) {
            throw new IOException(
                    "its first part is not complete: the recording was still running; jcmd PID JFR.dump writes whole ones");
        }
        if (bytes > size - at) {
            throw new IOException("its first part should have " + bytes + " bytes, and the file has " + (size - at)
                    + ": it was cut off");
        }
        boolean sound = bytes > HEADER
                && pool >= HEADER
                && pool < bytes
                && metadata >= HEADER
                && metadata < bytes
                && start > 0
                && start < LATEST
                && nanos >= 0
                && nanos < LATEST - start
                && ticks > 0;
        if (!sound) {
            throw new IOException("the head of a part is damaged");
        }
        followPools(in, at, pool, bytes);
        return new Header(bytes, start, nanos);
    }

    /** Each pool of constants names the one before it: a ring of them would be read for ever. */
    private static void followPools(FileChannel in, long part, long last, long bytes) throws IOException {
        long at = last;
        long end = bytes;
        while (true) {
            ByteBuffer b = read(
                    in, part + at, (int) Math.min(POOL_HEAD, bytes - at), "it ends within the constants of a part");
            long size = packed(b);
            packed(b); // its type
            packed(b); // its time
            packed(b); // its duration
            long before = packed(b);
            // none is within another: else many would be read of few bytes
            if (size < LEAST_POOL || size > end - at) {
                throw new IOException("the constants of a part are damaged");
            }
            if (before == 0) {
                return;
            }
            if (before > 0 || at + before < HEADER) {
                throw new IOException("the constants of a part are damaged");
            }
            end = at;
            at += before;
        }
    }

    /** A number in the format's packed form: seven bits a byte, the lowest first; all eight of a ninth. */
    private static long packed(ByteBuffer b) throws IOException {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            long next = next(b);
            value |= (next & 0x7f) << (7 * i);
            if (next < 0x80) {
                return value;
            }
        }
        return value | next(b) << 56;
    }

    private static long next(ByteBuffer b) throws IOException {
        if (!b.hasRemaining()) {
            throw new IOException("the constants of a part are damaged");
        }
        return b.get() & 0xffL;
    }

    private static ByteBuffer read(FileChannel in, long at, int length, String tooShort) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(length);
        while (b.hasRemaining()) {
            if (in.read(b, at + b.position()) < 0) {
                throw new EOFException(tooShort);
            }
        }
        return b.flip();
    }
}
