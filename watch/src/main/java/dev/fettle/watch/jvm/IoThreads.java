package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.LookRate;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The threads that read and write for many connections each and may run the application's code: XNIO's (Undertow), and the event
 * loops of Netty and what is built on it. Such a thread selects, or works; one that waits for anything else keeps all its connections
 * waiting. Jetty's selectors are threads of its pool, and are looked at as workers are; Tomcat's poller runs no code of others.
 */
final class IoThreads {
    private static final Pattern NAMES =
            Pattern.compile("XNIO-\\d+ I/O-\\d+|.*[eE]vent-?[lL]oop.*|reactor-(http|tcp)-(nio|epoll|kqueue|uring).*");

    /** Stacks read in one look. */
    private static final int MOST = 16;

    /** To list all threads' names is dear: where none is found, they are looked for this often at most, and this many looks apart. */
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
     * Tells how many there are and how many are held up, if a look is due and there are some.
     *
     * @param now in nanoseconds
     * @throws RuntimeException if the JVM does not answer
     */
    void read(long now, Map<String, Double> figures) {
        if (!rate.due(now)) {
            return;
        }
        long cpu = jvm.costNanos();
        if (ids.length == 0 && looks++ % APART == 0 && searches++ < SEARCHES) {
            ids = Arrays.stream(jvm.threads().getThreadInfo(jvm.threads().getAllThreadIds()))
                    .filter(Objects::nonNull)
                    .filter(t -> NAMES.matcher(t.getThreadName()).matches())
                    .mapToLong(ThreadInfo::getThreadId)
                    .limit(MOST)
                    .toArray();
        }
        if (ids.length > 0) {
            List<ThreadInfo> threads = Arrays.stream(jvm.threads().getThreadInfo(ids, JvmProbe.DEPTH))
                    .filter(Objects::nonNull)
                    .toList();
            List<ThreadInfo> held = threads.stream()
                    .filter(t -> heldUp(t.getThreadState(), t.getStackTrace()))
                    .toList();
            held.forEach(t -> note(
                    WaitTally.caller(t.getStackTrace()),
                    WorkerState.of(t.getThreadState(), t.getStackTrace()).words()));
            figures.put(Signals.IO_THREADS, (double) threads.size());
            figures.put(Signals.IO_BLOCKED, (double) held.size());
        }
        rate.looked(now, jvm.costNanos() - cpu);
    }

    /** Whether there are some. */
    boolean found() {
        return ids.length > 0;
    }

    private synchronized void note(String frame, String doing) {
        seen.computeIfAbsent(frame, _ -> new HashMap<>()).merge(doing, 1, Integer::sum);
    }

    /** Where those that were held up were, the most frequent first. */
    synchronized List<Sighting> sightings() {
        return seen.entrySet().stream()
                .map(e -> {
                    Map.Entry<String, Integer> most = e.getValue().entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .orElseThrow();
                    int all = e.getValue().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum();
                    return new Sighting("io.frame", e.getKey(), all, most.getKey());
                })
                .toList();
    }

    /** Their own: where the innermost frame outside the JDK is in one of these, a server hands over work, for example. */
    private static final List<String> SERVERS = List.of("org.xnio.", "io.undertow.", "org.jboss.threads.", "io.netty.");

    /** Whether the application's code has a thread wait for something that is neither one of its connections nor work for it. */
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

    /** The calls that wait in the kernel; a channel's read or write that does not block is none of them. */
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
