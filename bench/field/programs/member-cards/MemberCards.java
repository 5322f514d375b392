package cards;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Looks up member cards in a directory that has only a blocking driver. */
public final class MemberCards extends AbstractVerticle {

    private final int port;
    private final boolean anyOrder;
    private final CardDirectory directory = new CardDirectory();

    MemberCards(int port, boolean anyOrder) {
        this.port = port;
        this.anyOrder = anyOrder;
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createHttpServer()
                .requestHandler(this::card)
                .listen(port, "127.0.0.1")
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void card(HttpServerRequest request) {
        int number = ThreadLocalRandom.current().nextInt(50_000);
        if (anyOrder) {
            vertx.executeBlocking(() -> directory.find(number), false)
                    .onSuccess(card -> answer(request, card))
                    .onFailure(failure -> request.response().setStatusCode(500).end(failure.getMessage()));
        } else {
            vertx.executeBlocking(() -> directory.find(number))
                    .onSuccess(card -> answer(request, card))
                    .onFailure(failure -> request.response().setStatusCode(500).end(failure.getMessage()));
        }
    }

    private void answer(HttpServerRequest request, JsonObject card) {
        request.response().putHeader("content-type", "application/json").end(card.encode());
    }

    /** The directory's own driver: one round trip a card. */
    static final class CardDirectory {
        private final Map<Integer, String> levels = new ConcurrentHashMap<>();

        JsonObject find(int number) throws InterruptedException {
            Thread.sleep(15);
            String level = levels.computeIfAbsent(number % 100, n -> n < 5 ? "gold" : n < 30 ? "silver" : "blue");
            return new JsonObject()
                    .put("number", String.format("%08d", number))
                    .put("level", level)
                    .put("points", number % 1777);
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(20));
        vertx.deployVerticle(new MemberCards(Integer.parseInt(args[0]), fixed))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        System.out.println("ready");
    }
}
