package claims;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Takes in claims and has each of them checked against the register of policies. */
public final class ClaimForms extends Handler.Abstract {

    private final ThreadPoolExecutor checks;

    ClaimForms(int core, int most) {
        checks = new ThreadPoolExecutor(
                core,
                most,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name("claim-check-", 0).daemon().factory());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int policy = ThreadLocalRandom.current().nextInt(900_000) + 100_000;
        checks.execute(() -> {
            try {
                String verdict = check(policy);
                byte[] body = ("policy " + policy + ": " + verdict + "\n").getBytes(StandardCharsets.UTF_8);
                response.write(true, ByteBuffer.wrap(body), callback);
            } catch (InterruptedException | RuntimeException e) {
                Response.writeError(request, response, callback, e);
            }
        });
        return true;
    }

    private static String check(int policy) throws InterruptedException {
        Thread.sleep(20); // the register is asked
        int digits = 0;
        for (int rest = policy; rest > 0; rest /= 10) {
            digits += rest % 10;
        }
        return digits % 11 == 0 ? "ask back" : "valid";
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        int most = 40;
        ClaimForms forms = new ClaimForms(fixed ? most : 4, most);
        Server server = new Server(new QueuedThreadPool(30));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(forms);
        server.start();
        System.out.println("ready");
    }
}
