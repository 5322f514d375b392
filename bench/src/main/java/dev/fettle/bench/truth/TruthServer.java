package dev.fettle.bench.truth;

import dev.fettle.bench.Options;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;

/**
 * An HTTP/1.1 server whose response times are known. One thread, which spins: give it its own CPU. Options: {@code
 * port}, {@code mode} (stall or tail); for stall {@code period-ms}, {@code stall-ms}, {@code service-us}; for tail
 * {@code median-ms}, {@code sigma}, {@code seed}.
 *
 * <p>{@code GET /truth} answers with what it did, as JSON in milliseconds, where {@code miss…} is how late its own
 * timing was. {@code GET /truth?skip=SECONDS} also resets the record and starts again that long after the next request.
 */
public final class TruthServer {

    private static final byte[] ANSWER =
            ascii("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\ntruth\n");

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final DueHeap<Client> pending = new DueHeap<>();
    private final TruthRecord record = new TruthRecord();
    private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER.length).put(ANSWER);
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);
    private final Delay delay;

    private TruthServer(int port, Delay delay) throws IOException {
        this.delay = delay;
        listener.bind(new InetSocketAddress("127.0.0.1", port), 4096);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** See the class. */
    public static void main(String[] args) throws IOException {
        Options options = Options.parse(
                args, "port", "mode", "period-ms", "stall-ms", "service-us", "median-ms", "sigma", "seed");
        Delay delay = options.text("mode", "stall").equals("tail")
                ? new HeavyTail(
                        options.real("median-ms", 1) * 1e6, options.real("sigma", 1.2), options.number("seed", 1))
                : new StallQueue(
                        (long) (options.real("period-ms", 2000) * 1e6),
                        (long) (options.real("stall-ms", 100) * 1e6),
                        (long) (options.real("service-us", 50) * 1e3),
                        System.nanoTime());
        new TruthServer((int) options.number("port", 18090), delay).run();
    }

    private void run() throws IOException {
        while (true) {
            if (selector.selectNow() > 0) {
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    if (key.isAcceptable()) {
                        accept();
                    } else if (key.attachment() instanceof Client client) {
                        client.read();
                    }
                    answerDue();
                }
            }
            answerDue();
            Thread.onSpinWait();
        }
    }

    private void answerDue() {
        while (!pending.isEmpty()) {
            long now = System.nanoTime();
            if (now - pending.firstDue() < 0) {
                return;
            }
            long due = pending.firstDue();
            long arrival = pending.firstArrival();
            Client client = pending.remove();
            record.answered(arrival, due, now);
            client.write(answer.rewind());
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel; (channel = listener.accept()) != null; ) {
            channel.configureBlocking(false);
            channel.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new Client(channel));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** One connection; requests have no body. */
    private final class Client {
        private final SocketChannel channel;
        /** How many bytes of an empty line have come. */
        private int matched;

        private boolean control;
        private boolean atStart = true;

        Client(SocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            long arrival = System.nanoTime();
            try {
                int n = channel.read(in.clear());
                if (n < 0) {
                    channel.close();
                    return;
                }
                in.flip();
                if (atStart && n > 6 && in.get(5) == 't') {
                    control = true;
                }
                for (int i = 0; i < n; i++) {
                    byte b = in.get(i);
                    matched = b == (matched % 2 == 0 ? '\r' : '\n') ? matched + 1 : b == '\r' ? 1 : 0;
                    if (matched == 4) {
                        matched = 0;
                        requested(arrival);
                    }
                }
                atStart = matched == 0;
            } catch (IOException gone) {
                close();
            }
        }

        private void requested(long arrival) {
            if (control) {
                control = false;
                tell();
            } else {
                pending.add(delay.due(arrival), arrival, this);
            }
        }

        private void tell() {
            String head = StandardCharsets.ISO_8859_1.decode(in.rewind()).toString();
            String body = "{" + record.json() + "}\n";
            int skip = head.indexOf("skip=");
            if (skip >= 0) {
                record.reset((long) (Double.parseDouble(head.substring(skip + 5, head.indexOf(' ', skip))) * 1e9));
            }
            write(ByteBuffer.wrap(ascii("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)));
        }

        void write(ByteBuffer bytes) {
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException gone) {
                close();
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                // it is gone anyway
            }
        }
    }
}
