package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a worker thread of a server is doing, determined from its stack. A thread is idle only in its pool's own wait
 * for a task. An application may wait with the same JDK classes, for example for a database connection, and is then
 * busy.
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
    /** Waits for an element of a pool that the application uses, mostly a database connection. */
    POOL(true),
    /** Waits for another machine: for bytes of a socket, or for the answer of a client with threads of its own. */
    SOCKET(true),
    /** Reads the rest of a request from its client, or writes an answer to it. */
    CLIENT(true),
    /** Looks up the address of a name, or waits for another thread that does. */
    LOOKUP(true),
    /** Reads or writes a file, or a pipe. */
    FILE(true),
    /** Sleeps for a time that the code chose. */
    SLEEP(true),
    /** Waits for something else: another thread's result, a queue, a permit. */
    WAITING(true);

    /**
     * The methods with which a pool's thread fetches its next task. The class is the simple name of the outermost one,
     * because servers relocate them: the executors of Tomcat and the JDK, the pool that carries virtual threads, and the servers' own. Only
     * the pool's own loop calls these methods.
     */
    private static final Map<String, Set<String>> FETCHES = Stream.concat(
                    Stream.of(Map.of("ThreadPoolExecutor", Set.of("getTask"), "ForkJoinPool", Set.of("awaitWork"))),
                    WatchedServer.all().map(WatchedServer::fetches))
            .flatMap(m -> m.entrySet().stream())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    /** The classes in which a server selects and accepts, by the simple name of the outermost class; the JDK's own server is one. */
    private static final Set<String> CONNECTORS = Stream.concat(
                    Stream.of("ServerImpl"), WatchedServer.all().flatMap(s -> s.connectors().stream()))
            .collect(Collectors.toUnmodifiableSet());

    private static final List<String> SOCKETS = List.of("sun.nio.ch.", "java.net.", "java.nio.", "sun.security.ssl.");
    /** Frames of a thread that waits in the kernel for a socket. Other code in java.net or java.nio computes. */
    private static final List<String> SOCKET_CALLS =
            List.of("sun.nio.ch.", "java.net.Socket", "java.net.PlainSocketImpl", "java.net.AbstractPlainSocketImpl");

    /** Frames of a thread that asks the kernel or the C library about addresses. */
    private static final List<String> ADDRESS_CALLS = List.of("java.net.Inet4AddressImpl", "java.net.Inet6AddressImpl");

    /** Where a thread waits for another one that looks up the same name. */
    private static final List<String> LOOKUPS = List.of("java.net.InetAddress");

    /** Frames of a thread that waits in the kernel for a file. */
    private static final List<String> FILE_CALLS = List.of(
            "java.io.File", "java.io.RandomAccessFile", "java.io.UnixFileSystem", "sun.nio.fs.UnixNativeDispatcher");

    private static final List<String> FILE_CHANNELS =
            List.of("sun.nio.ch.FileChannelImpl", "sun.nio.ch.SimpleAsynchronousFile");

    /** Pools of connections and objects, by the package that a thread is in while it waits for one of them. */
    private static final Map<String, String> POOLS = Map.ofEntries(
            Map.entry("com.zaxxer.hikari.", "HikariCP"),
            Map.entry("org.apache.commons.pool2.", "commons-pool2"),
            Map.entry("org.apache.commons.pool.", "commons-pool"),
            Map.entry("org.apache.commons.dbcp", "DBCP"),
            Map.entry("org.apache.tomcat.dbcp.", "Tomcat DBCP"),
            Map.entry("org.apache.tomcat.jdbc.pool.", "Tomcat JDBC pool"),
            Map.entry("com.mchange.v2.resourcepool.", "c3p0"),
            Map.entry("io.agroal.pool.", "Agroal"),
            Map.entry("com.alibaba.druid.pool.", "Druid"),
            Map.entry("oracle.ucp.", "Oracle UCP"),
            Map.entry("org.vibur.", "Vibur"),
            Map.entry("io.r2dbc.pool.", "R2DBC pool"),
            Map.entry("org.apache.http.pool.", "Apache HttpClient's pool"),
            Map.entry("org.apache.http.impl.conn.", "Apache HttpClient's pool"),
            Map.entry("org.apache.hc.core5.pool.", "Apache HttpClient's pool"));

    /** Waiting here means waiting for bytes that other threads read: clients with threads of their own. */
    private static final List<String> REMOTE =
            List.of("jdk.internal.net.http.", "io.lettuce.core.", "io.grpc.stub.", "reactor.core.publisher.Blocking");

    /** The servers' own reads and writes, and their waits for the rest of a request or for room to write an answer. */
    private static final List<String> CLIENTS =
            WatchedServer.all().flatMap(s -> s.clients().stream()).toList();

    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantReadWriteLock",
            "java.util.concurrent.locks.StampedLock");

    /** Any of those methods: few frames are of one, so that few classes have to be looked up. */
    private static final Set<String> FETCH_METHODS =
            FETCHES.values().stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());

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
            return wakesSelector(stack) ? handsBack(state) : LEASED;
        }
        return switch (state) {
            case BLOCKED -> within(LOOKUPS, stack[0]) ? LOOKUP : LOCKED;
            case RUNNABLE, NEW, TERMINATED -> inTheKernel(stack);
            case WAITING, TIMED_WAITING -> waiting(stack);
        };
    }

    /** It has served a request and hands the connection back: it does not select itself. */
    private static boolean wakesSelector(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .takeWhile(f -> within(SOCKETS, f))
                .anyMatch(f -> f.getMethodName().equals("wakeup"));
    }

    /** Its turn at the selector's own lock is short: who waits there mostly waits for a CPU that the holder has lost. */
    private static WorkerState handsBack(Thread.State state) {
        return state == Thread.State.RUNNABLE ? RUNNING : WAITING;
    }

    private static WorkerState inTheKernel(StackTraceElement[] stack) {
        if (within(FILE_CALLS, stack[0])) {
            return FILE;
        }
        if (within(ADDRESS_CALLS, stack[0])) {
            // it asks the machine itself whether that is there
            return stack[0].getMethodName().startsWith("isReachable") ? SOCKET : LOOKUP;
        }
        if (!within(SOCKET_CALLS, stack[0])) {
            return RUNNING;
        }
        // the dispatchers of files and sockets share their native methods in some JDKs
        boolean file = Arrays.stream(stack).takeWhile(f -> within(SOCKETS, f)).anyMatch(f -> within(FILE_CHANNELS, f));
        return file ? FILE : client(first(stack, f -> !within(SOCKETS, f))) ? CLIENT : SOCKET;
    }

    private static boolean client(Optional<StackTraceElement> caller) {
        return caller.filter(f -> within(CLIENTS, f)).isPresent();
    }

    /**
     * The top frames from java.util.concurrent show how the thread waits; the first frame below them shows for what.
     */
    private static WorkerState waiting(StackTraceElement[] stack) {
        if (stack[0].getClassName().equals("java.lang.Thread")) {
            return stack[0].getMethodName().startsWith("sleep") ? SLEEP : WAITING;
        }
        Optional<StackTraceElement> caller = first(stack, f -> !waits(f));
        if (caller.filter(f -> within(LOOKUPS, f)).isPresent()) {
            return LOOKUP;
        }
        if (Arrays.stream(stack).takeWhile(WorkerState::waits).anyMatch(f -> within(LOCKS, f))) {
            return LOCKED;
        }
        if (pool(stack).isPresent()) {
            return POOL;
        }
        if (client(caller)) {
            return CLIENT;
        }
        return caller.filter(f -> within(REMOTE, f)).isPresent() ? SOCKET : WAITING;
    }

    /** The kind of pool that a waiting thread waits for; empty if it waits for none. */
    public static Optional<String> pool(StackTraceElement[] stack) {
        return first(stack, f -> !waits(f))
                .flatMap(f -> POOLS.entrySet().stream()
                        .filter(p -> f.getClassName().startsWith(p.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst());
    }

    /** A description of what a thread in this state does. */
    String words() {
        return switch (this) {
            case IDLE -> "waits for a task";
            case LEASED -> "accepts or selects";
            case RUNNING -> Sighting.RUNS;
            case LOCKED -> "waits for a lock";
            case POOL -> "waits for a pool";
            case SOCKET -> Sighting.WAITS_SOCKET;
            case CLIENT -> Sighting.USES_CLIENT;
            case LOOKUP -> Sighting.LOOKS_UP;
            case FILE -> Sighting.USES_FILE;
            case SLEEP -> Sighting.SLEEPS;
            case WAITING -> Sighting.WAITS_OTHER;
        };
    }

    /** The timeline signal that counts threads in this state; leased threads run no request and have none. */
    public Optional<String> signal() {
        return switch (this) {
            case LEASED -> Optional.empty();
            case LOCKED -> Optional.of(Signals.WAIT_LOCK);
            case WAITING -> Optional.of(Signals.WAIT_OTHER);
            case IDLE -> Optional.of(Signals.WAIT_IDLE);
            case RUNNING -> Optional.of(Signals.WAIT_RUNNING);
            case POOL -> Optional.of(Signals.WAIT_POOL);
            case SOCKET -> Optional.of(Signals.WAIT_SOCKET);
            case CLIENT -> Optional.of(Signals.WAIT_CLIENT);
            case LOOKUP -> Optional.of(Signals.WAIT_LOOKUP);
            case FILE -> Optional.of(Signals.WAIT_FILE);
            case SLEEP -> Optional.of(Signals.WAIT_SLEEP);
        };
    }

    /** Whether a wait with this stack is a pool's for a task, or a connector's for a connection: no request waits. */
    public static boolean waitsForWork(StackTraceElement[] stack) {
        return stack.length == 0
                || Arrays.stream(stack).anyMatch(WorkerState::fetches)
                || first(stack, f -> !within(SOCKETS, f) && !waits(f))
                        .map(f -> CONNECTORS.contains(outermost(f)))
                        .orElse(false);
    }

    private static boolean fetches(StackTraceElement f) {
        return FETCH_METHODS.contains(f.getMethodName())
                && FETCHES.getOrDefault(outermost(f), Set.of()).contains(f.getMethodName());
    }

    private static boolean waits(StackTraceElement f) {
        return f.getClassName().startsWith("java.util.concurrent.")
                || f.getClassName().startsWith("jdk.internal.misc.")
                || f.getClassName().startsWith("sun.misc.Unsafe")
                || f.getClassName().equals("java.lang.Object");
    }

    private static boolean within(List<String> names, StackTraceElement f) {
        for (String name : names) {
            if (f.getClassName().startsWith(name)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<StackTraceElement> first(StackTraceElement[] stack, Predicate<StackTraceElement> what) {
        return Arrays.stream(stack).filter(what).findFirst();
    }

    /** {@code Pool} for {@code org.server.Pool$Worker}. */
    private static String outermost(StackTraceElement f) {
        String name = f.getClassName().substring(f.getClassName().lastIndexOf('.') + 1);
        return name.indexOf('$') > 0 ? name.substring(0, name.indexOf('$')) : name;
    }
}
