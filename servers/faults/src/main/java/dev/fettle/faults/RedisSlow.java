package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sessions in a real Redis, looked for by a command that goes through all of them. Where it is says the system property
 * {@code fettle.redis}, {@code HOST:PORT}; a plan's hook starts it.
 */
final class RedisSlow implements Fault {
    private static final int SESSIONS = 5_000;
    private static final int PART = 1_000;

    private final String host;
    private final int port;
    private final Idle<Connection> connections = new Idle<>(this::open);

    RedisSlow() throws IOException {
        String where = System.getProperty("fettle.redis", "127.0.0.1:6379");
        int colon = where.lastIndexOf(':');
        host = where.substring(0, colon);
        port = Integer.parseInt(where.substring(colon + 1));
        try (Connection c = open()) {
            fill(c);
        }
    }

    private static void fill(Connection c) throws IOException {
        for (int i = 0; i < SESSIONS; i += PART) {
            var all = new StringBuilder("MSET");
            for (int j = i; j < i + PART; j++) {
                all.append(" session:").append(j).append(" user").append(j);
            }
            c.ask(all.toString());
        }
    }

    private Connection open() throws IOException {
        return new Connection(new Socket(host, port));
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        connections.lend(c -> c.ask("KEYS session:*none"));
    }

    /** Speaks Redis's inline commands, whose answers here are one line. */
    private static final class Connection implements Closeable {
        private final Socket socket;
        private final InputStream in;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        void ask(String command) throws IOException {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            int first = in.read();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("Redis closed the connection");
                }
            }
            if (first == '-') {
                throw new IOException("Redis refused " + command.substring(0, command.indexOf(' ')));
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
