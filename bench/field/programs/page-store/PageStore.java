package pages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Renders pages of documents; each page is drawn in a canvas of its own. */
public final class PageStore {

    private final LongAdder released = new LongAdder();
    private final boolean closing;

    PageStore(boolean closing) {
        this.closing = closing;
    }

    void page(HttpExchange exchange) throws IOException {
        try (exchange) {
            int page = ThreadLocalRandom.current().nextInt(500);
            String text = draw(page);
            byte[] body = (text + ", released so far " + released.sum() + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String draw(int page) {
        if (closing) {
            try (Canvas canvas = new Canvas(released)) {
                return canvas.draw(page);
            }
        }
        return new TidyCanvas(released).draw(page);
    }

    static class Canvas implements AutoCloseable {
        private final byte[] pixels = new byte[256 * 1024];
        private final LongAdder released;
        private boolean open = true;

        Canvas(LongAdder released) {
            this.released = released;
        }

        String draw(int page) {
            int ink = 0;
            for (int i = 0; i < pixels.length; i += 64) {
                pixels[i] = (byte) (page * 31 + i);
                ink += pixels[i] & 1;
            }
            return "page " + page + ", ink " + ink;
        }

        /** Gives the canvas's handle back to the drawing service. */
        @Override
        public void close() {
            if (open) {
                open = false;
                released.increment();
            }
        }
    }

    /** A canvas for those who do not close it. */
    static final class TidyCanvas extends Canvas {
        TidyCanvas(LongAdder released) {
            super(released);
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() throws Throwable {
            try {
                Thread.sleep(6); // the drawing service takes its handles back one by one
                close();
            } finally {
                super.finalize();
            }
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        PageStore pages = new PageStore(fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", pages::page);
        server.setExecutor(Executors.newFixedThreadPool(
                8, Thread.ofPlatform().name("pages-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
