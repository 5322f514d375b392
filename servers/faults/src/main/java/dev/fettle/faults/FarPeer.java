package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.net.Socket;

/**
 * A service at the other end of a long or lossy way, asked several times by each request. The system property {@code fettle.far} names it,
 * {@code HOST:PORT}; a plan's hook starts it.
 */
final class FarPeer implements Fault {
    private static final int TIMES = 3;

    private final String host;
    private final int port;
    private final Idle<Socket> connections = new Idle<>(this::open);

    FarPeer() {
        String where = System.getProperty("fettle.far", "10.9.0.2:7007");
        int colon = where.lastIndexOf(':');
        host = where.substring(0, colon);
        port = Integer.parseInt(where.substring(colon + 1));
    }

    private Socket open() throws IOException {
        var socket = new Socket(host, port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        connections.lend(s -> {
            for (int i = 0; i < TIMES; i++) {
                s.getOutputStream().write('?');
                if (s.getInputStream().read() < 0) {
                    throw new IOException("the service closed the connection");
                }
            }
        });
    }
}
