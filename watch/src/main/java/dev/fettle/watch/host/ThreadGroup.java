package dev.fettle.watch.host;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The purpose of a JVM's thread, by its name. The kernel keeps 15 characters of it: Tomcat's {@code
 * http-nio-127.0.0.1-8080-exec-1} becomes {@code http-nio-127.0.}, the same as for its acceptor and its poller.
 */
public enum ThreadGroup {
    ACCEPTOR(Signals.CPU_ACCEPTOR),
    IO(Signals.CPU_IO),
    WORKERS(Signals.CPU_WORKERS),
    GC(Signals.CPU_GC),
    JIT(Signals.CPU_JIT),
    APP(Signals.CPU_APP),
    OTHER(Signals.CPU_OTHER);

    /** Length of a name that the kernel may have truncated. */
    static final int CUT = 15;

    private static final Pattern COLLECTORS = Pattern.compile(
            "(GC Thread|G1 |VM Thread|Shenandoah|ParGC |Concurrent Mark|[ZX](Driver|Worker|Director|Stat|Uncommit|Unmap|Service|Page|Collector)).*");
    private static final Pattern COMPILERS = Pattern.compile("(C1 Compiler|C2 Compiler|JVMCI Compiler).*");
    private static final Pattern ACCEPTORS =
            Pattern.compile("(?!RMI )(.*[Aa]ccept.*|https?-.+-A|https?-.+-Ac(c(e(p)?)?)?)");
    private static final Pattern SELECTORS =
            Pattern.compile(".*(Poller|I/O|[Ss]elector|EventLoop|reactor-http|epoll).*|https?-.+-P(o(l(l(e)?)?)?)?");
    private static final Pattern POOLS = Pattern.compile(Stream.concat(
                    Arrays.stream(ServerKind.values()).map(s -> s.rules().workerThreads()),
                    Stream.of("ForkJoinPool-\\d"))
            .collect(Collectors.joining("|", "(", ").*")));
    private static final Pattern CONNECTOR = Pattern.compile("https?-(\\w+-)?[\\w.:\\[\\]%-]*");
    private static final List<String> OWN_OF_JVM = List.of(
            "java",
            "VM Periodic",
            "Signal Dispatch",
            "Finalizer",
            "Reference Handl",
            "Common-Cleaner",
            "Service Thread",
            "Monitor Deflati",
            "Attach Listener",
            "Notification Th",
            "DestroyJavaVM",
            "JFR ",
            "RMI ",
            "JMX ",
            "Sweeper",
            "process reaper",
            "VirtualThread-u",
            "JDWP",
            "StringDedup",
            "AsyncLog",
            "Cleaner-");

    private final String signal;

    ThreadGroup(String signal) {
        this.signal = signal;
    }

    /** Its signal on a timeline. */
    public String signal() {
        return signal;
    }

    /** Whether its threads serve requests: those of the server and of the application, not the JVM's own. */
    public boolean serves() {
        return this == ACCEPTOR || this == IO || this == WORKERS || this == APP;
    }

    /** The group of a thread by its name, whole or truncated by the kernel. */
    public static ThreadGroup of(String name) {
        if (COMPILERS.matcher(name).matches()) {
            return JIT;
        }
        if (COLLECTORS.matcher(name).matches()) {
            return GC;
        }
        if (OWN_OF_JVM.stream().anyMatch(name::startsWith)) {
            return OTHER;
        }
        if (ACCEPTORS.matcher(name).matches()) {
            return ACCEPTOR;
        }
        if (SELECTORS.matcher(name).matches()) {
            return IO;
        }
        return POOLS.matcher(name).matches() || unclear(name) ? WORKERS : APP;
    }

    /** Whether the kernel truncated a connector's name to the part that its acceptor, poller and workers share. */
    static boolean unclear(String name) {
        return name.length() == CUT
                && CONNECTOR.matcher(name).matches()
                && !ACCEPTORS.matcher(name).matches()
                && !SELECTORS.matcher(name).matches()
                && !POOLS.matcher(name).matches();
    }
}
