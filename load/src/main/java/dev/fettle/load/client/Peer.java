package dev.fettle.load.client;

/**
 * A connection as its engine loop sees it, over all the sockets it uses up: it carries the requests of one {@link Client} or
 * of several. It tells a client {@link Client#sent}, {@link Client#firstByte}, and then either {@link Client#answered} or
 * {@link Client#failed}; each may make that client call {@link #carry} again before it returns.
 */
public interface Peer {

    /** Opens ahead of the first requests if connections are kept alive, and sets its clients {@link Client#free}. */
    void start(long now);

    /** Sends the request of the client's script as soon as it can, opening first if it must. */
    void carry(Client client, long now);

    /** Whether a request could leave without opening first. */
    boolean isOpen();

    /** Whether it neither carries a request nor is connecting. In a pause of the load it stays so. */
    boolean isQuiet();

    /** One of its clients has ended; with the last one it closes and tells {@link Loop#retired()}. */
    void over(Client client);

    /** The clients whose requests it carries. */
    Clients clients();

    /** Ends it now, whatever it is doing. */
    void abandon(long now);
}
