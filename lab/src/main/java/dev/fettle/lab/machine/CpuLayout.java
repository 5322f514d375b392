package dev.fettle.lab.machine;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which CPUs the target gets, and which the generator, which shares its own with backends and Fettle itself.
 *
 * @param server never empty
 * @param generator never empty; equal to {@code server} on a one-CPU machine
 */
public record CpuLayout(Set<Integer> server, Set<Integer> generator) {
    public CpuLayout {
        server = Set.copyOf(server);
        generator = Set.copyOf(generator);
    }

    /**
     * Splits the CPUs that Fettle may use: the generator gets the last quarter, at least one; the target gets the rest.
     * A single CPU is shared, and every result says so.
     */
    public static CpuLayout of(Collection<Integer> allowed) {
        List<Integer> all = new TreeSet<>(allowed).stream().toList();
        if (all.size() < 2) {
            Set<Integer> one = all.isEmpty() ? Set.of(0) : Set.copyOf(all);
            return new CpuLayout(one, one);
        }
        int generators = Math.max(1, all.size() / 4);
        int servers = all.size() - generators;
        return new CpuLayout(Set.copyOf(all.subList(0, servers)), Set.copyOf(all.subList(servers, all.size())));
    }

    /** Whether target and generator have no CPU in common. */
    public boolean separate() {
        return server.stream().noneMatch(generator::contains);
    }
}
