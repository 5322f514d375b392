package trips;

import com.sun.net.httpserver.HttpServer;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Plans a trip: asks the distance service for one leg and adds the time of the stops. */
public final class TripPlanner {

    private final DistanceClient distances;

    TripPlanner(DistanceClient distances) {
        this.distances = distances;
    }

    void plan(HttpServerExchange exchange) {
        int from = ThreadLocalRandom.current().nextInt(1000);
        exchange.dispatch(
                exchange.getConnection().getWorker(),
                () -> distances
                        .between(from, from + 7)
                        .thenApply(TripPlanner::withStops)
                        .whenComplete((minutes, failure) -> {
                            exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
                            if (failure != null) {
                                exchange.setStatusCode(502);
                                exchange.getResponseSender().send("no distance: " + failure.getMessage());
                            } else {
                                exchange.getResponseSender().send("minutes " + minutes + "\n");
                            }
                        }));
    }

    private static long withStops(long kilometres) {
        long minutes = 0;
        for (long leg = kilometres; leg > 0; leg -= 120) {
            minutes += Math.min(leg, 120) * 60 / 85 + 10;
        }
        return minutes;
    }

    static final class DistanceClient {
        private final OkHttpClient http;
        private final String base;

        DistanceClient(String base, int hostLimit) {
            this.base = base;
            this.http = new OkHttpClient.Builder()
                    .connectionPool(new ConnectionPool(64, 1, TimeUnit.MINUTES))
                    .readTimeout(20, TimeUnit.SECONDS)
                    .build();
            if (hostLimit > 0) {
                http.dispatcher().setMaxRequestsPerHost(hostLimit);
            }
        }

        CompletableFuture<Long> between(int from, int to) {
            CompletableFuture<Long> answer = new CompletableFuture<>();
            Request request = new Request.Builder()
                    .url(base + "/distance?from=" + from + "&to=" + to)
                    .build();
            http.newCall(request).enqueue(new Callback() {
                @Override
                public void onFailure(Call call, IOException e) {
                    answer.completeExceptionally(e);
                }

                @Override
                public void onResponse(Call call, Response response) throws IOException {
                    try (response) {
                        answer.complete(Long.parseLong(response.body().string().trim()));
                    }
                }
            });
            return answer;
        }
    }

    /** The distance service of another team, as it answers from here. */
    private static int distanceService() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.createContext("/distance", exchange -> {
            try {
                Thread.sleep(60);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body = Integer.toString(300 + ThreadLocalRandom.current().nextInt(300))
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool(
                Thread.ofPlatform().name("distance-", 0).daemon().factory()));
        server.start();
        return server.getAddress().getPort();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        DistanceClient distances = new DistanceClient("http://127.0.0.1:" + distanceService(), fixed ? 64 : 0);
        TripPlanner planner = new TripPlanner(distances);
        Undertow server = Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(20)
                .setHandler(planner::plan)
                .build();
        server.start();
        System.out.println("ready");
    }
}
