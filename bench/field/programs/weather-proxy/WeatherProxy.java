package weather;

import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Passes on the weather of a station, in the units that the caller wants. */
public final class WeatherProxy extends HttpServlet {

    private static final long serialVersionUID = 1;
    private final transient StationClient stations;

    WeatherProxy(StationClient stations) {
        this.stations = stations;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int station = ThreadLocalRandom.current().nextInt(80);
        int celsius = stations.temperature(station);
        response.getWriter().println("station " + station + ": " + celsius + " C, " + (celsius * 9 / 5 + 32) + " F");
    }

    static final class StationClient {
        private final String base;
        private final OkHttpClient shared;

        StationClient(String base, boolean share) {
            this.base = base;
            this.shared = share ? build() : null;
        }

        private static OkHttpClient build() {
            return new OkHttpClient.Builder()
                    .callTimeout(Duration.ofSeconds(10))
                    .connectTimeout(Duration.ofSeconds(2))
                    .build();
        }

        int temperature(int station) throws IOException {
            OkHttpClient http = shared == null ? build() : shared;
            Request request =
                    new Request.Builder().url(base + "/station/" + station).build();
            try (Response response = http.newCall(request).execute()) {
                return Integer.parseInt(response.body().string().trim());
            }
        }
    }

    private static int stationService() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        server.createContext("/station/", exchange -> {
            byte[] body = Integer.toString(exchange.getRequestURI().getPath().hashCode() % 30)
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool(
                Thread.ofPlatform().name("station-", 0).daemon().factory()));
        server.start();
        return server.getAddress().getPort();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        WeatherProxy proxy = new WeatherProxy(new StationClient("http://127.0.0.1:" + stationService(), fixed));
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("proxy").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "30");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "proxy", proxy);
        context.addServletMappingDecoded("/", "proxy");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
