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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A race in Tomcat, made to happen: two of its threads read a new HTTP/2 connection, and it ends a connection whose
 * client has done nothing wrong. It is why {@link Http2TomcatTest} lets one error pass; when a newer Tomcat fails this
 * test because no GOAWAY comes, that can go, and this with it. No code of Fettle is run here.
 */
@ResourceLock("the MBeans of Tomcat, one set a JVM")
class TomcatReadersTest {

    private static final int PATIENCE = 30;
    /** Streams sent together at first; the next one follows. */
    private static final int TOGETHER = 10;

    private static final int NEXT = 2 * TOGETHER + 1;
    private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");
    private static final Logger READERS = Logger.getLogger("org.apache.coyote.http2.Http2UpgradeHandler");

    @Test
    void twoThreadsReadANewConnection(@TempDir Path base) throws Exception {
        Delays delays = new Delays();
        READERS.setLevel(Level.FINER);
        READERS.setUseParentHandlers(false);
        READERS.addHandler(delays);
        Tomcat tomcat = tomcat(base, true);
        ((AbstractProtocol<?>) tomcat.getConnector().getProtocolHandler()).setExecutor(delays);
        tomcat.start();
        try (Socket socket = connect(tomcat)) {
            delays.await(delays.begun);
            socket.getOutputStream().write(together());
            delays.await(delays.secondReader);
            socket.getOutputStream().write(request(NEXT));
            assertThat(reasonOfGoAway(socket))
                    .startsWith("A new remote stream ID of [")
                    .endsWith("] was requested but the most recent stream was [" + NEXT + "]");
        } finally {
            end(tomcat);
            READERS.removeHandler(delays);
            READERS.setUseParentHandlers(true);
            READERS.setLevel(null);
            delays.close();
        }
    }

    /** The same bytes are in order where only one thread reads. */
    @Test
    void theSameBytesReadByOne(@TempDir Path base) throws Exception {
        Tomcat tomcat = tomcat(base, false);
        tomcat.start();
        try (Socket socket = connect(tomcat)) {
            socket.getOutputStream().write(together());
            socket.getOutputStream().write(request(NEXT));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int answered = 0;
            while (answered <= TOGETHER) {
                int lengthAndType = in.readInt();
                int flags = in.readUnsignedByte();
                in.skipNBytes(4L + (lengthAndType >>> 8));
                int type = lengthAndType & 0xff;
                assertThat(type).isNotIn(Http2Frame.GOAWAY, Http2Frame.RST_STREAM);
                boolean ofARequest = type == Http2Frame.HEADERS || type == Http2Frame.DATA;
                answered += ofARequest && (flags & Http2Frame.END_STREAM) != 0 ? 1 : 0;
            }
        } finally {
            end(tomcat);
        }
    }

    private static Tomcat tomcat(Path base, boolean asyncIo) {
        TOMCAT_LOG.setLevel(Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        Context context = tomcat.addContext("", base.toString());
        Tomcat.addServlet(context, "nothing", new Nothing());
        context.addServletMappingDecoded("/", "nothing");
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

    private static String reasonOfGoAway(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
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
     * Delays two of Tomcat's threads, as a busy machine may. The first begins the connection, returns from the reading
     * within that, and is about to read again; it is held, by its log, until the second, which now reads the requests,
     * has parsed four of them. The second is held, by its executor, until a third has parsed the next request: that one
     * reads for the first.
     */
    private static final class Delays extends Handler implements Executor {
        private static final int FOUR = 4;

        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final AtomicInteger returns = new AtomicInteger();
        private final AtomicInteger requests = new AtomicInteger();
        /** The first thread is held. */
        final CountDownLatch begun = new CountDownLatch(1);

        private final CountDownLatch fourParsed = new CountDownLatch(1);
        /** The first thread has asked for the next bytes and is done. */
        final CountDownLatch secondReader = new CountDownLatch(1);

        private final CountDownLatch nextParsed = new CountDownLatch(1);

        @Override
        public void publish(LogRecord line) {
            if (!line.getMessage().startsWith("Exit, Connection")) {
                return;
            }
            int returned = returns.incrementAndGet();
            if (returned == 1) {
                begun.countDown();
                await(fourParsed);
            } else if (returned == 2) {
                secondReader.countDown();
            }
        }

        @Override
        public void execute(Runnable work) {
            threads.execute(work);
            if (!work.getClass().getSimpleName().equals("StreamRunnable")) {
                return;
            }
            int parsed = requests.incrementAndGet();
            if (parsed == FOUR) {
                fourParsed.countDown();
                await(nextParsed);
            } else if (parsed > FOUR) {
                nextParsed.countDown();
            }
        }

        void await(CountDownLatch latch) {
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
        public void close() {
            threads.shutdownNow();
        }
    }

    private static final class Nothing extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            response.setStatus(204);
        }
    }
}
