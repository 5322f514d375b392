package ledger;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Shows balances, which the ledger of another team knows. */
public final class LedgerSync extends Handler.Abstract {

    private final LedgerClient ledger;

    LedgerSync(LedgerClient ledger) {
        this.ledger = ledger;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        int account = 10_000 + ThreadLocalRandom.current().nextInt(9000);
        String balance = ledger.balance(account);
        if (balance == null) {
            response.setStatus(504);
            balance = "not known now";
        }
        String text = "account " + account + ": " + balance + "\n";
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    static final class LedgerClient {
        private static final int ATTEMPTS = 5;

        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final URI base;
        private final boolean pausing;

        LedgerClient(URI base, boolean pausing) {
            this.base = base;
            this.pausing = pausing;
        }

        String balance(int account) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(base.resolve("/balance/" + account))
                    .timeout(Duration.ofMillis(150))
                    .build();
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                try {
                    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                    if (answer.statusCode() == 200) {
                        return answer.body();
                    }
                } catch (HttpTimeoutException e) {
                    if (pausing) {
                        int longest = 400 << attempt;
                        Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextInt(longest / 2));
                    }
                }
            }
            return null;
        }
    }

    /** The ledger: four at a time, 20 ms each; it works off whatever has reached it. */
    private static URI ledger() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        server.createContext("/balance/", exchange -> {
            try (exchange) {
                Thread.sleep(20);
                int account =
                        Integer.parseInt(exchange.getRequestURI().getPath().substring(9));
                byte[] body = (account * 37 % 100_000 + " cents").getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.setExecutor(Executors.newFixedThreadPool(
                4, Thread.ofPlatform().name("ledger-", 0).daemon().factory()));
        server.start();
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Server server = new Server(new QueuedThreadPool(70));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new LedgerSync(new LedgerClient(ledger(), fixed)));
        server.start();
        System.out.println("ready");
    }
}
