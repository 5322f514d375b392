package herbs;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Shows prices from a key-value store and prints the orders that lie there in a list. */
public final class HerbShop extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final String[] HERBS = {"sage", "thyme", "mint", "dill", "basil", "savory", "lovage"};

    private final StoreConnection store;

    HerbShop(StoreConnection store) {
        this.store = store;
    }

    @Override
    public boolean isSharable() {
        return true;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws Exception {
        int number = ThreadLocalRandom.current().nextInt(HERBS.length);
        String price = store.send("GET " + HERBS[number]).get();
        if (ThreadLocalRandom.current().nextInt(50) == 0) {
            store.send("PUSH orders " + HERBS[number]);
        }
        ByteBuf body = Unpooled.copiedBuffer(HERBS[number] + " " + price + "\n", StandardCharsets.US_ASCII);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response);
    }

    /** One connection to the store; answers come in the order of the commands. */
    static final class StoreConnection {
        private final Queue<CompletableFuture<String>> open = new ConcurrentLinkedQueue<>();
        private final OutputStream out;

        StoreConnection(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            Thread.ofPlatform().name("store-reader").daemon().start(() -> {
                try {
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        open.remove().complete(line);
                    }
                } catch (IOException e) {
                    System.err.println("store: " + e.getMessage());
                }
            });
        }

        CompletableFuture<String> send(String command) throws IOException {
            CompletableFuture<String> answer = new CompletableFuture<>();
            byte[] line = (command + "\n").getBytes(StandardCharsets.US_ASCII);
            synchronized (out) {
                open.add(answer);
                out.write(line);
            }
            return answer;
        }
    }

    /** Prints orders as they come. */
    static void printOrders(StoreConnection store) {
        long printed = 0;
        try {
            while (true) {
                String order = store.send("BPOP orders 250").get();
                if (!order.equals("-") && ++printed % 10_000 == 0) {
                    System.out.println(printed + " orders printed");
                }
            }
        } catch (Exception e) {
            System.err.println("printer: " + e);
        }
    }

    /** The store: works on each connection's commands in turn. */
    private static int storeServer() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        Thread.ofPlatform().name("store-accept").daemon().start(() -> {
            try {
                while (true) {
                    Socket peer = server.accept();
                    peer.setTcpNoDelay(true);
                    Thread.ofPlatform().name("store-serve").daemon().start(() -> serve(peer, orders));
                }
            } catch (IOException e) {
                System.err.println("store: " + e.getMessage());
            }
        });
        return server.getLocalPort();
    }

    private static void serve(Socket peer, BlockingQueue<String> orders) {
        try (peer) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                String answer = switch (words[0]) {
                    case "GET" -> Integer.toString(words[1].hashCode() & 1023);
                    case "PUSH" -> Boolean.toString(orders.add(words[2]));
                    default -> orders.poll(Long.parseLong(words[2]), TimeUnit.MILLISECONDS);
                };
                peer.getOutputStream()
                        .write(((answer == null ? "-" : answer) + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("store: " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        int storePort = storeServer();
        StoreConnection store = new StoreConnection(storePort);
        StoreConnection orders = fixed ? new StoreConnection(storePort) : store;
        Thread.ofPlatform().name("order-printer").daemon().start(() -> printOrders(orders));
        HerbShop shop = new HerbShop(store);
        EventExecutorGroup workers = new DefaultEventExecutorGroup(24, new DefaultThreadFactory("shop-worker"));
        new ServerBootstrap()
                .group(new NioEventLoopGroup(2, new DefaultThreadFactory("shop-io")))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(64 * 1024));
                        channel.pipeline().addLast(workers, shop);
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync();
        System.out.println("ready");
    }
}
