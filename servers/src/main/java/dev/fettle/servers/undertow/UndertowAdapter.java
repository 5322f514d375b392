package dev.fettle.servers.undertow;

import dev.fettle.servers.app.App;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Presents an Undertow exchange, already blocking, to an application. */
record UndertowAdapter(App app) implements HttpHandler {
    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        App.Response answer = app.handle(new View(exchange));
        exchange.setStatusCode(answer.status());
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, answer.contentType());
        exchange.setResponseContentLength(answer.body().length);
        answer.headers().forEach((name, value) -> exchange.getResponseHeaders().add(new HttpString(name), value));
        exchange.getResponseSender().send(ByteBuffer.wrap(answer.body()));
    }

    private record View(HttpServerExchange exchange) implements App.Request {
        @Override
        public String method() {
            return exchange.getRequestMethod().toString();
        }

        @Override
        public String path() {
            return exchange.getRequestPath();
        }

        @Override
        public String query() {
            return exchange.getQueryString();
        }

        @Override
        public @Nullable String header(String name) {
            return exchange.getRequestHeaders().getFirst(name);
        }

        @Override
        public byte[] body() throws IOException {
            return exchange.getInputStream().readNBytes(App.MAX_BODY);
        }
    }
}
