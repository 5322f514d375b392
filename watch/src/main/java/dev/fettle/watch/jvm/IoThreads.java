package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SamplingRate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

    /** Stacks read in one look; of more threads, so many chosen anew each time. */
    static final int MOST = 16;

    /** Looks for their own sake while none has been found; then they are looked for when something else is read. */
    private static final int SEARCHES = 4;

    /**
     * Listing all thread names is expensive, so this many looks apart, and only if threads have been started or one has ended:
     * Netty starts an event loop with its first connection.
     */
    static final int APART = 8;

    private final Threads jvm;
    private final SamplingRate rate = SamplingRate.ofTarget("I/O threads' stacks");
    private final Random random = new Random(1);
    private final Map<String, Map<String, Integer>> seen = new HashMap<>();
    private long[] ids = {};
    private long started = -1;
    private boolean oneEnded;
    private int searches;
    private int looks;

    IoThreads(RunningJvm jvm) {
        this(new Threads() {
            @Override
            public long started() {
                return jvm.threads().getTotalStartedThreadCount();
            }

            @Override
            public List<SeenThread> named() {
                return jvm.look(jvm.threads().getAllThreadIds(), 0);
            }

            @Override
            public List<SeenThread> look(long[] ids) {
                return jvm.look(ids, JvmProbe.DEPTH);
            }

            @Override
            public long costNanos() {
                return jvm.costNanos();
            }
        });
    }

    IoThreads(Threads jvm) {
        this.jvm = jvm;
    }

    /** What is asked of the JVM. */
    interface Threads {
        /** How many threads have been started so far. */
        long started();

        /** All threads, without stacks. */
        List<SeenThread> named();

        /** Those of some that have not ended, with stacks. */
        List<SeenThread> look(long[] ids);

        /** {@link RunningJvm#costNanos}. */
        long costNanos();
    }

    /**
     * Reports how many there are and how many are held up, if a look is due and there are any.
     *
     * @param now in nanoseconds
     * @throws RuntimeException if the JVM does not answer
     */
    void read(long now, Map<String, Double> figures) {
        if (!rate.due(now)) {
            return;
        }
        long cpu = jvm.costNanos();
        if (looks++ % APART == 0) {
            search();
        }
        if (ids.length > 0) {
            long[] some = some();
            List<SeenThread> threads = jvm.look(some);
            oneEnded |= threads.size() < some.length;
            List<SeenThread> held =
                    threads.stream().filter(t -> heldUp(t.state(), t.stack())).toList();
            held.forEach(t -> note(
                    WaitTally.caller(t.stack()),
                    WorkerState.of(t.state(), t.stack()).words()));
            double each = (double) ids.length / some.length;
            figures.put(Signals.IO_THREADS, each * threads.size());
            figures.put(Signals.IO_BLOCKED, each * held.size());
        }
        rate.looked(now, jvm.costNanos() - cpu);
    }

    private void search() {
        long now = jvm.started();
        searches++;
        if (now == started && !oneEnded) {
            return;
        }
        started = now;
        oneEnded = false;
        ids = jvm.named().stream()
                .filter(t -> NAMES.matcher(t.name()).matches())
                .mapToLong(SeenThread::id)
                .toArray();
    }

    private long[] some() {
        for (int i = 0; i < MOST && ids.length > MOST; i++) {
            int j = i + random.nextInt(ids.length - i);
            long chosen = ids[j];
            ids[j] = ids[i];
            ids[i] = chosen;
        }
        return Arrays.copyOf(ids, Math.min(MOST, ids.length));
    }

    /** Whether a look is due for its own sake: not where none were found. */
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
