package dev.fettle.agent;

import static dev.fettle.agent.Beans.call;
import static dev.fettle.agent.Beans.field;
import static dev.fettle.agent.Beans.get;
import static dev.fettle.agent.Beans.held;
import static dev.fettle.agent.Beans.is;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the servers of this JVM without any configuration:
 *
 * <ul>
 * <li>Tomcat through the thread that accepts: it runs an {@code Acceptor}, which knows its endpoint, and so on up to
 * the connector.
 * <li>Undertow through its accepting thread, whose selector has the listening channel among its keys.
 * <li>Jetty through the threads of its pool, whose budget knows the connectors that have taken threads. Virtual threads
 * can't be listed; then through the shutdown hook of Jetty or of Spring Boot.
 * </ul>
 */
final class Finder {
    private final Jvm jvm;

    Finder(Jvm jvm) {
        this.jvm = jvm;
    }

    /** The server that listens on a port; with 0, the first one that listens at all. */
    @Nullable
    ServerReader on(int port) {
        for (ServerReader server : all()) {
            if (port == 0 ? server.port() > 0 : server.port() == port) {
                return server;
            }
        }
        return null;
    }

    /** All servers, one reader per connector. */
    List<ServerReader> all() {
        List<ServerReader> found = new ArrayList<>();
        Set<Object> jettys = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Object> pools = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Thread thread : jvm.threads()) {
            Object task = jvm.task(thread);
            if (is(task, "org.apache.tomcat.util.net.Acceptor")) {
                tomcat(task, found);
            } else if (is(thread, "org.xnio.nio.WorkerThread")
                    && thread.getName().endsWith(" Accept")) {
                undertow(thread, found);
            } else if (is(task, "org.eclipse.jetty.util.thread.QueuedThreadPool$Runner")) {
                Object pool = held(task, "org.eclipse.jetty.util.thread.QueuedThreadPool");
                if (pool != null && pools.add(pool)) {
                    leasees(pool, jettys);
                }
            }
        }
        jvm.hooks().forEach(hook -> behindHook(hook, jettys));
        jettys.forEach(connector -> found.add(new JettyReader(connector)));
        return found;
    }

    private static void tomcat(@Nullable Object acceptor, List<ServerReader> found) {
        Object protocol = field(field(field(acceptor, "endpoint"), "handler"), "proto");
        Object connector = field(get(protocol, "adapter"), "connector");
        if (connector != null) {
            found.add(new TomcatReader(connector));
        }
    }

    private static void undertow(Thread thread, List<ServerReader> found) {
        Object selector = field(thread, "selector");
        if (!(selector instanceof Selector) || !((Selector) selector).isOpen()) {
            return;
        }
        for (SelectionKey key : ((Selector) selector).keys()) {
            Object server = field(key.attachment(), "server");
            // the accepting thread hands connections to an I/O thread's queue, through a separate channel
            Object channel = held(field(server, "acceptListener"), "org.xnio.channels.AcceptingChannel");
            Object listener = held(field(channel, "acceptListener"), "io.undertow.server.OpenListener");
            if (channel != null && listener != null) {
                found.add(new UndertowReader(listener, channel));
            }
        }
    }

    private void behindHook(Thread hook, Set<Object> connectors) {
        Object task = jvm.task(hook);
        if (is(hook, "org.eclipse.jetty.util.thread.ShutdownThread")) {
            for (Object lifeCycle : items(field(hook, "_lifeCycles"))) {
                connectors.addAll(connectors(lifeCycle));
            }
        } else if (is(task, "org.springframework.boot.SpringApplicationShutdownHook")) {
            for (Object context : items(field(task, "contexts"))) {
                connectors.addAll(connectors(call(call(context, "getWebServer"), "getServer")));
            }
        }
    }

    /** The connectors that have taken threads from a pool. */
    private static void leasees(Object pool, Set<Object> connectors) {
        for (Object lease : items(field(get(pool, "threadPoolBudget"), "leases"))) {
            Object leasee = field(lease, "leasee");
            if (is(leasee, "org.eclipse.jetty.server.Connector")) {
                connectors.addAll(connectors(get(leasee, "server")));
            }
        }
    }

    private static List<Object> connectors(@Nullable Object jetty) {
        Object connectors = is(jetty, "org.eclipse.jetty.server.Server") ? get(jetty, "connectors") : null;
        List<Object> listening = new ArrayList<>();
        if (connectors instanceof Object[]) {
            for (Object connector : (Object[]) connectors) {
                if (is(connector, "org.eclipse.jetty.server.NetworkConnector")) {
                    listening.add(connector);
                }
            }
        }
        return listening;
    }

    private static Collection<?> items(@Nullable Object collection) {
        // a copy, because someone may be changing it
        return collection instanceof Collection ? new ArrayList<>((Collection<?>) collection) : List.of();
    }
}
