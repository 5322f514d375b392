package baskets;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Shopping baskets, kept in a key-value store. */
public final class BasketStore {

    private final GenericObjectPool<StoreConnection> connections;

    BasketStore(int port, GenericObjectPoolConfig<StoreConnection> config) {
        connections = new GenericObjectPool<>(new ConnectionFactory(port), config);
    }

    void basket(HttpServerExchange exchange) throws Exception {
        int customer = ThreadLocalRandom.current().nextInt(3000);
        StoreConnection connection = connections.borrowObject();
        String items;
        try {
            String count = connection.call("INCR basket:" + customer);
            items = connection.call("GET basket:" + customer) + " (" + count + " visits)";
        } finally {
            connections.returnObject(connection);
        }
        exchange.getResponseSender().send("customer " + customer + ": " + items + "\n");
    }

    static final class StoreConnection {
        private final Socket socket;
        private final BufferedReader in;

        StoreConnection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        String call(String command) throws IOException {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            return in.readLine();
        }

        void close() throws IOException {
            socket.close();
        }
    }

    static final class ConnectionFactory extends BasePooledObjectFactory<StoreConnection> {
        private final int port;

        ConnectionFactory(int port) {
            this.port = port;
        }

        @Override
        public StoreConnection create() throws IOException {
            return new StoreConnection(port);
        }

        @Override
        public PooledObject<StoreConnection> wrap(StoreConnection connection) {
            return new DefaultPooledObject<>(connection);
        }

        @Override
        public void destroyObject(PooledObject<StoreConnection> pooled) throws IOException {
            pooled.getObject().close();
        }
    }

    /** The store, a network away. */
    private static int store() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        Map<String, Integer> values = new ConcurrentHashMap<>();
        Thread.ofPlatform().name("store").daemon().start(() -> {
            while (true) {
                try {
                    Socket peer = server.accept();
                    peer.setTcpNoDelay(true);
                    Thread.ofVirtual().start(() -> converse(peer, values));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return server.getLocalPort();
    }

    private static void converse(Socket peer, Map<String, Integer> values) {
        try (peer) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.UTF_8));
            String line;
            while ((line = in.readLine()) != null) {
                Thread.sleep(6);
                String[] word = line.split(" ");
                int value = word[0].equals("INCR")
                        ? values.merge(word[1], 1, Integer::sum)
                        : values.getOrDefault(word[1], 0);
                peer.getOutputStream().write((value + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException | InterruptedException e) {
            // the client has gone
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        GenericObjectPoolConfig<StoreConnection> config = new GenericObjectPoolConfig<>();
        config.setJmxNamePrefix("baskets");
        if (fixed) {
            config.setMaxTotal(48);
            config.setMaxIdle(48);
        }
        BasketStore baskets = new BasketStore(store(), config);
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(48)
                .setHandler(new BlockingHandler(baskets::basket))
                .build()
                .start();
        System.out.println("ready");
    }
}
