package dev.fettle.cli.option;

import dev.fettle.lab.machine.DumpAllowance;
import picocli.CommandLine.Option;

/** Whether a process that is watched may be asked for a thread dump. */
public final class DumpOptions {
    @Option(
            names = "--no-dump",
            description =
                    "Take no dump of the process, whatever happens to it. Default: a few of its threads under load, seconds apart, for"
                            + " who waits for whom; when it hangs, falls by half or has a deadlock under load, and for the names of"
                            + " its threads: these two, of a process that Fettle did not start, once each. When it hangs and its heap is full,"
                            + " a heap dump of up to 1 GiB, too, for who holds most of it; it is deleted at once.")
    private boolean none;

    /** What is allowed, for this command. */
    public DumpAllowance allowance() {
        return none ? DumpAllowance.none() : DumpAllowance.usual();
    }
}
