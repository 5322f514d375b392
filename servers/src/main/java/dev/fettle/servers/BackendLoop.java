package dev.fettle.servers;

import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One thread, one selector, and a queue of answers ordered by due time, so that thousands of requests wait at no cost.
 * An answer is never early, and on an idle machine at most about a millisecond late, which is the selector's
 * resolution. A connection has one request in progress at a time, so pipelined requests are answered in order.
 */
final class BackendLoop {
    private static final int REQUEST_BYTES = 8 * 1024;
    private static final int BACKLOG = 4096;

    private final Selector selector;
    private final ServerSocketChannel server;
    private final long waitNanos;
    private final long jitterNanos;
    private final byte[] answer;
    private final PriorityQueue<Due> waiting = new PriorityQueue<>();
    private final SplittableRandom random = new SplittableRandom();
    private long sequence;

    private BackendLoop(Selector selector, ServerSocketChannel server, Duration wait, Duration jitter, int bytes) {
        this.selector = selector;
        this.server = server;
        this.waitNanos = wait.toNanos();
        this.jitterNanos = jitter.toNanos();
        this.answer = answer(bytes);
    }

    static BackendLoop open(String host, int port, Duration wait, Duration jitter, int bytes) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.bind(new InetSocketAddress(host, port), BACKLOG);
            server.configureBlocking(false);
            Selector selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            return new BackendLoop(selector, server, wait, jitter, bytes);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static byte[] answer(int bytes) {
        String start = "{\"status\":\"ok\",\"notice\":\"";
        String end = "\"}\n";
        String body = start + ".".repeat(Math.max(0, bytes - start.length() - end.length())) + end;
        // explicit, for HTTP/1.0 clients
        String head = "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    void run() throws IOException {
        while (selector.isOpen()) {
            Due next = waiting.peek();
            if (next == null) {
                selector.select(this::ready);
            } else {
                // rounded up: an answer may be late by a fraction of a millisecond, never early
                long nanos = next.at - System.nanoTime();
                long millis = (nanos + 999_999) / 1_000_000;
                if (millis > 0) {
                    selector.select(this::ready, millis);
                } else {
                    selector.selectNow(this::ready);
                }
            }
            answerDue();
        }
    }

    private void answerDue() {
        long now = System.nanoTime();
        for (Due due = waiting.peek(); due != null && due.at - now <= 0; due = waiting.peek()) {
            waiting.poll();
            due.connection.answer();
        }
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.attachment() instanceof Connection connection) {
                connection.ready();
            }
        } catch (IOException e) {
            System.err.println("backend: " + LaunchFailure.words(e));
        }
    }

    private void accept() throws IOException {
        for (@Nullable SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            key.attach(new Connection(channel, key));
        }
    }

    /** An answer due at a time; of two due at the same time, the earlier request's comes first. */
    private record Due(long at, long sequence, Connection connection) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            long before = at - other.at;
            return before != 0 ? Long.signum(before) : Long.compare(sequence, other.sequence);
        }
    }

    private final class Connection {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer in = ByteBuffer.allocate(REQUEST_BYTES);
        private final ByteBuffer out = ByteBuffer.wrap(answer);
        private boolean busy;

        Connection(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
            out.position(out.limit());
        }

        void ready() {
            try {
                if (key.isWritable()) {
                    write();
                } else if (channel.read(in) < 0) {
                    close();
                } else {
                    next();
                }
            } catch (IOException e) {
                close();
            }
        }

        /** Takes the first request from the buffer if it is complete and none is in progress. */
        private void next() {
            if (busy) {
                if (!in.hasRemaining()) {
                    // more pipelining than the buffer holds: the rest stays in the kernel until this one is answered
                    key.interestOps(0);
                }
                return;
            }
            int end = endOfHead();
            if (end < 0) {
                if (!in.hasRemaining()) {
                    close();
                }
                return;
            }
            boolean get = in.get(0) == 'G' && in.get(1) == 'E' && in.get(2) == 'T';
            in.limit(in.position()).position(end).compact();
            if (!get) {
                close();
                return;
            }
            busy = true;
            long jitter = jitterNanos == 0 ? 0 : random.nextLong(jitterNanos + 1);
            waiting.add(new Due(System.nanoTime() + waitNanos + jitter, sequence++, this));
        }

        private int endOfHead() {
            for (int i = 3; i < in.position(); i++) {
                if (in.get(i) == '\n' && in.get(i - 1) == '\r' && in.get(i - 2) == '\n' && in.get(i - 3) == '\r') {
                    return i + 1;
                }
            }
            return -1;
        }

        void answer() {
            if (!key.isValid()) {
                return;
            }
            out.rewind();
            try {
                write();
            } catch (IOException e) {
                close();
            }
        }

        private void write() throws IOException {
            channel.write(out);
            if (out.hasRemaining()) {
                key.interestOps(SelectionKey.OP_WRITE);
                return;
            }
            if (key.interestOps() != SelectionKey.OP_READ) {
                key.interestOps(SelectionKey.OP_READ);
            }
            busy = false;
            next();
        }

        private void close() {
            key.cancel();
            try {
                channel.close();
            } catch (IOException e) {
                // for us it is closed
            }
        }
    }
}
