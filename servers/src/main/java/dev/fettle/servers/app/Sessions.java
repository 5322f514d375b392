package dev.fettle.servers.app;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The logged-in users. The oldest session is removed when there are too many, because a load test never stops logging
 * in.
 */
public final class Sessions {
    private final int most;
    private final SecureRandom random = new SecureRandom();
    private final ConcurrentHashMap<String, String> accounts = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> byAge = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    public Sessions(int most) {
        this.most = most;
    }

    String token() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    public String open(String account) {
        String id = token();
        accounts.put(id, account);
        byAge.add(id);
        if (size.incrementAndGet() > most) {
            String oldest = byAge.poll();
            if (oldest != null) {
                accounts.remove(oldest);
                size.decrementAndGet();
            }
        }
        return id;
    }

    @Nullable
    public String account(@Nullable String id) {
        return id == null ? null : accounts.get(id);
    }
}
