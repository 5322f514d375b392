package dev.fettle.load.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.WrongAnswer;
import dev.fettle.load.api.ErrorKind;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the bodies of a sample of one client's answers as they arrive, unpacking gzip; keeps the beginning of those
 * that may turn out to be wrong; and passes them on to another sink. Allocates nothing as long as answers are right.
 */
public final class Fingerprint implements ResponseSink {

    /** This many first answers of a client are in the sample, as a slow server gives few. */
    public static final int FIRST = 16;

    /** Then one in this many; a prime, so that every answer of a server that alternates between several is met. */
    public static final int EVERY = 61;

    /** Once a wrong answer is wanted, this many answers are kept, each until the next one comes. */
    private static final int LOOKED_AT = 64;

    private static final int FIRST_CLIENTS = 8;

    private static final byte[] NONE = {};

    private static final byte[] ENCODING = "content-encoding".getBytes(ISO_8859_1);
    private static final byte[] GZIP = "gzip".getBytes(ISO_8859_1);
    private static final byte[] X_GZIP = "x-gzip".getBytes(ISO_8859_1);

    /** Bytes of the body that are kept, and of the head. */
    static final int BODY = 4096;

    private static final int HEAD = 1024;

    private final CRC32C crc = new CRC32C();
    private byte[] head = NONE;
    private byte[] body = NONE;
    private int headLength;
    private int bodyLength;
    /** How many more answers to keep. */
    private int keep;

    private boolean keeping;
    private @Nullable ResponseSink other;
    /**
     * Only the first clients have one, as each needs memory. Compressed answers to other clients are not in the sample.
     */
    private @Nullable Unzipper unzipper;

    private boolean packed;
    private long answers;
    private boolean sampling;

    /**
     * The next answer is coming. Returns the sink that must receive it, perhaps this one; null: none.
     *
     * @param looker receives it in any case; null: none
     */
    @Nullable
    public ResponseSink on(@Nullable ResponseSink looker) {
        packed = false;
        sampling = answers < FIRST || answers % EVERY == 0;
        answers++;
        keeping = keep > 0;
        if (keeping) {
            keep--;
        } else if (body.length > 0) {
            body = NONE;
            head = NONE;
        }
        other = looker;
        return sampling || keeping ? this : looker;
    }

    /**
     * Starts a client. One of the first clients keeps its first answers, so that a load that fails from the start can
     * be examined; it also unpacks answers.
     */
    public void begin(int client) {
        if (client < FIRST_CLIENTS) {
            unzipper = new Unzipper();
            keepNext();
        }
    }

    /** Keeps the next answers, so that a wrong one among them can be {@link #kept}. */
    public void keepNext() {
        keep = LOOKED_AT;
        if (body.length == 0) {
            body = new byte[BODY];
            head = new byte[HEAD];
        }
    }

    /** The answer just completed, if it was kept. */
    public Optional<WrongAnswer> kept(ErrorKind kind, Answer answer) {
        if (!keeping) {
            return Optional.empty();
        }
        return Optional.of(new WrongAnswer(
                kind,
                answer.status(),
                new String(head, 0, headLength, ISO_8859_1),
                new String(body, 0, bodyLength, UTF_8),
                answer.bodyLength(),
                bodyLength == answer.bodyLength()));
    }

    /** Whether the answer just completed is in the sample. */
    public boolean isSampled() {
        return sampling && !(packed && unzipper == null);
    }

    /** The unpacker, if it unpacked the answer to its end; else null. */
    private @Nullable Unzipper unpacked() {
        return packed && unzipper != null && unzipper.isWhole() ? unzipper : null;
    }

    /** Whether it came as gzip and was unpacked to its end. */
    public boolean isUnzipped() {
        return unpacked() != null;
    }

    /** CRC-32C of its body, unpacked if it {@link #isUnzipped}. */
    public int hash() {
        Unzipper from = unpacked();
        return from == null ? (int) crc.getValue() : from.hash();
    }

    /**
     * Length of its body in bytes, unpacked if it {@link #isUnzipped}.
     *
     * @param received length as received
     */
    public long length(long received) {
        Unzipper from = unpacked();
        return from == null ? received : from.length();
    }

    @Override
    public void begin() {
        crc.reset();
        headLength = 0;
        bodyLength = 0;
        if (other != null) {
            other.begin();
        }
    }

    @Override
    public boolean wantsHeaders() {
        return sampling || keeping || other != null && other.wantsHeaders();
    }

    @Override
    public void header(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (sampling && is(ENCODING, b, nameFrom, nameTo)) {
            packed = is(GZIP, b, valueFrom, valueTo) || is(X_GZIP, b, valueFrom, valueTo);
            if (packed && unzipper != null) {
                unzipper.begin();
            }
        }
        if (keeping) {
            keepField(b, nameFrom, nameTo, valueFrom, valueTo);
        }
        if (other != null && other.wantsHeaders()) {
            other.header(b, nameFrom, nameTo, valueFrom, valueTo);
        }
    }

    private static boolean is(byte[] lowerCase, ByteBuffer b, int from, int to) {
        if (to - from != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            int c = b.get(from + i);
            if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private void keepField(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {
        int name = nameTo - nameFrom;
        int value = valueTo - valueFrom;
        if (headLength + name + value + 3 > head.length) {
            return;
        }
        b.get(nameFrom, head, headLength, name);
        headLength += name;
        head[headLength++] = ':';
        head[headLength++] = ' ';
        b.get(valueFrom, head, headLength, value);
        headLength += value;
        head[headLength++] = '\n';
    }

    @Override
    public void body(ByteBuffer b, int from, int to) {
        int position = b.position();
        int limit = b.limit();
        crc.update(b.limit(to).position(from));
        b.limit(limit).position(position);
        if (packed && unzipper != null) {
            unzipper.body(b, from, to);
        }
        if (keeping) {
            int room = Math.min(to - from, body.length - bodyLength);
            b.get(from, body, bodyLength, room);
            bodyLength += room;
        }
        if (other != null) {
            other.body(b, from, to);
        }
    }
}
