package fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Plans a vehicle's day and hands its jobs to the dispatchers of the depots. */
public final class FleetJobs {

    record Job(long number, int vehicle, double kilometres) {}

    private final Dispatcher[] dispatchers = new Dispatcher[6];
    private final AtomicLong numbers = new AtomicLong();

    FleetJobs(boolean waiting) {
        for (int depot = 0; depot < dispatchers.length; depot++) {
            dispatchers[depot] = new Dispatcher(depot, waiting);
            Thread.ofPlatform().name("depot-" + depot).daemon().start(dispatchers[depot]);
        }
    }

    void plan(HttpExchange exchange) throws IOException {
        int vehicle = ThreadLocalRandom.current().nextInt(3000);
        double[] x = new double[36];
        double[] y = new double[36];
        for (int i = 0; i < x.length; i++) {
            x[i] = (vehicle * 31 + i * 7919) % 997 / 10.0;
            y[i] = (vehicle * 17 + i * 104_729) % 991 / 10.0;
        }
        double kilometres = route(x, y);
        Job job = new Job(numbers.incrementAndGet(), vehicle, kilometres);
        dispatchers[vehicle % dispatchers.length].jobs.add(job);
        byte[] body =
                String.format("vehicle %d: %.1f km%n", vehicle, kilometres).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** From each stop to the nearest that is left. */
    private static double route(double[] x, double[] y) {
        boolean[] seen = new boolean[x.length];
        double length = 0;
        int at = 0;
        for (int step = 1; step < x.length; step++) {
            seen[at] = true;
            int nearest = -1;
            double least = Double.MAX_VALUE;
            for (int to = 0; to < x.length; to++) {
                double distance = Math.hypot(x[at] - x[to], y[at] - y[to]);
                if (!seen[to] && distance < least) {
                    least = distance;
                    nearest = to;
                }
            }
            length += least;
            at = nearest;
        }
        return length;
    }

    /** Takes the jobs of one depot and adds them to its book. */
    static final class Dispatcher implements Runnable {
        final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
        private final int depot;
        private final boolean waiting;
        private double booked;

        Dispatcher(int depot, boolean waiting) {
            this.depot = depot;
            this.waiting = waiting;
        }

        @Override
        public void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    Job job = waiting ? jobs.take() : jobs.poll();
                    if (job != null) {
                        booked += job.kilometres() + depot;
                    }
                }
            } catch (InterruptedException e) {
                System.err.println("depot " + depot + " ends with " + booked + " km");
            }
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        FleetJobs fleet = new FleetJobs(fixed);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), Integer.parseInt(args[0])), 200);
        server.createContext("/", fleet::plan);
        server.setExecutor(Executors.newFixedThreadPool(
                16, Thread.ofPlatform().name("http-", 0).daemon().factory()));
        server.start();
        System.out.println("ready");
    }
}
