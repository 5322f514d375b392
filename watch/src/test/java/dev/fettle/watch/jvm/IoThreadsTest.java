package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
}
