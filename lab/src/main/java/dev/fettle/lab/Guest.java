package dev.fettle.lab;

import dev.fettle.watch.Proc;

/**
 * A process that Fettle did not start and will not end.
 *
 * @param started when it was started, in ticks since boot: a later process may get the same pid
 */
record Guest(Proc proc, long pid, long started) {
    boolean alive() {
        return proc.runs(pid, started);
    }

    /** "process 12345 has ended", to follow with when. */
    String ended() {
        return "process " + pid + " has ended"
                + (proc.startTicks(pid).isPresent() ? ", and its id belongs to another one now" : "");
    }
}
