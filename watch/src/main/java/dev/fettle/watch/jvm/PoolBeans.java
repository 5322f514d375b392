package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The connection pools and session managers that have registered MBeans in a JVM: HikariCP (with {@code
 * registerMbeans}), DBCP and whatever else is a commons-pool (Jedis), Tomcat's two JDBC pools, and the sessions of
 * Tomcat and Jetty. Not thread-safe.
 */
final class PoolBeans {
    /** Beans come and go with applications: they are searched again after this many readings. */
    private static final int SEARCH_EVERY = 15;

    /** Most beans that are read: each costs a call. */
    private static final int MOST = 12;

    /**
     * The attributes of one kind of pool.
     *
     * @param pattern of its object names
     * @param figures the attribute of each figure
     */
    private record Kind(String pattern, Map<String, String> figures) {}

    private static final Map<String, String> COMMONS =
            Map.of("NumActive", "active", "NumIdle", "idle", "MaxTotal", "max", "NumWaiters", "pending");

    private static final List<Kind> KINDS = List.of(
            new Kind(
                    "com.zaxxer.hikari:type=Pool (*)",
                    Map.of(
                            "ActiveConnections",
                            "active",
                            "IdleConnections",
                            "idle",
                            "ThreadsAwaitingConnection",
                            "pending",
                            "TotalConnections",
                            "total")),
            new Kind("com.zaxxer.hikari:type=PoolConfig (*)", Map.of("MaximumPoolSize", "max")),
            new Kind("org.apache.commons.pool2:type=GenericObjectPool,*", COMMONS),
            new Kind("*:type=DataSource,*", Map.of("numActive", "active", "numIdle", "idle", "maxTotal", "max")),
            new Kind(
                    "tomcat.jdbc:*",
                    Map.of("Active", "active", "Idle", "idle", "MaxActive", "max", "WaitCount", "pending")),
            new Kind(
                    "*:type=ConnectionPool,*",
                    Map.of("Active", "active", "Idle", "idle", "MaxActive", "max", "WaitCount", "pending")));

    private static final String SESSIONS = Signals.SESSIONS_ACTIVE;
    private static final Map<String, String> SESSION_BEANS = Map.of(
            "*:type=Manager,*", "activeSessions",
            "org.eclipse.jetty.session:type=defaultsessioncache,*", "sessionsCurrent",
            "org.eclipse.jetty.server.session:type=defaultsessioncache,*", "sessionsCurrent");

    /** What is read of one bean: its attributes by figure, and the prefix of their signals. */
    private record Place(Map<String, String> figures, String prefix) {}

    private final MBeanServerConnection beans;
    private final Map<ObjectName, Place> places = new LinkedHashMap<>();
    private final Map<ObjectName, String> sessions = new LinkedHashMap<>();
    private int readings;

    PoolBeans(MBeanServerConnection beans) {
        this.beans = beans;
    }

    /** Adds the figures, by the signals of the timeline. */
    void read(Map<String, Double> figures, Map<String, String> notObserved) throws IOException {
        if (readings++ % SEARCH_EVERY == 0) {
            search();
        }
        for (Map.Entry<ObjectName, Place> e : places.entrySet()) {
            Place p = e.getValue();
            values(e.getKey(), p.figures().keySet())
                    .forEach((attribute, value) -> figures.put(
                            Signals.POOL + p.prefix() + "." + p.figures().get(attribute), value));
        }
        double held = 0;
        int found = 0;
        for (Map.Entry<ObjectName, String> e : sessions.entrySet()) {
            for (double n : values(e.getKey(), Set.of(e.getValue())).values()) {
                held += n;
                found++;
            }
        }
        if (found > 0) {
            figures.put(SESSIONS, held);
        } else {
            notObserved.put(SESSIONS, "no session manager has registered itself in the JVM's MBeans");
        }
        if (places.isEmpty()) {
            notObserved.put("pool.*", "no pool has registered itself in the JVM's MBeans");
        }
    }

    private void search() throws IOException {
        places.clear();
        sessions.clear();
        try {
            for (Kind kind : KINDS) {
                for (ObjectName name : sorted(kind.pattern())) {
                    if (places.size() < MOST) {
                        places.putIfAbsent(name, new Place(kind.figures(), poolName(name)));
                    }
                }
            }
            for (Map.Entry<String, String> e : new TreeMap<>(SESSION_BEANS).entrySet()) {
                sorted(e.getKey()).stream().limit(MOST).forEach(name -> sessions.put(name, e.getValue()));
            }
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // they are constants
        }
    }

    private List<ObjectName> sorted(String pattern) throws IOException, MalformedObjectNameException {
        return beans.queryNames(new ObjectName(pattern), null).stream().sorted().toList();
    }

    /**
     * {@code HikariPool-1} for {@code com.zaxxer.hikari:type=Pool (HikariPool-1)}; without dots, as it becomes part of
     * a signal's name.
     */
    static String poolName(ObjectName name) {
        String type = String.valueOf(name.getKeyProperty("type"));
        int from = type.indexOf('(');
        int to = type.lastIndexOf(')');
        String own = from >= 0 && to > from
                ? type.substring(from + 1, to)
                : Stream.of("name", "connectionpool", "path", "class")
                        .map(name::getKeyProperty)
                        .filter(v -> v != null && !v.isBlank())
                        .findFirst()
                        .orElse(name.getCanonicalKeyPropertyListString());
        return own.replace("\"", "").replaceAll("[^A-Za-z0-9_-]+", "-");
    }

    /** The numeric ones among some attributes; negative values mean "none" and are left out. */
    private Map<String, Double> values(ObjectName bean, Set<String> attributes) throws IOException {
        var values = new TreeMap<String, Double>();
        try {
            for (Object o : new ArrayList<>(beans.getAttributes(bean, attributes.toArray(String[]::new)))) {
                if (o instanceof Attribute a && a.getValue() instanceof Number n && n.doubleValue() >= 0) {
                    values.put(a.getName(), n.doubleValue());
                }
            }
        } catch (JMException | RuntimeException e) {
            return Map.of(); // gone with its application
        }
        return values;
    }
}
