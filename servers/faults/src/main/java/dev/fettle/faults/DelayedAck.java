package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A client that writes a request in two small parts, without TCP_NODELAY: the second waits until the service's kernel acknowledges
 * the first, which takes 40 ms.
 */
final class DelayedAck implements Fault {
    private static final int BACKLOG = 200;
    private static final byte[] HEAD = "BOOK 12\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BODY = "account=1;x\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket service;
    private final Idle<Socket> connections = new Idle<>(this::open);

    DelayedAck() throws IOException {
        service = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        daemon("ledger", this::accept);
    }

    private static void daemon(String name, Runnable what) {
        var t = new Thread(what, name);
        t.setDaemon(true);
        t.start();
    }

    private void accept() {
        while (true) {
            try {
                Socket s = service.accept();
                daemon("ledger-connection", () -> serve(s));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void serve(Socket s) {
        try (s) {
            s.setTcpNoDelay(true);
            InputStream in = s.getInputStream();
            while (in.readNBytes(HEAD.length + BODY.length).length == HEAD.length + BODY.length) {
                s.getOutputStream().write('\n');
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private Socket open() throws IOException {
        var s = new Socket(service.getInetAddress(), service.getLocalPort());
        s.setTcpNoDelay(false);
        return s;
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        connections.lend(DelayedAck::book);
    }

    private static void book(Socket s) throws IOException {
        s.getOutputStream().write(HEAD);
        s.getOutputStream().write(BODY);
        if (s.getInputStream().read() < 0) {
            throw new IOException("the ledger closed the connection");
        }
    }
}
