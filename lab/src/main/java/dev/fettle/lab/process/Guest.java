package dev.fettle.lab.process;

import dev.fettle.watch.host.Proc;

/**
 * A process that Fettle did not start and does not end.
 *
 * @param started its start time in ticks since boot, since a later process may get the same pid
 */
public record Guest(Proc proc, long pid, long started) {
    public boolean alive() {
        return proc.runs(pid, started);
    }

    /** "process 12345 has ended", for a message that goes on with when. */
    public String ended() {
        return "process " + pid + " has ended"
                + (proc.startTicks(pid).isPresent() ? ", and its id belongs to another one now" : "");
    }
}
