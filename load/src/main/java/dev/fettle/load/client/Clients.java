package dev.fettle.load.client;

import dev.fettle.load.script.ScriptFactory;

/** The clients whose requests one peer carries, and operations on all of them. */
public final class Clients {

    private final Client[] all;
    private int over;

    /**
     * @param number the peer's, over all engine threads
     * @param count how many clients it has
     */
    public Clients(Peer peer, Loop loop, ScriptFactory scripts, int number, int count) {
        all = new Client[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Client(
                    loop, peer, scripts.script(Math.addExact(Math.multiplyExact(number, count), i), loop.budget()));
        }
    }

    Client first() {
        return all[0];
    }

    /** Frees the clients that have not begun. */
    public void begin(long now) {
        begin(all.length, now);
    }

    /** Frees those of the first {@code many} clients that have not begun. */
    public void begin(int many, long now) {
        for (int i = 0; i < Math.min(many, all.length); i++) {
            if (all[i].isNew()) {
                all[i].free(now, now);
            }
        }
    }

    /** Tells every script that there is a new connection. */
    void connected() {
        for (Client client : all) {
            client.script().connected();
        }
    }

    /** Counts a client that has ended; true if it was the last. */
    public boolean over() {
        return ++over == all.length;
    }

    /** Calls {@link Client#sweep} for each. */
    public void sweep(boolean timeUp) {
        for (Client client : all) {
            client.sweep(timeUp);
        }
    }

    /** The sum of all {@link Client#age}. */
    public long age(long now) {
        long sum = 0;
        for (Client client : all) {
            sum += client.age(now);
        }
        return sum;
    }

    /** How many have an attempt under way. */
    public int underWay() {
        int n = 0;
        for (Client client : all) {
            n += client.isUnderWay() ? 1 : 0;
        }
        return n;
    }

    /** Calls {@link Client#abandon} for each. */
    public void abandon(long now) {
        for (Client client : all) {
            client.abandon(now);
        }
    }
}
