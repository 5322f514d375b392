package deeds;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Searches old deeds for a word; the index lies in four segments. */
public final class DeedSearch extends Handler.Abstract {

    private static final List<String> WORDS = List.of("mill", "orchard", "meadow", "toll", "bridge", "heir");

    private final ExecutorService searches;
    private final ExecutorService segments;

    DeedSearch(ExecutorService searches, ExecutorService segments) {
        this.searches = searches;
        this.segments = segments;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String word = WORDS.get(ThreadLocalRandom.current().nextInt(WORDS.size()));
        Future<List<Integer>> search = searches.submit(() -> gather(word));
        String text;
        try {
            List<Integer> deeds = search.get(2, TimeUnit.SECONDS);
            text = word + ": " + deeds.size() + " deeds, the first is " + deeds.getFirst() + "\n";
        } catch (TimeoutException e) {
            search.cancel(true);
            response.setStatus(503);
            text = "the search took too long\n";
        }
        response.getHeaders().put("Content-Type", "text/plain");
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    private List<Integer> gather(String word) throws InterruptedException, ExecutionException {
        List<Future<List<Integer>>> parts = new ArrayList<>();
        for (int segment = 0; segment < 4; segment++) {
            int number = segment;
            parts.add(segments.submit(() -> readSegment(number, word)));
        }
        List<Integer> deeds = new ArrayList<>();
        for (Future<List<Integer>> part : parts) {
            deeds.addAll(part.get());
        }
        deeds.sort(null);
        return deeds;
    }

    /** Reads a word's entries of one segment from the archive's storage. */
    private static List<Integer> readSegment(int segment, String word) throws InterruptedException {
        Thread.sleep(12);
        List<Integer> entries = new ArrayList<>();
        int step = 3 + Math.abs(word.hashCode() % 5);
        for (int deed = segment; deed < 900; deed += 4 * step) {
            entries.add(deed);
        }
        return entries;
    }

    private static ExecutorService pool(String name, int threads) {
        return Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name(name, 0).daemon().factory());
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ExecutorService searches = pool("searcher-", 8);
        Server server = new Server(new QueuedThreadPool(60));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new DeedSearch(searches, fixed ? pool("segment-", 32) : searches));
        server.start();
        System.out.println("ready");
    }
}
