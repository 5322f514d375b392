package dev.fettle.bench.fuzz;

import dev.fettle.bench.fuzz.Reading.Answer;
import dev.fettle.bench.fuzz.Reading.End;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.http1.ResponseParser;
import dev.fettle.load.script.ResponseSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Reads with Fettle's parser. Used by one thread. */
final class OurReader {

    private final ResponseParser parser = new ResponseParser(new Budget(1 << 20));
    private final Hasher hasher = new Hasher();
    private ByteBuffer buffer = direct(1 << 16);

    /** All at once. */
    Reading whole(Input input) {
        return read(input, () -> input.bytes().length);
    }

    /**
     * In pieces of random lengths. Each piece overwrites the one before it, as in a transport's buffer, so that
     * anything the parser has not saved is gone.
     */
    Reading pieces(Input input, RandomGenerator random) {
        int longest = 1 << random.nextInt(0, 9);
        return read(input, () -> 1 + random.nextInt(longest));
    }

    private interface Lengths {
        int next();
    }

    private Reading read(Input input, Lengths lengths) {
        byte[] bytes = input.bytes();
        List<Answer> answers = new ArrayList<>();
        parser.begin(input.head(), hasher);
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(lengths.next(), bytes.length - at);
            ByteBuffer piece = piece(bytes, at, length);
            while (piece.hasRemaining()) {
                int progress = parser.feed(piece);
                int readTo = at + piece.position();
                if (progress == ResponseParser.BAD) {
                    return new Reading(answers, End.BAD, Answer.NONE, parser.problem(), readTo);
                }
                if (progress == ResponseParser.DONE) {
                    answers.add(answer(parser.keepAlive(), readTo));
                    parser.begin(input.head(), hasher);
                } else if (piece.hasRemaining()) {
                    throw new IllegalStateException("wants more, and leaves " + piece.remaining() + " bytes");
                }
            }
            at += length;
        }
        if (parser.endsAtClose()) {
            return new Reading(answers, End.OPEN, answer(false, 0), "", 0);
        }
        return new Reading(answers, parser.begun() ? End.TORN : End.CLEAN, Answer.NONE, "", 0);
    }

    private Answer answer(boolean keep, int endsAt) {
        return new Answer(parser.status(), parser.bodyLength(), hasher.hash, keep, endsAt);
    }

    private ByteBuffer piece(byte[] bytes, int at, int length) {
        if (length > buffer.capacity()) {
            buffer = direct(2 * length);
        }
        return buffer.clear().put(bytes, at, length).flip();
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

    private static ByteBuffer direct(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }
}
