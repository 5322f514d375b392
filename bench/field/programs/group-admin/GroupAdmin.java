package groups;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Administers the groups of a cluster; a change is final once the other nodes have agreed. */
public final class GroupAdmin {

    private final Map<Integer, Integer> members = new ConcurrentHashMap<>();
    private final Consensus consensus = new Consensus();

    void change(HttpServerExchange exchange) {
        int group = ThreadLocalRandom.current().nextInt(300);
        int count = members.merge(group, 1, Integer::sum);
        long index = consensus.submit("group " + group + " has " + count).join();
        exchange.getResponseSender().send("group " + group + ": " + count + " members, entry " + index + "\n");
    }

    void ready(HttpServerExchange exchange) {
        exchange.getResponseSender().send("up\n");
    }

    /** Sends an entry to the other nodes and completes when most of them have it. */
    static final class Consensus {
        private final ScheduledExecutorService replication = Executors.newScheduledThreadPool(
                2, Thread.ofPlatform().name("replication-", 0).daemon().factory());
        private long last;

        CompletableFuture<Long> submit(String entry) {
            CompletableFuture<Long> agreed = new CompletableFuture<>();
            long index;
            synchronized (this) {
                index = ++last;
            }
            replication.schedule(() -> agreed.complete(index), 10 + entry.length() % 5, TimeUnit.MILLISECONDS);
            return agreed;
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        GroupAdmin admin = new GroupAdmin();
        HttpHandler change = fixed ? new BlockingHandler(admin::change) : admin::change;
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setIoThreads(2)
                .setWorkerThreads(40)
                .setHandler(Handlers.path().addExactPath("/ready", admin::ready).addPrefixPath("/", change))
                .build()
                .start();
        System.out.println("ready");
    }
}
