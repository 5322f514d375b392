package dev.fettle.servers.jetty;

import dev.fettle.servers.app.App;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Presents a Jetty request to an application. */
final class JettyApp extends Handler.Abstract {
    private final App app;

    JettyApp(App app) {
        this.app = app;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        App.Response answer = app.handle(new JettyView(request));
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
        answer.headers().forEach(response.getHeaders()::add);
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
        return true;
    }

    private record JettyView(Request request) implements App.Request {
        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return request.getHttpURI().getPath();
        }

        @Override
        public String query() {
            String query = request.getHttpURI().getQuery();
            return query == null ? "" : query;
        }

        @Override
        public @Nullable String header(String name) {
            return request.getHeaders().get(name);
        }

        @Override
        public byte[] body() throws IOException {
            try (InputStream in = Content.Source.asInputStream(request)) {
                return in.readNBytes(App.MAX_BODY);
            }
        }
    }
}
