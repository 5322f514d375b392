package dev.fettle.watch;

import java.io.IOException;
import java.lang.management.ThreadInfo;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Looks at the worker threads of any HotSpot JVM of the same user, through the attach API and JMX, without the
 * program's help: a worker is a thread whose name starts with a prefix, and it is busy unless its stack shows it
 * waiting for work in its pool. Threads that accept or select are not counted: they run no request.
 */
public final class JvmProbe implements WorkerProbe {
    /** Methods in which a pool's thread waits for its next task; one of them in the stack means idle. */
    private static final Set<String> IDLE_METHODS = Set.of(
            "java.util.concurrent.LinkedBlockingQueue.take",
            "java.util.concurrent.LinkedBlockingQueue.poll",
            "java.util.concurrent.LinkedTransferQueue.poll",
            "java.util.concurrent.SynchronousQueue.poll",
            "java.util.concurrent.SynchronousQueue.take",
            "java.util.concurrent.ArrayBlockingQueue.take",
            "java.util.concurrent.ThreadPoolExecutor.getTask",
            "java.util.concurrent.ForkJoinPool.awaitWork");

    /** Method names that mean the same in a server's own (perhaps relocated) classes. */
    private static final Set<String> IDLE_NAMES =
            Set.of("idleJobPoll", "reservedWait", "getTask", "awaitWork", "safeAwait");

    /** Methods of threads that a pool has leased to its connector for ever: they accept and select, and run no request. */
    private static final Set<String> LEASED_METHODS = Set.of(
            "sun.nio.ch.EPollSelectorImpl.doSelect",
            "sun.nio.ch.PollSelectorImpl.doSelect",
            "sun.nio.ch.ServerSocketChannelImpl.accept",
            "java.net.ServerSocket.accept");

    private static final int DEPTH = 24;

    private final RunningJvm jvm;
    private final String prefix;
    private final boolean owned;

    private JvmProbe(RunningJvm jvm, String prefix, boolean owned) {
        this.jvm = jvm;
        this.prefix = prefix;
        this.owned = owned;
    }

    /** Over a connection that somebody else closes. */
    static JvmProbe over(RunningJvm jvm, String workerPrefix) {
        return new JvmProbe(jvm, workerPrefix, false);
    }

    /**
     * Attaches to a JVM.
     *
     * @throws IOException if the process is no JVM, belongs to somebody else, or has attaching switched off
     */
    public static JvmProbe attach(long pid, String workerPrefix) throws IOException {
        return new JvmProbe(RunningJvm.attach(pid), workerPrefix, true);
    }

    @Override
    public Optional<Sample> sample() {
        try {
            int workers = 0;
            int busy = 0;
            for (ThreadInfo t : jvm.threads().dumpAllThreads(false, false, DEPTH)) {
                if (t == null || !t.getThreadName().startsWith(prefix)) {
                    continue;
                }
                State state = state(t.getStackTrace());
                workers += state == State.LEASED ? 0 : 1;
                busy += state == State.BUSY ? 1 : 0;
            }
            return Optional.of(new Sample(
                    OptionalDouble.of(busy),
                    OptionalDouble.of(workers),
                    OptionalDouble.empty(),
                    OptionalDouble.of(jvm.gcMillis())));
        } catch (RuntimeException e) {
            return Optional.empty(); // the JVM is gone or does not answer
        }
    }

    /** What a pool's thread is doing. */
    enum State {
        BUSY,
        IDLE,
        LEASED
    }

    /** What a stack says of a pool's thread. */
    static State state(StackTraceElement[] stack) {
        for (StackTraceElement f : stack) {
            String method = f.getClassName() + "." + f.getMethodName();
            if (IDLE_NAMES.contains(f.getMethodName()) || IDLE_METHODS.contains(method)) {
                return State.IDLE;
            }
            if (LEASED_METHODS.contains(method)) {
                return State.LEASED;
            }
        }
        return stack.length == 0 ? State.IDLE : State.BUSY;
    }

    @Override
    public void close() {
        if (owned) {
            jvm.close();
        }
    }
}
