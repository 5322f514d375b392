package dev.fettle.watch.jvm;

import dev.fettle.model.knob.ServerKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The worker threads of a server, recognised by their names.
 *
 * @param server the server they belong to
 * @param prefix how their names begin
 */
public record WorkerNames(ServerKind server, String prefix) {
    /** The name prefix of the JDK's pool that virtual threads run on; the common pool has another name. */
    private static final Pattern CARRIER = Pattern.compile("ForkJoinPool-1-worker-\\d+");

    /** The workers of the server that listens on a port; empty if there are none, or those of more than one server. */
    public static Optional<WorkerNames> of(RunningJvm jvm, int port) {
        try {
            return of(jvm, jvm.threadNames(), port);
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // the JVM is gone
        }
    }

    /** By the usual names; where a Tomcat's Executor was given another, by what its MBean tells. */
    static Optional<WorkerNames> of(RunningJvm jvm, List<String> threads, int port) throws IOException {
        Optional<WorkerNames> usual = of(threads, port);
        return usual.isPresent()
                ? usual
                : ServerBeans.of(jvm, port)
                        .flatMap(beans -> beans.workerPrefix()
                                .filter(prefix -> threads.stream().anyMatch(t -> t.startsWith(prefix)))
                                .map(prefix -> new WorkerNames(beans.server(), prefix)));
    }

    static Optional<WorkerNames> of(List<String> threads, int port) {
        return Arrays.stream(ServerKind.values())
                .flatMap(server -> WatchedServer.of(server).workers(port).stream()
                        .flatMap(name -> one(threads, name, server).stream()))
                .findFirst();
    }

    /** The reason given when no workers were found. */
    static String whyNone(List<String> threads) {
        return threads.stream().anyMatch(t -> CARRIER.matcher(t).matches())
                ? "no worker threads of " + ServerKind.any()
                        + " were found, but threads that carry virtual ones: what virtual threads do is not reported by a JVM's MBeans, only by a thread dump"
                : "no worker threads of " + ServerKind.any()
                        + " were found in the JVM: those of others are not observed";
    }

    private static Optional<WorkerNames> one(List<String> threads, Pattern name, ServerKind server) {
        var prefixes = new TreeSet<String>();
        for (String thread : threads) {
            Matcher m = name.matcher(thread);
            if (m.matches()) {
                prefixes.add(m.group(1));
            }
        }
        return prefixes.size() == 1 ? Optional.of(new WorkerNames(server, prefixes.first())) : Optional.empty();
    }

    /** A probe for them; closing it leaves the JVM's connection open. */
    public JvmProbe probe(RunningJvm jvm) {
        return JvmProbe.over(jvm, prefix);
    }
}
