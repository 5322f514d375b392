package lanes;

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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** Prepares the first message of a secured call to a supplier, which the gateway then sends. */
public final class StockLane extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final SSLContext kept;

    StockLane(SSLContext kept) {
        this.kept = kept;
    }

    @Override
    public boolean isSharable() {
        return true;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws Exception {
        String supplier = "supplier-" + ThreadLocalRandom.current().nextInt(80) + ".example";
        byte[] hello = hello(kept != null ? kept : secured(), supplier);
        ByteBuf body = Unpooled.copiedBuffer(supplier + ": " + hello.length + " bytes\n", StandardCharsets.US_ASCII);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response);
    }

    private static SSLContext secured() throws GeneralSecurityException {
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init((KeyStore) null);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    private static byte[] hello(SSLContext context, String supplier) throws SSLException {
        SSLEngine engine = context.createSSLEngine(supplier, 443);
        engine.setUseClientMode(true);
        ByteBuffer message = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), message);
        byte[] bytes = new byte[message.position()];
        message.flip().get(bytes);
        return bytes;
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        StockLane lane = new StockLane(fixed ? secured() : null);
        EventExecutorGroup workers = new DefaultEventExecutorGroup(12, new DefaultThreadFactory("lane-worker"));
        new ServerBootstrap()
                .group(new NioEventLoopGroup(2, new DefaultThreadFactory("lane-io")))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(64 * 1024));
                        channel.pipeline().addLast(workers, lane);
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync();
        System.out.println("ready");
    }
}
