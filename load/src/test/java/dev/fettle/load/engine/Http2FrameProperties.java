package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.http2.Http2Frame;
import dev.fettle.load.http2.Http2FrameReader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Frames mean the same however the bytes come; noise is an error or not, and nothing worse. */
class Http2FrameProperties {

    @Property(tries = 300)
    void theSameInAnyPieces(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] bytes = frames(random);
        List<String> whole = read(bytes, bytes.length, random);
        assertThat(read(bytes, 1, random)).isEqualTo(whole);
        assertThat(read(bytes, 50, random)).isEqualTo(whole);
    }

    @Property(tries = 2000)
    void noise(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] bytes = frames(random);
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[9 + random.nextInt(bytes.length - 9)] = (byte) random.nextInt();
        }
        assertThat(read(bytes, 40, random)).isEqualTo(read(bytes, bytes.length, random));
    }

    /** Mostly frames as they should be. */
    private static byte[] frames(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(FrameServer.setting(random.nextInt(7), random.nextInt()));
        for (int i = random.nextInt(10); i > 0; i--) {
            int stream = random.nextInt(4) * 2 + 1;
            switch (random.nextInt(6)) {
                case 0 -> {
                    byte[] payload = new byte[random.nextInt(300)];
                    random.nextBytes(payload);
                    boolean padded = payload.length > 40 && random.nextBoolean();
                    if (padded) {
                        payload[0] = (byte) random.nextInt(40);
                    }
                    int flags = random.nextInt(2) | (padded ? Http2Frame.PADDED : 0);
                    out.writeBytes(FrameServer.frame(Http2Frame.DATA, flags, stream, payload));
                }
                case 1 -> {
                    out.writeBytes(FrameServer.frame(
                            Http2Frame.HEADERS, random.nextInt(2), stream, new byte[random.nextInt(50)]));
                    out.writeBytes(FrameServer.frame(Http2Frame.CONTINUATION, 4, stream, new byte[random.nextInt(50)]));
                }
                case 2 -> out.writeBytes(FrameServer.frame(Http2Frame.PING, random.nextInt(2), 0, new byte[8]));
                case 3 ->
                    out.writeBytes(FrameServer.frame(
                            Http2Frame.WINDOW_UPDATE, 0, stream, (byte) 1, (byte) 2, (byte) 3, (byte) i));
                case 4 -> out.writeBytes(FrameServer.frame(Http2Frame.GOAWAY, 0, 0, new byte[8 + random.nextInt(9)]));
                default -> out.writeBytes(FrameServer.frame(200, i, stream, new byte[random.nextInt(50)]));
            }
        }
        return out.toByteArray();
    }

    private static List<String> read(byte[] bytes, int piece, Random random) {
        Log log = new Log();
        Http2FrameReader reader = new Http2FrameReader(log, new Budget(1 << 20));
        int at = 0;
        try {
            while (at < bytes.length) {
                int count = Math.min(bytes.length - at, piece == bytes.length ? piece : 1 + random.nextInt(piece));
                reader.read(ByteBuffer.wrap(bytes, at, count).slice().order(ByteOrder.LITTLE_ENDIAN));
                at += count;
            }
        } catch (ProtocolError e) {
            log.settle();
            log.events.add(e.code() + " " + e.what());
        }
        log.settle();
        return log.events;
    }

    private static final class Log implements Http2FrameReader.Sink {
        private final List<String> events = new ArrayList<>();
        private StringBuilder data = new StringBuilder();

        /** Pieces of data that came one after the other are one. */
        void settle() {
            if (!data.isEmpty()) {
                events.add("data " + data);
                data = new StringBuilder();
            }
        }

        private void add(String event) {
            settle();
            events.add(event);
        }

        @Override
        public void headers(int stream, ByteBuffer block, boolean endOfStream) {
            add("headers " + stream + " " + block.remaining() + " " + endOfStream);
        }

        @Override
        public void data(int stream, ByteBuffer b, int from, int to) {
            for (int i = from; i < to; i++) {
                data.append(stream).append(' ').append(b.get(i)).append(' ');
            }
        }

        @Override
        public void endOfData(int stream, int payload, boolean endOfStream) {
            add("end of data " + stream + " " + payload + " " + endOfStream);
        }

        @Override
        public void settings(ByteBuffer payload) {
            add("settings " + payload.remaining());
        }

        @Override
        public void ping(ByteBuffer payload) {
            add("ping " + payload.remaining());
        }

        @Override
        public void reset(int stream, int code) {
            add("reset " + stream + " " + code);
        }

        @Override
        public void windowUpdate(int stream, int increment) {
            add("window " + stream + " " + increment);
        }

        @Override
        public void goAway(int lastStream, int code, String debug) {
            add("goaway " + lastStream + " " + code + debug);
        }
    }
}
