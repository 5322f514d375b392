package dev.fettle.load.client;

/**
 * A connection as its engine loop sees it, across all sockets it uses: it carries the requests of one or several {@link Client}s.
 * It tells a client {@link Client#sent}, {@link Client#firstByte}, and then either {@link Client#answered} or {@link
 * Client#failed}; each may make that client call {@link #carry} again before it returns.
 */
public interface Peer {

    /** Opens before the first request if connections are kept alive, and makes its clients {@link Client#free}. */
    void start(long now);

    /** Sends the request of the client's script as soon as possible; connects first if necessary. */
    void carry(Client client, long now);

    /** Whether a request could leave without opening first. */
    boolean isOpen();

    /** Whether it neither carries a request nor is connecting. During a pause of the load this can't change. */
    boolean isQuiet();

    /** One of its clients has ended; with the last one it closes and tells {@link Loop#retired()}. */
    void over(Client client);

    /** The clients whose requests it carries. */
    Clients clients();

    /** Closes it now, whatever it is doing. */
    void abandon(long now);
}
