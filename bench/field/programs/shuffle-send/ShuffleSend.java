package shuffle;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** Sends the blocks of a partition to the servers that keep them. */
public final class ShuffleSend {

    record Block(int number, int server, int bytes) {}

    private final ExecutorService senders;

    ShuffleSend(ExecutorService senders) {
        this.senders = senders;
    }

    void send(HttpServerExchange exchange) throws Exception {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            blocks.add(new Block(i, ThreadLocalRandom.current().nextInt(5), 4096 + i * 100));
        }
        long bytes = senders == null ? inStream(blocks) : withSenders(blocks);
        exchange.getResponseSender().send(blocks.size() + " blocks, " + bytes + " bytes\n");
    }

    private static long inStream(List<Block> blocks) {
        return blocks.parallelStream().mapToLong(ShuffleSend::send).sum();
    }

    private long withSenders(List<Block> blocks) throws Exception {
        List<Future<Long>> sent = new ArrayList<>();
        for (Block block : blocks) {
            sent.add(senders.submit(() -> send(block)));
        }
        long bytes = 0;
        for (Future<Long> one : sent) {
            bytes += one.get();
        }
        return bytes;
    }

    /** One exchange with the block's server. */
    private static long send(Block block) {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return block.bytes();
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ExecutorService senders = fixed
                ? Executors.newFixedThreadPool(
                        128, Thread.ofPlatform().name("sender-", 0).daemon().factory())
                : null;
        ShuffleSend shuffle = new ShuffleSend(senders);
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(24)
                .setHandler(new BlockingHandler(shuffle::send))
                .build()
                .start();
        System.out.println("ready");
    }
}
