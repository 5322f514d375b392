package papers;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Finds the citation marks in a paragraph of a paper, as [1], [2, 5] or [3-7]. */
public final class PaperScan extends Handler.Abstract {

    private final Pattern marks;
    private final List<String> paragraphs = new ArrayList<>();

    PaperScan(String expression) {
        marks = Pattern.compile(expression);
        for (int i = 0; i < 40; i++) {
            StringBuilder text = new StringBuilder();
            for (int sentence = 0; sentence < 12; sentence++) {
                text.append("As was shown before [")
                        .append(i + 1)
                        .append(", ")
                        .append(sentence + 3)
                        .append("], the ");
                text.append("method of section ").append(sentence).append(" holds. ");
            }
            if (i % 4 == 0) {
                text.append("The sample was numbered [1011121314151617 by its finder. ");
            }
            paragraphs.add(text.toString());
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String paragraph = paragraphs.get(ThreadLocalRandom.current().nextInt(paragraphs.size()));
        int found = count(paragraph);
        byte[] body = (found + " marks in " + words(paragraph) + " words\n").getBytes(StandardCharsets.UTF_8);
        response.getHeaders().put("Content-Type", "text/plain");
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private int count(String paragraph) {
        Matcher matcher = marks.matcher(paragraph);
        int found = 0;
        while (matcher.find()) {
            found++;
        }
        return found;
    }

    private static int words(String paragraph) {
        int words = 0;
        boolean inside = false;
        for (int i = 0; i < paragraph.length(); i++) {
            boolean letter = Character.isLetterOrDigit(paragraph.charAt(i));
            if (letter && !inside) {
                words++;
            }
            inside = letter;
        }
        return words;
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        PaperScan scan = new PaperScan(fixed ? "\\[[\\d,\\- ]++\\]" : "\\[(((\\d+)[,\\- ]*)+;?)+\\]");
        Server server = new Server(new QueuedThreadPool(20));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(scan);
        server.start();
        System.out.println("ready");
    }
}
