package dev.fettle.watch.jvm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a worker thread of a server is doing, as its stack shows it. A thread is idle only where it stands in its pool's own
 * wait for a task: an application waits with the same classes of the JDK, for a connection of a database pool for example,
 * and then it is busy.
 */
public enum WorkerState {
    /** Waits for a task of its pool. */
    IDLE(false),
    /** Its pool has leased it to a connector: it accepts or selects, and runs no request. */
    LEASED(false),
    /** Runs, or would if it had a CPU. */
    RUNNING(true),
    /** Waits for a monitor or a lock that another thread holds. */
    LOCKED(true),
    /** Waits for bytes of a socket. */
    SOCKET(true),
    /** Waits for something else: a connection of a pool, a result of another thread, a time to pass. */
    WAITING(true);

    /**
     * The methods in which a pool's thread fetches its next task, by the simple name of the outermost class, for servers
     * relocate them: Tomcat's and the JDK's executors, Jetty's pool and its reserved threads, that of XNIO (Undertow), and the
     * one that carries virtual threads. Nobody but the pool's own loop calls them.
     */
    private static final Map<String, Set<String>> FETCHES = Map.of(
            "ThreadPoolExecutor", Set.of("getTask"),
            "QueuedThreadPool", Set.of("idleJobPoll"),
            "ReservedThreadExecutor", Set.of("waitForTask", "reservedWait"),
            "EnhancedQueueExecutor", Set.of("park"),
            "ForkJoinPool", Set.of("awaitWork"));

    /** The classes in which a server selects and accepts, by the simple name of the outermost class. */
    private static final Set<String> CONNECTORS = Set.of(
            "ManagedSelector",
            "ServerConnector",
            "NioEndpoint",
            "Acceptor",
            "WorkerThread",
            "QueuedNioTcpServer",
            "ServerImpl");

    private static final List<String> SOCKETS = List.of("sun.nio.ch.", "java.net.", "java.nio.", "sun.security.ssl.");
    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantReadWriteLock",
            "java.util.concurrent.locks.StampedLock");

    private final boolean busy;

    WorkerState(boolean busy) {
        this.busy = busy;
    }

    /** Whether it has a request. */
    public boolean busy() {
        return busy;
    }

    /**
     * What a worker thread does.
     *
     * @param state the JVM's word for it
     * @param stack the innermost frames first; it may be cut off after some twenty
     */
    public static WorkerState of(Thread.State state, StackTraceElement[] stack) {
        if (stack.length == 0 || Arrays.stream(stack).anyMatch(WorkerState::fetches)) {
            return IDLE;
        }
        // a carrier waits while its virtual thread runs
        if (stack[0].getClassName().equals("jdk.internal.vm.Continuation")) {
            return RUNNING;
        }
        if (first(stack, f -> !within(SOCKETS, f))
                        .map(f -> CONNECTORS.contains(outermost(f)))
                        .orElse(false)
                && within(SOCKETS, stack[0])) {
            return LEASED;
        }
        return switch (state) {
            case BLOCKED -> LOCKED;
            case RUNNABLE, NEW, TERMINATED -> within(SOCKETS, stack[0]) ? SOCKET : RUNNING;
            case WAITING, TIMED_WAITING ->
                // the frames of java.util.concurrent on top of the stack are how it waits
                Arrays.stream(stack).takeWhile(WorkerState::waits).anyMatch(f -> within(LOCKS, f)) ? LOCKED : WAITING;
        };
    }

    private static boolean fetches(StackTraceElement f) {
        return FETCHES.getOrDefault(outermost(f), Set.of()).contains(f.getMethodName());
    }

    private static boolean waits(StackTraceElement f) {
        return f.getClassName().startsWith("java.util.concurrent.")
                || f.getClassName().startsWith("jdk.internal.misc.");
    }

    private static boolean within(List<String> names, StackTraceElement f) {
        return names.stream().anyMatch(f.getClassName()::startsWith);
    }

    private static Optional<StackTraceElement> first(StackTraceElement[] stack, Predicate<StackTraceElement> what) {
        return Arrays.stream(stack).filter(what).findFirst();
    }

    /** {@code Pool} of {@code org.server.Pool$Worker}. */
    private static String outermost(StackTraceElement f) {
        String name = f.getClassName().substring(f.getClassName().lastIndexOf('.') + 1);
        return name.indexOf('$') > 0 ? name.substring(0, name.indexOf('$')) : name;
    }
}
