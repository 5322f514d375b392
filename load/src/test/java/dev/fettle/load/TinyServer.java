package dev.fettle.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A quick server on one thread: answers whatever ends in an empty line with the same bytes. Counts requests. */
final class TinyServer implements AutoCloseable {

    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Selector selector = Selector.open();
    private final ByteBuffer answer;
    private final ByteBuffer in = ByteBuffer.allocateDirect(4096);
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();
    private final Thread thread = new Thread(this::serve, "tiny-server");
    private volatile boolean closed;

    TinyServer(String answer) throws IOException {
        byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
        this.answer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
        thread.start();
    }

    static TinyServer ok() throws IOException {
        return new TinyServer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    long requests() {
        return requests.get();
    }

    long connections() {
        return connections.get();
    }

    private void serve() {
        while (!closed) {
            try {
                selector.select(this::ready, 100);
            } catch (IOException e) {
                return;
            }
        }
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel accepted = listener.accept();
                accepted.configureBlocking(false);
                accepted.register(selector, SelectionKey.OP_READ);
                connections.incrementAndGet();
            } else {
                answer((SocketChannel) key.channel());
            }
        } catch (IOException e) {
            try {
                key.channel().close();
            } catch (IOException ignored) {
                // a test server's socket
            }
        }
    }

    private void answer(SocketChannel channel) throws IOException {
        in.clear();
        int count = channel.read(in);
        if (count < 0) {
            channel.close();
        } else if (count >= 4 && in.get(count - 1) == '\n' && in.get(count - 2) == '\r' && in.get(count - 3) == '\n') {
            requests.incrementAndGet();
            channel.write(answer.rewind());
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        boolean ended = false;
        while (!ended) {
            try {
                ended = thread.join(Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.selectNow();
        selector.close();
        listener.close();
    }
}
