package meters;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.ThreadLocalRandom;

/** Shows what the devices of a building sent today, and counts the looks at it. */
public final class MeterPage {

    private static final int DEVICES = 4000;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final boolean direct;

    MeterPage(boolean direct) {
        this.direct = direct;
        for (int device = 0; device < DEVICES; device++) {
            registry.counter("readings", "device", "d" + device).increment(device % 97);
        }
    }

    void page(ServerRequest request, ServerResponse response) {
        int building = ThreadLocalRandom.current().nextInt(DEVICES / 10);
        StringBuilder text = new StringBuilder("building ").append(building).append('\n');
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            double count = readings("d" + (building * 10 + i));
            sum += count;
            text.append("device ").append(i).append(": ").append((long) count).append('\n');
        }
        registry.counter("looks").increment();
        response.send(text.append("in all ").append((long) sum).append('\n').toString());
    }

    private double readings(String device) {
        if (direct) {
            return registry.counter("readings", "device", device).count();
        }
        Counter counter = registry.find("readings").tag("device", device).counter();
        return counter == null ? 0 : counter.count();
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        MeterPage page = new MeterPage(fixed);
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/", page::page))
                .build()
                .start();
        System.out.println("ready");
    }
}
