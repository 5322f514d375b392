package tokens;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Hands out access tokens for refresh tokens. */
public final class TokenDesk extends HttpServlet {

    private static final long serialVersionUID = 1;
    private final transient TokenProvider provider;

    TokenDesk(TokenProvider provider) {
        this.provider = provider;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String client = "client-" + ThreadLocalRandom.current().nextInt(5000);
        response.setContentType("application/json");
        response.getWriter().printf("{\"access_token\":\"%s\",\"expires_in\":300}%n", provider.refresh(client));
    }

    static final class TokenProvider {
        private final Object refreshLock = new Object();
        private final Object[] locks = new Object[256];
        private final TokenTable table = new TokenTable();
        private final boolean byToken;

        TokenProvider(boolean byToken) {
            this.byToken = byToken;
            for (int i = 0; i < locks.length; i++) {
                locks[i] = new Object();
            }
        }

        String refresh(String client) {
            synchronized (byToken ? locks[Math.floorMod(client.hashCode(), locks.length)] : refreshLock) {
                long use = table.uses(client);
                String token = token(client, use);
                table.save(client, use + 1);
                return token;
            }
        }

        private static String token(String client, long use) {
            long mixed = client.hashCode() * 0x9E3779B97F4A7C15L + use;
            for (int round = 0; round < 8; round++) {
                mixed ^= mixed >>> 29;
                mixed *= 0xBF58476D1CE4E5B9L;
            }
            return Long.toUnsignedString(mixed, 36);
        }
    }

    /** The table of tokens, in a database a few milliseconds away. */
    static final class TokenTable {
        private final Map<String, Long> rows = new ConcurrentHashMap<>();

        long uses(String client) {
            roundTrip();
            return rows.getOrDefault(client, 0L);
        }

        void save(String client, long uses) {
            roundTrip();
            rows.put(client, uses);
        }

        private static void roundTrip() {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("tokens").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "40");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "tokens", new TokenDesk(new TokenProvider(fixed)));
        context.addServletMappingDecoded("/", "tokens");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
