package dev.fettle.watch.jvm;

import dev.fettle.model.knob.ServerKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Finds the MBeans of the server that listens on a port; a JVM may contain several servers or connectors. */
record BeanFinder(MBeanServerConnection beans, int port) {
    /**
     * MBeans by the {@code type} of their names; none if a different server listens.
     *
     * @throws IOException if the JVM does not answer
     */
    Map<String, ObjectName> find(ServerKind server) throws IOException {
        try {
            return switch (server) {
                case TOMCAT -> tomcat();
                case JETTY -> jetty();
                case UNDERTOW -> undertow();
            };
        } catch (MalformedObjectNameException e) {
            return Map.of(); // a server's part has a name that can't be asked for
        }
    }

    /** The connector's endpoint knows its port; on an Executor it reports -1 for its own threads. */
    private Map<String, ObjectName> tomcat() throws IOException, MalformedObjectNameException {
        var found = new HashMap<String, ObjectName>();
        for (ObjectName endpoint : query("*:type=ThreadPool,name=*")) {
            if (is(endpoint, "localPort", port)) {
                found.put("ThreadPool", endpoint);
                if (is(endpoint, "maxThreads", -1)) {
                    executor(endpoint.getDomain()).ifPresent(e -> found.put("Executor", e));
                }
            }
        }
        return found;
    }

    private Optional<ObjectName> executor(String domain) throws IOException, MalformedObjectNameException {
        List<ObjectName> all = List.copyOf(query(domain + ":type=Executor,name=*"));
        if (all.size() == 1) {
            return Optional.of(all.getFirst());
        }
        for (ObjectName connector : query(domain + ":type=Connector,port=" + port + ",*")) {
            for (ObjectName executor : all) {
                if (is(connector, "executorName", executor.getKeyProperty("name"))) {
                    return Optional.of(executor);
                }
            }
        }
        return Optional.empty();
    }

    /** Jetty's MBeans do not say which pool belongs to which server, so with several, none is used. */
    private Map<String, ObjectName> jetty() throws IOException, MalformedObjectNameException {
        var found = new HashMap<String, ObjectName>();
        for (ObjectName connector : query("org.eclipse.jetty.server:type=serverconnector,*")) {
            if (is(connector, "localPort", port)) {
                found.put("serverconnector", connector);
            }
        }
        if (!found.isEmpty()) {
            only("org.eclipse.jetty.util.thread:type=queuedthreadpool,*")
                    .ifPresent(pool -> found.put("queuedthreadpool", pool));
            only("org.eclipse.jetty.server:type=networkconnectionlimit,*")
                    .ifPresent(limit -> found.put("networkconnectionlimit", limit));
        }
        return found;
    }

    /** A worker has one MBean per address it serves, and its pool has the worker's name. */
    private Map<String, ObjectName> undertow() throws IOException, MalformedObjectNameException {
        var found = new HashMap<String, ObjectName>();
        for (ObjectName listener : query("org.xnio:type=Xnio,*")) {
            String address = listener.getKeyProperty("address");
            if (address != null && ObjectName.unquote(address).endsWith(":" + port)) {
                found.put("Xnio", listener);
                only("jboss.threads:type=thread-pool,name=" + listener.getKeyProperty("worker"))
                        .ifPresent(pool -> found.put("thread-pool", pool));
            }
        }
        return found;
    }

    private Optional<ObjectName> only(String pattern) throws IOException, MalformedObjectNameException {
        Set<ObjectName> all = query(pattern);
        return all.size() == 1 ? Optional.of(all.iterator().next()) : Optional.empty();
    }

    private Set<ObjectName> query(String pattern) throws IOException, MalformedObjectNameException {
        return beans.queryNames(new ObjectName(pattern), null);
    }

    private boolean is(ObjectName object, String attribute, Object value) throws IOException {
        try {
            return value.equals(beans.getAttribute(object, attribute));
        } catch (JMException | RuntimeException e) {
            return false; // another version
        }
    }
}
