package dev.fettle.lab.measure;

import dev.fettle.lab.machine.Clock;
import dev.fettle.watch.host.ListenOwner;
import dev.fettle.watch.host.OwnCpu;
import dev.fettle.watch.signal.SamplingRate;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The port of a process's server: the one that the user named, or else the busiest one. A server may open its port long after
 * another, such as that for management, so it is looked for again, and chosen anew when others are listened on than before.
 */
final class ServerPort {
    private static final long AGAIN_NANOS = 5_000_000_000L;

    private final Supplier<SortedSet<Integer>> listened;
    private final Function<SortedSet<Integer>, Optional<Integer>> busiest;
    private final LongSupplier clock;
    private final boolean named;
    /** A process may have thousands of open files to look at. */
    private final SamplingRate rate = SamplingRate.fromOutside("ports");

    private SortedSet<Integer> known = new TreeSet<>();
    private OptionalInt port;
    private long next;

    ServerPort(long pid, OptionalInt named, ListenOwner listeners, Clock clock) {
        this(() -> listeners.ports(pid), ports -> listeners.busiest(pid, ports), named, clock::nanos);
    }

    ServerPort(
            Supplier<SortedSet<Integer>> listened,
            Function<SortedSet<Integer>, Optional<Integer>> busiest,
            OptionalInt named,
            LongSupplier clock) {
        this.listened = listened;
        this.busiest = busiest;
        this.clock = clock;
        this.named = named.isPresent();
        this.port = named;
        this.next = clock.getAsLong();
    }

    /** The port now; empty if it listens on none that can be seen. */
    synchronized OptionalInt now() {
        long now = clock.getAsLong();
        if (!named && now - next >= 0 && rate.due(now)) {
            next = now + AGAIN_NANOS;
            long cpu = OwnCpu.nanos();
            SortedSet<Integer> ports = listened.get();
            if (!ports.isEmpty() && !ports.equals(known)) {
                known = ports;
                port = busiest.apply(ports).map(OptionalInt::of).orElse(OptionalInt.empty());
            }
            rate.looked(now, OwnCpu.nanos() - cpu);
        }
        return port;
    }
}
