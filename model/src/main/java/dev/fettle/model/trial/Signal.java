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
        LOAD("Load"),
        REQUESTS("Requests, as the server counts them"),
        CPU("CPUs used, by group of threads"),
        WORKERS("Worker threads"),
        WAIT("Workers by what they do"),
        HEAP("Heap"),
        GC("Garbage collection"),
        SOCKETS("Connections"),
        QUEUE("Accept queue"),
        TCP("TCP"),
        POOL("Pools"),
        SESSIONS("HTTP sessions"),
        HOST("Host's CPUs"),
        PRESSURE("Pressure: share of the time in which something waited"),
        MEMORY("Memory of the process"),
        DISK("Disk"),
        KERNEL("Switches and faults"),
        THREADS("Threads and files"),
        BOUNDS("What its CPUs are worth"),
        OTHER("Other");

        private final String title;

        Group(String title) {
            this.title = title;
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
