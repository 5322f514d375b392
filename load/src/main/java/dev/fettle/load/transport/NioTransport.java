package dev.fettle.load.transport;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * TCP through one {@link Selector}.
 *
 * <p>System calls are what costs, so there are few. A connect on the loopback usually finishes at once and then needs
 * no wait; a send is tried at once; a read that did not fill the buffer is not repeated; the selector's interest
 * changes only when the socket buffer is full. Allocates only for a new connection.
 */
public final class NioTransport implements Transport {

    private static final int READ_BUFFER = 64 * 1024;
    /** Most reads from one link in a row, so that a fast server thread can't starve the other links. */
    private static final int MAX_READS = 16;

    private static final long MILLI = 1_000_000;
    /** A selector sleeps for whole milliseconds, and up to this much longer than asked. */
    private static final long OVERSLEEP = 200_000;

    private final InetSocketAddress address;
    private final ProtocolFamily family;
    private final InetAddress[] sources;
    private final Recorder recorder;
    private final LoopClock clock;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private final AtomicInteger open = new AtomicInteger();
    private final Consumer<SelectionKey> onReady = this::ready;
    private long wokenAt = -1;
    private int nextSource;
    private volatile boolean called;

    /** @param sources local addresses to connect from, in turn; empty: the kernel chooses */
    NioTransport(InetSocketAddress address, List<InetAddress> sources, Recorder recorder, LoopClock clock)
            throws IOException {
        this.address = address;
        this.sources = sources.toArray(new InetAddress[0]);
        // an IPv4 socket for an IPv4 address: the JDK's default is a dual-stack one, which costs the kernel more
        this.family = address.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6;
        this.recorder = recorder;
        this.clock = clock;
        this.selector = Selector.open();
    }

    @Override
    public Link newLink(Handler handler) {
        return new NioLink(handler);
    }

    @Override
    public int poll(long maxNanos) throws IOException {
        called = false;
        if (maxNanos <= 0) {
            return select(0);
        }
        long millis = (maxNanos - OVERSLEEP) / MILLI;
        return millis > 0 ? select(millis) : spin(maxNanos);
    }

    /** Sleeps for at most this many whole milliseconds; for 0, not at all. */
    private int select(long millis) throws IOException {
        wokenAt = -1;
        int events = millis == 0 ? selector.selectNow(onReady) : selector.select(onReady, millis);
        if (wokenAt >= 0) {
            recorder.lag(clock.last() - wokenAt);
        }
        return events;
    }

    /** Waits for the last part of a millisecond, for which no sleep is short enough, by polling. */
    private int spin(long maxNanos) throws IOException {
        long begin = clock.read();
        long now = begin;
        int events = 0;
        while (events == 0 && !called && now - begin < maxNanos) {
            Thread.onSpinWait();
            events = select(0);
            now = events > 0 ? wokenAt : clock.read();
        }
        recorder.spun(Math.max(0, now - begin));
        return events;
    }

    @Override
    public void wakeup() {
        called = true;
        selector.wakeup();
    }

    @Override
    public int openLinks() {
        return open.get();
    }

    @Override
    public void close() {
        for (SelectionKey key : selector.keys()) {
            ((NioLink) key.attachment()).close();
        }
        try {
            // the descriptor of a registered channel is only released when the selector notices
            selector.selectNow();
            selector.close();
        } catch (IOException e) {
            // there is no remedy, and nothing depends on it: the links are closed
        }
    }

    private void ready(SelectionKey key) {
        if (wokenAt < 0) {
            wokenAt = clock.read();
        }
        ((NioLink) key.attachment()).ready(key);
    }

    private final class NioLink implements Link {

        private final Handler handler;
        private @Nullable SocketChannel channel;
        private @Nullable SelectionKey key;
        private boolean established;
        private boolean writing;
        private @Nullable ByteBuffer out;

        NioLink(Handler handler) {
            this.handler = handler;
        }

        @Override
        public void connect() {
            try {
                SocketChannel fresh = SocketChannel.open(family);
                channel = fresh;
                fresh.configureBlocking(false);
                fresh.setOption(StandardSocketOptions.TCP_NODELAY, true);
                bind(fresh);
                if (fresh.connect(address) || fresh.finishConnect()) {
                    key = fresh.register(selector, SelectionKey.OP_READ, this);
                    connected();
                } else {
                    key = fresh.register(selector, SelectionKey.OP_CONNECT, this);
                }
            } catch (IOException e) {
                connectFailed(e);
            }
        }

        /**
         * The JDK has no IP_BIND_ADDRESS_NO_PORT, so each source address has its ephemeral ports only once, not once
         * per peer.
         */
        private void bind(SocketChannel fresh) throws IOException {
            if (sources.length > 0) {
                InetAddress source = sources[nextSource];
                nextSource = (nextSource + 1) % sources.length;
                fresh.bind(new InetSocketAddress(source, 0));
            }
        }

        private void connected() {
            established = true;
            open.setRelease(open.getPlain() + 1);
            handler.connected();
        }

        private void connectFailed(IOException cause) {
            close();
            handler.broke(kindOfConnectFailure(cause), cause);
        }

        private void ready(SelectionKey ready) {
            SocketChannel current = channel;
            if (current == null || ready != key) {
                return;
            }
            if (!established) {
                finishConnect(current, ready);
                return;
            }
            ByteBuffer rest = out;
            IOException failed = null;
            if (writing && rest != null && ready.isWritable()) {
                failed = write(current, ready, rest);
                if (failed == null && !writing) {
                    handler.sent();
                }
            }
            if (ready == key && ready.isReadable()) {
                read(current, failed);
            }
            if (failed != null && ready == key) {
                lost(failed);
            }
        }

        private void lost(IOException cause) {
            close();
            handler.broke(ErrorKind.RESET, cause);
        }

        private void finishConnect(SocketChannel current, SelectionKey ready) {
            try {
                if (!current.finishConnect()) {
                    return;
                }
                ready.interestOps(SelectionKey.OP_READ);
            } catch (IOException e) {
                connectFailed(e);
                return;
            }
            connected();
        }

        @Override
        public void send(ByteBuffer bytes) {
            SocketChannel current = channel;
            SelectionKey watched = key;
            if (current == null || watched == null) {
                throw new IllegalStateException("send on a closed link");
            }
            out = bytes;
            IOException failed = write(current, watched, bytes);
            if (failed != null) {
                lost(failed);
            }
        }

        @Override
        public boolean sending() {
            return writing;
        }

        /** Writes what can be written. Returns why that failed; null: it did not. */
        private @Nullable IOException write(SocketChannel current, SelectionKey watched, ByteBuffer bytes) {
            int written;
            try {
                written = current.write(bytes);
            } catch (IOException e) {
                return e;
            }
            recorder.wrote(written);
            boolean rest = bytes.hasRemaining();
            if (rest != writing) {
                writing = rest;
                watched.interestOps(rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
            return null;
        }

        /**
         * Reads what has come.
         *
         * @param failed why a write has just failed: what came before that may be the answer, but its end is none in
         *     order
         */
        private void read(SocketChannel current, @Nullable IOException failed) {
            for (int i = 0; i < MAX_READS; i++) {
                in.clear();
                int count;
                try {
                    count = current.read(in);
                } catch (IOException e) {
                    lost(e);
                    return;
                }
                if (count < 0 && failed == null) {
                    handler.ended();
                }
                if (count <= 0) {
                    return;
                }
                recorder.read(count);
                in.flip();
                handler.received(in);
                if (count < READ_BUFFER || channel != current) {
                    return;
                }
            }
        }

        @Override
        public void close() {
            SocketChannel current = channel;
            if (current == null) {
                return;
            }
            channel = null;
            key = null;
            writing = false;
            if (established) {
                established = false;
                open.setRelease(open.getPlain() - 1);
            }
            try {
                current.close();
            } catch (IOException e) {
                // closing a socket that is broken already; it is gone either way
            }
        }
    }

    private static ErrorKind kindOfConnectFailure(IOException cause) {
        if (cause instanceof ConnectException) {
            String message = cause.getMessage();
            return message != null && message.contains("timed out") ? ErrorKind.CONNECT_TIMEOUT : ErrorKind.REFUSED;
        }
        // java.net has subclasses for what this host lacks (BindException: no free port) and for no route
        return cause.getClass() == SocketException.class && isReset(cause) ? ErrorKind.RESET : ErrorKind.OTHER;
    }

    private static boolean isReset(IOException cause) {
        String message = cause.getMessage();
        return message != null && message.contains("reset");
    }
}
