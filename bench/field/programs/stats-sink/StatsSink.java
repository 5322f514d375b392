package stats;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** Sends page statistics to the search cluster, one document a page view. */
public final class StatsSink {

    private final String cluster;
    private final boolean hangUp;

    StatsSink(String cluster, boolean hangUp) {
        this.cluster = cluster;
        this.hangUp = hangUp;
    }

    void view(HttpServerExchange exchange) {
        int page = ThreadLocalRandom.current().nextInt(900);
        try {
            exchange.getResponseSender().send("page " + page + ": " + store(page) + "\n");
        } catch (IOException e) {
            exchange.setStatusCode(502);
            exchange.getResponseSender().send("page " + page + ": " + e.getMessage() + "\n");
        }
    }

    private String store(int page) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(cluster + "/views/" + page).toURL().openConnection();
        connection.setConnectTimeout(5000);
        connection.setReadTimeout(5000);
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim();
        } finally {
            if (hangUp) {
                connection.disconnect();
            }
        }
    }

    /** The cluster's front: greets a new connection at its leisure, as one with TLS and a login does. */
    private static int cluster() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        Thread.ofPlatform().name("cluster").daemon().start(() -> {
            while (true) {
                try {
                    Socket peer = server.accept();
                    peer.setTcpNoDelay(true);
                    Thread.ofVirtual().start(() -> converse(peer));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return server.getLocalPort();
    }

    private static void converse(Socket peer) {
        try (peer) {
            Thread.sleep(35);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.US_ASCII));
            while (in.readLine() != null) {
                String header;
                while ((header = in.readLine()) != null && !header.isEmpty()) {
                    // the headers say nothing of interest
                }
                Thread.sleep(2);
                peer.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nstored\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException | InterruptedException e) {
            // the client has gone
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        System.setProperty("http.maxConnections", "32");
        StatsSink sink = new StatsSink("http://127.0.0.1:" + cluster(), !fixed);
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(24)
                .setHandler(new BlockingHandler(sink::view))
                .build()
                .start();
        System.out.println("ready");
    }
}
