package labels;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the text of parcel labels; every label is written to the company's log collector. */
public final class LabelPrint extends Handler.Abstract {

    private static final Logger log = LoggerFactory.getLogger(LabelPrint.class);
    private final AtomicLong number = new AtomicLong();

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long parcel = number.incrementAndGet();
        int zone = ThreadLocalRandom.current().nextInt(90) + 10;
        String label = label(parcel, zone);
        log.info("label {} zone {} made", parcel, zone);
        log.info("label {} queued for printer {}", parcel, zone % 4);
        response.getHeaders().put("Content-Type", "text/plain");
        response.write(true, ByteBuffer.wrap(label.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    private static String label(long parcel, int zone) {
        StringBuilder text = new StringBuilder();
        text.append("PARCEL ")
                .append(parcel)
                .append('\n')
                .append("ZONE ")
                .append(zone)
                .append('\n');
        int check = 0;
        for (char c : Long.toString(parcel).toCharArray()) {
            check = (check * 3 + c) % 97;
        }
        return text.append("CHECK ").append(check).append('\n').toString();
    }

    /** Sends one line an event and waits for the collector's receipt. */
    static final class CollectorAppender extends AppenderBase<ILoggingEvent> {
        private final Socket socket;
        private final OutputStream out;
        private final BufferedReader receipts;

        CollectorAppender(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            receipts = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        @Override
        protected void append(ILoggingEvent event) {
            try {
                String line = event.getTimeStamp() + " " + event.getLevel() + " " + event.getFormattedMessage() + "\n";
                out.write(line.getBytes(StandardCharsets.UTF_8));
                receipts.readLine();
            } catch (IOException e) {
                addError("collector", e);
            }
        }
    }

    /** Stands for the collector in the other data centre. */
    private static int collector() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().name("collector").daemon().start(() -> {
            try (Socket peer = server.accept()) {
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.UTF_8));
                while (lines.readLine() != null) {
                    Thread.sleep(2);
                    peer.getOutputStream().write("ok\n".getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException | InterruptedException e) {
                System.err.println("collector: " + e.getMessage());
            }
        });
        return server.getLocalPort();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        CollectorAppender remote = new CollectorAppender(collector());
        remote.setContext(context);
        remote.start();
        AsyncAppender async = new AsyncAppender();
        async.setName("COLLECTOR");
        async.setContext(context);
        async.setQueueSize(1024);
        async.setDiscardingThreshold(0);
        async.setNeverBlock(fixed);
        async.addAppender(remote);
        async.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(ch.qos.logback.classic.Level.INFO);
        root.addAppender(async);

        Server server = new Server(new QueuedThreadPool(60));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new LabelPrint());
        server.start();
        System.out.println("ready");
    }
}
