package dev.fettle.load.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** An address of this host that refuses every connection: it is taken, so nobody else can listen there, and nobody listens. */
final class RefusedAddress implements AutoCloseable {
    private final Socket bound = new Socket();

    RefusedAddress() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    InetSocketAddress get() {
        return (InetSocketAddress) bound.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
