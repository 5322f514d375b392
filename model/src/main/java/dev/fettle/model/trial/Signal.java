package dev.fettle.model.trial;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/**
 * Describes a series of a {@link Timeline}.
 *
 * @param id its name in the timeline
 * @param title its name in a plot
 * @param unit of its values
 * @param group the plot it belongs to
 * @param thin how several readings become one point
 * @param counter whether the reading is a total that only grows: then the series is its growth, per second or, if it is
 *     thinned by {@link Thin#SUM}, per point
 * @param about one sentence
 */
public record Signal(String id, String title, Unit unit, Group group, Thin thin, boolean counter, String about) {

    /** Units. */
    public enum Unit {
        COUNT,
        /** Busy CPUs: 1.5 is one and a half. */
        CPUS,
        /** 0 to 1. */
        SHARE,
        MILLIS,
        BYTES,
        PER_SECOND,
        BYTES_PER_SECOND
    }

    /** Plots, in the order in which they are shown. */
    public enum Group {
        LOAD(
                "Load",
                "What the generator sent and got. Bad: answers below what is offered, p99 that climbs, any failure."),
        REQUESTS(
                "Requests, as the server counts them",
                "What the server counts itself. Bad: more failures than the load sees, or more requests than it sends."),
        CPU(
                "CPUs used, by group of threads",
                "Who uses the CPUs. Bad: all CPUs in use, or a group other than the workers on top."),
        WORKERS("Worker threads", "Threads that run requests. Bad: all of them busy while requests wait."),
        WAIT("Workers by what they do", "What busy workers do or wait for. Bad: most of them wait for the same thing."),
        HEAP("Heap", "Memory for objects. Bad: what is left after a collection grows, or is near the limit."),
        GC(
                "Garbage collection",
                "Time in which the collector held threads up. Bad: pauses as long as the p99 that you want."),
        SOCKETS("Connections", "Connections by state. Bad: CLOSE-WAIT that grows: the server does not close them."),
        QUEUE("Accept queue", "Connections that the server has not taken yet. Bad: near the limit, and any drop."),
        TCP("TCP", "Losses of the network stack. Bad: retransmissions and overflows next to latency peaks."),
        POOL("Pools", "Pools of connections inside the server. Bad: all in use, and threads that wait for one."),
        SESSIONS("HTTP sessions", "Sessions that the server keeps. Bad: they grow with each request."),
        HOST(
                "Host's CPUs",
                "Time that others took from this machine's CPUs. Bad: much by others, and any that is stolen: figures then say little."),
        PRESSURE(
                "Pressure: share of the time in which something waited",
                "The kernel's view of who waited for CPU, memory or disk. Bad: more than a few per cent."),
        MEMORY(
                "Memory of the process",
                "Memory that the process has. Bad: it grows without end, or is near the machine's."),
        DISK("Disk", "What the process reads and writes. Bad: more than its logs explain."),
        KERNEL(
                "Switches and faults",
                "Work of the kernel for its threads. Bad: involuntary switches: it waits for CPUs."),
        THREADS("Threads and files", "Threads and open files. Bad: they grow with each request."),
        BOUNDS("What its CPUs are worth", ""),
        OTHER("Other", "");

        private final String title;
        private final String about;

        Group(String title, String about) {
            this.title = title;
            this.about = about;
        }

        /** What it is, and what would be bad, in a sentence each; may be empty. */
        public String about() {
            return about;
        }

        /** Its heading. */
        public String title() {
            return title;
        }
    }

    /** How several readings become one point. */
    public enum Thin {
        MEAN,
        MAX,
        LAST,
        SUM
    }

    private static final Map<String, Signal> ALL = Catalogue.read();

    /** All signals with a fixed name, in the order in which they are shown. */
    public static Collection<Signal> all() {
        return Collections.unmodifiableCollection(ALL.values());
    }

    /**
     * The signal with an id: one of the catalogue, a pool's ({@code pool.<name>.<figure>}), or one with nothing but its
     * name.
     */
    public static Signal of(String id) {
        Signal known = ALL.get(id);
        if (known != null) {
            return known;
        }
        int last = id.lastIndexOf('.');
        if (id.startsWith(Signals.POOL) && last > Signals.POOL.length()) {
            String pool = id.substring(Signals.POOL.length(), last);
            String figure = id.substring(last + 1);
            return new Signal(
                    id,
                    pool + " " + figure,
                    Unit.COUNT,
                    Group.POOL,
                    Thin.MAX,
                    false,
                    "Of the pool " + pool + ": " + figure + ".");
        }
        return new Signal(id, id, Unit.COUNT, Group.OTHER, Thin.MEAN, false, "");
    }
}
