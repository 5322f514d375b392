package graph;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
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
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Exports a graph's edges, compressed for the way to the other data centre. */
public final class GraphExport extends ChannelInitializer<SocketChannel> {

    private final List<String> pieces = new ArrayList<>();
    private final int level;

    GraphExport(int level) {
        this.level = level;
        for (int piece = 0; piece < 16; piece++) {
            StringBuilder text = new StringBuilder();
            for (int edge = 0; edge < 3000; edge++) {
                int from = (piece * 3000 + edge) / 9;
                text.append("{\"from\":").append(from).append(",\"to\":").append((edge * 7919 + piece) % 5000);
                text.append(",\"kind\":\"")
                        .append(edge % 11 == 0 ? "owns" : "knows")
                        .append("\"}\n");
            }
            pieces.add(text.toString());
        }
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(16 * 1024), new ExportHandler(this));
    }

    static final class ExportHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final GraphExport graph;

        ExportHandler(GraphExport graph) {
            this.graph = graph;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
            ByteBuf body = Unpooled.wrappedBuffer(
                    graph.compressed(ThreadLocalRandom.current().nextInt(16)));
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/x-ndjson");
            response.headers().set(HttpHeaderNames.CONTENT_ENCODING, "deflate");
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            context.writeAndFlush(response);
        }
    }

    byte[] compressed(int piece) throws IOException {
        Deflater deflater = new Deflater(level);
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * 1024);
            try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater, 8192)) {
                out.write(pieces.get(piece).getBytes(StandardCharsets.US_ASCII));
            }
            return bytes.toByteArray();
        } finally {
            deflater.end();
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        GraphExport export = new GraphExport(fixed ? 2 : Deflater.BEST_COMPRESSION);
        EventLoopGroup loops = new NioEventLoopGroup(4, new DefaultThreadFactory("export-io"));
        new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(export)
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync();
        System.out.println("ready");
    }
}
