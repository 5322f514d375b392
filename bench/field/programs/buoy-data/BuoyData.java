package buoys;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;

/** Sends a buoy's measurements to the model that says how high the waves will be. */
public final class BuoyData {

    private final ModelClient model;

    BuoyData(ModelClient model) {
        this.model = model;
    }

    void waves(ServerRequest request, ServerResponse response) throws IOException {
        int buoy = ThreadLocalRandom.current().nextInt(120);
        StringBuilder measured = new StringBuilder();
        for (int hour = 0; hour < 24; hour++) {
            measured.append(hour)
                    .append(' ')
                    .append((buoy * 31 + hour * 17) % 90 / 10.0)
                    .append('\n');
        }
        response.send("buoy " + buoy + ": " + model.forecast(measured.toString()) + "\n");
    }

    static final class ModelClient {
        private final CloseableHttpClient http;
        private final String address;

        ModelClient(String address, boolean askFirst) {
            this.address = address;
            PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager();
            connections.setMaxTotal(64);
            connections.setDefaultMaxPerRoute(64);
            http = HttpClients.custom()
                    .setConnectionManager(connections)
                    .setDefaultRequestConfig(RequestConfig.custom()
                            .setExpectContinueEnabled(askFirst)
                            .build())
                    .build();
        }

        String forecast(String measured) throws IOException {
            HttpPost post = new HttpPost(address);
            post.setEntity(new StringEntity(measured));
            return http.execute(post, answer -> EntityUtils.toString(answer.getEntity()));
        }
    }

    /** The model: a server of its own that reads a request to its end and then answers. */
    private static int model() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        Thread.ofPlatform().name("model-accept").daemon().start(() -> {
            try {
                while (true) {
                    Socket peer = server.accept();
                    peer.setTcpNoDelay(true);
                    Thread.ofPlatform().name("model").daemon().start(() -> serve(peer));
                }
            } catch (IOException e) {
                System.err.println("model: " + e.getMessage());
            }
        });
        return server.getLocalPort();
    }

    private static void serve(Socket peer) {
        try (peer;
                InputStream in = new BufferedInputStream(peer.getInputStream())) {
            while (true) {
                int length = 0;
                String line = line(in);
                if (line.isEmpty()) {
                    return;
                }
                while (!line.isEmpty()) {
                    if (line.toLowerCase().startsWith("content-length:")) {
                        length = Integer.parseInt(line.substring(15).trim());
                    }
                    line = line(in);
                }
                int sum = 0;
                for (byte b : in.readNBytes(length)) {
                    sum += b;
                }
                String body = "waves of " + sum % 70 / 10.0 + " m";
                String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
                peer.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            System.err.println("model: " + e.getMessage());
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        BuoyData data = new BuoyData(new ModelClient("http://127.0.0.1:" + model() + "/forecast", !fixed));
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/", data::waves))
                .build()
                .start();
        System.out.println("ready");
    }
}
