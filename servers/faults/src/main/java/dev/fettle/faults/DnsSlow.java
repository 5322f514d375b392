package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The name of the service is looked up for every request, and the name server loses a query now and then. The lookup is a stub
 * resolver's: it asks again after five seconds. Name server and resolver are its own, on the loopback address, so that nothing of
 * the machine is changed.
 */
final class DnsSlow implements Fault {
    private static final int LOST = 400;
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int TRIES = 3;
    private static final int HEADER = 12;
    private static final int PACKET = 512;
    private static final String NAME = "accounts.example";

    private final DatagramSocket server;
    private final AtomicLong queries = new AtomicLong();

    DnsSlow() throws IOException {
        server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        var serving = new Thread(this::serve, "name-server");
        serving.setDaemon(true);
        serving.start();
    }

    private void serve() {
        var packet = new DatagramPacket(new byte[PACKET], PACKET);
        while (true) {
            try {
                packet.setLength(PACKET);
                server.receive(packet);
                if (queries.incrementAndGet() % LOST != 0) {
                    answer(packet);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The question with one address for its answer. */
    private void answer(DatagramPacket question) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(PACKET);
        b.put(question.getData(), 0, question.getLength());
        b.putShort(2, (short) 0x8180).putShort(6, (short) 1);
        b.putShort((short) 0xc00c)
                .putShort((short) 1)
                .putShort((short) 1)
                .putInt(0)
                .putShort((short) 4);
        b.put(new byte[] {127, 0, 0, 1});
        server.send(new DatagramPacket(b.array(), b.position(), question.getSocketAddress()));
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        int id = ThreadLocalRandom.current().nextInt(1 << 16);
        byte[] question = question(id);
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            for (int i = 0; i < TRIES; i++) {
                socket.send(new DatagramPacket(question, question.length, server.getLocalSocketAddress()));
                var packet = new DatagramPacket(new byte[PACKET], PACKET);
                try {
                    socket.receive(packet);
                    if (packet.getLength() > HEADER) {
                        return;
                    }
                } catch (SocketTimeoutException e) {
                    // asks again
                }
            }
        }
        throw new IOException("no address for " + NAME);
    }

    private static byte[] question(int id) {
        ByteBuffer b = ByteBuffer.allocate(PACKET);
        b.putShort((short) id)
                .putShort((short) 0x0100)
                .putShort((short) 1)
                .putShort((short) 0)
                .putInt(0);
        for (String label : NAME.split("\\.", -1)) {
            b.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
        }
        b.put((byte) 0).putShort((short) 1).putShort((short) 1);
        byte[] all = new byte[b.position()];
        b.get(0, all);
        return all;
    }
}
