package meta;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Finds the plugins that a path goes through; a path's plugins are remembered. */
public final class MetaMatch {

    record Match(String path, List<String> plugins, byte[] header) {}

    private static final List<String> PLUGINS = List.of("auth", "rate", "rewrite", "divide", "log");

    private final Map<String, Match> matches;

    MetaMatch(int most) {
        matches = Collections.synchronizedMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Match> eldest) {
                return most > 0 && size() > most;
            }
        });
    }

    void match(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path =
                    "/api/users/" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "/orders";
            Match match = matches.computeIfAbsent(path, MetaMatch::find);
            byte[] body =
                    (match.path() + " -> " + String.join(",", match.plugins()) + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static Match find(String path) {
        List<String> plugins = PLUGINS.stream()
                .filter(plugin -> (path.hashCode() & 7) != plugin.length())
                .toList();
        byte[] header = new byte[24 * 1024];
        int at = 0;
        for (String plugin : plugins) {
            byte[] name = plugin.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(name, 0, header, at, name.length);
            at += name.length;
        }
        return new Match(path, plugins, header);
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        MetaMatch meta = new MetaMatch(fixed ? 400 : 0);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", meta::match);
        server.setExecutor(Executors.newFixedThreadPool(
                8, Thread.ofPlatform().name("meta-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
