package plant;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/** Shows the last readings of a plant's machine, and in the head line how busy the program itself is. */
public final class PlantLog {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int depth;

    PlantLog(int depth) {
        this.depth = depth;
    }

    void machine(HttpServerExchange exchange) {
        int machine = ThreadLocalRandom.current().nextInt(240);
        StringBuilder text = new StringBuilder();
        text.append(busy()).append(" threads busy\n");
        for (int minute = 0; minute < 30; minute++) {
            text.append(minute)
                    .append(' ')
                    .append((machine * 31 + minute * 17) % 900 / 10.0)
                    .append('\n');
        }
        exchange.getResponseSender().send(text.toString());
    }

    private int busy() {
        int busy = 0;
        for (long id : THREADS.getAllThreadIds()) {
            ThreadInfo thread = THREADS.getThreadInfo(id, depth);
            if (thread != null && thread.getThreadState() == Thread.State.RUNNABLE) {
                busy++;
            }
        }
        return busy;
    }

    /** Each machine sends its readings to a thread of its own, which is mostly idle. */
    private static void machines(int count) {
        for (int i = 0; i < count; i++) {
            BlockingQueue<Double> readings = new LinkedBlockingQueue<>();
            Thread.ofPlatform().name("machine-" + i).daemon().start(() -> {
                double sum = 0;
                try {
                    while (true) {
                        sum += readings.take();
                    }
                } catch (InterruptedException e) {
                    System.err.println("machine ends with " + sum);
                }
            });
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        machines(240);
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(16)
                .setHandler(new BlockingHandler(new PlantLog(fixed ? 0 : Integer.MAX_VALUE)::machine))
                .build()
                .start();
        System.out.println("ready");
    }
}
