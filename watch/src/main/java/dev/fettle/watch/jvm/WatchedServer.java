package dev.fettle.watch.jvm;

import dev.fettle.model.knob.MBeanPlace;
import dev.fettle.model.knob.ServerKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** How one server is seen in a JVM: its MBeans, its threads' names, and its frames in their stacks. */
interface WatchedServer {
    static WatchedServer of(ServerKind server) {
        return switch (server) {
            case TOMCAT -> WatchedTomcat.INSTANCE;
            case JETTY -> WatchedJetty.INSTANCE;
            case UNDERTOW -> WatchedUndertow.INSTANCE;
        };
    }

    static Stream<WatchedServer> all() {
        return Arrays.stream(ServerKind.values()).map(WatchedServer::of);
    }

    /**
     * MBeans by the {@code type} of their names; none if it is not the server that listens on the port.
     *
     * @throws MalformedObjectNameException if a part of it has a name that can't be asked for
     */
    Map<String, ObjectName> beans(BeanFinder finder) throws IOException, MalformedObjectNameException;

    /** Where its MBeans count the workers that are busy, all of them, and the requests that wait for one. */
    record Counts(MBeanPlace busy, MBeanPlace workers, MBeanPlace queue) {}

    Counts counts();

    /**
     * Where an MBean counts requests since the server started.
     *
     * @param type of the bean
     * @param attributes that are read, all at once
     * @param figures of these attributes, as far as there are any: totals by the signals that are their rates
     */
    record Requests(String type, List<String> attributes, UnaryOperator<Map<String, Double>> figures) {}

    /** Empty if it counts none. */
    default Optional<Requests> requests() {
        return Optional.empty();
    }

    /** The names of its workers; the first group is how they begin. The first expression that one set of threads matches, counts. */
    List<Pattern> workers(int port);

    /** Where an MBean has the beginning of the workers' names, if one does. */
    default Optional<MBeanPlace> workerPrefix() {
        return Optional.empty();
    }

    /** The methods in which a worker fetches its next task, by the simple name of the outermost class: see {@link WorkerState}. */
    default Map<String, Set<String>> fetches() {
        return Map.of();
    }

    /** The classes in which it selects and accepts, by the simple name of the outermost class. */
    Set<String> connectors();

    /** Packages and classes in which it reads from clients, and waits for the rest of a request or for room to write an answer. */
    List<String> clients();
}
