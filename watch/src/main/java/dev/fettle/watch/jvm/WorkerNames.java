package dev.fettle.watch.jvm;

import dev.fettle.model.knob.ServerKind;
import java.io.IOException;
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
    private static final Pattern JETTY = Pattern.compile("(qtp\\d+-)\\d+.*");
    /** The name prefix of the JDK's pool that virtual threads run on; the common pool has another name. */
    private static final Pattern CARRIER = Pattern.compile("ForkJoinPool-1-worker-\\d+");

    /** XNIO's own names, and those of WildFly's worker. */
    private static final Pattern UNDERTOW = Pattern.compile("((?:XNIO-\\d+|default) task-)\\d+");

    /** An Executor that connectors may share: by default, and as in the comments of Tomcat's server.xml. */
    private static final Pattern EXECUTOR = Pattern.compile("((?:tomcat|catalina)-exec-)\\d+");

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
                        .flatMap(ServerBeans::workerPrefix)
                        .filter(prefix -> threads.stream().anyMatch(t -> t.startsWith(prefix)))
                        .map(prefix -> new WorkerNames(ServerKind.TOMCAT, prefix));
    }

    static Optional<WorkerNames> of(List<String> threads, int port) {
        // http-nio-127.0.0.1-8080-exec-7; http-nio-auto-1-exec-7 if any port would do
        var tomcat = Pattern.compile("(https?-\\w+-(?:.*-)?(?:" + port + "|auto-\\d+)-exec-)\\d+");
        return one(threads, tomcat, ServerKind.TOMCAT)
                .or(() -> one(threads, EXECUTOR, ServerKind.TOMCAT))
                .or(() -> one(threads, JETTY, ServerKind.JETTY))
                .or(() -> one(threads, UNDERTOW, ServerKind.UNDERTOW));
    }

    /** The reason given when no workers were found. */
    static String whyNone(List<String> threads) {
        return threads.stream().anyMatch(t -> CARRIER.matcher(t).matches())
                ? "no worker threads of Tomcat, Jetty or Undertow were found, but threads that carry virtual ones: what virtual"
                        + " threads do is not reported by a JVM's MBeans, only by a thread dump"
                : "no worker threads of Tomcat, Jetty or Undertow were found in the JVM: those of others are not observed";
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
