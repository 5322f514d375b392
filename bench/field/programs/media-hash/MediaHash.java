package media;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/** Checksums of media files, worked out when somebody asks. */
public final class MediaHash {

    private static final int BLOCK = 2 * 1024 * 1024;

    private final List<Path> files;
    private final ThreadLocal<ByteBuffer> kept;

    MediaHash(List<Path> files, boolean keep) {
        this.files = files;
        this.kept = keep ? ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BLOCK)) : null;
    }

    void checksum(HttpExchange exchange) throws IOException {
        try (exchange) {
            Path file = files.get(ThreadLocalRandom.current().nextInt(files.size()));
            byte[] body = (file.getFileName() + " " + Long.toHexString(checksum(file)) + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private long checksum(Path file) throws IOException {
        ByteBuffer block = buffer();
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(block) >= 0 || block.position() > 0) {
                block.flip();
                crc.update(block);
                block.clear();
            }
        }
        return crc.getValue();
    }

    private ByteBuffer buffer() {
        return kept == null ? ByteBuffer.allocateDirect(BLOCK) : kept.get().clear();
    }

    private static List<Path> sampleFiles() throws IOException {
        Path folder = Files.createTempDirectory("media");
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] content = new byte[60_000 + i * 1000];
            ThreadLocalRandom.current().nextBytes(content);
            files.add(Files.write(folder.resolve("clip-" + i + ".bin"), content));
        }
        return files;
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        MediaHash hashes = new MediaHash(sampleFiles(), fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", hashes::checksum);
        server.setExecutor(Executors.newFixedThreadPool(
                16, Thread.ofPlatform().name("media-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
