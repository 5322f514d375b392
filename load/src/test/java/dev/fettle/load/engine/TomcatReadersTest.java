package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.http2.Http2Frame;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A race in Tomcat, made to happen by delays alone: two of its threads read a new HTTP/2 connection, and it ends a
 * connection whose client has done nothing wrong. It is why {@link Http2TomcatTest} lets one error pass; when a newer
 * Tomcat fails this test because no GOAWAY comes, that can go, and this with it. Of Fettle's own code only the names of
 * frames are used here.
 */
@ResourceLock("the MBeans of Tomcat, one set a JVM")
class TomcatReadersTest {

    private static final int PATIENCE = 30;
    /** Streams sent together at first. */
    private static final int TOGETHER = 10;
    /** One of these: the frame which a thread of Tomcat is slow to parse. */
    private static final int LATE = 9;
    /** The stream begun when the first is answered. */
    private static final int NEXT = 2 * TOGETHER + 1;

    private static final List<Logger> DELAYED = List.of(
            Logger.getLogger("org.apache.coyote.http2.Http2UpgradeHandler"),
            Logger.getLogger("org.apache.coyote.http2.Http2Parser"));

    @Test
    void twoThreadsReadANewConnection(@TempDir Path base) throws Exception {
        Delays delays = new Delays();
        for (Logger logger : DELAYED) {
            logger.setLevel(Level.FINER);
            logger.setUseParentHandlers(false);
            logger.addHandler(delays);
        }
        Tomcat tomcat = tomcat(base, true);
        tomcat.start();
        try (Socket socket = connect(tomcat)) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            Delays.await(delays.begun);
            socket.getOutputStream().write(together());
            Delays.await(delays.readsAgain);
            skipAnswer(in, 1);
            socket.getOutputStream().write(request(NEXT));
            skipAnswer(in, NEXT);
            delays.nextAnswered.countDown();
            assertThat(reasonOfGoAway(in))
                    .isEqualTo("A new remote stream ID of [" + LATE + "] was requested but the most recent stream was ["
                            + NEXT + "]");
        } finally {
            delays.nextAnswered.countDown();
            end(tomcat);
            for (Logger logger : DELAYED) {
                logger.removeHandler(delays);
                logger.setUseParentHandlers(true);
                logger.setLevel(null);
            }
        }
    }

    /** The same requests, one more after them, are all answered where only one thread reads. */
    @Test
    void theSameBytesReadByOne(@TempDir Path base) throws Exception {
        Tomcat tomcat = tomcat(base, false);
        tomcat.start();
        try (Socket socket = connect(tomcat)) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write(together());
            skipAnswer(in, 1);
            socket.getOutputStream().write(request(NEXT));
            skipAnswer(in, NEXT);
            socket.getOutputStream().write(request(NEXT + 2));
            skipAnswer(in, NEXT + 2);
        } finally {
            end(tomcat);
        }
    }

    private static Tomcat tomcat(Path base, boolean asyncIo) {
        Tomcat tomcat = Tomcats.serving(new Nothing(), base);
        tomcat.getConnector().setProperty("useAsyncIO", Boolean.toString(asyncIo));
        tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
        return tomcat;
    }

    private static void end(Tomcat tomcat) throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    /** A connection that has sent its preface and settings, in one piece. */
    private static Socket connect(Tomcat tomcat) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE * 1000);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Http2Frame.PREFACE);
        out.writeBytes(FrameServer.frame(Http2Frame.SETTINGS, 0, 0));
        socket.getOutputStream().write(out.toByteArray());
        return socket;
    }

    /** The first requests. */
    private static byte[] together() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(FrameServer.frame(Http2Frame.SETTINGS, Http2Frame.ACK, 0));
        for (int i = 0; i < TOGETHER; i++) {
            out.writeBytes(request(2 * i + 1));
        }
        return out.toByteArray();
    }

    private static byte[] request(int stream) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        // GET, http, /, and :authority as a literal
        block.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86, (byte) 0x84, 0x01, 9});
        block.writeBytes("localhost".getBytes(ISO_8859_1));
        return FrameServer.frame(
                Http2Frame.HEADERS, Http2Frame.END_HEADERS | Http2Frame.END_STREAM, stream, block.toByteArray());
    }

    /** Reads up to the end of the answer on a stream. */
    private static void skipAnswer(DataInputStream in, int stream) throws IOException {
        while (true) {
            int lengthAndType = in.readInt();
            int flags = in.readUnsignedByte();
            int answered = in.readInt();
            in.skipNBytes(lengthAndType >>> 8);
            int type = lengthAndType & 0xff;
            assertThat(type).isNotIn(Http2Frame.GOAWAY, Http2Frame.RST_STREAM);
            boolean ofAnAnswer = type == Http2Frame.HEADERS || type == Http2Frame.DATA;
            if (ofAnAnswer && answered == stream && (flags & Http2Frame.END_STREAM) != 0) {
                return;
            }
        }
    }

    private static String reasonOfGoAway(DataInputStream in) throws IOException {
        while (true) {
            int lengthAndType = in.readInt();
            in.skipNBytes(5);
            byte[] payload = in.readNBytes(lengthAndType >>> 8);
            if ((lengthAndType & 0xff) == Http2Frame.GOAWAY) {
                return new String(payload, 8, payload.length - 8, ISO_8859_1);
            }
        }
    }

    /**
     * Delays two of Tomcat's threads where they log, as a busy machine may delay them anywhere. The first begins the
     * connection, returns from the reading within that, and is about to read again; it is held until the second, which
     * the poller started for the first requests, has parsed some of them. The second is held before the next of them,
     * until the client has begun another stream and got its answer: the read which the first asked for is served by a
     * third thread. (Not where the second hands a request on, as it is within {@code synchronized (output)} there: the
     * third would wait for it.)
     */
    private static final class Delays extends Handler {

        private static final String RETURNS = "Exit, Connection [";
        private static final String ABOUT_TO_PARSE = "Stream [" + LATE + "], Frame type [";

        private final AtomicInteger returns = new AtomicInteger();
        /** The first thread is held. */
        final CountDownLatch begun = new CountDownLatch(1);
        /** The second is. */
        private final CountDownLatch someParsed = new CountDownLatch(1);
        /** The first has asked for the next bytes and is done. */
        final CountDownLatch readsAgain = new CountDownLatch(1);

        final CountDownLatch nextAnswered = new CountDownLatch(1);

        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().contains(ABOUT_TO_PARSE)) {
                someParsed.countDown();
                await(nextAnswered);
            } else if (line.getMessage().startsWith(RETURNS)) {
                int returned = returns.incrementAndGet();
                if (returned == 1) {
                    begun.countDown();
                    await(someParsed);
                } else if (returned == 2) {
                    readsAgain.countDown();
                }
            }
        }

        static void await(CountDownLatch latch) {
            try {
                if (!latch.await(PATIENCE / 2, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("Tomcat's threads do not come by where they are awaited");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static final class Nothing extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            response.setStatus(204);
        }
    }
}
