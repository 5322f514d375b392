package dev.fettle.lab.port;

import dev.fettle.load.LoadRun;
import dev.fettle.load.Part;
import dev.fettle.model.load.Load;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;

/** Starts loads. The times of their windows are by the clock of the process that started them. */
@FunctionalInterface
public interface LoadPort {
    /**
     * A load to offer.
     *
     * @param address where its target listens
     * @param requests it ends after so many; empty: only its time limits it
     * @param atMost it ends after this time
     * @param drain how long to wait for answers when its time is over
     * @param cpus for the generator's threads; empty: not pinned
     * @param part which part of it is sent here
     */
    record Order(
            Load load,
            InetSocketAddress address,
            OptionalLong requests,
            Duration atMost,
            Duration drain,
            Set<Integer> cpus,
            Part part) {
        public Order {
            cpus = Set.copyOf(cpus);
        }

        /** All of a load, at once. */
        public Order(
                Load load,
                InetSocketAddress address,
                OptionalLong requests,
                Duration atMost,
                Duration drain,
                Set<Integer> cpus) {
            this(load, address, requests, atMost, drain, cpus, Part.WHOLE);
        }

        /** One part of it. */
        public Order of(Part part) {
            return new Order(load, address, requests, atMost, drain, cpus, part);
        }
    }

    /**
     * Starts a load, which its caller takes windows of, pauses and ends.
     *
     * @throws IllegalArgumentException if such a load can't be sent; the message says why
     * @throws java.io.UncheckedIOException if there is no socket or file to spare for it
     */
    LoadRun start(Order order);
}
