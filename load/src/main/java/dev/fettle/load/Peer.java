package dev.fettle.load;

/** One of the N connections as its engine loop sees it, over all the sockets it uses up. */
interface Peer {

    /** Opens ahead of the first request, or takes the first request when each has its own connection. */
    void start();

    /** Offers it, parked with room for a request, to the schedule, and says whether it is to leave the queue of parked ones. */
    boolean unpark(long now);

    /** Notices what is overdue. Called every few milliseconds. */
    void scan(long now);

    /** Summed time that its attempts have been under way; 0 without one. */
    long age(long now);

    /** Ends it now, whatever it is doing. */
    void abandon(long now);
}
