package backups;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Lists the backups of a keyspace that lie on disk. */
public final class BackupList {

    private final Path root;
    private final boolean scoped;

    BackupList(Path root, boolean scoped) {
        this.root = root;
        this.scoped = scoped;
    }

    void list(HttpExchange exchange) throws IOException {
        try (exchange) {
            String keyspace = "keyspace-" + ThreadLocalRandom.current().nextInt(8);
            List<String> files = snapshots(keyspace);
            byte[] body = (keyspace + "\n" + String.join("\n", files) + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            exchange.sendResponseHeaders(500, -1);
        }
    }

    private List<String> snapshots(String keyspace) throws IOException {
        if (scoped) {
            try (Stream<Path> entries = Files.list(root.resolve(keyspace))) {
                return described(entries);
            }
        }
        return described(Files.list(root.resolve(keyspace)));
    }

    private static List<String> described(Stream<Path> entries) {
        return entries.filter(entry -> entry.toString().endsWith(".db"))
                .sorted()
                .map(BackupList::describe)
                .toList();
    }

    private static String describe(Path file) {
        try {
            return file.getFileName() + " " + Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path sampleData() throws IOException {
        Path root = Files.createTempDirectory("backups");
        for (int k = 0; k < 8; k++) {
            Path keyspace = Files.createDirectory(root.resolve("keyspace-" + k));
            for (int i = 0; i < 12; i++) {
                Files.writeString(keyspace.resolve("mc-" + i + "-Data.db"), "x".repeat(100 * i + 10));
            }
            Files.writeString(keyspace.resolve("manifest.json"), "{}");
        }
        return root;
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        BackupList backups = new BackupList(sampleData(), fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 100);
        server.createContext("/", backups::list);
        server.setExecutor(Executors.newFixedThreadPool(
                8, Thread.ofPlatform().name("backups-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
