package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A session for every request, which lives for half an hour whether its user comes back or not. */
final class SessionPerRequest implements Fault {
    private static final int PROFILE = 8 * 1024;
    private static final long LIFE_SECONDS = 30 * 60;

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    private record Session(Instant until, byte[] profile) {}

    @Override
    public void spoil(Visit visit) {
        sessions.put(
                UUID.randomUUID().toString(), new Session(Instant.now().plusSeconds(LIFE_SECONDS), new byte[PROFILE]));
    }
}
