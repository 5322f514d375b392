package dev.fettle.model.trial;

import java.util.Objects;

/**
 * Something the watch saw that is not a figure over time: a peer of the target's sockets, a lock that workers wait for,
 * a frame that many stacks have on top.
 *
 * @param kind what it is, and of what (with {@code all.} in front of all threads that ran): {@code own.runs}, {@code method.runs}, {@code method.waits}, {@code peer.closeWait}, {@code client.closeWait}, {@code lock}, {@code pool}, {@code frame} (of
 *     workers that wait), {@code frame.runs} (of those that run), {@code stacks} (how many there were), {@code throws} (a frame that
 *     creates exceptions), {@code dump}, {@code dump.deadlock}, {@code io.frame} (an I/O thread that is held up), {@code thread.hottest},
 *     {@code thread.busiest} (of those that serve); {@code jfr.*} from a recording
 * @param what its name: {@code 10.0.0.5:5432}, a class, a method
 * @param count the most seen at once: sockets, waiters; for frames and stacks those over all looks; for a recording the total
 *     milliseconds, bytes or occurrences
 * @param detail further information, such as the lock's owner and its top frame; may be empty
 */
public record Sighting(String kind, String what, double count, String detail) {
    /** With a failure: the share of its CPUs that processes outside the trial used; the count is 0 to 1. */
    public static final String FOREIGN = "cpu.foreign";

    /** A line of the target's output with the level of a warning or an error, from that word on; the count is how often it came. */
    public static final String LOG_WARNING = "log.warning";

    /** A lock that workers wait for. */
    public static final String LOCK = "lock";

    /** In the detail of a lock, whose name is that of a class: workers wait for several of them. */
    public static final String DIFFERENT_LOCKS = "not all for the same lock of this class";

    /** A pool that workers wait for. */
    public static final String POOL = "pool";

    /** A frame that many stacks of workers have on top that wait; in old recordings of those that run, too. */
    public static final String FRAME = "frame";

    /** A frame that many stacks of running workers have on top. */
    public static final String RUN_FRAME = "frame.runs";

    /** The innermost method of the program's own in stacks of running workers: what they call in libraries and in the JDK is its cost. */
    public static final String RUN_OWN = "own.runs";

    /** Of all threads that ran: the name of the looks at them. */
    public static final String LOOKS = "looks";

    /** How many stacks of workers were seen: {@link #RUNS}, and of those {@link #RUNS_THROWING} and {@link #RUNS_TLS}. */
    public static final String STACKS = "stacks";

    /** The name of all stacks that run, and prefix of the detail of a frame on top of one. */
    public static final String RUNS = "runs";

    /** The name of the stacks that run and create an exception. */
    public static final String RUNS_THROWING = "runs, creates an exception";

    /** The name of the stacks that run and are in TLS. */
    public static final String RUNS_TLS = "runs, in TLS";

    /** Prefix of the detail of a frame from which a file is read or written. */
    public static final String USES_FILE = "reads or writes a file";

    /** Prefix of the detail of a frame from which the address of a name is looked up. */
    public static final String LOOKS_UP = "looks up a name";

    /** Prefix of the detail of a frame from which the server reads from its client, or writes to it. */
    public static final String USES_CLIENT = "reads from or writes to its client";

    /** Prefix of the detail of a frame that sleeps. */
    public static final String SLEEPS = "sleeps";

    /** Prefix of the detail of a frame that waits for another machine. */
    public static final String WAITS_SOCKET = "waits for a socket";

    /** Prefix of the detail of a frame that waits for something of no known kind. */
    public static final String WAITS_OTHER = "waits for something else";

    /** Begins the detail of a frame that runs, where a method of the program's own calls it. */
    public static final String CALLED_FROM = "called from ";

    /** A frame that creates exceptions. */
    public static final String THROWS = "throws";

    /** A {@link KnownMethod} in stacks of workers that run, by its name; the detail begins with its caller. */
    public static final String METHOD_RUNS = "method.runs";

    /** The same in stacks of workers that wait. */
    public static final String METHOD_WAITS = "method.waits";

    /** Prefix of the kinds that are of all threads of the JVM that ran, virtual ones among them, and not of a server's workers. */
    private static final String OF_ALL = "all.";

    /**
     * The kind that is of all threads that ran: {@link #STACKS}, {@link #RUN_FRAME}, {@link #METHOD_RUNS} and {@link #THROWS} have one.
     *
     * @param kind that of workers
     */
    public static String ofAll(String kind) {
        return OF_ALL + kind;
    }

    /** Whether it is of all threads that ran. */
    public boolean ofAllThreads() {
        return kind.startsWith(OF_ALL);
    }

    /** The same as of workers. */
    public Sighting withoutAll() {
        return ofAllThreads() ? new Sighting(kind.substring(OF_ALL.length()), what, count, detail) : this;
    }

    /** The name of all stacks that wait. */
    public static final String WAITS = "waits";

    /** The thread that used most CPU time. */
    public static final String HOTTEST = "thread.hottest";

    /** The thread of the server or the application that used most CPU time. */
    public static final String BUSIEST = "thread.busiest";

    /** A thread dump that was kept. */
    public static final String DUMP = "dump";

    /** A thread dump that was kept because it has a deadlock. */
    public static final String DEADLOCK = "dump.deadlock";

    /**
     * Prefix of the kinds of what most threads of one kind did in such a dump: {@code pool}, {@code locked}, {@code socket} and others
     * follow. The name says which threads, the detail what they do, and in which call.
     */
    public static final String DUMP_STACK = "dump.stack.";

    /** How many threads of such a dump did not wait for work. */
    public static final String DUMP_BUSY = "dump.busy";

    /** A thread of the JVM that finalizes or cleans something in such a dump; the detail is the program's method in which it does. */
    public static final String DUMP_FREEING = "dump.freeing";

    /** Prefix of the kinds of peers; the state of the connections to them follows. */
    public static final String PEER = "peer.";

    public static final String PEER_CLOSE_WAIT = "peer.closeWait";
    public static final String PEER_ESTABLISHED = "peer.established";

    /** Prefix of the kinds of clients, which opened the connection; recordings before had them among the peers. */
    public static final String CLIENT = "client.";

    /** The shortest round trip to a service over a connection that the target opened; the count is milliseconds. */
    public static final String PEER_ROUND_TRIP = "peer.roundTrip";

    /** How many segments were sent again to a service. */
    public static final String PEER_SENT_AGAIN = "peer.sentAgain";

    /** A file that is open for writing, by how many bytes it grew. */
    public static final String FILE_GREW = "file.grew";

    /** A folder of the fullest file system that it writes to; the count is the share that is in use. */
    public static final String DISK_FULL = "disk.full";

    /** How many connections to a service were new at the looks at all of the target's files, one after the other; the first not counted. */
    public static final String PEER_OPENED = "peer.opened";

    /** How many connections to a service were open at the same looks, all added. */
    public static final String PEER_LOOKED = "peer.looked";

    /** The most bytes at once that a service, or a client, had not taken. */
    public static final String PEER_UNTAKEN = "peer.untaken";

    public static final String CLIENT_CLOSE_WAIT = "client.closeWait";
    public static final String CLIENT_ESTABLISHED = "client.established";

    /** How the name of a client begins. */
    private static final String FROM = "from ";

    /** Of a client's address: its name. */
    public static String client(String address) {
        return FROM + address;
    }

    /** Whether it is a client, which opened the connection: not a service behind the target. */
    public boolean ofClient() {
        return what.startsWith(FROM);
    }

    public static final String JFR_GC = "jfr.gc";
    public static final String JFR_VM_OPERATION = "jfr.vmOperation";
    public static final String JFR_MONITOR = "jfr.monitor";

    /** A frame in which a virtual thread waited without leaving its carrier, which no other virtual thread had meanwhile. */
    public static final String JFR_PINNED = "jfr.pinned";

    /** How long a peer was waited for: {@code db.example:5432}. */
    public static final String JFR_SOCKET_READ = "jfr.socketRead";

    /** How the name of such a peer ends whose port was chosen by its kernel: mostly a client's. */
    public static final String CLIENTS_PORT = " (a client's port)";

    public static final String JFR_FILE = "jfr.file";
    public static final String JFR_ALLOC = "jfr.alloc";
    public static final String JFR_EXCEPTION = "jfr.exception";
    public static final String JFR_EXCEPTIONS = "jfr.exceptions";

    /** The bytes that a class holds in the last histogram of a heap that somebody kept; {@link #HISTOGRAM_ALL} for all classes. */
    public static final String HISTOGRAM = "histogram";

    /** How many bytes more a class holds there than in the first one; {@link #HISTOGRAM_ALL} for all classes. */
    public static final String HISTOGRAM_GREW = "histogram.grew";

    /** The seconds from the first histogram to the last, under {@link #HISTOGRAM_ALL}; absent if they are not known. */
    public static final String HISTOGRAM_SECONDS = "histogram.seconds";

    /** The field that holds most of a heap, in a dump of it; the count is its share, the detail what lies between, what fills the heap first. */
    public static final String HOLDER = "heap.holder";

    /** In how many objects that field is. */
    public static final String HOLDER_OBJECTS = "heap.holder.objects";

    /** The bytes of that heap. */
    public static final String HOLDER_HEAP = "heap.holder.heap";

    /** What stands between an object and the variable whose value it is in some thread. */
    public static final String OF_THREAD_LOCAL = "a ThreadLocal's value";

    /** The name of all classes together. */
    public static final String HISTOGRAM_ALL = "all classes";

    /** A path of which requests took long, by an access log, and how many. */
    public static final String PATH_SLOW = "request.slow";

    /** A path of which requests were answered with a status of 500 or above, and how many. */
    public static final String PATH_FAILED = "request.failed";

    /** The same in front of the server. */
    public static final String FRONT_PATH_SLOW = "front.path.slow";

    /** The same in front of the server. */
    public static final String FRONT_PATH_FAILED = "front.path.failed";

    /** The listening socket in which most connections wait to be accepted, and how many, as somebody printed it. */
    public static final String LISTENER = "listener";

    /** What ended a JVM, by the report that it wrote itself; the detail says more. */
    public static final String CRASH = "crash";

    /** The result of a rule of JDK Mission Control on a recording; the count is its score, 25 (information) to 100. */
    public static final String JMC = "jmc";

    public Sighting {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(what, "what");
        detail = Objects.requireNonNullElse(detail, "");
    }

    /** A sighting without detail. */
    public Sighting(String kind, String what, double count) {
        this(kind, what, count, "");
    }
}
