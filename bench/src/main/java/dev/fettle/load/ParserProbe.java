package dev.fettle.load;

import dev.fettle.load.http1.LineReader;
import dev.fettle.load.http1.ResponseParser;
import dev.fettle.load.script.ResponseSink;
import java.nio.ByteBuffer;

/** Lets the benches at the response parser, which is the load room's own business otherwise. */
public final class ParserProbe {

    /** See {@code ResponseParser}. */
    public static final int MORE = ResponseParser.MORE;

    /** See {@code ResponseParser}. */
    public static final int DONE = ResponseParser.DONE;

    /** See {@code ResponseParser}. */
    public static final int BAD = ResponseParser.BAD;

    /** Longest line, in bytes, its end included. */
    public static final int MAX_LINE = LineReader.MAX_LINE;

    /** Longest head, in bytes, interim responses and trailers included. */
    public static final int MAX_HEAD = ResponseParser.MAX_HEAD;

    private final ResponseParser parser = new ResponseParser();
    private final Hasher hasher = new Hasher();

    /** Begins a response; its body will be hashed. */
    public void begin(boolean toHead) {
        parser.begin(toHead, hasher);
    }

    /** Begins a response that nobody looks at. */
    public void beginUnseen() {
        parser.begin(false, null);
    }

    /** Takes bytes of a buffer in little-endian order: {@link #MORE}, {@link #DONE} or {@link #BAD}. */
    public int feed(ByteBuffer bytes) {
        return parser.feed(bytes);
    }

    /** Of the response. */
    public int status() {
        return parser.status();
    }

    /** Of the response; after HEAD the announced one. */
    public long bodyLength() {
        return parser.bodyLength();
    }

    /** Hash of the body's bytes so far. */
    public int bodyHash() {
        return hasher.hash;
    }

    /** Whether the connection can be used again. */
    public boolean keepAlive() {
        return parser.keepAlive();
    }

    /** Whether the end of the stream would complete the response. */
    public boolean endsAtClose() {
        return parser.endsAtClose();
    }

    /** Whether a byte of the response has come. */
    public boolean begun() {
        return parser.begun();
    }

    /** What was wrong. */
    public String problem() {
        return parser.problem();
    }

    private static final class Hasher implements ResponseSink {
        private int hash;

        @Override
        public void begin() {
            hash = 0;
        }

        @Override
        public void body(ByteBuffer bytes, int from, int to) {
            for (int i = from; i < to; i++) {
                hash = 31 * hash + bytes.get(i);
            }
        }
    }
}
