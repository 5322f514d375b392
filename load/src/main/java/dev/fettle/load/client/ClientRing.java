package dev.fettle.load.client;

/**
 * The clients that a connection serves, in order of arrival. If answers come in the same order, the clients whose requests are on
 * the wire come first; the requests of the rest are still to be sent. Allocates nothing.
 */
public final class ClientRing {

    private final Client[] ring;
    private int head;
    private int count;
    private int onTheWire;

    /** @param capacity maximum number of clients */
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

    /** The client that has waited longest. */
    public Client first() {
        return ring[head];
    }

    /** Removes the first client, which has its answer or has failed. */
    public Client remove() {
        Client first = ring[head];
        head = at(1);
        count--;
        onTheWire = Math.max(0, onTheWire - 1);
        return first;
    }

    /** The connection is lost: all requests have to be sent again. */
    public void unsend() {
        onTheWire = 0;
    }

    private int at(int offset) {
        int index = head + offset;
        return index < ring.length ? index : index - ring.length;
    }
}
