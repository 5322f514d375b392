package notes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Keeps notes on data sets; the other nodes are told of a change in the background. */
public final class NodeNotes extends Handler.Abstract {

    private final Map<Integer, String> notes = new ConcurrentHashMap<>();
    private final ExecutorService common;

    NodeNotes(ExecutorService common) {
        this.common = common;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int dataSet = ThreadLocalRandom.current().nextInt(4000);
        String text = new NoteService(notes, common).changed(dataSet);
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    /** Made for one request. */
    static final class NoteService {
        private final Map<Integer, String> notes;
        private final ExecutorService executor;

        NoteService(Map<Integer, String> notes, ExecutorService common) {
            this.notes = notes;
            this.executor = common == null ? Executors.newFixedThreadPool(2) : common;
        }

        String changed(int dataSet) {
            String note = notes.merge(dataSet, "1", (old, one) -> Integer.toString(Integer.parseInt(old) + 1));
            executor.execute(() -> tell("north", dataSet, note));
            executor.execute(() -> tell("south", dataSet, note));
            return "data set " + dataSet + ": change " + note + "\n";
        }

        private void tell(String node, int dataSet, String note) {
            int sum = node.hashCode();
            for (char c : (dataSet + note).toCharArray()) {
                sum = sum * 31 + c;
            }
            notes.computeIfPresent(-1 - Math.abs(sum % 10), (k, v) -> v);
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ExecutorService common = fixed
                ? Executors.newFixedThreadPool(
                        4, Thread.ofPlatform().name("tell-", 0).daemon().factory())
                : null;
        Server server = new Server(new QueuedThreadPool(30));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new NodeNotes(common));
        server.start();
        System.out.println("ready");
    }
}
