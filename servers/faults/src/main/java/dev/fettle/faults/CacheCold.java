package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** A cache that is empty when the server starts: what is not in it yet takes long to fetch. */
final class CacheCold implements Fault {
    private static final int KEYS = 20_000;
    private static final long FETCH_MILLIS = 30;

    private final Map<Integer, String> cache = new ConcurrentHashMap<>();

    @Override
    public void spoil(Visit visit) {
        int key = ThreadLocalRandom.current().nextInt(KEYS);
        if (!cache.containsKey(key)) {
            try {
                Thread.sleep(FETCH_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            cache.put(key, "account " + key);
        }
    }
}
