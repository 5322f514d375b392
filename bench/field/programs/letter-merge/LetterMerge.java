package letters;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Merges letters: mostly one letter, now and then a whole mailing in one text. */
public final class LetterMerge extends Handler.Abstract {

    private static final String TEMPLATE =
            "Dear {name},\n\nyour order {order} is on its way and will be with you in {days} days.\n"
                    + "Should you have any question, we are glad to help.\n\nYours sincerely,\nthe shop\n\n";

    /** Text buffers, one a thread, so that none is made for each letter. */
    static final class Texts {
        private final ThreadLocal<StringBuilder> own = ThreadLocal.withInitial(() -> new StringBuilder(1024));
        private final int kept;

        Texts(int kept) {
            this.kept = kept;
        }

        StringBuilder buffer() {
            StringBuilder buffer = own.get();
            buffer.setLength(0);
            return buffer;
        }

        void done() {
            if (own.get().capacity() > kept) {
                own.remove();
            }
        }
    }

    private final Texts texts;

    LetterMerge(Texts texts) {
        this.texts = texts;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int letters = random.nextInt(40) == 0 ? 20_000 : 1;
        StringBuilder text = texts.buffer();
        for (int letter = 0; letter < letters; letter++) {
            merge(text, Map.of("name", "customer " + random.nextInt(900), "order", "A" + letter, "days", "3"));
        }
        String answer = letters + " letters, " + text.length() + " characters\n" + text.substring(0, 120);
        texts.done();
        response.write(true, ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    private static void merge(StringBuilder text, Map<String, String> values) {
        int at = 0;
        while (true) {
            int open = TEMPLATE.indexOf('{', at);
            if (open < 0) {
                text.append(TEMPLATE, at, TEMPLATE.length());
                return;
            }
            int close = TEMPLATE.indexOf('}', open);
            text.append(TEMPLATE, at, open).append(values.get(TEMPLATE.substring(open + 1, close)));
            at = close + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        QueuedThreadPool threads = new QueuedThreadPool(64, 64);
        threads.setName("letters");
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new LetterMerge(new Texts(fixed ? 64 * 1024 : Integer.MAX_VALUE)));
        server.start();
        System.out.println("ready");
    }
}
