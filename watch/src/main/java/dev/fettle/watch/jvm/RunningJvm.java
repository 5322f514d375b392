package dev.fettle.watch.jvm;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.watch.host.CpuOfThreads;
import dev.fettle.watch.host.OwnCpu;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import jdk.management.jfr.FlightRecorderMXBean;
import org.jspecify.annotations.Nullable;

/**
 * A HotSpot JVM of the same user, started by any process, through the attach API and JMX: everything that reads a JVM goes through this.
 * Attaching starts the JVM's own management agent, as jconsole does, which listens on a port of all addresses, serves connections from
 * this machine only and stays until the JVM ends; nothing else changes but that recordings of a Fettle that was killed are closed. What
 * the agent answers is read by {@link JmxDoor}.
 */
public final class RunningJvm implements AutoCloseable {
    /**
     * The attach API itself gives up after ten seconds if the JVM does not listen; this is for one that listens and never
     * answers.
     */
    private static final Duration ATTACH_BOUND = Duration.ofSeconds(12);

    /** A library may first read the JVM's symbols. */
    private static final Duration LOAD_BOUND = Duration.ofSeconds(30);

    /** What a JVM throws that has lost the files of its JDK. */
    private static final Set<String> UNLOADED =
            Set.of("ExceptionInInitializerError", "NoClassDefFoundError", "ServiceConfigurationError");

    /** Timeout for closing the connection: a JVM that does not answer (stopped, or in a long pause) never closes it. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(2);

    /** How long a look into it is waited for: the load goes on meanwhile, and is not looked at. */
    static final Duration LOOK_BOUND = Duration.ofMillis(400);

    /** Readings of its CPU time between two lists of its threads; an even number, so that the two of one look have the same list. */
    private static final int LIST_EVERY = 64;

    /** Of this process: whoever attaches knows whom another has asked in vain. */
    private static final AttachCheck CHECK = new AttachCheck(Path.of("/proc"));

    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final ThreadMXBean threads;
    private final List<GarbageCollectorMXBean> collectors;
    private final HotSpotDiagnosticMXBean hotspot;
    private final RuntimeMXBean runtime;

    private final CpuOfThreads answering;
    private int recordingsClosed;

    /** Makes the calls that may never come back, for all who look into this JVM again and again: one is inside it at a time. */
    private final Executor asker = CallTimeout.asker();

    private final long pid;

    private RunningJvm(long pid, JMXConnector connector) throws IOException {
        this.pid = pid;
        this.answering = new CpuOfThreads(Path.of("/proc"), pid, RunningJvm::answers, LIST_EVERY);
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
        this.threads = ManagementFactory.getPlatformMXBean(beans, ThreadMXBean.class);
        this.collectors = ManagementFactory.getPlatformMXBeans(beans, GarbageCollectorMXBean.class).stream()
                .filter(c -> HeapBeans.pauses(c.getName()))
                .toList();
        this.hotspot = ManagementFactory.getPlatformMXBean(beans, HotSpotDiagnosticMXBean.class);
        this.runtime = ManagementFactory.getPlatformMXBean(beans, RuntimeMXBean.class);
    }

    /**
     * Attaches to a JVM. Recordings there of a Fettle that is gone are closed, see {@link OwnRecordings}.
     *
     * @throws IOException if the process is not a JVM, belongs to someone else, has attaching switched off, or does not
     *     answer
     */
    public static RunningJvm attach(long pid) throws IOException {
        return CallTimeout.once(ATTACH_BOUND, "the JVM with pid " + pid, () -> {
            VirtualMachine vm = virtualMachine(pid);
            String url;
            try {
                url = agent(vm, pid);
            } finally {
                vm.detach();
            }
            JMXConnector connector = JmxDoor.connect(url);
            try {
                var jvm = new RunningJvm(pid, connector);
                jvm.recordingsClosed = OwnRecordings.closeLeft(jvm);
                return jvm;
            } catch (IOException | RuntimeException e) {
                connector.close();
                throw e;
            }
        });
    }

    private static String agent(VirtualMachine vm, long pid) throws IOException {
        try {
            return vm.startLocalManagementAgent();
        } catch (AttachOperationFailedException e) {
            throw new IOException(
                    "the JVM with pid " + pid + " can't start its management agent: " + thrownThere(e), e);
        }
    }

    /** What was thrown in the JVM itself. */
    private static String thrownThere(AttachOperationFailedException e) {
        String words = OneLine.of(String.valueOf(e.getMessage()));
        return UNLOADED.stream().anyMatch(words::contains)
                ? "a class of its JDK can't be loaded there any more, as when something in it has changed its java.home, or its JDK was"
                        + " replaced while it ran (" + words + ")"
                : words;
    }

    /**
     * Loads a Java agent into a JVM, where it stays until the process ends.
     *
     * @throws IOException if that is not possible
     */
    public static void load(long pid, Path agent, String options) throws IOException {
        CallTimeout.once(ATTACH_BOUND, "the JVM with pid " + pid, () -> {
            VirtualMachine vm = virtualMachine(pid);
            try {
                vm.loadAgent(agent.toString(), options);
                return agent;
            } catch (AgentLoadException | AgentInitializationException e) {
                throw new IOException("the JVM with pid " + pid + " does not load the agent: " + e.getMessage(), e);
            } finally {
                vm.detach();
            }
        });
    }

    /**
     * Loads a native library into a JVM, where it stays until the process ends; if it is loaded already, passes it
     * options.
     *
     * @throws IOException if that is not possible, or the library reports an error, whose number is in the message
     */
    public static void loadNative(long pid, Path library, String options) throws IOException {
        CallTimeout.once(LOAD_BOUND, "the JVM with pid " + pid, () -> {
            VirtualMachine vm = virtualMachine(pid);
            try {
                vm.loadAgentPath(library.toString(), options);
                return library;
            } catch (AgentLoadException e) {
                throw new IOException("the JVM does not load it: " + e.getMessage(), e);
            } catch (AgentInitializationException e) {
                throw new IOException("it does not start in the JVM: it says " + e.returnValue(), e);
            } finally {
                vm.detach();
            }
        });
    }

    private static VirtualMachine virtualMachine(long pid) throws IOException {
        OptionalLong started = CHECK.started(pid);
        CHECK.check(pid);
        try {
            VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
            try {
                CHECK.checkSame(pid, started);
            } catch (IOException e) {
                vm.detach();
                throw e;
            }
            return vm;
        } catch (AttachNotSupportedException e) {
            CHECK.gotNoAnswer(pid);
            throw new IOException("cannot attach to the JVM with pid " + pid + ": " + e.getMessage(), e);
        }
    }

    /**
     * An attribute of an MBean, as text.
     *
     * @param bean its name, or a pattern that one bean matches
     * @throws IOException if there is no such bean or attribute, or several beans match
     */
    public String attribute(String bean, String attribute) throws IOException {
        try {
            List<ObjectName> found = List.copyOf(beans.queryNames(new ObjectName(bean), null));
            if (found.size() != 1) {
                throw new IOException(found.size() + " MBeans match " + bean);
            }
            return text(beans.getAttribute(found.getFirst(), attribute));
        } catch (JMException e) {
            throw new IOException(bean + " has no " + attribute + ": " + e, e);
        } catch (IllegalArgumentException e) {
            throw new IOException(attribute + " of " + bean + ": " + e.getMessage(), e);
        }
    }

    /**
     * A single value as text. Of a collection none is made: lists within lists, each there several times, would be written out again on each
     * level above.
     *
     * @throws IllegalArgumentException if it is not one
     */
    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String s -> s;
            case Number n -> n.toString();
            case Boolean b -> b.toString();
            case Character c -> c.toString();
            case Enum<?> e -> e.toString();
            case ObjectName o -> o.toString();
            default ->
                throw new IllegalArgumentException(
                        "the JVM answers with a " + value.getClass().getSimpleName() + ", not with a single value");
        };
    }

    /** Whether a thread of that kernel name works for whoever asks over JMX: the VM thread does while all others stand at a safepoint. */
    private static boolean answers(String thread) {
        return thread.startsWith("RMI TCP Connec") || thread.equals("VM Thread");
    }

    /**
     * CPU time so far of its threads that answer over JMX, of the thread that reads stacks while all others stand still, and of the asking
     * thread, in nanoseconds: the cost of a look. Wall-clock time if the kernel does not report it.
     */
    long costNanos() {
        OptionalLong theirs = answering.nanos();
        return theirs.isPresent() ? theirs.getAsLong() + OwnCpu.nanos() : System.nanoTime();
    }

    MBeanServerConnection beans() {
        return beans;
    }

    ThreadMXBean threads() {
        return threads;
    }

    /**
     * Its flight recorder.
     *
     * @throws IOException if it has none
     */
    public FlightRecorderMXBean recorder() throws IOException {
        if (!hasRecorder()) {
            throw new IOException(
                    "this JVM has no flight recorder that can be reached: Java 11 or later is needed, with the"
                            + " module jdk.management.jfr");
        }
        try {
            return JMX.newMXBeanProxy(
                    beans, new ObjectName(FlightRecorderMXBean.MXBEAN_NAME), FlightRecorderMXBean.class);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // it is a constant
        }
    }

    boolean hasRecorder() throws IOException {
        try {
            return beans.isRegistered(new ObjectName(FlightRecorderMXBean.MXBEAN_NAME));
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // it is a constant
        }
    }

    /** How many recordings of Fettles that are gone were closed when this attached. */
    public int recordingsClosed() {
        return recordingsClosed;
    }

    /** The process's id. */
    long pid() {
        return pid;
    }

    /** Its Java version's first number: 11, 17, 25. */
    public int feature() {
        String version = runtime.getSpecVersion();
        String number = version.startsWith("1.") ? version.substring(2) : version;
        return Integer.parseInt(number.replaceAll("[^0-9].*", ""));
    }

    /**
     * Makes a call to this JVM that may never come back.
     *
     * @throws IOException if there is no answer in time, or the call fails
     */
    public <T> T ask(Duration atMost, Callable<T> call) throws IOException {
        return CallTimeout.once(atMost, "the JVM", call);
    }

    /** Calls that are made again and again, one at a time with all others into this JVM. */
    <T> CallTimeout<T> patience() {
        return new CallTimeout<>(LOOK_BOUND, asker);
    }

    /**
     * A probe of this JVM that waits for a limited time only: while the JVM does not answer there are no samples. Closing it closes
     * the given one.
     */
    public WorkerProbe patient(WorkerProbe probe) {
        return new PatientProbe(probe, patience());
    }

    /** Names of its platform threads. */
    List<String> threadNames() {
        return look(threads.getAllThreadIds(), 0).stream().map(SeenThread::name).toList();
    }

    /**
     * What some threads do, without those that have ended.
     *
     * @param depth innermost frames of each that are read
     * @throws RuntimeException if the JVM does not answer
     */
    List<SeenThread> look(long[] ids, int depth) {
        return look(ids, depth, false);
    }

    /**
     * The same.
     *
     * @param whole also with the lines of the frames, and how often each has waited
     */
    List<SeenThread> look(long[] ids, int depth, boolean whole) {
        if (ids.length == 0) {
            return List.of();
        }
        try {
            Object answer =
                    beans.invoke(SeenThread.BEAN, "getThreadInfo", new Object[] {ids, depth}, SeenThread.SIGNATURE);
            return SeenThread.of((CompositeData[]) answer, whole);
        } catch (JMException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Time in pauses for garbage collection since it started, in milliseconds. */
    long gcMillis() {
        return collectors.stream()
                .mapToLong(c -> Math.max(0, c.getCollectionTime()))
                .sum();
    }

    /** A probe for garbage collection only; closing it leaves the connection open. */
    public WorkerProbe collections() {
        return new WorkerProbe() {
            @Override
            public Optional<Sample> sample() {
                var none = OptionalFigure.empty();
                try {
                    return Optional.of(new Sample(none, none, none, OptionalFigure.of(gcMillis())));
                } catch (RuntimeException e) {
                    return Optional.empty(); // the JVM is gone or does not answer
                }
            }

            @Override
            public Optional<Sample> glance() {
                return Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    /** The effective value of a JVM option; empty if this JVM does not have the option. */
    public Optional<String> vmOption(String name) {
        try {
            return Optional.of(hotspot.getVMOption(name).getValue());
        } catch (RuntimeException e) {
            return Optional.empty(); // unknown there, or the JVM is gone
        }
    }

    /** The options that it was started with, without the arguments of its main class. */
    public List<String> options() {
        return List.copyOf(runtime.getInputArguments());
    }

    /** A system property of the JVM; empty if there is none of that name. */
    public Optional<String> systemProperty(String name) {
        try {
            return Optional.ofNullable(runtime.getSystemProperties().get(name));
        } catch (RuntimeException e) {
            return Optional.empty(); // the JVM is gone
        }
    }

    @Override
    public void close() {
        try {
            CallTimeout.once(CLOSE_BOUND, "the JVM", () -> {
                connector.close();
                return true;
            });
        } catch (IOException e) {
            return; // the target ended first, or stands still
        }
    }

    /** Whether a library was loaded as asked, and refused what it was asked for. */
    public static boolean refusedByAgent(IOException e) {
        return e.getCause() instanceof AgentInitializationException;
    }
}
