package dev.fettle.load.client;

/**
 * The clients that a connection has to serve, in the order in which they came. Where answers come in that order, too, those whose
 * requests are on the wire stay and are the first; the rest is still to be sent. Allocates nothing.
 */
public final class ClientRing {

    private final Client[] ring;
    private int head;
    private int count;
    private int onTheWire;

    /** @param capacity the most there can be */
    public ClientRing(int capacity) {
        ring = new Client[capacity];
    }

    public void add(Client client) {
        ring[at(count)] = client;
        count++;
    }

    public int count() {
        return count;
    }

    public int onTheWire() {
        return onTheWire;
    }

    public boolean hasUnsent() {
        return onTheWire < count;
    }

    /** The next one to be sent is on the wire now. */
    public Client send() {
        Client next = ring[at(onTheWire)];
        onTheWire++;
        return next;
    }

    /** The one that has been there longest. */
    public Client first() {
        return ring[head];
    }

    /** The first one has its answer, or has failed: it goes. */
    public Client remove() {
        Client first = ring[head];
        head = at(1);
        count--;
        onTheWire = Math.max(0, onTheWire - 1);
        return first;
    }

    /** The wire is gone: all are still to be sent. */
    public void unsend() {
        onTheWire = 0;
    }

    private int at(int offset) {
        int index = head + offset;
        return index < ring.length ? index : index - ring.length;
    }
}
