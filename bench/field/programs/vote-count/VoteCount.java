package votes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** Takes votes in a poll. */
public final class VoteCount {

    private final DataSource dataSource;
    private final boolean sumLast;

    VoteCount(DataSource dataSource, boolean sumLast) {
        this.dataSource = dataSource;
        this.sumLast = sumLast;
    }

    void vote(HttpExchange exchange) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int poll = random.nextInt(10) == 0 ? 1 + random.nextInt(4) : 0; // everybody talks of one poll today
        int status = 200;
        String text;
        try {
            cast(poll, random.nextInt(1_000_000));
            text = "your vote in poll " + poll + " counts\n";
        } catch (SQLException e) {
            status = 500;
            text = "no vote: " + e.getMessage() + "\n";
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void cast(int poll, int voter) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                if (!sumLast) {
                    addToPoll(connection, poll);
                }
                insertBallot(connection, poll, voter);
                stamp();
                if (sumLast) {
                    addToPoll(connection, poll);
                }
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private static void addToPoll(Connection connection, int poll) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update poll set votes = votes + 1 where id = ?")) {
            update.setInt(1, poll);
            update.executeUpdate();
        }
    }

    private static void insertBallot(Connection connection, int poll, int voter) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ballot(poll, voter) values (?, ?)")) {
            insert.setInt(1, poll);
            insert.setInt(2, voter);
            insert.executeUpdate();
        }
    }

    /** The time stamp service's answer. */
    private static void stamp() {
        try {
            Thread.sleep(14);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        HikariConfig config = new HikariConfig();
        config.setPoolName("votes");
        config.setJdbcUrl("jdbc:h2:mem:votes;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=8000");
        config.setMaximumPoolSize(32);
        HikariDataSource dataSource = new HikariDataSource(config);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table poll(id int primary key, votes int)");
            statement.execute("create table ballot(id identity primary key, poll int, voter int)");
            statement.execute("insert into poll select x - 1, 0 from system_range(1, 5)");
        }
        VoteCount votes = new VoteCount(dataSource, fixed);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), Integer.parseInt(args[0])), 200);
        server.createContext("/", votes::vote);
        server.setExecutor(Executors.newFixedThreadPool(
                32, Thread.ofPlatform().name("http-", 0).daemon().factory()));
        server.start();
        System.out.println("ready");
    }
}
