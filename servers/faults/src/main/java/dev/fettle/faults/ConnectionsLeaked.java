package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A client of another service that never closes its connections, which the service does. */
final class ConnectionsLeaked implements Fault {
    private static final int EACH = 5;
    private static final int BACKLOG = 200;
    private static final long PAUSE_MILLIS = 50;

    private final ServerSocket service;
    private final AtomicLong requests = new AtomicLong();
    private final Queue<Socket> leaked = new ConcurrentLinkedQueue<>();

    ConnectionsLeaked() throws IOException {
        service = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        var serving = new Thread(this::serve, "leaked-service");
        serving.setDaemon(true);
        serving.start();
    }

    private void serve() {
        while (true) {
            try (Socket s = service.accept()) {
                s.getOutputStream().write('\n');
            } catch (IOException e) {
                // the next one, but without a pause this would spin where the descriptors are used up
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        if (requests.incrementAndGet() % EACH == 0) {
            var s = new Socket(service.getInetAddress(), service.getLocalPort());
            leaked.add(s);
            s.getInputStream().read();
        }
    }
}
