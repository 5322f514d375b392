package health;

import com.sun.net.httpserver.HttpServer;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.CloseableHttpResponse;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;

/** Shows whether an instance of the cluster is well, by asking it. */
public final class HealthBoard {

    private final InstanceClient instances;

    HealthBoard(InstanceClient instances) {
        this.instances = instances;
    }

    void health(HttpServerExchange exchange) {
        int instance = ThreadLocalRandom.current().nextInt(64);
        try {
            exchange.getResponseSender().send("instance " + instance + ": " + instances.health(instance) + "\n");
        } catch (IOException | ParseException e) {
            exchange.setStatusCode(500);
            exchange.getResponseSender().send("instance " + instance + ": " + e.getMessage() + "\n");
        }
    }

    static final class InstanceClient {
        private final CloseableHttpClient http;
        private final String base;
        private final boolean closing;

        InstanceClient(String base, boolean closing) {
            this.base = base;
            this.closing = closing;
            PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager();
            connections.setMaxTotal(40);
            connections.setDefaultMaxPerRoute(40);
            http = HttpClients.custom()
                    .setConnectionManager(connections)
                    .setDefaultRequestConfig(RequestConfig.custom()
                            .setConnectionRequestTimeout(Timeout.ofSeconds(2))
                            .build())
                    .build();
        }

        @SuppressWarnings("deprecation")
        String health(int instance) throws IOException, ParseException {
            CloseableHttpResponse response = http.execute(new HttpGet(base + "/health/" + instance));
            try {
                return read(response);
            } finally {
                if (closing) {
                    response.close();
                }
            }
        }

        private static String read(CloseableHttpResponse response) throws IOException, ParseException {
            return switch (response.getCode()) {
                case 200 -> EntityUtils.toString(response.getEntity()).trim();
                case 404 -> "unknown";
                default -> "not well (" + response.getCode() + ")";
            };
        }
    }

    private static int cluster() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.createContext("/health/", exchange -> {
            int instance = Integer.parseInt(exchange.getRequestURI().getPath().substring(8));
            byte[] body = (instance % 8 == 7 ? "no such instance" : "healthy since " + instance)
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(instance % 8 == 7 ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool(
                Thread.ofPlatform().name("cluster-", 0).daemon().factory()));
        server.start();
        return server.getAddress().getPort();
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        HealthBoard board = new HealthBoard(new InstanceClient("http://127.0.0.1:" + cluster(), fixed));
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(32)
                .setHandler(new BlockingHandler(board::health))
                .build()
                .start();
        System.out.println("ready");
    }
}
