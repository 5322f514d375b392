package dev.fettle.model.trial;

/**
 * Something the watch saw that is not a figure over time: a peer of the target's sockets, a lock that workers wait for, a frame
 * that many stacks have on top.
 *
 * @param kind what it is, and of what: {@code peer.closeWait}, {@code lock}, {@code pool}, {@code frame}, {@code throws} (a frame
 *     that makes exceptions), {@code dump}, {@code dump.deadlock}, {@code io.frame} (an I/O
 *     thread that is held up), {@code thread.hottest}, {@code thread.busiest} (of those that serve); {@code jfr.*} of a recording
 * @param what its name: {@code 10.0.0.5:5432}, a class, a method
 * @param count the most seen at once: sockets, waiters; of frames the stacks over all looks; of a recording the milliseconds,
 *     bytes or times in all
 * @param detail more of it, such as the lock's owner and its top frame; empty if there is no more to say
 */
public record Sighting(String kind, String what, double count, String detail) {
    /** Of a failure: the share of its CPUs that processes outside the trial used; the count is 0 to 1. */
    public static final String FOREIGN = "cpu.foreign";

    /** What a rule of JDK Mission Control says of a recording; the count is its score, 25 (information) to 100. */
    public static final String JMC = "jmc";

    /** Without more to say. */
    public Sighting(String kind, String what, double count) {
        this(kind, what, count, "");
    }
}
