package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.TimelineRecorder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenQueueTest {
    @Test
    void theLimitIsTheOneOfTheSocketNotTheOneConfiguredElsewhere() throws Exception {
        try (var socket = new ServerSocket(0, 37, InetAddress.getLoopbackAddress())) {
            assertThat(new ListenQueue(socket.getLocalPort()).limit()).hasValue(37);
        }
    }

    /**
     * Another listener on this machine overflows while ours is idle: the namespace counts it, and our socket does not.
     */
    @Test
    void whatAnotherListenerDropsIsNotOurs() throws Exception {
        var proc = new Proc();
        long me = ProcessHandle.current().pid();
        try (var ours = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var queue = new ListenQueue(ours.getLocalPort());
            var full = new ListenQueue(other.getLocalPort());
            HostWatch watch = watch(proc, me, queue);
            HostWatch watchOther = watch(proc, me, full);
            watch.begin();
            watchOther.begin();
            var channels = new ArrayList<SocketChannel>();
            try {
                // a queue of 1 takes 2; the SYNs of the others are dropped and retransmitted
                for (int i = 0; i < 6; i++) {
                    SocketChannel c = SocketChannel.open();
                    channels.add(c);
                    c.configureBlocking(false);
                    c.connect(other.getLocalSocketAddress());
                }
                while (full.state().orElseThrow().drops().orElse(0) == 0) {
                    Thread.sleep(20);
                }
                Aggregates seen = watch.end();
                assertThat(seen.get(Aggregate.LISTEN_OVERFLOWS).orElseThrow()).isPositive();
                assertThat(seen.get(Aggregate.ACCEPT_QUEUE_DROPS).optional()).hasValue(0);
                assertThat(seen.get(Aggregate.ACCEPT_QUEUE_MAX).optional()).hasValue(0);
                Aggregates seenOther = watchOther.end();
                assertThat(seenOther.get(Aggregate.ACCEPT_QUEUE_DROPS).orElseThrow())
                        .isPositive();
                assertThat(seenOther.get(Aggregate.ACCEPT_QUEUE_MAX).optional()).hasValue(2);
                assertThat(full.state().orElseThrow().limit()).isEqualTo(1);
            } finally {
                for (SocketChannel c : channels) {
                    c.close();
                }
            }
        }
    }

    private static HostWatch watch(Proc proc, long pid, ListenQueue queue) {
        var meter = new DisturbanceMeter(proc, Set.of(), Set.of(), List.of());
        return new HostWatch(
                proc,
                pid,
                meter,
                queue::state,
                WorkerProbe.NONE,
                List.of(),
                new TimelineRecorder(HostWatch.STEP_MILLIS));
    }

    @Test
    void aSocketOfTheOtherFamilyIsFoundToo() throws Exception {
        try (var any = new ServerSocket(0, 9)) {
            assertThat(new ListenQueue(any.getLocalPort()).state())
                    .hasValueSatisfying(s -> assertThat(s.limit()).isEqualTo(9));
        }
    }

    /** The older question is answered for both families as the newer one is for each. */
    @Test
    void bothFamiliesAreAnsweredAtOnce() throws Exception {
        try (var any = ServerSocketChannel.open();
                var four = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
            any.bind(new InetSocketAddress(0), 9);
            four.bind(new InetSocketAddress("127.0.0.1", 0), 8);
            SockDiag kernel = SockDiag.open().orElseThrow();
            for (ServerSocketChannel s : List.of(any, four)) {
                int port = s.socket().getLocalPort();
                assertThat(kernel.listeners(port).orElseThrow())
                        .isEqualTo(kernel.listenersByFamily(port).orElseThrow())
                        .hasSize(1);
            }
        }
    }

    /** One listens on 127.0.0.1 and has 300 of 4,096 waiting, another process on 127.0.0.2 with a limit of 50. */
    @Test
    void ofOnePortTheQueueOfTheProcessIsTold() {
        var one = new ListenQueue.Listener(1, new ListenQueue.State(300, 4096, OptionalLong.of(7)));
        var other = new ListenQueue.Listener(2, new ListenQueue.State(0, 50, OptionalLong.of(9)));
        assertThat(ListenQueue.combined(List.of(one, other), all -> Set.of(1L))).hasValue(one.state());
        assertThat(ListenQueue.combined(List.of(one, other), all -> Set.of(2L))).hasValue(other.state());
        assertThat(ListenQueue.combined(List.of(one, other), all -> Set.of()))
                .as("whose they are is not known")
                .hasValue(new ListenQueue.State(300, 50, OptionalLong.of(16)));
        assertThat(ListenQueue.combined(List.of(one), all -> Set.of(9L)))
                .as("a child's, or a container's proxy's")
                .hasValue(one.state());
    }

    @Test
    void thisProcessesSocketsAreKnownByTheirInodes() throws Exception {
        try (var one = new ServerSocket(0, 40, InetAddress.getByName("127.0.0.1"));
                var other = new ServerSocket(one.getLocalPort(), 9, InetAddress.getByName("127.0.0.2"))) {
            int port = other.getLocalPort();
            assertThat(ListenQueue.of(ProcessHandle.current().pid(), port).limit())
                    .hasValue(9);
            SockDiag kernel = SockDiag.open().orElseThrow();
            assertThat(OwnSockets.of(Path.of("/proc"), ProcessHandle.current().pid())
                            .inodes())
                    .containsAll(kernel.listeners(port).orElseThrow().stream()
                            .map(ListenQueue.Listener::inode)
                            .toList());
        }
    }

    /** A dump that fails ends like one that succeeds, but for the number of the error. */
    @ParameterizedTest
    @CsvSource({"3, 0, true", "3, -11, false", "2, -1, false"})
    void aDumpThatFailedIsNoAnswer(short type, int error, boolean well) {
        ByteBuffer message = ByteBuffer.allocate(20)
                .order(ByteOrder.nativeOrder())
                .putInt(20)
                .putShort(type)
                .putShort((short) 0)
                .putInt(1)
                .putInt(0)
                .putInt(error)
                .flip();
        assertThat(SockDiag.read(message, (part, at, end) -> true)).hasValue(well);
        assertThat(SockDiag.read(message.putInt(0, 16).limit(16), (part, at, end) -> true))
                .as("of an old kernel, without a number")
                .hasValue(type == 3);
    }

    @Test
    void nobodyListeningIsEmpty() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(new ListenQueue(port).limit()).isEmpty();
    }

    @Test
    void theSmallestOfSeveralSocketsCounts() {
        assertThat(ListenQueue.parse("LISTEN 0 100 127.0.0.1:80 0.0.0.0:*\nLISTEN 3      50    [::1]:80 [::]:*\n"))
                .hasValue(50);
        assertThat(ListenQueue.parse("")).isEmpty();
    }
}
