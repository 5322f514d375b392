package dev.fettle.lab.machine;

import dev.fettle.model.text.NamedFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * A jar or WAR that is only looked into: it may be anybody's. Nothing of it is written to disk. Its list of entries, which is kept in memory,
 * and what is unpacked of it, archives within it included, are bounded.
 */
public final class Archive implements AutoCloseable {
    /** Of the list of entries: some 700,000. */
    private static final int MOST_LISTED = 64 << 20;

    /** Unpacked, all in all. */
    private static final long MOST_UNPACKED = 1L << 30;

    private static final int END = 22;
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int LONGEST_COMMENT = 0xffff;
    private static final int LOCATOR = 20;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final int END_64 = 56;

    private final ZipFile zip;
    private long left = MOST_UNPACKED;

    private Archive(ZipFile zip) {
        this.zip = zip;
    }

    /**
     * Opens one.
     *
     * @throws IOException if it is no archive, or its list of entries is too large
     */
    public static Archive open(Path file) throws IOException {
        return new Archive(zip(file));
    }

    /**
     * The same for who bounds what is unpacked by itself.
     *
     * @throws IOException if it is no archive, or its list of entries is too large
     */
    public static ZipFile zip(Path file) throws IOException {
        NamedFile.check(file);
        if (listed(file) > MOST_LISTED) {
            throw new ZipException("its list of entries is larger than " + (MOST_LISTED >> 20) + " MiB");
        }
        return new ZipFile(file.toFile());
    }

    /** Bytes of the list of entries, as the end of the file says: the most of all that could be its end. */
    private static long listed(Path file) throws IOException {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, in.length() - END - LONGEST_COMMENT - LOCATOR);
            byte[] tail = new byte[(int) (in.length() - from)];
            in.seek(from);
            in.readFully(tail);
            ByteBuffer end = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
            long most = 0;
            for (int i = tail.length - END; i >= 0; i--) {
                if (end.getInt(i) != END_SIGNATURE) {
                    continue;
                }
                long size = Integer.toUnsignedLong(end.getInt(i + 12));
                if (size < 0xffff_ffffL) {
                    most = Math.max(most, size);
                }
                if (i >= LOCATOR && end.getInt(i - LOCATOR) == LOCATOR_SIGNATURE) {
                    most = Math.max(most, listed64(in, end.getLong(i - LOCATOR + 8)));
                }
            }
            return most;
        }
    }

    private static long listed64(RandomAccessFile in, long at) throws IOException {
        if (at < 0 || at > in.length() - END_64) {
            return 0; // which no reader takes
        }
        byte[] end = new byte[END_64];
        in.seek(at);
        in.readFully(end);
        long size = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getLong(40);
        return size < 0 ? Long.MAX_VALUE : size;
    }

    /** The names of its entries, each once; the first that many. */
    public Set<String> names(int most) {
        var names = new LinkedHashSet<String>();
        for (var e = zip.entries(); e.hasMoreElements() && names.size() < most; ) {
            names.add(e.nextElement().getName());
        }
        return names;
    }

    /**
     * An entry's content.
     *
     * @return empty if there is no such entry; its reading fails once too much has been unpacked
     */
    public Optional<InputStream> entry(String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        InputStream in = entry == null ? null : zip.getInputStream(entry);
        return Optional.ofNullable(in).map(Counted::new);
    }

    /** An archive within it. */
    public ZipInputStream within(InputStream in) {
        return new ZipInputStream(in) {
            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                int read = super.read(into, from, length);
                unpacked(read);
                return read;
            }
        };
    }

    private void unpacked(long bytes) throws IOException {
        left -= Math.max(0, bytes);
        if (left < 0) {
            throw new IOException("it unpacks to more than " + (MOST_UNPACKED >> 30) + " GiB");
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            unpacked(1);
            return read;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = super.read(into, from, length);
            unpacked(read);
            return read;
        }

        @Override
        public long skip(long most) throws IOException {
            long skipped = super.skip(most);
            unpacked(skipped);
            return skipped;
        }
    }
}
