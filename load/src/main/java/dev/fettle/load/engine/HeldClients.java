package dev.fettle.load.engine;

import dev.fettle.load.client.Client;
import dev.fettle.load.schedule.LoopClock;
import java.util.ArrayDeque;

/** Clients that would send if the load were not paused, in order of arrival. Used by one engine thread. */
final class HeldClients {

    /** Maximum number let go between two reads: more would keep the loop from reading. */
    private static final int AT_ONCE = 64;

    private final ArrayDeque<Client> clients = new ArrayDeque<>();

    void add(Client client) {
        clients.addLast(client);
    }

    boolean isEmpty() {
        return clients.isEmpty();
    }

    /**
     * Lets those go on that have waited longest, at most {@link #AT_ONCE}.
     *
     * @param since when the load resumed
     */
    void release(long since, LoopClock clock) {
        for (int i = 0; i < AT_ONCE && !clients.isEmpty(); i++) {
            clients.removeFirst().letGo(since, clock.read());
        }
    }
}
