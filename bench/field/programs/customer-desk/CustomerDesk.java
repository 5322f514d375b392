package customer;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** What the desk sees of a customer: name and branch from our database, the address from the address service. */
public final class CustomerDesk extends Handler.Abstract {

    interface Work<T> {
        T with(Connection connection) throws Exception;
    }

    private final ComboPooledDataSource dataSource;
    private final AddressClient addresses;
    private final boolean addressFirst;

    CustomerDesk(ComboPooledDataSource dataSource, AddressClient addresses, boolean addressFirst) {
        this.dataSource = dataSource;
        this.addresses = addresses;
        this.addressFirst = addressFirst;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        int id = ThreadLocalRandom.current().nextInt(800);
        String text;
        if (addressFirst) {
            String address = addresses.of(id);
            text = transaction(connection -> name(connection, id) + ", " + address + ", " + branch(connection, id));
        } else {
            text = transaction(
                    connection -> name(connection, id) + ", " + addresses.of(id) + ", " + branch(connection, id));
        }
        response.write(true, ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    private <T> T transaction(Work<T> work) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.with(connection);
                connection.commit();
                return result;
            } catch (Exception e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private static String name(Connection connection, int id) throws SQLException {
        return text(connection, "select name from customer where id = ?", id);
    }

    private static String branch(Connection connection, int id) throws SQLException {
        return text(connection, "select town from branch where id = (select branch from customer where id = ?)", id);
    }

    private static String text(Connection connection, String sql, int id) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : "?";
            }
        }
    }

    static final class AddressClient {
        private final HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(2))
                .build();
        private final String base;

        AddressClient(String base) {
            this.base = base;
        }

        String of(int id) throws IOException, InterruptedException {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(base + "/address/" + id)).build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private static int addressService() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.createContext("/address/", exchange -> {
            try {
                Thread.sleep(90);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body =
                    ("High Street " + exchange.getRequestURI().getPath().substring(9)).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server.getAddress().getPort();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ComboPooledDataSource dataSource = new ComboPooledDataSource("customers");
        dataSource.setJdbcUrl("jdbc:h2:mem:customers;DB_CLOSE_DELAY=-1");
        dataSource.setMinPoolSize(5);
        dataSource.setInitialPoolSize(5);
        dataSource.setMaxPoolSize(5);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table branch(id int primary key, town varchar(20))");
            statement.execute("create table customer(id int primary key, name varchar(40), branch int)");
            statement.execute("insert into branch select x, concat('town ', x) from system_range(0, 9)");
            statement.execute(
                    "insert into customer select x, concat('customer ', x), mod(x, 10) from system_range(0, 799)");
        }
        Server server = new Server(new QueuedThreadPool(50));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(
                new CustomerDesk(dataSource, new AddressClient("http://127.0.0.1:" + addressService()), fixed));
        server.start();
        System.out.println("ready");
    }
}
