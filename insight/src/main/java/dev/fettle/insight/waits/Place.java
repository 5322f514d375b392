package dev.fettle.insight.waits;

import dev.fettle.insight.waits.FrameTable.Line;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.StackFrames;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a group of threads is at a moment: what its stack says, by {@link FrameTable}. */
final class Place {
    private static final FrameTable TABLE = FrameTable.get();

    /** Own methods that are looked at, from the innermost on. */
    private static final int MOST_OWN = 16;

    /** What the JDK waits for, whoever calls it. */
    private static final Set<String> SURE = Set.of("lookup", "process", "memory", "exit");

    /** What waits are made of: a library's pool may wait with a future. */
    private static final Set<String> MEANS = Set.of("future", "queue", "signal");

    /** One of the application's methods on the stack. */
    record Frame(String method, int line) {
        /** Its class, without those within: {@code shop.Cart} for {@code shop.Cart$1.total}. */
        String type() {
            String name = method.substring(0, Math.max(0, method.lastIndexOf('.')));
            int inner = name.indexOf('$');
            return inner > 0 ? name.substring(0, inner) : name;
        }
    }

    private final Group group;
    private final List<String> methods = new ArrayList<>();
    private final List<Frame> own = new ArrayList<>();
    private final Optional<Line> line;
    private final Wait doing;
    private final boolean loop;
    private final boolean server;
    private final boolean worker;
    private final boolean stream;
    private final boolean query;
    private final boolean validates;
    private final boolean lazy;
    private final boolean scheduled;
    private String loopName = "";

    Place(Group group, ThreadsSeen seen) {
        this.group = group;
        int first = -1;
        boolean isLoop = false;
        boolean isServer = false;
        boolean isWorker = false;
        boolean inStream = false;
        boolean inQuery = false;
        boolean inCheck = false;
        boolean loadsLazily = false;
        boolean isScheduled = false;
        Line idle = null;
        for (int at : group.stack()) {
            String frame = seen.frames().get(at);
            int colon = frame.lastIndexOf(':');
            String method = StackFrames.plain(colon < 0 ? frame : frame.substring(0, colon));
            if (method.contains("$$Lambda") || method.startsWith("0x")) {
                continue; // what the JVM makes of a lambda, which calls it
            }
            methods.add(method);
            if (TABLE.isOwn(method)) {
                first = first < 0 ? methods.size() - 1 : first;
                if (own.size() < MOST_OWN) {
                    own.add(new Frame(method, colon < 0 ? -1 : Integer.parseInt(frame.substring(colon + 1))));
                }
                continue;
            }
            Optional<Line> l = TABLE.is("loop", method);
            isLoop |= l.isPresent();
            l.ifPresent(x -> loopName = x.name());
            isServer |= TABLE.is("server", method).isPresent();
            isWorker |= TABLE.is("worker", method).isPresent();
            inStream |= TABLE.is("stream", method).isPresent();
            inQuery |= TABLE.is("query", method).isPresent();
            inCheck |= TABLE.is("validates", method).isPresent();
            loadsLazily |= TABLE.is("lazy", method).isPresent();
            isScheduled |= TABLE.is("scheduled", method).isPresent();
            if (idle == null && own.isEmpty()) {
                idle = TABLE.is("reserved", method)
                        .or(() -> TABLE.is("limit", method))
                        .or(() -> TABLE.is("idle", method))
                        .orElse(null);
            }
        }
        loop = isLoop;
        server = isServer;
        worker = isWorker;
        stream = inStream;
        query = inQuery;
        validates = inCheck;
        lazy = loadsLazily;
        scheduled = isScheduled;
        line = idle == null ? wait(first < 0 ? methods.size() : first) : Optional.of(idle);
        doing = of();
    }

    private Optional<Line> wait(int end) {
        if (methods.isEmpty()) {
            return Optional.empty();
        }
        if (group.state() == Thread.State.RUNNABLE) {
            return inTheKernel(end);
        }
        List<String> inner = methods.subList(0, end);
        List<Line> library = inner.stream()
                .filter(m -> !JdkPackages.have(m))
                .flatMap(m -> TABLE.ofLibrary(m).stream())
                .toList();
        List<Line> jdk = inner.stream().flatMap(m -> TABLE.ofJdk(m).stream()).toList();
        Optional<Line> pool = library.reversed().stream()
                .filter(l -> l.is().equals(Wait.POOL.id()))
                .findFirst();
        if (pool.isPresent()) {
            return pool; // the outermost one, which may be made of another
        }
        // what it waits with says less than what for
        return Stream.of(
                        jdk.stream().filter(l -> SURE.contains(l.is())),
                        library.stream().filter(l -> !MEANS.contains(l.is())),
                        jdk.stream().filter(l -> !MEANS.contains(l.is())),
                        library.stream(),
                        // a queue is made of signals
                        jdk.stream().filter(l -> !l.is().equals(Wait.SIGNAL.id())),
                        jdk.stream())
                .flatMap(Function.identity())
                .findFirst();
    }

    /** A thread that runs, as far as the JVM knows: its innermost method may wait in the kernel. */
    private Optional<Line> inTheKernel(int end) {
        Optional<Line> top = TABLE.ofJdk(methods.getFirst())
                .filter(l ->
                        Set.of("file", "remote", "lookup", "process", "idle").contains(l.is()));
        if (top.isEmpty()) {
            return top;
        }
        List<String> inner = methods.subList(0, end);
        boolean socket =
                inner.stream().anyMatch(m -> m.startsWith("sun.nio.ch.Socket") || m.startsWith("sun.nio.ch.NioSocket"));
        if (top.get().is().equals("file") && socket) {
            top = TABLE.ofJdk("sun.nio.ch.Net.poll");
        }
        if (!top.get().is().equals("remote")) {
            return top;
        }
        Optional<Line> caller = inner.stream()
                .filter(m ->
                        !m.startsWith("sun.nio.ch.") && !m.startsWith("java.") && !m.startsWith("sun.security.ssl."))
                .findFirst()
                .flatMap(m -> TABLE.is("client", m));
        return caller.or(() -> inner.stream()
                        .filter(m -> !JdkPackages.have(m))
                        .flatMap(m -> TABLE.ofLibrary(m).stream())
                        .filter(l -> l.is().equals("remote"))
                        .findFirst())
                .or(() -> TABLE.ofJdk("sun.nio.ch.Net.poll"));
    }

    private Wait of() {
        if (methods.isEmpty()) {
            return Wait.IDLE;
        }
        // a carrier waits while its virtual thread runs
        if (methods.getFirst().startsWith("jdk.internal.vm.Continuation.")) {
            return Wait.IDLE;
        }
        Optional<Wait> by = line.flatMap(Line::wait_);
        if (by.filter(w -> !w.busy()).isPresent()) {
            return by.get();
        }
        if (group.state() == Thread.State.BLOCKED || group.owner() >= 0) {
            return by.filter(w -> w == Wait.LOG || w == Wait.LOAD || w == Wait.LOOKUP)
                    .orElse(Wait.LOCK);
        }
        if (validates) {
            return Wait.VALIDATES; // while it is lent, or given back: by a thread that has it
        }
        if (group.state() == Thread.State.RUNNABLE) {
            return by.orElse(Wait.RUN);
        }
        return by.orElse(Wait.OTHER);
    }

    Group group() {
        return group;
    }

    /** Whether a method that begins so is on its stack. */
    boolean isIn(List<String> begins) {
        return methods.stream().anyMatch(m -> begins.stream().anyMatch(m::startsWith));
    }

    int count() {
        return group.count();
    }

    String kind() {
        return group.kind();
    }

    Wait doing() {
        return doing;
    }

    /** What the wait is called, or whose it is; may be empty. */
    String name() {
        return line.map(Line::name).orElse("");
    }

    /** What it does as far as whoever waits for it cares: a statement, whatever that waits for itself. */
    Wait work() {
        if (doing.onAnother() || !doing.busy()) {
            return doing;
        }
        return validates ? Wait.VALIDATES : query ? Wait.QUERY : doing;
    }

    boolean busy() {
        return doing.busy();
    }

    boolean loop() {
        return loop;
    }

    String loopName() {
        return loopName;
    }

    boolean server() {
        return server;
    }

    boolean worker() {
        return worker;
    }

    boolean stream() {
        return stream;
    }

    boolean query() {
        return query;
    }

    /** Whether it is a virtual thread. */
    boolean virtual() {
        return methods.contains("java.lang.VirtualThread.run");
    }

    /** Whether it runs a task of a scheduler, and does not wait in it for something that others put into a queue. */
    boolean scheduled() {
        return scheduled && busy() && doing != Wait.QUEUE;
    }

    /** Whether a mapper of objects loads what another object refers to, apart. */
    boolean lazy() {
        return lazy;
    }

    /** Whether it makes a call that is over by itself, as a statement or a request to another service: one that may be made often. */
    boolean calls() {
        return switch (work()) {
            case QUERY, REMOTE, SLEEP, FILE, LOOKUP, PROCESS -> true;
            default -> false;
        };
    }

    /** The application's methods, the innermost first. */
    List<Frame> own() {
        return own;
    }

    Set<String> ownTypes() {
        return own.stream().map(Frame::type).collect(Collectors.toSet());
    }

    /** The innermost method of the application; without one, the innermost outside the JDK; without that, the innermost. */
    String method() {
        return !own.isEmpty()
                ? own.getFirst().method()
                : methods.stream()
                        .filter(m -> !JdkPackages.have(m))
                        .findFirst()
                        .orElse(methods.isEmpty() ? "" : methods.getFirst());
    }

    /** That method and, if it was called from another one of the application, that one. */
    String where() {
        return own.stream()
                .map(Frame::method)
                .filter(m -> !m.equals(method()))
                .findFirst()
                .map(m -> method() + Root.CALLED_FROM + m)
                .orElse(method());
    }

    /** The class of what it waits for. */
    String waitsForClass() {
        int at = group.waitsFor().lastIndexOf('@');
        return at < 0 ? group.waitsFor() : group.waitsFor().substring(0, at);
    }
}
