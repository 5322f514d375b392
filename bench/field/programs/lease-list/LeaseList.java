package leases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Leases on negotiations between companies: who holds what, and until when. */
public final class LeaseList {

    private static final String FIND = "select l.lease_id, l.leased_by, l.until from lease l"
            + " join negotiation n on n.id = l.negotiation_id where l.negotiation_id = ? order by l.lease_id";

    private final AgroalDataSource dataSource;

    LeaseList(AgroalDataSource dataSource) {
        this.dataSource = dataSource;
    }

    void leases(HttpExchange exchange) throws IOException {
        try (exchange) {
            int negotiation = ThreadLocalRandom.current().nextInt(3000);
            StringBuilder text =
                    new StringBuilder("negotiation ").append(negotiation).append('\n');
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement select = connection.prepareStatement(FIND)) {
                select.setInt(1, negotiation);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        text.append(rows.getInt(1))
                                .append(' ')
                                .append(rows.getString(2))
                                .append(' ');
                        text.append(rows.getLong(3)).append('\n');
                    }
                }
            } catch (SQLException e) {
                exchange.sendResponseHeaders(500, -1);
                return;
            }
            byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void sampleData(AgroalDataSource dataSource, boolean indexed) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table negotiation(id int primary key, state int)");
            statement.execute(
                    "create table lease(lease_id int primary key, negotiation_id int, leased_by varchar(40), until bigint)");
            statement.execute("insert into negotiation select x, mod(x, 5) from system_range(0, 2999)");
            statement.execute(
                    "insert into lease select x, mod(x * 7, 3000), concat('company ', mod(x, 50)), 1700000000 + x"
                            + " from system_range(0, 49999)");
            if (indexed) {
                statement.execute("create index lease_negotiation on lease(negotiation_id)");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        AgroalDataSource dataSource = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(8)
                        .initialSize(8)
                        .connectionFactoryConfiguration(
                                factory -> factory.jdbcUrl("jdbc:h2:mem:leases;DB_CLOSE_DELAY=-1"))));
        sampleData(dataSource, fixed);
        LeaseList leases = new LeaseList(dataSource);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", leases::leases);
        server.setExecutor(Executors.newFixedThreadPool(
                16, Thread.ofPlatform().name("leases-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
