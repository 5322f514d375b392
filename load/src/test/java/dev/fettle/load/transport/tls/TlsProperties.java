package dev.fettle.load.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.engine.Certificates;
import dev.fettle.load.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * A TLS link on a wire that tears and delays the bytes at will, without sockets: what is sent arrives, in both directions,
 * whatever happens in between.
 */
class TlsProperties {

    private static final int EXCHANGES = 8;
    private static final int LONGEST = 60_000;

    @Property(tries = 20)
    void whatIsSentArrives(@ForAll long seed, @ForAll boolean old) throws Exception {
        Random random = new Random(seed);
        Wired wired = new Wired(random, old ? "TLSv1.2" : "TLSv1.3");
        wired.link.connect();
        wired.settle();
        assertThat(wired.events).containsExactly("connected");
        for (int i = 0; i < EXCHANGES; i++) {
            byte[] message = new byte[1 + random.nextInt(random.nextBoolean() ? 300 : LONGEST)];
            random.nextBytes(message);
            ByteBuffer bytes =
                    ByteBuffer.allocateDirect(message.length).put(message).flip();
            wired.link.send(bytes);
            if (random.nextInt(3) == 0) {
                wired.server.beginHandshake(); // new keys in 1.3, a renegotiation in 1.2
            }
            wired.settle();
            assertThat(wired.link.sending()).isFalse();
            assertThat(wired.received.toByteArray()).isEqualTo(message); // the server echoes
            wired.received.reset();
        }
        assertThat(wired.events).doesNotContain("ended").noneMatch(event -> event.startsWith("broke"));
    }

    @Test
    void closeNotifyIsAnEnd() throws Exception {
        Wired wired = new Wired(new Random(1), "TLSv1.3");
        wired.link.connect();
        wired.settle();
        wired.server.closeOutbound();
        wired.settle();
        assertThat(wired.events).containsExactly("connected", "ended");
    }

    @Test
    void aCloseWithoutCloseNotifyIsAnEndToo() throws Exception {
        Wired wired = new Wired(new Random(1), "TLSv1.3");
        wired.link.connect();
        wired.settle();
        wired.raw().ended();
        assertThat(wired.events).containsExactly("connected", "ended");
    }

    @Test
    void brokenRecord() throws Exception {
        Wired wired = new Wired(new Random(1), "TLSv1.3");
        wired.link.connect();
        wired.settle();
        wired.raw().received(ByteBuffer.wrap(new byte[] {
            23, 3, 3, 0, 30, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
            26, 27, 28, 29, 30
        }));
        assertThat(wired.events).hasSize(2);
        assertThat(wired.events.get(1)).startsWith("broke TLS TLS: ").contains("Tag mismatch");
    }

    /** A server that asks for new keys again and again and reads none of the answers, which would fill the memory. */
    @Test
    void flood() throws Exception {
        Wired wired = new Wired(new Random(1), "TLSv1.3");
        wired.link.connect();
        wired.settle();
        ByteBuffer record = ByteBuffer.allocate(TlsRecord.MAX);
        for (int i = 0; i < 50_000 && wired.events.size() == 1; i++) {
            wired.server.beginHandshake();
            wired.server.wrap(ByteBuffer.allocate(0), record.clear());
            wired.raw().received(record.flip());
        }
        assertThat(wired.events).hasSize(2);
        assertThat(wired.events.get(1)).isEqualTo("broke TLS TLS: " + TlsLink.FLOOD);
    }

    @Test
    void recordTooLong() throws Exception {
        Wired wired = new Wired(new Random(1), "TLSv1.2");
        wired.link.connect();
        wired.settle();
        wired.raw().received(ByteBuffer.wrap(new byte[] {23, 3, 3, -1, -1}));
        assertThat(wired.events.get(1)).contains("a TLS record of 65540 bytes");
    }

    /** The link, the server's engine at the other end, and what is on the way between them. */
    private static final class Wired implements Transport {
        private final Random random;
        private final SSLEngine server;
        private final ByteArrayOutputStream toServer = new ByteArrayOutputStream();
        private final ByteArrayOutputStream toClient = new ByteArrayOutputStream();
        private final ByteArrayOutputStream echo = new ByteArrayOutputStream();
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final List<String> events = new ArrayList<>();
        private final Link link;
        private Handler raw;
        private ByteBuffer sending = ByteBuffer.allocate(0);
        private boolean busy;

        Wired(Random random, String version) throws Exception {
            this.random = random;
            SSLContext context = SSLContext.getInstance(version);
            context.init(Certificates.GOOD.keyManagers(), null, null);
            server = context.createSSLEngine();
            server.setUseClientMode(false);
            server.setEnabledProtocols(new String[] {version});
            Tls tls = new Tls(Optional.of(Certificates.GOOD.pem().toString()), false, true);
            TlsTransport transport =
                    new TlsTransport(this, TlsSetup.of(tls, "localhost", Protocol.HTTP_1_1, 443), new Budget(1 << 30));
            link = transport.newLink(new Client());
        }

        Handler raw() {
            return raw;
        }

        /** Lets happen what is going to happen, in random order and pieces. */
        void settle() throws SSLException {
            boolean moved = true;
            while (moved || busy || toClient.size() > 0) {
                switch (random.nextInt(3)) {
                    case 0 -> goOnSending();
                    case 1 -> deliver();
                    default -> {}
                }
                moved = serve();
            }
        }

        private void goOnSending() {
            if (busy) {
                put(sending, 1 + random.nextInt(sending.remaining() * 2));
                if (!sending.hasRemaining()) {
                    busy = false;
                    raw.sent();
                }
            }
        }

        private void put(ByteBuffer from, int atMost) {
            for (int i = Math.min(atMost, from.remaining()); i > 0; i--) {
                toServer.write(from.get());
            }
        }

        private void deliver() {
            byte[] all = toClient.toByteArray();
            if (all.length > 0) {
                int count = 1 + random.nextInt(random.nextBoolean() ? Math.min(all.length, 7) : all.length);
                toClient.reset();
                toClient.write(all, count, all.length - count);
                raw.received(ByteBuffer.allocateDirect(count).put(all, 0, count).flip());
            }
        }

        /** The server reads what is whole, and says what it has to say. */
        private boolean serve() throws SSLException {
            ByteBuffer in = ByteBuffer.wrap(toServer.toByteArray());
            ByteBuffer out = ByteBuffer.allocate(TlsRecord.MAX);
            ByteBuffer plain = ByteBuffer.allocate(TlsRecord.MAX);
            boolean moved = false;
            while (true) {
                for (Runnable task = server.getDelegatedTask(); task != null; task = server.getDelegatedTask()) {
                    task.run();
                }
                HandshakeStatus status = server.getHandshakeStatus();
                SSLEngineResult result;
                if (status == HandshakeStatus.NEED_WRAP
                        || (echo.size() > 0 && status == HandshakeStatus.NOT_HANDSHAKING)) {
                    ByteBuffer source = ByteBuffer.wrap(echo.toByteArray());
                    result = server.wrap(source, out.clear());
                    echo.reset();
                    echo.write(source.array(), source.position(), source.remaining());
                    toClient.write(out.array(), 0, out.position());
                } else {
                    result = server.unwrap(in, plain.clear());
                    echo.write(plain.array(), 0, plain.position());
                }
                if (result.bytesConsumed() == 0
                        && result.bytesProduced() == 0
                        && result.getHandshakeStatus() != HandshakeStatus.FINISHED) {
                    break;
                }
                moved = true;
            }
            toServer.reset();
            toServer.write(in.array(), in.position(), in.remaining());
            return moved;
        }

        @Override
        public Link newLink(Handler handler) {
            raw = handler;
            return new Link() {
                @Override
                public void connect() {
                    handler.connected();
                }

                @Override
                public void send(ByteBuffer bytes) {
                    assertThat(busy).as("one buffer at a time").isFalse();
                    assertThat(bytes.isDirect()).isTrue();
                    if (random.nextBoolean()) {
                        put(bytes, random.nextInt(bytes.remaining() + 1));
                    }
                    sending = bytes;
                    busy = bytes.hasRemaining();
                }

                @Override
                public boolean sending() {
                    return busy;
                }

                @Override
                public void close() {
                    busy = false;
                }
            };
        }

        @Override
        public int poll(long maxNanos) {
            return 0;
        }

        @Override
        public void wakeup() {}

        @Override
        public int openLinks() {
            return 1;
        }

        @Override
        public void close() {}

        private final class Client implements Handler {
            @Override
            public void connected() {
                events.add("connected");
            }

            @Override
            public void received(ByteBuffer bytes) {
                while (bytes.hasRemaining()) {
                    received.write(bytes.get());
                }
            }

            @Override
            public void sent() {
                assertThat(link.sending()).isFalse();
                events.add("sent");
            }

            @Override
            public void ended() {
                events.add("ended");
                link.close();
            }

            @Override
            public void broke(ErrorKind kind, IOException cause) {
                events.add("broke " + kind + " " + cause.getMessage());
            }
        }
    }
}
