package ring;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** Keeps the blocks of a ledger by their digest and shows how a block hangs together with the ones before it. */
public final class RingStore {

    /** A digest of 32 bytes; mining makes its first bytes zeros. */
    static final class Digest {
        private final byte[] bytes;
        private final boolean fromEnd;

        Digest(byte[] bytes, boolean fromEnd) {
            this.bytes = bytes;
            this.fromEnd = fromEnd;
        }

        @Override
        public int hashCode() {
            int from = fromEnd ? bytes.length - 4 : 0;
            return bytes[from] << 24
                    | (bytes[from + 1] & 255) << 16
                    | (bytes[from + 2] & 255) << 8
                    | bytes[from + 3] & 255;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Digest digest && Arrays.equals(bytes, digest.bytes);
        }

        @Override
        public String toString() {
            return HexFormat.of().formatHex(bytes, 4, 12);
        }
    }

    record Block(Digest digest, Digest before, int height, int entries) {}

    private final Map<Digest, Block> blocks = new HashMap<>();
    private final List<Digest> all = new ArrayList<>();

    RingStore(int count, boolean fromEnd) {
        SplittableRandom random = new SplittableRandom(4711);
        Digest before = null;
        for (int height = 0; height < count; height++) {
            byte[] bytes = new byte[32];
            random.nextBytes(bytes);
            Arrays.fill(bytes, 0, 4, (byte) 0);
            Digest digest = new Digest(bytes, fromEnd);
            blocks.put(digest, new Block(digest, before, height, random.nextInt(2000)));
            all.add(digest);
            before = digest;
        }
    }

    void branch(ServerRequest request, ServerResponse response) {
        Digest top = all.get(ThreadLocalRandom.current().nextInt(all.size()));
        StringBuilder text = new StringBuilder();
        long entries = 0;
        Block block = blocks.get(top);
        for (int i = 0; i < 40 && block != null; i++) {
            entries += block.entries();
            if (i % 10 == 0) {
                text.append(block.height()).append(' ').append(block.digest()).append('\n');
            }
            block = block.before() == null ? null : blocks.get(block.before());
        }
        response.send(text.append(entries).append(" entries\n").toString());
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        RingStore store = new RingStore(6000, fixed);
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/", store::branch))
                .build()
                .start();
        System.out.println("ready");
    }
}
