package dev.fettle.insight.waits;

import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Group;
import dev.fettle.model.trial.ThreadsSeen.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Threads of a moment that is the same three times. Frames are written innermost first. */
public final class Dumps {
    private static final String PARK = "jdk.internal.misc.Unsafe.park";
    private static final String[] TOMCAT = {
        "org.apache.catalina.core.StandardWrapperValve.invoke:165",
        "org.apache.coyote.http11.Http11Processor.service:399",
        "org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker.run:491",
        "java.lang.Thread.run:1474"
    };
    private static final String[] WORKER = {
        "java.util.concurrent.ThreadPoolExecutor.runWorker:1090",
        "java.util.concurrent.ThreadPoolExecutor$Worker.run:614",
        "java.lang.Thread.run:1474"
    };

    private final Map<String, Integer> frames = new LinkedHashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private int moved;

    public static Dumps of() {
        return new Dumps();
    }

    /** So many of each group move between two moments. */
    public Dumps moving() {
        moved = Integer.MAX_VALUE;
        return this;
    }

    public Dumps add(String kind, int count, Thread.State state, String waitsFor, int owner, String... stack) {
        List<Integer> places = Stream.of(stack)
                .map(f -> frames.computeIfAbsent(f, _ -> frames.size()))
                .toList();
        groups.add(new Group(kind, count, moved > 0 ? 0 : count, state, places, waitsFor, owner));
        return this;
    }

    public static String[] join(String[] a, String[] b) {
        return Stream.concat(Stream.of(a), Stream.of(b)).toArray(String[]::new);
    }

    /** Tomcat's workers that run. */
    public Dumps runs(int n, String... own) {
        return add("http-nio-8080-exec-*", n, Thread.State.RUNNABLE, "", -1, join(own, TOMCAT));
    }

    /** Tomcat's workers that wait, with the frames in which they park. */
    public Dumps parks(int n, String... own) {
        return add("http-nio-8080-exec-*", n, Thread.State.WAITING, "", -1, parked(join(own, TOMCAT)));
    }

    public Dumps sleeps(int n, String... own) {
        return add(
                "http-nio-8080-exec-*",
                n,
                Thread.State.TIMED_WAITING,
                "",
                -1,
                join(new String[] {"java.lang.Thread.sleep0", "java.lang.Thread.sleep:509"}, join(own, TOMCAT)));
    }

    public Dumps reads(int n, String... own) {
        return add("http-nio-8080-exec-*", n, Thread.State.RUNNABLE, "", -1, join(read(), join(own, TOMCAT)));
    }

    /** They wait for a monitor that the group at that place holds. */
    public Dumps blocked(int n, String lock, int owner, String... own) {
        return add("http-nio-8080-exec-*", n, Thread.State.BLOCKED, lock, owner, join(own, TOMCAT));
    }

    /** Threads of another pool. */
    public Dumps pool(String kind, int n, Thread.State state, String... stack) {
        return add(kind, n, state, "", -1, join(stack, WORKER));
    }

    public Dumps poolIdle(String kind, int n) {
        return add(
                kind,
                n,
                Thread.State.WAITING,
                "",
                -1,
                parked(
                        "java.util.concurrent.LinkedBlockingQueue.take:435",
                        "java.util.concurrent.ThreadPoolExecutor.getTask:1016",
                        "java.util.concurrent.ThreadPoolExecutor.runWorker:1076",
                        "java.util.concurrent.ThreadPoolExecutor$Worker.run:614"));
    }

    public Dumps idle(int n) {
        return add(
                "http-nio-8080-exec-*",
                n,
                Thread.State.WAITING,
                "",
                -1,
                parked(
                        "java.util.concurrent.LinkedBlockingQueue.take:435",
                        "org.apache.tomcat.util.threads.TaskQueue.take:133",
                        "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask:1112",
                        "org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker.run:491"));
    }

    public static String[] parked(String... rest) {
        return join(new String[] {PARK, "java.util.concurrent.locks.LockSupport.park:369"}, rest);
    }

    public static String[] read() {
        return new String[] {
            "sun.nio.ch.SocketDispatcher.read0",
            "sun.nio.ch.NioSocketImpl.tryRead:245",
            "sun.nio.ch.NioSocketImpl.implRead:309",
            "java.net.Socket$SocketInputStream.read:974"
        };
    }

    /** Three moments, three seconds apart. */
    public ThreadsSeen seen() {
        return seen(3);
    }

    public ThreadsSeen seen(int moments) {
        return new ThreadsSeen(
                List.copyOf(frames.keySet()),
                IntStream.range(0, moments)
                        .mapToObj(i -> new Moment(1000 + 3000L * i, groups))
                        .toList());
    }
}
