package dev.fettle.load.engine;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A quick server on one thread: answers each empty line with the same bytes, several that came together with one write. */
public final class TinyServer implements AutoCloseable {

    private static final int AT_ONCE = 4096 / 16;
    private static final byte[] END = {'\r', '\n', '\r', '\n'};

    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Selector selector = Selector.open();
    private final ByteBuffer answers;
    private final int answerLength;
    private final ByteBuffer in = ByteBuffer.allocateDirect(4096);
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();
    private final Set<InetAddress> clients = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::serve, "tiny-server");
    private volatile boolean closed;

    public TinyServer(String answer) throws IOException {
        byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
        this.answerLength = bytes.length;
        this.answers = ByteBuffer.allocateDirect(bytes.length * AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++) {
            answers.put(bytes);
        }
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
        thread.start();
    }

    static TinyServer ok() throws IOException {
        return new TinyServer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    }

    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    long requests() {
        return requests.get();
    }

    long connections() {
        return connections.get();
    }

    /** The addresses that connections came from. */
    Set<InetAddress> clients() {
        return clients;
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
                accepted.register(selector, SelectionKey.OP_READ, new int[1]);
                clients.add(((InetSocketAddress) accepted.getRemoteAddress()).getAddress());
                connections.incrementAndGet();
            } else {
                answer((SocketChannel) key.channel(), (int[]) key.attachment());
            }
        } catch (IOException e) {
            try {
                key.channel().close();
            } catch (IOException ignored) {
                // a test server's socket
            }
        }
    }

    /** @param matched how much of the end of a request the last bytes were */
    private void answer(SocketChannel channel, int[] matched) throws IOException {
        in.clear();
        int count = channel.read(in);
        if (count < 0) {
            channel.close();
            return;
        }
        int ends = 0;
        for (int i = 0; i < count; i++) {
            byte b = in.get(i);
            matched[0] = b == END[matched[0]] ? matched[0] + 1 : b == END[0] ? 1 : 0;
            if (matched[0] == END.length) {
                matched[0] = 0;
                ends++;
            }
        }
        requests.addAndGet(ends);
        answers.clear().limit(ends * answerLength);
        while (answers.hasRemaining()) {
            channel.write(answers);
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
