package dev.fettle.faults;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.sql.SQLException;

/**
 * A HikariCP pool of two connections to H2 for all requests, each held for ten milliseconds.
 * Public for H2, which calls it.
 */
public final class DatabasePoolSmall implements Fault {
    private static final int CONNECTIONS = 2;
    private static final long QUERY_MILLIS = 10;

    private final HikariDataSource pool;

    DatabasePoolSmall() throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:login;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setPoolName("login");
        config.setRegisterMbeans(true);
        pool = new HikariDataSource(config);
        try (var c = pool.getConnection();
                var s = c.createStatement()) {
            s.execute("CREATE ALIAS ACCOUNT FOR 'dev.fettle.faults.DatabasePoolSmall.account'");
        }
    }

    /** The query, for H2. */
    public static int account() throws InterruptedException {
        Thread.sleep(QUERY_MILLIS);
        return 1;
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        try (var c = pool.getConnection();
                var s = c.createStatement();
                var r = s.executeQuery("SELECT ACCOUNT()")) {
            r.next();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
