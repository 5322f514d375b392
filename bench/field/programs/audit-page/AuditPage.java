package audit;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Shows the last entries of an audit trail to a service that gives its name and its password with each request. */
public final class AuditPage extends AbstractVerticle {

    private final int port;
    private final Accounts accounts;

    AuditPage(int port, Accounts accounts) {
        this.port = port;
        this.accounts = accounts;
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createHttpServer()
                .requestHandler(this::entries)
                .listen(port, "127.0.0.1")
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void entries(HttpServerRequest request) {
        String[] path = request.path().split("/");
        if (path.length < 4) {
            request.response().setStatusCode(404).end();
            return;
        }
        vertx.executeBlocking(() -> accounts.known(path[2], path[3]) ? last(path[2]) : null, false)
                .onSuccess(entries -> {
                    if (entries == null) {
                        request.response().setStatusCode(401).end();
                    } else {
                        request.response()
                                .putHeader("content-type", "application/json")
                                .end(entries.encode());
                    }
                })
                .onFailure(failure -> request.response().setStatusCode(500).end());
    }

    private static JsonArray last(String service) {
        JsonArray entries = new JsonArray();
        for (int i = 0; i < 20; i++) {
            entries.add(new JsonObject()
                    .put("service", service)
                    .put("number", 9000 + i)
                    .put("what", "login"));
        }
        return entries;
    }

    static final class Accounts {
        private static final int ROUNDS = 40_000;

        private final Map<String, byte[]> stored = new ConcurrentHashMap<>();
        private final Map<String, Long> seen = new ConcurrentHashMap<>();
        private final SecretKeySpec own =
                new SecretKeySpec("this process".getBytes(StandardCharsets.UTF_8), "HmacSHA256");
        private final boolean remembering;

        Accounts(boolean remembering) throws GeneralSecurityException {
            this.remembering = remembering;
            for (int i = 0; i < 10; i++) {
                stored.put("meter-" + i, derived("meter-" + i, "secret-" + i));
            }
        }

        boolean known(String name, String password) throws GeneralSecurityException {
            byte[] right = stored.get(name);
            if (right == null) {
                return false;
            }
            if (!remembering) {
                return MessageDigest.isEqual(right, derived(name, password));
            }
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(own);
            mac.update(right);
            String key =
                    HexFormat.of().formatHex(mac.doFinal((name + '\n' + password).getBytes(StandardCharsets.UTF_8)));
            Long until = seen.get(key);
            if (until != null && until > System.nanoTime()) {
                return true;
            }
            boolean same = MessageDigest.isEqual(right, derived(name, password));
            if (same) {
                seen.put(key, System.nanoTime() + 60_000_000_000L);
            }
            return same;
        }

        private static byte[] derived(String name, String password) throws GeneralSecurityException {
            byte[] salt = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 16);
            PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, ROUNDS, 256);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(20));
        vertx.deployVerticle(new AuditPage(Integer.parseInt(args[0]), new Accounts(fixed)))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        System.out.println("ready");
    }
}
