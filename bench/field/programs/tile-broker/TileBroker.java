package tiles;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
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
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import org.h2.jdbcx.JdbcConnectionPool;

/** Serves map tiles out of a tile store that is reached by JDBC. */
public final class TileBroker extends ChannelInitializer<SocketChannel> {

    private final TileStore store;
    private final EventExecutorGroup handlers;

    TileBroker(TileStore store, EventExecutorGroup handlers) {
        this.store = store;
        this.handlers = handlers;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(64 * 1024));
        if (handlers == null) {
            channel.pipeline().addLast(new TileHandler(store));
        } else {
            channel.pipeline().addLast(handlers, new TileHandler(store));
        }
    }

    static final class TileHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final TileStore store;

        TileHandler(TileStore store) {
            this.store = store;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws Exception {
            byte[] tile = store.load(ThreadLocalRandom.current().nextInt(64));
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(tile));
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream");
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, tile.length);
            boolean keepAlive = HttpUtil.isKeepAlive(request);
            HttpUtil.setKeepAlive(response, keepAlive);
            var written = context.writeAndFlush(response);
            if (!keepAlive) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    static final class TileStore {
        private final JdbcConnectionPool pool;

        TileStore() throws SQLException {
            pool = JdbcConnectionPool.create("jdbc:h2:mem:tiles;DB_CLOSE_DELAY=-1", "sa", "");
            pool.setMaxConnections(40);
            try (Connection connection = pool.getConnection();
                    Statement create = connection.createStatement()) {
                create.execute("create table tile(id int primary key, data varbinary)");
                create.execute("create alias network for \"java.lang.Thread.sleep(long)\"");
                try (PreparedStatement insert = connection.prepareStatement("insert into tile values (?, ?)")) {
                    for (int id = 0; id < 64; id++) {
                        insert.setInt(1, id);
                        insert.setBytes(2, new byte[2000 + id]);
                        insert.executeUpdate();
                    }
                }
            }
        }

        byte[] load(int id) throws SQLException {
            try (Connection connection = pool.getConnection()) {
                try (PreparedStatement far = connection.prepareStatement("call network(12)")) {
                    far.execute(); // the store is in another building
                }
                try (PreparedStatement select = connection.prepareStatement("select data from tile where id = ?")) {
                    select.setInt(1, id);
                    try (ResultSet row = select.executeQuery()) {
                        row.next();
                        return row.getBytes(1);
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        EventExecutorGroup handlers =
                fixed ? new DefaultEventExecutorGroup(40, new DefaultThreadFactory("tile-handler")) : null;
        EventLoopGroup loops = new NioEventLoopGroup(2, new DefaultThreadFactory("tile-io"));
        new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 256)
                .childHandler(new TileBroker(new TileStore(), handlers))
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync();
        System.out.println("ready");
    }
}
