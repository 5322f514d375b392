package rules;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.ThreadLocalRandom;

/** Picks fields out of events by paths as order.customer.address.zip; many events have only some of them. */
public final class FetchRules extends AbstractVerticle {

    static class MissingField extends RuntimeException {
        private static final long serialVersionUID = 1;

        MissingField(String path) {
            super("no field " + path);
        }

        protected MissingField(String path, boolean traced) {
            super("no field " + path, null, false, traced);
        }
    }

    static final class UntracedMissingField extends MissingField {
        private static final long serialVersionUID = 1;

        UntracedMissingField(String path) {
            super(path, false);
        }
    }

    private static final String[] PATHS = {
        "order.customer.address.zip", "order.customer.vat", "order.lines.first.gift", "order.coupon.code.text",
        "order.customer.company.name", "order.delivery.window.from", "order.id", "order.notes.text"
    };

    private final int port;
    private final boolean traced;

    FetchRules(int port, boolean traced) {
        this.port = port;
        this.traced = traced;
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createHttpServer()
                .requestHandler(this::pick)
                .listen(port, "127.0.0.1")
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void pick(HttpServerRequest request) {
        JsonArray picked = new JsonArray();
        for (int event = 0; event < 25; event++) {
            JsonObject order = event();
            for (String path : PATHS) {
                try {
                    picked.add(field(order, path, 0));
                } catch (MissingField e) {
                    continue;
                }
            }
        }
        request.response().end(picked.size() + " fields\n");
    }

    private static JsonObject event() {
        JsonObject order =
                new JsonObject().put("id", ThreadLocalRandom.current().nextInt(100_000));
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
            order.put("customer", new JsonObject().put("address", new JsonObject().put("zip", "12345")));
        }
        return new JsonObject().put("order", order);
    }

    private Object field(JsonObject object, String path, int from) {
        int dot = path.indexOf('.', from);
        String name = dot < 0 ? path.substring(from) : path.substring(from, dot);
        Object value = object.getValue(name);
        if (value == null) {
            throw traced ? new MissingField(path) : new UntracedMissingField(path);
        }
        return dot < 0 ? value : field((JsonObject) value, path, dot + 1);
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Vertx.vertx()
                .deployVerticle(new FetchRules(Integer.parseInt(args[0]), !fixed))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        System.out.println("ready");
    }
}
