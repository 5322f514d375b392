package export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Makes the batches of log events that go to the log service, and the seal that goes with each. */
public final class LogExport {

    private static final byte[] OPEN = "{\"at\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEXT = ",\"text\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "\"},\n".getBytes(StandardCharsets.US_ASCII);

    private final List<byte[]> messages = new ArrayList<>();
    private final boolean piecewise;

    LogExport(boolean piecewise) {
        this.piecewise = piecewise;
        for (int i = 0; i < 100; i++) {
            messages.add(("event " + i + " " + "worker finished its share of the batch; ".repeat(70))
                    .getBytes(StandardCharsets.US_ASCII));
        }
    }

    void batch(HttpExchange exchange) throws IOException {
        try (exchange) {
            int from = ThreadLocalRandom.current().nextInt(100);
            long seal = piecewise ? sealAsWritten(from) : seal(marshal(from));
            byte[] body = ("batch from " + from + ", seal " + Long.toHexString(seal) + "\n")
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private byte[] marshal(int from) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, from);
        return out.toByteArray();
    }

    private static long seal(byte[] batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch);
        return crc.getValue();
    }

    private long sealAsWritten(int from) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
        try (OutputStream out = new BufferedOutputStream(checked, 32 * 1024)) {
            write(out, from);
        }
        return checked.getChecksum().getValue();
    }

    private void write(OutputStream out, int from) throws IOException {
        out.write('[');
        for (int i = 0; i < 350; i++) {
            out.write(OPEN);
            out.write(Integer.toString(1_700_000 + i).getBytes(StandardCharsets.US_ASCII));
            out.write(TEXT);
            out.write(messages.get((from + i) % 100));
            out.write(CLOSE);
        }
        out.write(']');
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        LogExport export = new LogExport(fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", export::batch);
        server.setExecutor(Executors.newFixedThreadPool(
                16, Thread.ofPlatform().name("export-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
