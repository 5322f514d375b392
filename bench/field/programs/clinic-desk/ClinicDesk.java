package clinic;

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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Books appointments at a clinic. */
public final class ClinicDesk {

    private final DataSource dataSource;
    private final boolean always;
    private final AtomicInteger slots = new AtomicInteger(1000);

    ClinicDesk(DataSource dataSource, boolean always) {
        this.dataSource = dataSource;
        this.always = always;
    }

    String appointment() throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // now and then a patient wants a slot that somebody has already
        int slot = random.nextInt(60) == 0 ? random.nextInt(1000) : slots.incrementAndGet();
        Connection connection = dataSource.getConnection();
        if (!always) {
            book(connection, slot, "patient " + random.nextInt(100_000));
            connection.close();
            return "slot " + slot + " is yours";
        }
        try (connection) {
            book(connection, slot, "patient " + random.nextInt(100_000));
            return "slot " + slot + " is yours";
        }
    }

    private static void book(Connection connection, int slot, String patient) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into appointment values (?, ?)");
                PreparedStatement count =
                        connection.prepareStatement("select count(*) from appointment where slot between ? and ?")) {
            count.setInt(1, slot - 10);
            count.setInt(2, slot - 1);
            try (ResultSet row = count.executeQuery()) {
                row.next();
            }
            insert.setInt(1, slot);
            insert.setString(2, patient);
            insert.executeUpdate();
        }
        connection.commit();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        HikariConfig config = new HikariConfig();
        config.setPoolName("clinic");
        config.setJdbcUrl("jdbc:h2:mem:clinic;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(12);
        config.setConnectionTimeout(2000);
        HikariDataSource dataSource = new HikariDataSource(config);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table appointment(slot int primary key, patient varchar(40))");
            statement.execute("insert into appointment select x - 1, 'patient ' || x from system_range(1, 1000)");
        }
        ClinicDesk desk = new ClinicDesk(dataSource, fixed);

        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("clinic").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "40");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "appointments", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    response.getWriter().println(desk.appointment());
                } catch (SQLException e) {
                    boolean taken = e.getSQLState() != null && e.getSQLState().startsWith("23");
                    if (taken) {
                        response.getWriter().println("that slot is taken");
                    } else {
                        response.sendError(500, "no appointment");
                    }
                }
            }
        });
        context.addServletMappingDecoded("/", "appointments");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
