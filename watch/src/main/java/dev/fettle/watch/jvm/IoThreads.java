package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.LookRate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The threads that read and write for many connections each and may run the application's code: XNIO's (Undertow), and
 * the event loops of Netty and what is built on it. Such a thread should only select or work; if it waits for anything
 * else, all its connections wait, too. Jetty's selectors are threads of its pool and are treated as workers; Tomcat's
 * poller runs no application code.
 */
final class IoThreads {
    /** The kind of sighting of a frame that holds one up. */
    static final String FRAME = "io.frame";

    private static final Pattern NAMES =
            Pattern.compile("XNIO-\\d+ I/O-\\d+|.*[eE]vent-?[lL]oop.*|reactor-(http|tcp)-(nio|epoll|kqueue|uring).*");

    /** Stacks read in one look. */
    private static final int MOST = 16;

    /**
     * Listing all thread names is expensive. If none is found, the search is repeated at most this often, this many
     * looks apart.
     */
    private static final int SEARCHES = 4;

    private static final int APART = 8;

    private final RunningJvm jvm;
    private final LookRate rate = LookRate.ofTarget("I/O threads' stacks");
    private final Map<String, Map<String, Integer>> seen = new HashMap<>();
    private long[] ids = {};
    private int searches;
    private int looks;

    IoThreads(RunningJvm jvm) {
        this.jvm = jvm;
    }

    /**
     * Reports how many there are and how many are held up, if a look is due and there are any.
     *
     * @param now in nanoseconds
     * @throws RuntimeException if the JVM does not answer
     */
    void read(long now, Map<String, Double> figures) {
        if (!isDue(now)) {
            return;
        }
        long cpu = jvm.costNanos();
        if (ids.length == 0 && looks++ % APART == 0 && searches++ < SEARCHES) {
            ids = jvm.look(jvm.threads().getAllThreadIds(), 0).stream()
                    .filter(t -> NAMES.matcher(t.name()).matches())
                    .mapToLong(SeenThread::id)
                    .limit(MOST)
                    .toArray();
        }
        if (ids.length > 0) {
            List<SeenThread> threads = jvm.look(ids, JvmProbe.DEPTH);
            List<SeenThread> held =
                    threads.stream().filter(t -> heldUp(t.state(), t.stack())).toList();
            held.forEach(t -> note(
                    WaitTally.caller(t.stack()),
                    WorkerState.of(t.state(), t.stack()).words()));
            figures.put(Signals.IO_THREADS, (double) threads.size());
            figures.put(Signals.IO_BLOCKED, (double) held.size());
        }
        rate.looked(now, jvm.costNanos() - cpu);
    }

    /** Whether {@link #read} would look: not where none were found. */
    boolean isDue(long now) {
        return (ids.length > 0 || searches < SEARCHES) && rate.due(now);
    }

    /** Whether there are any. */
    boolean found() {
        return ids.length > 0;
    }

    private synchronized void note(String frame, String doing) {
        seen.computeIfAbsent(frame, _ -> new HashMap<>()).merge(doing, 1, Integer::sum);
    }

    /** The warm-up is over: what it showed is forgotten. */
    synchronized void measuringBegins() {
        seen.clear();
    }

    /** Where the threads that were held up waited, the most frequent first. */
    synchronized List<Sighting> sightings() {
        return seen.entrySet().stream()
                .map(e -> {
                    Map.Entry<String, Integer> most = e.getValue().entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .orElseThrow();
                    int all = e.getValue().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum();
                    return new Sighting(FRAME, e.getKey(), all, most.getKey());
                })
                .sorted(Comparator.comparingDouble(Sighting::count).reversed().thenComparing(Sighting::what))
                .toList();
    }

    /**
     * The server's own packages: if the innermost frame outside the JDK is in one of them, the wait is the server's,
     * such as for handing over work.
     */
    private static final List<String> SERVERS = List.of("org.xnio.", "io.undertow.", "org.jboss.threads.", "io.netty.");

    /** Whether the application's code makes a thread wait for something other than its connections or work. */
    static boolean heldUp(Thread.State state, StackTraceElement[] stack) {
        if (stack.length == 0
                || SERVERS.stream().anyMatch(WaitTally.caller(stack)::startsWith)
                || Arrays.stream(stack).limit(8).anyMatch(IoThreads::selects)) {
            return false;
        }
        return switch (state) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            case RUNNABLE -> Arrays.stream(stack).takeWhile(IoThreads::ofJdk).anyMatch(IoThreads::blocks);
            case NEW, TERMINATED -> false;
        };
    }

    private static boolean selects(StackTraceElement f) {
        String c = f.getClassName();
        return c.startsWith("sun.nio.ch.") && c.endsWith("SelectorImpl")
                || c.startsWith("io.netty.channel.")
                        && (f.getMethodName().contains("Wait")
                                || f.getMethodName().equals("select"))
                || c.startsWith("io.netty.channel.uring.") && f.getMethodName().startsWith("ioUringEnter");
    }

    /** Whether a frame is a call that waits in the kernel; a non-blocking read or write of a channel is not. */
    private static boolean blocks(StackTraceElement f) {
        String c = f.getClassName();
        return c.startsWith("sun.nio.ch.NioSocketImpl")
                || c.equals("sun.nio.ch.Net") && f.getMethodName().equals("poll")
                || c.startsWith("java.net.SocketInputStream")
                || c.startsWith("java.net.PlainSocketImpl")
                || c.startsWith("java.net.Inet4AddressImpl")
                || c.startsWith("java.net.Inet6AddressImpl");
    }

    private static boolean ofJdk(StackTraceElement f) {
        String c = f.getClassName();
        return c.startsWith("java.") || c.startsWith("sun.") || c.startsWith("jdk.");
    }
}
