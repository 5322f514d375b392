package desk.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Takes orders at a shop's desk: reserves stock, writes the order, keeps an audit trail. */
public final class OrderDesk {

    private static final List<String> ARTICLES = List.of("lamp", "chair", "desk", "shelf", "rug");

    private final DataSource dataSource;
    private final AuditTrail audit;
    private final boolean sameConnection;

    OrderDesk(DataSource dataSource, boolean sameConnection) {
        this.dataSource = dataSource;
        this.audit = new AuditTrail(dataSource);
        this.sameConnection = sameConnection;
    }

    /** Places an order for one article and returns its number. */
    long place(String article) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            reserve(connection, article);
            long number = insert(connection, article);
            if (sameConnection) {
                audit.record(connection, "order " + number);
            } else {
                audit.record("order " + number);
            }
            connection.commit();
            return number;
        }
    }

    private void reserve(Connection connection, String article) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select quantity from stock where article = ?")) {
            select.setString(1, article);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next() || row.getInt(1) <= 0) {
                    throw new SQLException("out of stock: " + article);
                }
            }
        }
        pause(4); // the pricing rules
    }

    private long insert(Connection connection, String article) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into orders(article) values (?)", Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, article);
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static final class AuditTrail {
        private final DataSource dataSource;

        AuditTrail(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        void record(String what) throws SQLException {
            try (Connection connection = dataSource.getConnection()) {
                record(connection, what);
            }
        }

        void record(Connection connection, String what) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("insert into audit(what) values (?)")) {
                insert.setString(1, what);
                insert.executeUpdate();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        HikariConfig config = new HikariConfig();
        config.setPoolName("orders");
        config.setJdbcUrl("jdbc:h2:mem:desk;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(10);
        config.setConnectionTimeout(3000);
        HikariDataSource dataSource = new HikariDataSource(config);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table stock(article varchar(20) primary key, quantity int)");
            statement.execute("create table orders(id identity primary key, article varchar(20))");
            statement.execute("create table audit(id identity primary key, what varchar(80))");
            for (String article : ARTICLES) {
                statement.execute("insert into stock values ('" + article + "', 1000000)");
            }
        }
        OrderDesk desk = new OrderDesk(dataSource, fixed);

        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("desk").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "50");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "orders", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    String article = ARTICLES.get(ThreadLocalRandom.current().nextInt(ARTICLES.size()));
                    response.getWriter().println("order " + desk.place(article) + ": " + article);
                } catch (SQLException e) {
                    response.sendError(500, "no order: " + e.getMessage());
                }
            }
        });
        context.addServletMappingDecoded("/", "orders");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
