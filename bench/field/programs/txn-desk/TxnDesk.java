package txn;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Knows the state of load transactions; ended ones are written to the edit log. */
public final class TxnDesk {

    enum State {
        OPEN,
        COMMITTED,
        VISIBLE
    }

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    private final Map<Long, State> transactions = new HashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final EditLog log = new EditLog();
    private final boolean brief;

    TxnDesk(boolean brief) {
        this.brief = brief;
        for (int i = 0; i < 2000; i++) {
            transactions.put(next.getAndIncrement(), State.OPEN);
        }
    }

    void state(ServerRequest request, ServerResponse response) {
        long id = ThreadLocalRandom.current().nextLong(next.get());
        State state;
        lock.readLock().lock();
        try {
            state = transactions.getOrDefault(id, State.VISIBLE);
        } finally {
            lock.readLock().unlock();
        }
        response.send("transaction " + id + ": " + state + "\n");
    }

    /** Ends open transactions, one after the other, as the loads report them. */
    private void end() {
        while (true) {
            long id = ThreadLocalRandom.current().nextLong(next.get());
            if (brief) {
                log.write(id, State.COMMITTED);
            }
            lock.writeLock().lock();
            try {
                transactions.put(id, State.COMMITTED);
                if (!brief) {
                    log.write(id, State.COMMITTED);
                }
                transactions.remove(id - 1000);
            } finally {
                lock.writeLock().unlock();
            }
            pause(2);
        }
    }

    static final class EditLog {
        private long written;

        void write(long id, State state) {
            pause(18); // the log is kept on three machines
            written += id + state.ordinal();
        }
    }

    private static void pause(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        TxnDesk desk = new TxnDesk(fixed);
        Thread.ofPlatform().name("txn-end").daemon().start(desk::end);
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/", desk::state))
                .build()
                .start();
        System.out.println("ready");
    }
}
