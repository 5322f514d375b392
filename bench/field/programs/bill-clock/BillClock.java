package bills;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Adds up the calls of a customer from the records that the exchanges send. */
public final class BillClock extends Handler.Abstract {

    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private final ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private final boolean bounded;

    BillClock(boolean bounded) {
        this.bounded = bounded;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        int customer = ThreadLocalRandom.current().nextInt(20_000);
        long seconds = 0;
        int bad = 0;
        for (JsonNode call : records(customer)) {
            long duration = seconds(call.get("duration").decimalValue());
            if (duration < 0 || duration > 86_400) {
                bad++;
            } else {
                seconds += duration;
            }
        }
        String text = "customer " + customer + ": " + seconds + " s, " + bad + " records not counted\n";
        response.getHeaders().put("Content-Type", "text/plain");
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    /** The whole seconds of a duration, -1 if that is no number that fits. */
    private long seconds(BigDecimal duration) {
        if (bounded && duration.precision() - duration.scale() > 19) {
            return -1;
        }
        BigInteger whole = duration.toBigInteger();
        return whole.signum() < 0 || whole.compareTo(LONGEST) > 0 ? -1 : whole.longValue();
    }

    /** What the exchanges sent; one old exchange writes a number of its own for a call that did not end. */
    private JsonNode records(int customer) throws JsonProcessingException {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < 12; i++) {
            boolean open = customer % 10 == 3 && i == 7;
            text.append(i == 0 ? "" : ",").append("{\"to\":\"0").append(customer * 31 + i * 7919);
            text.append("\",\"duration\":").append(open ? "1e800000" : (customer % 90 + i * 11) + ".5");
            text.append(",\"exchange\":").append(i % 5).append('}');
        }
        return json.readTree(text.append(']').toString());
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Server server = new Server(new QueuedThreadPool(40));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new BillClock(fixed));
        server.start();
        System.out.println("ready");
    }
}
