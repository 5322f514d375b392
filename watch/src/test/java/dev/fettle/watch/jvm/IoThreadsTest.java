package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IoThreadsTest {
    @ParameterizedTest
    @CsvSource({
        // select: XNIO, Netty on NIO, on epoll
        "RUNNABLE, sun.nio.ch.EPoll.wait sun.nio.ch.EPollSelectorImpl.doSelect sun.nio.ch.SelectorImpl.select org.xnio.nio.WorkerThread.run, false",
        "RUNNABLE, sun.nio.ch.EPoll.wait sun.nio.ch.EPollSelectorImpl.doSelect io.netty.channel.nio.NioEventLoop.select, false",
        "RUNNABLE, io.netty.channel.epoll.Native.epollWait0 io.netty.channel.epoll.EpollEventLoop.run, false",
        // read and write without waiting
        "RUNNABLE, sun.nio.ch.SocketDispatcher.read0 sun.nio.ch.SocketChannelImpl.read org.xnio.nio.NioSocketConduit.read, false",
        "RUNNABLE, com.example.Page.render io.undertow.server.Connectors.executeRootHandler, false",
        // wait for a service, a lock, another thread, a name
        "RUNNABLE, sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.park java.net.Socket$SocketInputStream.read com.example.Client.call org.xnio.nio.WorkerThread.run, true",
        "BLOCKED, com.example.Cache.get org.xnio.nio.WorkerThread.run, true",
        "WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.CompletableFuture.get com.example.Client.call io.netty.channel.nio.NioEventLoop.run, true",
        "TIMED_WAITING, java.lang.Thread.sleep0 com.example.Retry.pause org.xnio.nio.WorkerThread.run, true",
        "RUNNABLE, java.net.Inet6AddressImpl.lookupAllHostAddr java.net.InetAddress.getAllByName com.example.Client.call, true",
        // a server that hands over work, at a lock whose holder has no CPU
        "BLOCKED, org.jboss.threads.EnhancedQueueExecutor.execute org.xnio.XnioWorker.execute org.xnio.nio.WorkerThread.run, false",
        // the application's own socket calls further out than its code say nothing of now
        "RUNNABLE, com.example.Page.render sun.nio.ch.NioSocketImpl.park, false",
    })
    void oneThatWaitsForAnythingButItsConnectionsIsHeldUp(Thread.State state, String stack, boolean held) {
        StackTraceElement[] frames = Arrays.stream(stack.split(" "))
                .map(f -> new StackTraceElement(
                        f.substring(0, f.lastIndexOf('.')), f.substring(f.lastIndexOf('.') + 1), "X.java", 1))
                .toArray(StackTraceElement[]::new);
        assertThat(IoThreads.heldUp(state, frames)).isEqualTo(held);
    }

    /** A JVM whose event loops all wait for a service, but for the first. */
    private static final class Loops implements IoThreads.Threads {
        private static final StackTraceElement[] CALLS = {
            new StackTraceElement("jdk.internal.misc.Unsafe", "park", "Unsafe.java", -1),
            new StackTraceElement("com.example.Client", "call", "Client.java", 1)
        };
        private static final StackTraceElement[] SELECTS = {
            new StackTraceElement("io.netty.channel.epoll.Native", "epollWait0", "Native.java", -1)
        };

        int from = 1;
        int to;
        int listed;
        final Set<Long> looked = new HashSet<>();

        @Override
        public long started() {
            return to;
        }

        @Override
        public List<SeenThread> named() {
            listed++;
            return LongStream.rangeClosed(from, to).mapToObj(this::thread).toList();
        }

        @Override
        public List<SeenThread> look(long[] ids) {
            assertThat(ids.length).isLessThanOrEqualTo(IoThreads.MOST);
            LongStream.of(ids).forEach(looked::add);
            return LongStream.of(ids)
                    .filter(id -> id >= from)
                    .mapToObj(this::thread)
                    .toList();
        }

        private SeenThread thread(long id) {
            return new SeenThread(
                    id, "nioEventLoopGroup-3-" + id, Thread.State.WAITING, "", -1, id == 1 ? SELECTS : CALLS);
        }

        @Override
        public long costNanos() {
            return 0;
        }
    }

    private long now;

    private Map<String, Double> read(IoThreads threads, int looks) {
        var figures = new HashMap<String, Double>();
        for (int i = 0; i < looks; i++) {
            figures.clear();
            threads.read(now++, figures);
        }
        return figures;
    }

    /** Before the load there is one event loop, which selects; those that serve come with the connections. */
    @Test
    void loopsThatStartLaterAreFoundThen() {
        var jvm = new Loops();
        var threads = new IoThreads(jvm);
        jvm.to = 1;
        assertThat(read(threads, IoThreads.APART))
                .containsEntry("io.threads", 1.0)
                .containsEntry("io.blocked", 0.0);
        jvm.to = 9;
        assertThat(read(threads, IoThreads.APART))
                .containsEntry("io.threads", 9.0)
                .containsEntry("io.blocked", 8.0);
        assertThat(jvm.listed).isEqualTo(2);
        read(threads, 5 * IoThreads.APART);
        assertThat(jvm.listed).as("nothing has changed").isEqualTo(2);
        jvm.from = 4;
        read(threads, 2 * IoThreads.APART);
        assertThat(jvm.listed).as("some have ended").isEqualTo(3);
        assertThat(read(threads, 1)).containsEntry("io.threads", 6.0).containsEntry("io.blocked", 6.0);
    }

    /** Where none is found at first they are looked for on, but not for their own sake. */
    @Test
    void loopsOfAServerThatWasIdleForLongAreFound() {
        var jvm = new Loops();
        var threads = new IoThreads(jvm);
        assertThat(read(threads, 10 * IoThreads.APART)).isEmpty();
        assertThat(threads.isDue(Long.MAX_VALUE)).isFalse();
        jvm.to = 3;
        assertThat(read(threads, IoThreads.APART)).containsEntry("io.threads", 3.0);
    }

    @Test
    void ofManySomeStandForAllAndEachHasItsTurn() {
        var jvm = new Loops();
        jvm.to = 64;
        var threads = new IoThreads(jvm);
        for (int i = 0; i < 100; i++) {
            Map<String, Double> figures = read(threads, 1);
            assertThat(figures).containsEntry("io.threads", 64.0);
            assertThat(figures.get("io.blocked")).isBetween(60.0, 64.0);
        }
        assertThat(jvm.looked).hasSize(64);
    }
}
