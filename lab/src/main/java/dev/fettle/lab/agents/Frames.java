package dev.fettle.lab.agents;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;

/** What a controller and an agent send each other: values with a number, and signs of life. One thread reads; any may write. */
final class Frames {
    /** A window is a fraction of a megabyte; files of a load may be more. */
    static final int MOST_BYTES = 64 << 20;

    private final DataInputStream in;
    private final DataOutputStream out;

    /** @param value empty for a sign of life, whose number is 0 */
    record Frame(long number, Object value) {
        static final Frame BEAT = new Frame(0, "");

        boolean isBeat() {
            return number == 0;
        }
    }

    /** What is read, with a look at when it comes. */
    private static final class Heard extends FilterInputStream {
        private final Runnable heard;

        Heard(InputStream in, Runnable heard) {
            super(in);
            this.heard = heard;
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            int n = super.read(bytes, from, most);
            if (n > 0) {
                heard.run();
            }
            return n;
        }
    }

    Frames(InputStream in, OutputStream out) {
        this(in, out, () -> {});
    }

    /** @param heard is run whenever something has come, which may be a piece of a long message */
    Frames(InputStream in, OutputStream out, Runnable heard) {
        this.in = new DataInputStream(new BufferedInputStream(new Heard(in, heard), 1 << 16));
        this.out = new DataOutputStream(new BufferedOutputStream(out, 1 << 16));
    }

    /**
     * Waits for the next one.
     *
     * @throws IOException if the connection has ended, or what comes is none
     */
    Frame read() throws IOException {
        int length = in.readInt();
        if (length == 0) {
            return Frame.BEAT;
        }
        if (length < 0 || length > MOST_BYTES) {
            throw new StreamCorruptedException("it is no message of this Fettle");
        }
        long number = in.readLong();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended within a message");
        }
        return new Frame(number, Plain.read(new DataInputStream(new ByteArrayInputStream(bytes))));
    }

    /**
     * Sends a value.
     *
     * @param number from 1
     * @throws IOException if the connection has ended
     * @throws IllegalArgumentException if it is too much for one
     */
    void write(long number, Object value) throws IOException {
        var bytes = new ByteArrayOutputStream();
        Plain.write(new DataOutputStream(bytes), value);
        if (bytes.size() > MOST_BYTES) {
            throw new IllegalArgumentException("the load and its files are more than " + (MOST_BYTES >> 20)
                    + " MiB, which other hosts don't take");
        }
        synchronized (out) {
            out.writeInt(bytes.size());
            out.writeLong(number);
            bytes.writeTo(out);
            out.flush();
        }
    }

    /** Sends a sign of life. */
    void beat() throws IOException {
        synchronized (out) {
            out.writeInt(0);
            out.flush();
        }
    }
}
