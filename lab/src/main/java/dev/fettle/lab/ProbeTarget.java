package dev.fettle.lab;

import java.net.InetSocketAddress;
import java.util.Set;

/** What probes are put on: up already, and the same one for all of them. */
interface ProbeTarget {
    InetSocketAddress address();

    /** CPUs for the generator's threads; empty: not pinned. */
    Set<Integer> generatorCpus();

    /**
     * Looks after it, a few times a second.
     *
     * @throws LabException if it is gone
     */
    void tend() throws LabException, InterruptedException;
}
