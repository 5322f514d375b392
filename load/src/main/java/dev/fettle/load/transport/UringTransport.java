package dev.fettle.load.transport;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.uring.BufferRing;
import dev.fettle.load.transport.uring.Errno;
import dev.fettle.load.transport.uring.Ring;
import dev.fettle.load.transport.uring.RingKit;
import dev.fettle.load.transport.uring.Sockets;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TCP through one io_uring.
 *
 * <p>All operations that the handlers of a batch ask for go to the kernel with the call that waits for the next batch,
 * so a request needs no system call of its own. Each connection has one receive that stays armed; the kernel takes a
 * buffer from the ring only when bytes have arrived. Allocates only for a new connection.
 *
 * <p>A completion carries a tag of operation, link and the link's generation. Closing begins a new generation, so
 * completions of older operations are ignored.
 */
public final class UringTransport implements Transport {

    /**
     * A megabyte of receive buffers: few, so that they stay in the processor's cache, and large enough for large
     * bodies.
     */
    public static final RingKit.Sizes SIZES = new RingKit.Sizes(512, 4096, 32, 32 * 1024);

    private static final int NOTHING = 0;
    private static final int WAKE = 1;
    private static final int CONNECT = 2;
    private static final int RECEIVE = 3;
    private static final int SEND = 4;

    private static final int GENERATION_MASK = 0xFF_FFFF;
    /** Cancelled operations should end at once; this limit is for a kernel where they don't. */
    private static final int DRAIN_ROUNDS = 100;

    private static final long DRAIN_NANOS = 10_000_000;

    private final Recorder recorder;
    private final LoopClock clock;
    private final boolean v4;
    private final MemorySegment address;
    private final MemorySegment[] sources;
    private final RingKit kit;
    private final Ring ring;
    private final BufferRing buffers;
    private final Sockets sockets = new Sockets();
    private final List<UringLink> links = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private int nextSource;
    private int underWay;
    private boolean enabled;
    private boolean closed;

    /**
     * A transport that belongs to the first thread which connects or polls.
     *
     * @param from local addresses to connect from, in turn; empty: the kernel chooses
     * @param kit closed with the transport
     */
    public UringTransport(
            InetSocketAddress to, List<InetAddress> from, RingKit kit, Recorder recorder, LoopClock clock) {
        this.recorder = recorder;
        this.clock = clock;
        this.kit = kit;
        ring = kit.ring();
        buffers = kit.buffers();
        v4 = to.getAddress() instanceof Inet4Address;
        address = Sockets.address(to.getAddress(), to.getPort());
        sources = from.stream().map(source -> Sockets.address(source, 0)).toArray(MemorySegment[]::new);
        // load these classes now: that is impossible once descriptors have run out
        Errno.text(Errno.EMFILE);
    }

    @Override
    public Link newLink(Handler handler) {
        UringLink link = new UringLink(links.size(), handler);
        links.add(link);
        return link;
    }

    @Override
    public int poll(long maxNanos) {
        enable();
        buffers.publish();
        ring.submitAndWait(maxNanos);
        int count = ring.completions();
        if (count > 0) {
            long wokenAt = clock.read();
            for (int i = 0; i < count; i++) {
                complete(i, count);
            }
            ring.consumed(count);
            recorder.lag(clock.last() - wokenAt);
        }
        return count;
    }

    /**
     * A ring accepts operations from one thread only, and the thread that opened it is not the one that runs the loop.
     */
    private void enable() {
        if (!enabled) {
            ring.enable();
            enabled = true;
            ring.timerSlack(1);
            armWakeup();
        }
    }

    private void armWakeup() {
        underWay++;
        kit.wakeup().arm(ring, WAKE);
    }

    @Override
    public void wakeup() {
        kit.wakeup().wake();
    }

    @Override
    public int openLinks() {
        return open.get();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (UringLink link : links) {
            link.close();
        }
        if (enabled) {
            drain();
        }
        kit.close();
    }

    /** A socket is closed, and its memory unused by the kernel, only when no operation is outstanding on it. */
    private void drain() {
        ring.cancel(WAKE, NOTHING);
        for (int round = 0; underWay > 0 && round < DRAIN_ROUNDS; round++) {
            ring.submitAndWait(DRAIN_NANOS);
            int count = ring.completions();
            for (int i = 0; i < count; i++) {
                if (ring.userData(i) != NOTHING && !Ring.more(ring.flags(i))) {
                    underWay--;
                }
            }
            ring.consumed(count);
        }
    }

    /** Number of operations that the kernel has and that have not completed. */
    public int underWay() {
        return underWay;
    }

    private void complete(int completion, int count) {
        long tag = ring.userData(completion);
        if (tag == NOTHING) {
            return;
        }
        int flags = ring.flags(completion);
        if (!Ring.more(flags)) {
            underWay--;
        }
        int operation = (int) (tag >>> 56);
        if (tag == WAKE) {
            armWakeup();
            return;
        }
        UringLink link = links.get((int) tag);
        int result = ring.result(completion);
        boolean current = tag == link.tag(operation);
        if (operation == RECEIVE) {
            if (current && link.sending && result > 0) {
                completeSend(link, completion + 1, count);
                current = tag == link.tag(operation);
            }
            if (current) {
                link.receivedSome(result, flags);
            }
            if (Ring.hasBuffer(flags)) {
                buffers.giveBack(Ring.buffer(flags));
            }
            if (current && result != 0) {
                link.receiveOn();
            }
        } else if (current && operation == SEND) {
            link.sentSome(result);
        } else if (current) {
            link.connectEnded(result);
        }
    }

    /**
     * The completion of a send may be queued after its answer; it is reported first, so that the answer does not look
     * early.
     */
    private void completeSend(UringLink link, int from, int count) {
        long tag = link.tag(SEND);
        for (int i = from; i < count; i++) {
            if (ring.userData(i) == tag) {
                ring.userData(i, NOTHING);
                underWay--;
                link.sentSome(ring.result(i));
                return;
            }
        }
    }

    private final class UringLink implements Link {

        private final int index;
        private final Handler handler;
        private final BufferAddresses addresses = new BufferAddresses();
        private int generation;
        private int socket = -1;
        private boolean established;
        private boolean receiving;
        private boolean sending;
        /** Why the send failed, while what came before that is still received; 0: it did not. */
        private int failed;

        private long outAddress;
        private int outLength;

        UringLink(int index, Handler handler) {
            this.index = index;
            this.handler = handler;
        }

        private long tag(int what) {
            return (long) what << 56 | (long) (generation & GENERATION_MASK) << 32 | index;
        }

        @Override
        public void connect() {
            enable();
            int fresh = open();
            if (fresh < 0) {
                handler.broke(ErrorKind.OTHER, failure(fresh));
                return;
            }
            socket = fresh;
            underWay++;
            ring.connect(fresh, address, tag(CONNECT));
        }

        private int open() {
            int fresh = sockets.open(v4);
            if (fresh >= 0 && sources.length > 0) {
                int bound = sockets.bind(fresh, sources[nextSource]);
                nextSource = (nextSource + 1) % sources.length;
                if (bound < 0) {
                    sockets.close(fresh);
                    return bound;
                }
            }
            return fresh;
        }

        private void connectEnded(int result) {
            if (result < 0) {
                close();
                handler.broke(kindOfConnectFailure(result), failure(result));
                return;
            }
            established = true;
            open.setRelease(open.getPlain() + 1);
            receiveOn();
            handler.connected();
        }

        /** Arms the receive, if the link is open and it is not armed. */
        private void receiveOn() {
            if (established && !receiving) {
                receiving = true;
                underWay++;
                ring.receive(socket, RingKit.BUFFER_GROUP, tag(RECEIVE));
            }
        }

        private void receivedSome(int result, int flags) {
            receiving = Ring.more(flags);
            if (result > 0) {
                recorder.read(result);
                handler.received(buffers.bytes(Ring.buffer(flags), result));
            } else if (result == 0 && failed == 0) {
                handler.ended();
            } else if (result != -Errno.ENOBUFS && result != -Errno.EINTR) {
                lost(result == 0 ? failed : result);
            }
        }

        private void lost(int errno) {
            close();
            handler.broke(ErrorKind.RESET, failure(errno));
        }

        @Override
        public void send(ByteBuffer bytes) {
            if (!established || sending) {
                throw new IllegalStateException(sending ? "send while sending" : "send on a closed link");
            }
            if (bytes.hasRemaining()) {
                sending = true;
                outAddress = addresses.of(bytes) + bytes.position();
                outLength = bytes.remaining();
                sendOn();
            }
        }

        private void sendOn() {
            underWay++;
            ring.send(socket, outAddress, outLength, tag(SEND));
        }

        private void sentSome(int result) {
            if (result < 0) {
                if (receiving && (result == -Errno.EPIPE || result == -Errno.ECONNRESET)) {
                    // the receive ends by itself, after what has come: perhaps the answer, which says why
                    failed = result;
                } else {
                    lost(result);
                }
                return;
            }
            recorder.wrote(result);
            outAddress += result;
            outLength -= result;
            if (outLength > 0) {
                sendOn();
            } else {
                sending = false;
                handler.sent();
            }
        }

        @Override
        public boolean sending() {
            return sending;
        }

        @Override
        public void close() {
            if (socket < 0) {
                return;
            }
            if (sending) {
                // last bytes go out as far as the socket accepts them, as the buffer then belongs to the caller again
                ring.submit();
            }
            if (!established) {
                ring.cancel(tag(CONNECT), NOTHING);
            } else if (receiving || sending) {
                // a busy receive can't be cancelled and would keep the socket open; this ends it, and a send
                sockets.shutdown(socket);
            }
            ring.closeDescriptor(socket, NOTHING);
            if (established) {
                open.setRelease(open.getPlain() - 1);
            }
            socket = -1;
            established = false;
            receiving = false;
            sending = false;
            failed = 0;
            generation++;
        }
    }

    private static IOException failure(int errno) {
        return new IOException(Errno.text(errno));
    }

    private static ErrorKind kindOfConnectFailure(int result) {
        return switch (-result) {
            case Errno.ECONNREFUSED -> ErrorKind.REFUSED;
            case Errno.ETIMEDOUT -> ErrorKind.CONNECT_TIMEOUT;
            case Errno.ECONNRESET -> ErrorKind.RESET;
            default -> ErrorKind.OTHER;
        };
    }
}
