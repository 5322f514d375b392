package docks;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/** Draws a plan of a dock's berths, which another program keeps. */
public final class DockPlan {

    private final BlockingQueue<BerthClient> clients;

    DockPlan(BlockingQueue<BerthClient> clients) {
        this.clients = clients;
    }

    void plan(HttpServerExchange exchange) throws Exception {
        int dock = ThreadLocalRandom.current().nextInt(40);
        BerthClient client = clients.take();
        int[] lengths;
        try {
            lengths = client.berths(dock);
        } finally {
            clients.add(client);
        }
        int longest = 0;
        long sum = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
            sum += length;
        }
        exchange.getResponseSender()
                .send("dock " + dock + ": " + lengths.length + " berths, the longest " + longest + " m, in all " + sum
                        + " m\n");
    }

    /** A connection to the berth keeper. */
    static final class BerthClient {
        private final DataInputStream in;
        private final DataOutputStream out;

        BerthClient(int port, boolean inParts) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            InputStream stream = socket.getInputStream();
            in = new DataInputStream(inParts ? new BufferedInputStream(stream, 16 * 1024) : stream);
            out = new DataOutputStream(socket.getOutputStream());
        }

        int[] berths(int dock) throws IOException {
            out.writeInt(dock);
            int[] lengths = new int[in.readInt()];
            for (int i = 0; i < lengths.length; i++) {
                int number = in.readInt();
                lengths[number] = in.readShort();
                in.readByte(); // the depth
            }
            return lengths;
        }
    }

    private static int keeper() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().name("keeper-accept").daemon().start(() -> {
            try {
                while (true) {
                    Socket peer = server.accept();
                    peer.setTcpNoDelay(true);
                    Thread.ofPlatform().name("keeper").daemon().start(() -> serve(peer));
                }
            } catch (IOException e) {
                System.err.println("keeper: " + e.getMessage());
            }
        });
        return server.getLocalPort();
    }

    private static void serve(Socket peer) {
        try (peer) {
            DataInputStream in = new DataInputStream(peer.getInputStream());
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream(), 32 * 1024));
            while (true) {
                int dock = in.readInt();
                out.writeInt(900);
                for (int i = 0; i < 900; i++) {
                    out.writeInt(i);
                    out.writeShort(40 + (dock * 31 + i * 17) % 260);
                    out.writeByte(6 + i % 12);
                }
                out.flush();
            }
        } catch (EOFException e) {
            // the client has gone
        } catch (IOException e) {
            System.err.println("keeper: " + e.getMessage());
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        int port = keeper();
        BlockingQueue<BerthClient> clients = new ArrayBlockingQueue<>(16);
        for (int i = 0; i < 16; i++) {
            clients.add(new BerthClient(port, fixed));
        }
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(16)
                .setHandler(new BlockingHandler(new DockPlan(clients)::plan))
                .build()
                .start();
        System.out.println("ready");
    }
}
