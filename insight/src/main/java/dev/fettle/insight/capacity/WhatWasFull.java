package dev.fettle.insight.capacity;

import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Describes what was full in the server during a probe. */
record WhatWasFull(Probe probe, Evidence seen) {
    /**
     * A pool that has grown to this share of its largest size counts as fully grown; some of its threads are the
     * server's own.
     */
    private static final double GROWN = 0.9;

    /** What was full, or that nothing was and how full it was; empty if nothing could be read. */
    static String words(Probe probe) {
        return probe.server().map(e -> new WhatWasFull(probe, e).words()).orElse("");
    }

    private String words() {
        List<String> full = full();
        return full.isEmpty() ? howFull() : String.join(" and ", full);
    }

    /** What was full, one phrase each; empty if nothing was, as far as it could be read. */
    private List<String> full() {
        var full = new ArrayList<String>();
        if (threadsFull()) {
            full.add(Format.count(seen.get(Aggregate.BUSY_WORKERS).getAsDouble()) + " of its "
                    + Math.round(seen.get(Aggregate.WORKERS).getAsDouble()) + " worker threads were busy");
        }
        if (probe.cpuShare().orElse(0) >= Thresholds.CPU_FULL) {
            full.add("it used " + Format.share(probe.cpuShare().getAsDouble()) + " of " + cpus());
        }
        if (probe.gcShare().orElse(0) >= Thresholds.GC_MUCH) {
            full.add("garbage collection took " + Format.share(probe.gcShare().getAsDouble()) + " of the time");
        }
        double drops = seen.get(Aggregate.ACCEPT_QUEUE_DROPS).orElse(0);
        if (AcceptQueue.many(drops, probe.seen().measurement().connect().count())) {
            full.add(dropped(drops));
        } else if (drops <= 0 && seen.acceptQueueWasFull()) {
            full.add("its accept queue" + queue() + " was full");
        }
        return full;
    }

    private String dropped(double drops) {
        return connections(drops) + " dropped at its full accept queue" + queue();
    }

    private String queue() {
        OptionalInt limit = seen.acceptQueueLimit();
        return limit.isPresent() ? " of " + limit.getAsInt() : "";
    }

    private String cpus() {
        double allowed = OperatingPoint.allowedOf(seen);
        String words = OperatingPoint.cpus(allowed, seen.serverCpus());
        return allowed < seen.serverCpus() ? words : "its " + words;
    }

    private static String connections(double n) {
        return Math.round(n) == 1 ? "one connection was" : Math.round(n) + " connections were";
    }

    private boolean threadsFull() {
        if (seen.get(Aggregate.BUSY_WORKERS).isEmpty()
                || seen.get(Aggregate.WORKERS).orElse(0) < 1) {
            return false;
        }
        double workers = seen.get(Aggregate.WORKERS).getAsDouble();
        boolean mayGrow = probe.mostWorkers().isPresent()
                && workers < GROWN * probe.mostWorkers().getAsLong()
                && seen.get(Aggregate.QUEUED).orElse(0) < 1;
        return !mayGrow && seen.get(Aggregate.BUSY_WORKERS).getAsDouble() >= Thresholds.THREADS_FULL * workers;
    }

    private String howFull() {
        var said = new ArrayList<String>();
        if (seen.get(Aggregate.BUSY_WORKERS).isPresent()
                && seen.get(Aggregate.WORKERS).isPresent()) {
            said.add(Format.count(seen.get(Aggregate.BUSY_WORKERS).getAsDouble()) + " of "
                    + probe.mostWorkers()
                            .orElse(Math.round(seen.get(Aggregate.WORKERS).getAsDouble())) + " worker threads busy");
        }
        if (probe.cpuShare().isPresent()) {
            said.add(Format.share(probe.cpuShare().getAsDouble()) + " of " + cpus() + " used");
        }
        double own = seen.get(Aggregate.ACCEPT_QUEUE_DROPS).orElse(0);
        if (own > 0) {
            said.add(dropped(own) + ", too few to be what broke it");
        }
        // the counter covers the whole network namespace: it does not say whose queue was full
        double dropped = seen.get(Aggregate.LISTEN_OVERFLOWS).orElse(0) - own;
        if (dropped > 0) {
            boolean ownKnown = seen.get(Aggregate.ACCEPT_QUEUE_MAX).isPresent()
                    || seen.get(Aggregate.ACCEPT_QUEUE_DROPS).isPresent();
            said.add(connections(dropped) + " dropped at full accept queues in its network namespace"
                    + (ownKnown ? ", not its own" : ", its own or another's"));
        }
        return said.isEmpty() ? "" : "nothing that was watched in it was full (" + String.join(", ", said) + ")";
    }
}
