package dev.fettle.lab.capacity;

import dev.fettle.lab.machine.LabException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What probes are put on: up already, and the same one for all of them. */
interface ProbeTarget {
    InetSocketAddress address();

    /** CPUs for the generator's threads; empty: not pinned. */
    Set<Integer> generatorCpus();

    /** Watches its process during a probe; empty if that is not known. */
    default Optional<ProbeWatch> watch() {
        return Optional.empty();
    }

    /** What could not be read of it, or what a reader should know of where it runs. */
    default List<String> notes() {
        return List.of();
    }

    /**
     * Looks after it, a few times a second.
     *
     * @throws LabException if it is gone
     */
    void tend() throws LabException, InterruptedException;
}
