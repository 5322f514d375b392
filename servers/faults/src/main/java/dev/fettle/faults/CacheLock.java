package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A cache of limited size whose one lock is held while what is missing is fetched. */
final class CacheLock implements Fault {
    private static final int SIZE = 100;
    private static final int KEYS = 200;
    private static final long FETCH_MILLIS = 4;

    private final Map<Integer, String> cache = new LinkedHashMap<>(SIZE, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > SIZE;
        }
    };

    @Override
    public void spoil(Visit visit) {
        synchronized (cache) {
            cache.computeIfAbsent(ThreadLocalRandom.current().nextInt(KEYS), CacheLock::fetch);
        }
    }

    private static String fetch(int key) {
        try {
            Thread.sleep(FETCH_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "account " + key;
    }
}
