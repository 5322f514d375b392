package console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Takes in notices and shows them at once on the consoles that listen, by server-sent events. */
public final class FeedConsole {

    private final List<Subscriber> subscribers = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong();
    private final boolean queued;

    FeedConsole(boolean queued) {
        this.queued = queued;
    }

    /** A console: it stays connected. */
    void listen(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        Subscriber subscriber = new Subscriber(exchange.getResponseBody());
        if (queued) {
            Thread.ofPlatform().name("console-writer").daemon().start(subscriber::drain);
        }
        synchronized (subscribers) {
            subscribers.add(subscriber);
        }
    }

    /** A notice comes in. */
    void notice(HttpExchange exchange) throws IOException {
        long number = numbers.incrementAndGet();
        int station = ThreadLocalRandom.current().nextInt(300);
        String text =
                "event: notice\nid: " + number + "\ndata: station " + station + " " + "level ".repeat(300) + "\n\n";
        publish(text.getBytes(StandardCharsets.UTF_8));
        byte[] answer = ("notice " + number + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private void publish(byte[] event) {
        synchronized (subscribers) {
            for (Subscriber subscriber : subscribers) {
                if (queued) {
                    subscriber.offer(event);
                } else {
                    subscriber.send(event);
                }
            }
        }
    }

    static final class Subscriber {
        private final OutputStream out;
        private final BlockingQueue<byte[]> next = new ArrayBlockingQueue<>(256);
        private boolean open = true;

        Subscriber(OutputStream out) {
            this.out = out;
        }

        void send(byte[] event) {
            if (!open) {
                return;
            }
            try {
                out.write(event);
                out.flush();
            } catch (IOException e) {
                open = false;
            }
        }

        /** A console that is too far behind misses events. */
        void offer(byte[] event) {
            next.offer(event);
        }

        void drain() {
            try {
                while (open) {
                    send(next.take());
                }
            } catch (InterruptedException e) {
                open = false;
            }
        }
    }

    /** Four consoles; one is on a line that takes about 400 kB a second. */
    private static void consoles(int port) throws IOException {
        for (int i = 0; i < 4; i++) {
            boolean mobile = i == 2;
            Socket socket = new Socket();
            socket.setReceiveBufferSize(mobile ? 32 * 1024 : 128 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            socket.getOutputStream()
                    .write("GET /listen HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Thread.ofPlatform().name("console-" + i).daemon().start(() -> {
                byte[] part = new byte[mobile ? 16 * 1024 : 64 * 1024];
                try (InputStream in = socket.getInputStream()) {
                    while (in.read(part) >= 0) {
                        if (mobile) {
                            Thread.sleep(40);
                        }
                    }
                } catch (IOException | InterruptedException e) {
                    System.err.println("console: " + e.getMessage());
                }
            });
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        FeedConsole console = new FeedConsole(fixed);
        int port = Integer.parseInt(args[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 200);
        server.createContext("/", console::notice);
        server.createContext("/listen", console::listen);
        server.setExecutor(Executors.newFixedThreadPool(
                40, Thread.ofPlatform().name("http-", 0).daemon().factory()));
        server.start();
        consoles(port);
        System.out.println("ready");
    }
}
