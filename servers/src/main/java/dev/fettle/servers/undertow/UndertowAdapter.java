package dev.fettle.servers.undertow;

import dev.fettle.servers.app.App;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Presents an Undertow exchange to an application.
 *
 * @param onIoThread whether it runs on an I/O thread, which can't wait for a body: that is received first. Else the exchange is
 *     already blocking
 */
record UndertowAdapter(App app, boolean onIoThread) implements HttpHandler {
    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        if (onIoThread) {
            exchange.getRequestReceiver().receiveFullBytes(this::received);
        } else {
            answer(new View(exchange, null));
        }
    }

    private void received(HttpServerExchange exchange, byte[] body) {
        try {
            answer(new View(exchange, body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(View view) throws IOException {
        App.Response answer = app.handle(view);
        HttpServerExchange exchange = view.exchange();
        exchange.setStatusCode(answer.status());
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, answer.contentType());
        exchange.setResponseContentLength(answer.body().length);
        answer.headers().forEach((name, value) -> exchange.getResponseHeaders().add(new HttpString(name), value));
        exchange.getResponseSender().send(ByteBuffer.wrap(answer.body()));
    }

    /** @param received the body, if it is here already */
    private record View(HttpServerExchange exchange, byte @Nullable [] received) implements App.Request {
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
            return received == null
                    ? exchange.getInputStream().readNBytes(App.MAX_BODY)
                    : Arrays.copyOf(received, Math.min(received.length, App.MAX_BODY));
        }
    }
}
