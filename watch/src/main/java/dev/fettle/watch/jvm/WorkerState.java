package dev.fettle.watch.jvm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a worker thread of a server is doing, told from its stack. A thread is idle only in its pool's own wait for a
 * task. An application waits with the same JDK classes, for example for a database connection, and is then busy.
 */
public enum WorkerState {
    /** Waits for a task of its pool. */
    IDLE(false),
    /** Leased by its pool to a connector: it accepts or selects, and runs no request. */
    LEASED(false),
    /** Runs, or is ready to run. */
    RUNNING(true),
    /** Waits for a monitor or a lock that another thread holds. */
    LOCKED(true),
    /** Waits for bytes from a socket. */
    SOCKET(true),
    /** Waits for something else: a pooled connection, another thread's result, a time to pass. */
    WAITING(true);

    /**
     * The methods with which a pool's thread fetches its next task. The class is the simple name of the outermost one,
     * because servers relocate them: the executors of Tomcat and the JDK, Jetty's pool and its reserved threads, XNIO's
     * (Undertow), and the pool that carries virtual threads. Only the pool's own loop calls these methods.
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

    /** Whether it is working on a request. */
    public boolean busy() {
        return busy;
    }

    /**
     * What a worker thread is doing.
     *
     * @param state the state according to the JVM
     * @param stack innermost frames first; it may be cut off after about twenty
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
                // the java.util.concurrent frames on top of the stack show how it waits
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
