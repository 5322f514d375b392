package dev.fettle.watch.jvm;

import dev.fettle.model.knob.ServerKind;
import java.io.IOException;
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
            return WatchedServer.of(server).beans(this);
        } catch (MalformedObjectNameException e) {
            return Map.of(); // a server's part has a name that can't be asked for
        }
    }

    /** The MBean of a pattern, if there is just one. */
    Optional<ObjectName> only(String pattern) throws IOException, MalformedObjectNameException {
        Set<ObjectName> all = query(pattern);
        return all.size() == 1 ? Optional.of(all.iterator().next()) : Optional.empty();
    }

    Set<ObjectName> query(String pattern) throws IOException, MalformedObjectNameException {
        return beans.queryNames(new ObjectName(pattern), null);
    }

    /** Whether an attribute has a value; not, if there is no such attribute. */
    boolean is(ObjectName object, String attribute, Object value) throws IOException {
        try {
            return value.equals(beans.getAttribute(object, attribute));
        } catch (JMException | RuntimeException e) {
            return false; // another version
        }
    }
}
