package fares;

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
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Quotes a fare: the tariff comes from the tariff service, the surcharge is worked out here. */
public final class FareQuote extends HttpServlet {

    private static final long serialVersionUID = 1;
    private final transient TariffClient tariffs;

    FareQuote(TariffClient tariffs) {
        this.tariffs = tariffs;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int zone = ThreadLocalRandom.current().nextInt(12);
        int cents = tariffs.tariff(zone);
        response.setContentType("application/json");
        response.getWriter().printf("{\"zone\":%d,\"cents\":%d}%n", zone, cents + surcharge(zone, cents));
    }

    private static int surcharge(int zone, int cents) {
        return zone > 8 ? cents / 5 : zone > 4 ? cents / 10 : 0;
    }

    static final class TariffClient {
        private final CloseableHttpClient http;
        private final String base;

        TariffClient(String base, boolean perRoute) {
            this.base = base;
            PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager();
            connections.setMaxTotal(100);
            if (perRoute) {
                connections.setDefaultMaxPerRoute(100);
            }
            this.http = HttpClients.custom().setConnectionManager(connections).build();
        }

        int tariff(int zone) throws IOException {
            return http.execute(
                    new HttpGet(base + "/tariff/" + zone),
                    answer -> Integer.parseInt(
                            EntityUtils.toString(answer.getEntity()).trim()));
        }
    }

    private static int tariffService() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.createContext("/tariff/", exchange -> {
            try {
                Thread.sleep(40);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body = Integer.toString(
                            180 + exchange.getRequestURI().getPath().length() * 10)
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool(
                Thread.ofPlatform().name("tariff-", 0).daemon().factory()));
        server.start();
        return server.getAddress().getPort();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        TariffClient tariffs = new TariffClient("http://127.0.0.1:" + tariffService(), fixed);
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("fares").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "100");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "fares", new FareQuote(tariffs));
        context.addServletMappingDecoded("/", "fares");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
