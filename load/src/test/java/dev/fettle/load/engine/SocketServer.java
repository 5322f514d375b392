package dev.fettle.load.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What servers of raw sockets have in common: each connection is served on a thread of its own, until the server is closed. */
abstract class SocketServer implements AutoCloseable {

    private final ServerSocket listener;
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** For who has nothing to do until the server is closed. */
    final CountDownLatch closing = new CountDownLatch(1);

    /** @param listener which may secure its connections */
    SocketServer(ServerSocket listener) {
        this.listener = listener;
    }

    static ServerSocket listener(int backlog) throws IOException {
        return new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
    }

    /** Takes connections from now on; the last thing that a constructor does. */
    final void start() {
        Thread.ofVirtual().start(this::takeAll);
    }

    /** Serves a connection to its end. That the client goes away, or the server does, is ordinary. */
    abstract void serve(Socket socket) throws IOException, InterruptedException;

    final InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    final int connections() {
        return connections.get();
    }

    private void takeAll() {
        while (true) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                sockets.add(socket);
                if (closing.getCount() == 0) {
                    // accepted while the others were being closed
                    socket.close();
                }
                Thread.ofVirtual().start(() -> take(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void take(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            serve(socket);
        } catch (IOException | InterruptedException gone) {
            // ordinary here
        } finally {
            sockets.remove(socket);
        }
    }

    @Override
    public final void close() throws IOException {
        closing.countDown();
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
