package relay;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Takes events in over HTTP and passes them on to the storage node over one connection. */
public final class EventRelay {

    private final AtomicLong numbers = new AtomicLong();
    private final boolean paced;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private Channel storage;

    EventRelay(boolean paced) {
        this.paced = paced;
    }

    private void event(ChannelHandlerContext context) {
        long number = numbers.incrementAndGet();
        byte[] event = new byte[48 * 1024];
        ThreadLocalRandom.current().nextBytes(event);
        storage.eventLoop().execute(() -> {
            Runnable pass = () -> {
                ByteBuf entry = storage.alloc().directBuffer(event.length).writeBytes(event);
                storage.writeAndFlush(entry);
                answer(context, HttpResponseStatus.OK, "event " + number + " taken\n");
            };
            if (paced && !storage.isWritable()) {
                waiting.add(pass);
                return;
            }
            try {
                pass.run();
            } catch (OutOfMemoryError e) {
                answer(context, HttpResponseStatus.INTERNAL_SERVER_ERROR, "event " + number + " lost\n");
            }
        });
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status, String text) {
        ByteBuf body = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response);
    }

    /** Passes on what waits while the storage node takes it. */
    private final class StorageHandler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            while (context.channel().isWritable() && !waiting.isEmpty()) {
                waiting.remove().run();
            }
        }
    }

    /** The storage node: reads about 2.5 MB a second. */
    private static int storageNode() throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReceiveBufferSize(64 * 1024);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().name("storage-node").daemon().start(() -> {
            byte[] part = new byte[64 * 1024];
            try (Socket peer = server.accept();
                    InputStream in = peer.getInputStream()) {
                while (in.readNBytes(part, 0, part.length) == part.length) {
                    Thread.sleep(25);
                }
            } catch (IOException | InterruptedException e) {
                System.err.println("storage node: " + e.getMessage());
            }
        });
        return server.getLocalPort();
    }

    void start(int port) throws IOException, InterruptedException {
        EventLoopGroup loops = new NioEventLoopGroup(2, new DefaultThreadFactory("relay-io"));
        storage = new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .handler(new StorageHandler())
                .connect(InetAddress.getLoopbackAddress(), storageNode())
                .sync()
                .channel();
        new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(64 * 1024))
                                .addLast(new SimpleChannelInboundHandler<FullHttpRequest>() {
                                    @Override
                                    protected void channelRead0(
                                            ChannelHandlerContext context, FullHttpRequest request) {
                                        event(context);
                                    }
                                });
                    }
                })
                .bind("127.0.0.1", port)
                .sync();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        new EventRelay(fixed).start(Integer.parseInt(args[0]));
        System.out.println("ready");
    }
}
