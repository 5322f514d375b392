package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;

/** On beans like those of Tomcat and HikariCP. */
class PoolBeansTest {
    /** DBCP's figures, of a data source of Tomcat. */
    public interface Source {
        int getnumActive();
    }

    public interface Hikari {
        int getActiveConnections();
    }

    public interface HikariConfig {
        int getMaximumPoolSize();
    }

    public interface Sessions {
        int getactiveSessions();
    }

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final Map<String, String> notObserved = new HashMap<>();

    private <T> ObjectName register(String name, Class<T> type, T bean) throws Exception {
        var named = new ObjectName(name);
        server.registerMBean(new StandardMBean(bean, type), named);
        return named;
    }

    private Map<String, Double> read(PoolBeans beans) throws Exception {
        var figures = new HashMap<String, Double>();
        notObserved.clear();
        for (int i = 0; i < 15; i++) { // they are searched again after so many
            figures.clear();
            beans.read(figures, notObserved);
        }
        return figures;
    }

    private ObjectName source(String context, int active) throws Exception {
        return register(
                "Catalina:type=DataSource,host=localhost,context=" + context
                        + ",class=javax.sql.DataSource,name=\"jdbc/db\"",
                Source.class,
                () -> active);
    }

    @Test
    void poolsOfOneNameInTwoApplicationsAreTwo() throws Exception {
        var beans = new PoolBeans(server);
        ObjectName shop = source("/shop", 3);
        assertThat(read(beans)).containsOnly(Map.entry("pool.jdbc-db.active", 3.0));
        source("/admin", 5); // before the other one in the alphabet
        assertThat(read(beans))
                .containsOnly(Map.entry("pool.jdbc-db.active", 3.0), Map.entry("pool.jdbc-db-admin.active", 5.0));
        server.unregisterMBean(shop);
        assertThat(read(beans)).as("each keeps its name").containsOnly(Map.entry("pool.jdbc-db-admin.active", 5.0));
    }

    @Test
    void whatTwoBeansTellOfOnePoolIsOfOne() throws Exception {
        register("com.zaxxer.hikari:type=Pool (orders)", Hikari.class, () -> 4);
        register("com.zaxxer.hikari:type=PoolConfig (orders)", HikariConfig.class, () -> 10);
        assertThat(read(new PoolBeans(server)))
                .containsOnly(Map.entry("pool.orders.active", 4.0), Map.entry("pool.orders.max", 10.0));
    }

    @Test
    void sessionsAreThoseOfAllApplicationsOrNotObserved() throws Exception {
        var beans = new PoolBeans(server);
        for (int i = 0; i < 20; i++) {
            register("Catalina:type=Manager,host=localhost,context=/" + i, Sessions.class, () -> 2);
        }
        assertThat(read(beans)).containsOnly(Map.entry("sessions.active", 40.0));
        for (int i = 20; i <= PoolBeans.MOST_MANAGERS; i++) {
            register("Catalina:type=Manager,host=localhost,context=/" + i, Sessions.class, () -> 2);
        }
        assertThat(read(beans)).isEmpty();
        assertThat(notObserved.get("sessions.active")).contains("more than 64 session managers");
    }
}
