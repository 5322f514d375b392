package dev.fettle.lab.measure;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Evidence;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.ListenOwner;
import dev.fettle.watch.host.Proc;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What else runs on this machine during a bench: which process is the server, if that can be known, and what all others use.
 *
 * @param cpus those that both sides may use; the server's are empty if it is not known, or runs elsewhere
 */
record Surroundings(boolean here, SortedSet<Long> server, Evidence.Cpus cpus, DisturbanceMeter meter) {
    /** Share of the CPUs used by others from which it is noted. */
    private static final double NOTABLE = 0.1;

    /**
     * Finds the server.
     *
     * @param watched its process, if known; others listening on the same socket belong to it
     */
    static Surroundings of(Proc proc, InetSocketAddress address, Optional<Long> watched) {
        boolean here = watched.isPresent() || address.getAddress().isLoopbackAddress();
        var server = new TreeSet<Long>();
        if (here) {
            server.addAll(new ListenOwner().owners(address.getPort()));
            watched.ifPresent(server::add);
        }
        var own = new ArrayList<Long>(server);
        own.add(ProcessHandle.current().pid());
        Set<Integer> generator = proc.allowedCpus("self");
        var cpus = new TreeSet<Integer>();
        server.forEach(pid -> cpus.addAll(proc.allowedCpus(Long.toString(pid))));
        // a server elsewhere has no CPUs here
        Set<Integer> servers = here ? cpus : generator;
        return new Surroundings(
                here, server, new Evidence.Cpus(cpus, generator), new DisturbanceMeter(proc, servers, generator, own));
    }

    /**
     * Of a load that other machines send: what runs on this one matters only to a process here that is watched.
     *
     * @param watched its process, if there is one
     */
    static Surroundings withoutLoad(Proc proc, Optional<Long> watched) {
        var server = new TreeSet<>(watched.stream().toList());
        var cpus = new TreeSet<Integer>();
        server.forEach(pid -> cpus.addAll(proc.allowedCpus(Long.toString(pid))));
        var own = new ArrayList<Long>(server);
        own.add(ProcessHandle.current().pid());
        Set<Integer> servers = cpus.isEmpty() ? proc.allowedCpus("self") : cpus;
        return new Surroundings(
                true, server, new Evidence.Cpus(cpus, Set.of()), new DisturbanceMeter(proc, servers, Set.of(), own));
    }

    /**
     * Removes figures that are not known here: the time stolen from the server's CPUs if the server is on another machine or
     * unknown, and other processes' CPU use if the server can't be distinguished from them.
     */
    Aggregates known(Aggregates seen) {
        if (isElsewhere()) {
            return Aggregates.NOTHING; // neither side is on this machine
        }
        return seen.withOthers(
                here && server.isEmpty() ? OptionalFigure.empty() : seen.get(Aggregate.FOREIGN_CPU),
                server.isEmpty() ? OptionalFigure.empty() : seen.get(Aggregate.SERVER_STEAL));
    }

    /** Whether neither side is on this machine. */
    private boolean isElsewhere() {
        return cpus.generator().isEmpty() && server.isEmpty();
    }

    /** A note for the user about other processes. */
    Optional<String> note(Aggregates seen) {
        if (isElsewhere() || seen.get(Aggregate.FOREIGN_CPU).orElse(0) <= NOTABLE) {
            return Optional.empty();
        }
        String used = "used " + Format.share(seen.get(Aggregate.FOREIGN_CPU).getAsDouble()) + " of the CPUs";
        if (!here) {
            return Optional.of("processes other than Fettle " + used + " of this machine");
        }
        if (server.isEmpty()) {
            return Optional.of(
                    "processes other than Fettle " + used + ", the server among them: which is the server's is not"
                            + " known, so how much others disturbed it isn't either (--pid names its process)");
        }
        return Optional.of("processes other than Fettle and the server (" + words() + ") " + used
                + ": if they work for the server, as its database does, that is part of it");
    }

    private String words() {
        return (server.size() == 1 ? "process " : "processes ")
                + server.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
