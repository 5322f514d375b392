package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** On stacks recorded from real servers, in {@code stacks/*.txt}. */
class WorkerStateTest {
    private static final Pattern STATE = Pattern.compile("   java.lang.Thread.State: (\\w+).*");
    private static final Pattern FRAME = Pattern.compile("    at ([^(]+)\\.([^.(]+)\\(.*");

    /** A recorded thread: what it does according to the request it was given, and what the JVM says about it. */
    private record Recorded(
            String server, WorkerState does, String why, Thread.State state, StackTraceElement[] stack) {
        @Override
        public String toString() {
            return server + ", " + does + ": " + why;
        }
    }

    static Stream<Recorded> recorded() {
        return Stream.of("tomcat", "jetty", "undertow", "jdk", "virtual", "files")
                .flatMap(s -> read(s).stream());
    }

    private static List<Recorded> read(String server) {
        try (InputStream in =
                WorkerStateTest.class.getResourceAsStream("/dev/fettle/watch/stacks/" + server + ".txt")) {
            var all = new ArrayList<Recorded>();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String part : text.split("\n\n")) {
                Matcher state = STATE.matcher("");
                var frames = new ArrayList<StackTraceElement>();
                Thread.State found = Thread.State.RUNNABLE;
                for (String line : part.lines().toList()) {
                    Matcher frame = FRAME.matcher(line);
                    if (frame.matches()) {
                        frames.add(new StackTraceElement(frame.group(1), frame.group(2), "X.java", 1));
                    } else if (state.reset(line).matches()) {
                        found = Thread.State.valueOf(state.group(1));
                    }
                }
                if (!frames.isEmpty()) {
                    String[] label =
                            part.lines().findFirst().orElseThrow().substring(2).split(": ", 2);
                    all.add(new Recorded(
                            server,
                            WorkerState.valueOf(label[0]),
                            label[1],
                            found,
                            frames.toArray(StackTraceElement[]::new)));
                }
            }
            return all;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void aRecordedThreadDoesWhatItsRequestAsked(Recorded thread) {
        assertThat(WorkerState.of(thread.state(), thread.stack())).isEqualTo(thread.does());
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void itIsToldFromAStackThatIsCutOff(Recorded thread) {
        StackTraceElement[] top =
                Stream.of(thread.stack()).limit(JvmProbe.DEPTH).toArray(StackTraceElement[]::new);
        assertThat(WorkerState.of(thread.state(), top)).isEqualTo(thread.does());
    }

    @Test
    void everyServerWasRecordedIdleAndAtWork() {
        for (String server : List.of("tomcat", "jetty", "undertow", "jdk")) {
            assertThat(read(server).stream().map(Recorded::does))
                    .containsAll(
                            EnumSet.complementOf(EnumSet.of(WorkerState.FILE, WorkerState.CLIENT, WorkerState.LOOKUP)));
            assertThat(read(server).stream().map(Recorded::why)).anyMatch(w -> w.contains("HikariCP"));
        }
        for (String server : List.of("tomcat", "jetty", "undertow")) {
            assertThat(read(server).stream().map(Recorded::does)).contains(WorkerState.CLIENT);
        }
    }

    /** The JDK's frames of a lookup, and of what else is done with addresses. */
    @ParameterizedTest
    @CsvSource({
        "RUNNABLE, java.net.Inet6AddressImpl lookupAllHostAddr, LOOKUP",
        "RUNNABLE, java.net.Inet4AddressImpl getHostByAddr, LOOKUP",
        "RUNNABLE, java.net.Inet6AddressImpl isReachable0, SOCKET",
        "RUNNABLE, java.net.Inet6Address getHostAddress, RUNNING",
        "BLOCKED, java.net.InetAddress$NameServiceAddresses get, LOOKUP",
        "BLOCKED, java.net.InetSocketAddress toString, LOCKED"
    })
    void lookingUpANameIsNoWaitForAService(Thread.State state, String top, WorkerState does) {
        String[] frame = top.split(" ");
        assertThat(WorkerState.of(state, new StackTraceElement[] {
                    frame(frame[0], frame[1]),
                    frame("java.net.InetAddress", "getAllByName"),
                    frame("java.net.Socket", "<init>"),
                    frame("app.Page", "show")
                }))
                .isEqualTo(does);
    }

    /** A lookup of one name is made by one thread; the others wait for its lock. */
    @Test
    void whoWaitsForAnotherThreadsLookupLooksUp() {
        assertThat(WorkerState.of(Thread.State.WAITING, new StackTraceElement[] {
                    frame("jdk.internal.misc.Unsafe", "park"),
                    frame("java.util.concurrent.locks.LockSupport", "park"),
                    frame("java.util.concurrent.locks.AbstractQueuedSynchronizer", "acquire"),
                    frame("java.util.concurrent.locks.ReentrantLock$Sync", "lock"),
                    frame("java.util.concurrent.locks.ReentrantLock", "lock"),
                    frame("java.net.InetAddress$NameServiceAddresses", "get"),
                    frame("java.net.InetAddress", "getAllByName0"),
                    frame("app.Page", "show")
                }))
                .isEqualTo(WorkerState.LOOKUP);
    }

    /** What the server itself writes goes to its client, whichever way it waits. */
    @ParameterizedTest
    @CsvSource({
        "WAITING, java.lang.Object, org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper, CLIENT",
        "RUNNABLE, sun.nio.ch.SocketDispatcher, org.apache.tomcat.util.net.NioChannel, CLIENT",
        "TIMED_WAITING, java.lang.Object, org.apache.coyote.http2.Stream, CLIENT",
        "WAITING, java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject, org.eclipse.jetty.util.Blocker$Shared$1,"
                + " CLIENT",
        "RUNNABLE, sun.nio.ch.SocketDispatcher, org.eclipse.jetty.io.SocketChannelEndPoint, CLIENT",
        "RUNNABLE, sun.nio.ch.EPoll, org.xnio.nio.SelectorUtils, CLIENT",
        "RUNNABLE, sun.nio.ch.SocketDispatcher, app.Database, SOCKET",
        "WAITING, java.util.concurrent.CompletableFuture, jdk.internal.net.http.HttpClientImpl, SOCKET"
    })
    void aWaitForItsClientIsNoWaitForAService(Thread.State state, String top, String caller, WorkerState does) {
        assertThat(WorkerState.of(state, new StackTraceElement[] {
                    frame(top, "wait"), frame(caller, "write"), frame("app.Page", "show")
                }))
                .isEqualTo(does);
    }

    @Test
    void aServersRelocatedPoolIsKnownAndWhoeverWaitsForAnotherPoolIsBusy() {
        var park = frame("jdk.internal.misc.Unsafe", "park");
        var run = frame("java.lang.Thread", "run");
        assertThat(WorkerState.of(Thread.State.WAITING, new StackTraceElement[] {
                    park, frame("shaded.jetty.QueuedThreadPool$Runner", "idleJobPoll"), run
                }))
                .isEqualTo(WorkerState.IDLE);
        assertThat(WorkerState.of(Thread.State.WAITING, new StackTraceElement[] {
                    park,
                    frame("java.util.concurrent.ThreadPoolExecutor", "awaitTermination"),
                    frame("app.Page", "show"),
                    frame("java.util.concurrent.ThreadPoolExecutor", "runWorker"),
                    run
                }))
                .isEqualTo(WorkerState.WAITING);
        assertThat(WorkerState.of(Thread.State.RUNNABLE, new StackTraceElement[0]))
                .isEqualTo(WorkerState.IDLE);
    }

    /** The innermost frame below those that wait says for what; a pool's own helper threads do not count. */
    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.SynchronousQueue, com.zaxxer.hikari.util.ConcurrentBag, POOL",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject, org.apache.commons.pool2.impl.LinkedBlockingDeque,"
                + " POOL",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject,"
                + " org.apache.tomcat.dbcp.pool2.impl.LinkedBlockingDeque, POOL",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer, com.alibaba.druid.pool.DruidDataSource, POOL",
        "java.lang.Object, com.mchange.v2.resourcepool.BasicResourcePool, POOL",
        "java.util.concurrent.CompletableFuture, io.lettuce.core.protocol.AsyncCommand, SOCKET",
        "java.util.concurrent.CountDownLatch, reactor.core.publisher.BlockingSingleSubscriber, SOCKET",
        "java.util.concurrent.CountDownLatch, reactor.core.publisher.WorkQueueProcessor, WAITING",
        "java.util.concurrent.locks.ReentrantLock$NonfairSync, com.zaxxer.hikari.util.ConcurrentBag, LOCKED",
        "java.util.concurrent.Semaphore, app.Limiter, WAITING",
        "java.util.concurrent.CompletableFuture, app.hikari.Page, WAITING"
    })
    void whatAWaitIsForIsToldByItsCaller(String waits, String caller, WorkerState state) {
        assertThat(WorkerState.of(Thread.State.TIMED_WAITING, new StackTraceElement[] {
                    frame("jdk.internal.misc.Unsafe", "park"),
                    frame(waits, "wait"),
                    frame(caller, "take"),
                    frame("app.Page", "show")
                }))
                .isEqualTo(state);
    }

    @Test
    void computingInAPackageOfSocketsIsNoWait() {
        for (String type : List.of(
                "java.net.URI", "java.net.URLDecoder", "java.nio.HeapByteBuffer", "sun.security.ssl.SSLCipher")) {
            assertThat(WorkerState.of(
                            Thread.State.RUNNABLE,
                            new StackTraceElement[] {frame(type, "get"), frame("app.Page", "show")}))
                    .as(type)
                    .isEqualTo(WorkerState.RUNNING);
        }
    }

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "X.java", 1);
    }
}
