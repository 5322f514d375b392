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

    /** A lock that workers wait for. */
    public static final String LOCK = "lock";

    /** A pool that workers wait for. */
    public static final String POOL = "pool";

    /** A frame that many stacks of workers have on top. */
    public static final String FRAME = "frame";

    /** Begins the detail of a frame on top of a stack that runs. */
    public static final String RUNS = "runs";

    /** Begins the detail of a frame from which a file is read or written. */
    public static final String USES_FILE = "reads or writes a file";

    /** Begins the detail of a frame that sleeps. */
    public static final String SLEEPS = "sleeps";

    /** A frame that makes exceptions. */
    public static final String THROWS = "throws";

    /** The thread that used most CPU time. */
    public static final String HOTTEST = "thread.hottest";

    /** The thread of the server or the application that used most CPU time. */
    public static final String BUSIEST = "thread.busiest";

    /** Threads that were kept. */
    public static final String DUMP = "dump";

    /** Threads that were kept because some wait for each other. */
    public static final String DEADLOCK = "dump.deadlock";

    /** Begins the kinds of peers: the state of the connections to them follows. */
    public static final String PEER = "peer.";

    public static final String PEER_CLOSE_WAIT = "peer.closeWait";
    public static final String PEER_ESTABLISHED = "peer.established";

    public static final String JFR_GC = "jfr.gc";
    public static final String JFR_VM_OPERATION = "jfr.vmOperation";
    public static final String JFR_MONITOR = "jfr.monitor";
    public static final String JFR_SOCKET_READ = "jfr.socketRead";
    public static final String JFR_FILE = "jfr.file";
    public static final String JFR_ALLOC = "jfr.alloc";
    public static final String JFR_EXCEPTION = "jfr.exception";
    public static final String JFR_EXCEPTIONS = "jfr.exceptions";

    /** What a rule of JDK Mission Control says of a recording; the count is its score, 25 (information) to 100. */
    public static final String JMC = "jmc";

    /** Without more to say. */
    public Sighting(String kind, String what, double count) {
        this(kind, what, count, "");
    }
}
