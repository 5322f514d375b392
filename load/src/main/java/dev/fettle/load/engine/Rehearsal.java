package dev.fettle.load.engine;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Part;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A small server in this JVM that gives the answers that a load expects, so that the engine is warm before it sends the
 * first request to the real server. It speaks the load's protocol, with one virtual thread per connection.
 *
 * <p>A load with TLS is rehearsed in plain text, and a scenario not at all: its users need the answers of the real
 * server.
 */
public final class Rehearsal implements AutoCloseable {

    /** More connections would not warm up anything more. */
    private static final int MOST_CONNECTIONS = 64;
    /**
     * Requests per second: enough for an open load's code to be compiled, and few enough for one CPU to send and
     * answer.
     */
    private static final double PER_SECOND = 10_000;

    private final LoadSpec spec;
    private final Responder responder;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /**
     * Begins to listen, on loopback.
     *
     * @param load to rehearse
     * @param atMost maximum duration
     * @throws IllegalArgumentException if the load has a scenario
     * @throws IOException if no port is free on this host
     */
    public Rehearsal(LoadSpec load, Duration atMost) throws IOException {
        if (load.scenario().isPresent()) {
            throw new IllegalArgumentException("a scenario cannot be rehearsed");
        }
        listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        spec = with(load, new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), atMost);
        responder = Responder.of(spec);
        Thread.ofVirtual().start(this::takeAll);
    }

    private static LoadSpec with(LoadSpec load, InetSocketAddress address, Duration atMost) {
        int connections = Math.min(load.ownConnections(), MOST_CONNECTIONS);
        Wire wire = load.wire();
        return load.with()
                .address(address)
                .connections(connections)
                .arrivals(
                        load.arrivals() instanceof Arrivals.Open
                                ? Arrivals.Open.constant(PER_SECOND)
                                : Arrivals.Closed.BACK_TO_BACK)
                .wire(wire.with().tls(Optional.empty()).sources(List.of()).build())
                .threads(Math.min(load.threads(), connections))
                .maxRequests(OptionalLong.empty())
                .maxDuration(atMost)
                .drain(Duration.ZERO)
                .part(Part.WHOLE)
                .build();
    }

    /** The load to start for the rehearsal: like the original, but to this server, limited by time alone, and without pauses. */
    public LoadSpec spec() {
        return spec;
    }

    private void takeAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                if (listener.isClosed()) {
                    // accepted while it was closed, and perhaps not seen by close()
                    socket.close();
                    return;
                }
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            responder.serve(socket);
        } catch (IOException gone) {
            // the load has ended
        } finally {
            sockets.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
