package quotes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Asks three insurers for a quote at once and answers with the cheapest. */
public final class BrokerQuotes extends Handler.Abstract {

    record Quote(String insurer, int cents) {}

    private final List<Insurer> insurers =
            List.of(new Insurer("north", 14), new Insurer("south", 11), new Insurer("sea", 17));
    private final Executor executor;

    BrokerQuotes(Executor executor) {
        this.executor = executor;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int age = 18 + ThreadLocalRandom.current().nextInt(60);
        List<CompletableFuture<Quote>> asked = insurers.stream()
                .map(insurer -> CompletableFuture.supplyAsync(() -> insurer.quote(age), executor))
                .toList();
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> {
            if (failure != null) {
                Response.writeError(request, response, callback, failure);
                return;
            }
            Quote best = asked.stream()
                    .map(CompletableFuture::join)
                    .min((a, b) -> Integer.compare(a.cents(), b.cents()))
                    .orElseThrow();
            byte[] body = (best.insurer() + " " + best.cents() + "\n").getBytes(StandardCharsets.UTF_8);
            response.write(true, ByteBuffer.wrap(body), callback);
        });
        return true;
    }

    static final class Insurer {
        private final String name;
        private final int millis;

        Insurer(String name, int millis) {
            this.name = name;
            this.millis = millis;
        }

        /** One call of the insurer's blocking client. */
        Quote quote(int age) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Quote(
                    name,
                    9000
                            + Math.abs(45 - age) * 130
                            + ThreadLocalRandom.current().nextInt(500));
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Executor executor = fixed
                ? Executors.newFixedThreadPool(
                        96, Thread.ofPlatform().name("insurer-", 0).daemon().factory())
                : ForkJoinPool.commonPool();
        Server server = new Server(new QueuedThreadPool(30));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new BrokerQuotes(executor));
        server.start();
        System.out.println("ready");
    }
}
