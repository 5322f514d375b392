package scraper;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Passes on the metrics of an app's instance, in the form that the collector reads. */
public final class MetricScraper extends Handler.Abstract {

    private final String base;
    private final int readMillis;

    MetricScraper(String base, int readMillis) {
        this.base = base;
        this.readMillis = readMillis;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        int instance = ThreadLocalRandom.current().nextInt(200);
        String text;
        try {
            text = "up{instance=\"" + instance + "\"} 1\n" + fetch(instance);
        } catch (SocketTimeoutException e) {
            text = "up{instance=\"" + instance + "\"} 0\n";
        }
        response.getHeaders().put("Content-Type", "text/plain");
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    private String fetch(int instance) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(base + "/metrics?instance=" + instance).toURL().openConnection();
        connection.setConnectTimeout(2000);
        connection.setReadTimeout(readMillis);
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The instances; a few of them take a request and then say nothing for a long while. */
    private static int instances() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        server.createContext("/metrics", exchange -> {
            int instance = Integer.parseInt(exchange.getRequestURI().getQuery().substring(9));
            try {
                Thread.sleep(instance % 20 == 13 ? 30_000 : 3);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body = ("requests_total{app=\"a" + instance % 7 + "\"} " + instance * 31 + "\n")
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server.getAddress().getPort();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Server server = new Server(new QueuedThreadPool(34));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new MetricScraper("http://127.0.0.1:" + instances(), fixed ? 250 : 0));
        server.start();
        System.out.println("ready");
    }
}
