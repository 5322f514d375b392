package quiz;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Shows the standing of a quiz, as packed rows that the players' devices unpack. */
public final class QuizBoard {

    private static final ThreadLocal<RowCodec> OWN = ThreadLocal.withInitial(RowCodec::new);

    private final ConcurrentLinkedQueue<RowCodec> kept = new ConcurrentLinkedQueue<>();
    private final boolean shared;

    QuizBoard(boolean shared) {
        this.shared = shared;
    }

    void standing(HttpExchange exchange) throws IOException {
        int quiz = ThreadLocalRandom.current().nextInt(500);
        byte[] body = packed(rows(quiz));
        exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String rows(int quiz) {
        StringBuilder rows = new StringBuilder();
        for (int player = 0; player < 25; player++) {
            rows.append("player-").append((quiz * 31 + player * 7) % 400).append(' ');
            rows.append(1000 - player * 13).append('\n');
        }
        return rows.toString();
    }

    private byte[] packed(String rows) {
        if (!shared) {
            return OWN.get().pack(rows);
        }
        RowCodec codec = kept.poll();
        if (codec == null) {
            codec = new RowCodec();
        }
        byte[] packed = codec.pack(rows);
        kept.add(codec);
        return packed;
    }

    /** Packs text with a table of codes for pairs of characters, and room to work in. */
    static final class RowCodec {
        private final int[] codes = new int[128 * 128];
        private final byte[] lengths = new byte[128 * 128];
        private final byte[] room = new byte[192 * 1024];

        RowCodec() {
            for (int pair = 0; pair < codes.length; pair++) {
                int weight = weight(pair >> 7) + weight(pair & 127);
                int length = 6;
                while (length < 14 && weight < 1 << (13 - length)) {
                    length++;
                }
                int code = 0;
                for (int bit = 0; bit < length; bit++) {
                    code = code << 1 | Integer.bitCount(pair * 31 >> bit) & 1;
                }
                codes[pair] = code;
                lengths[pair] = (byte) length;
            }
        }

        private static int weight(int c) {
            return c >= 'a' && c <= 'z' ? 60 : c >= '0' && c <= '9' ? 40 : c == ' ' || c == '\n' ? 30 : 1;
        }

        byte[] pack(String text) {
            long bits = 0;
            int filled = 0;
            int end = 0;
            for (int i = 0; i + 1 < text.length(); i += 2) {
                int pair = (text.charAt(i) & 127) << 7 | text.charAt(i + 1) & 127;
                bits = bits << lengths[pair] | codes[pair];
                filled += lengths[pair];
                while (filled >= 8) {
                    filled -= 8;
                    room[end++] = (byte) (bits >> filled);
                }
            }
            room[end++] = (byte) (bits << 8 - filled);
            return java.util.Arrays.copyOf(room, end);
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        QuizBoard board = new QuizBoard(fixed);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), Integer.parseInt(args[0])), 200);
        server.createContext("/", board::standing);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        System.out.println("ready");
    }
}
