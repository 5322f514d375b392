package dev.fettle.watch;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

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

    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private final Iterable<GarbageCollectorMXBean> collectors;
    private final HotSpotDiagnosticMXBean hotspot;
    private final RuntimeMXBean runtime;
    private final String prefix;

    private JvmProbe(
            JMXConnector connector,
            ThreadMXBean threads,
            Iterable<GarbageCollectorMXBean> collectors,
            HotSpotDiagnosticMXBean hotspot,
            RuntimeMXBean runtime,
            String prefix) {
        this.connector = connector;
        this.threads = threads;
        this.collectors = collectors;
        this.hotspot = hotspot;
        this.runtime = runtime;
        this.prefix = prefix;
    }

    /**
     * Attaches to a JVM.
     *
     * @throws IOException if the process is no JVM, belongs to somebody else, or has attaching switched off
     */
    @SuppressWarnings(
            "BanJNDI") // the address is handed over by a JVM of the same user, which we started, not by a network
    public static JvmProbe attach(long pid, String workerPrefix) throws IOException {
        VirtualMachine vm;
        try {
            vm = VirtualMachine.attach(Long.toString(pid));
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to the JVM with pid " + pid + ": " + e.getMessage(), e);
        }
        String url;
        try {
            url = vm.startLocalManagementAgent();
        } finally {
            vm.detach();
        }
        JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url));
        try {
            var mbeans = connector.getMBeanServerConnection();
            return new JvmProbe(
                    connector,
                    ManagementFactory.getPlatformMXBean(mbeans, ThreadMXBean.class),
                    ManagementFactory.getPlatformMXBeans(mbeans, GarbageCollectorMXBean.class),
                    ManagementFactory.getPlatformMXBean(mbeans, HotSpotDiagnosticMXBean.class),
                    ManagementFactory.getPlatformMXBean(mbeans, RuntimeMXBean.class),
                    workerPrefix);
        } catch (IOException | RuntimeException e) {
            connector.close();
            throw e;
        }
    }

    @Override
    public Optional<Sample> sample() {
        try {
            int workers = 0;
            int busy = 0;
            for (ThreadInfo t : threads.dumpAllThreads(false, false, DEPTH)) {
                if (t == null || !t.getThreadName().startsWith(prefix)) {
                    continue;
                }
                State state = state(t.getStackTrace());
                workers += state == State.LEASED ? 0 : 1;
                busy += state == State.BUSY ? 1 : 0;
            }
            long gc = 0;
            for (GarbageCollectorMXBean c : collectors) {
                gc += Math.max(0, c.getCollectionTime());
            }
            return Optional.of(new Sample(
                    OptionalDouble.of(busy),
                    OptionalDouble.of(workers),
                    OptionalDouble.empty(),
                    OptionalDouble.of(gc)));
        } catch (RuntimeException e) {
            return Optional.empty(); // the JVM is gone or does not answer
        }
    }

    /** The effective value of a JVM option; empty if this JVM has no such option. */
    public Optional<String> vmOption(String name) {
        try {
            return Optional.of(hotspot.getVMOption(name).getValue());
        } catch (RuntimeException e) {
            return Optional.empty(); // unknown there, or the JVM is gone
        }
    }

    /** A system property of the JVM; empty if it has none of that name. */
    public Optional<String> systemProperty(String name) {
        try {
            return Optional.ofNullable(runtime.getSystemProperties().get(name));
        } catch (RuntimeException e) {
            return Optional.empty(); // the JVM is gone
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
        try {
            connector.close();
        } catch (IOException e) {
            return; // the target went first
        }
    }
}
