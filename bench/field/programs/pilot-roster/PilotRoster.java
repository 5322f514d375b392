package roster;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Says at the gate whether the holder of a badge is a pilot. */
public final class PilotRoster {

    record Pilot(int badge, String name, String rank) {}

    private final Registry registry = new Registry();
    private final Cache<Integer, Pilot> pilots = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(10, TimeUnit.MINUTES)
            .build();
    private final Cache<Integer, Optional<Pilot>> answers = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(10, TimeUnit.MINUTES)
            .build();
    private final boolean everyAnswer;
    private final LongAdder asked = new LongAdder();

    PilotRoster(boolean everyAnswer) {
        this.everyAnswer = everyAnswer;
    }

    void badge(HttpServerExchange exchange) {
        asked.increment();
        int badge = ThreadLocalRandom.current().nextInt(600);
        Pilot pilot = pilot(badge);
        exchange.getResponseSender()
                .send(pilot == null ? "badge " + badge + ": no pilot\n" : pilot.rank() + " " + pilot.name() + "\n");
    }

    private Pilot pilot(int badge) {
        if (everyAnswer) {
            return answers.get(badge, number -> Optional.ofNullable(registry.find(number)))
                    .orElse(null);
        }
        return pilots.get(badge, registry::find);
    }

    /** The airline's registry; most people with a badge are not in it. */
    static final class Registry {
        Pilot find(int badge) {
            try {
                Thread.sleep(35);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return badge % 8 == 0 ? new Pilot(badge, "N. " + (char) ('A' + badge % 26), "first officer") : null;
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(32)
                .setHandler(new BlockingHandler(new PilotRoster(fixed)::badge))
                .build()
                .start();
        System.out.println("ready");
    }
}
