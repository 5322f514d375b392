package parts;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.commons.dbcp2.BasicDataSource;

/** A catalogue of spare parts in a database of the head office. */
public final class PartCatalog extends HttpServlet {

    private static final long serialVersionUID = 1;
    private final transient BasicDataSource dataSource;

    PartCatalog(BasicDataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int id = ThreadLocalRandom.current().nextInt(2000);
        try {
            String name = name(id);
            int stock = stock(id);
            response.setContentType("application/json");
            response.getWriter().printf("{\"id\":%d,\"name\":\"%s\",\"stock\":%d}%n", id, name, stock);
        } catch (SQLException e) {
            response.sendError(500, e.getMessage());
        }
    }

    private String name(int id) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement("select name, wire(4) from part where id = ?")) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : "none";
            }
        }
    }

    private int stock(int id) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("select stock, wire(4) from part where id = ?")) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        }
    }

    /** How long one exchange with the head office takes. */
    public static int wire(int millis) throws InterruptedException {
        Thread.sleep(millis);
        return millis;
    }

    private static void sampleData(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table part(id int primary key, name varchar(40), stock int)");
            try (PreparedStatement insert = connection.prepareStatement("insert into part values (?, ?, ?)")) {
                for (int id = 0; id < 2000; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, "part " + id);
                    insert.setInt(3, id % 37);
                    insert.executeUpdate();
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        BasicDataSource dataSource = new BasicDataSource();
        String url =
                "jdbc:h2:mem:parts;DB_CLOSE_DELAY=-1;INIT=create alias if not exists wire for \"parts.PartCatalog.wire\"";
        sampleData(url);
        dataSource.setUrl(url);
        dataSource.setMaxTotal(12);
        dataSource.setMaxIdle(12);
        dataSource.setPoolPreparedStatements(true);
        dataSource.setValidationQuery("select wire(4)");
        dataSource.setTestOnBorrow(!fixed);
        dataSource.setTestOnReturn(!fixed);

        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("parts").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "40");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "parts", new PartCatalog(dataSource));
        context.addServletMappingDecoded("/", "parts");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
