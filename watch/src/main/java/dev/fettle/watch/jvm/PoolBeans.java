package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The connection pools and session managers that have registered MBeans in a JVM: HikariCP (with {@code
 * registerMbeans}), DBCP and whatever else is a commons-pool (Jedis), Tomcat's two JDBC pools, and the sessions of
 * Tomcat and Jetty. Not thread-safe.
 */
final class PoolBeans {
    /** Beans come and go with applications: they are searched again after this many readings. */
    private static final int SEARCH_EVERY = 15;

    /** Most beans of pools that are read: each costs a call. */
    private static final int MOST = 24;

    /** Most session managers: a sum over some of them would be none. */
    static final int MOST_MANAGERS = 64;

    /** Pools that come and go are remembered up to this number, so that each keeps its name. */
    private static final int MOST_NAMES = 256;

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

    private final MBeanServerConnection beans;
    private final Map<ObjectName, Kind> places = new LinkedHashMap<>();

    /** The names of those that had figures, as they are in the signals: each keeps its own. */
    private final Map<ObjectName, String> names = new HashMap<>();

    private final Map<ObjectName, String> sessions = new LinkedHashMap<>();
    private int readings;
    private boolean tooManyManagers;

    PoolBeans(MBeanServerConnection beans) {
        this.beans = beans;
    }

    /** Adds the figures, by the signals of the timeline. */
    void read(Map<String, Double> figures, Map<String, String> notObserved) throws IOException {
        if (readings++ % SEARCH_EVERY == 0) {
            search();
        }
        for (Map.Entry<ObjectName, Kind> e : places.entrySet()) {
            Map<String, String> of = e.getValue().figures();
            Map<String, Double> values = values(e.getKey(), of.keySet());
            if (!values.isEmpty()) {
                String pool = name(e.getKey());
                values.forEach((attribute, value) -> figures.put(Signals.POOL + pool + "." + of.get(attribute), value));
            }
        }
        double held = 0;
        int found = 0;
        for (Map.Entry<ObjectName, String> e : sessions.entrySet()) {
            for (double n : values(e.getKey(), Set.of(e.getValue())).values()) {
                held += n;
                found++;
            }
        }
        if (tooManyManagers) {
            notObserved.put(
                    SESSIONS, "it has more than " + MOST_MANAGERS + " session managers: asking each is expensive");
        } else if (found > 0) {
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
                        places.putIfAbsent(name, kind);
                    }
                }
            }
            for (Map.Entry<String, String> e : new TreeMap<>(SESSION_BEANS).entrySet()) {
                sorted(e.getKey()).forEach(name -> sessions.put(name, e.getValue()));
            }
            tooManyManagers = sessions.size() > MOST_MANAGERS;
            if (tooManyManagers) {
                sessions.clear();
            }
            if (names.size() > MOST_NAMES) {
                names.keySet().retainAll(places.keySet());
            }
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // they are constants
        }
    }

    private List<ObjectName> sorted(String pattern) throws IOException, MalformedObjectNameException {
        return beans.queryNames(new ObjectName(pattern), null).stream().sorted().toList();
    }

    /** Two applications of one server may each have a pool {@code jdbc/db}: the second one gets its application's name, too. */
    private String name(ObjectName bean) {
        String known = names.get(bean);
        if (known != null) {
            return known;
        }
        Kind kind = places.get(bean);
        String first = poolName(bean);
        Predicate<String> taken = n -> names.entrySet().stream()
                .anyMatch(e -> e.getValue().equals(n) && kind == places.getOrDefault(e.getKey(), kind));
        String name = first;
        for (String key : List.of("context", "host")) {
            @Nullable String more = bean.getKeyProperty(key);
            if (taken.test(name) && more != null) {
                name += "-" + plain(more).replaceAll("^-+", "");
            }
        }
        String far = name;
        for (int i = 2; taken.test(name); i++) {
            name = far + "-" + i;
        }
        names.put(bean, name);
        return name;
    }

    private static String plain(String text) {
        return text.replace("\"", "").replaceAll("[^A-Za-z0-9_-]+", "-");
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
        return plain(own);
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
