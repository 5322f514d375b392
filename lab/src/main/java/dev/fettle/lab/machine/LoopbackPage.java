package dev.fettle.lab.machine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fettle.load.HostPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page on a loopback address, for who knows its token. Every process of the machine can connect, and so can a page in a browser that
 * names this machine by a name of its own: so the token is asked for, and the name by which the request came must be a loopback
 * address or {@code localhost}. Only {@code GET} is answered. Requests are short, few at a time, and bounded in time, so that nobody who
 * connects and stays silent keeps others out for long. Until it is closed, its thread keeps this process alive.
 */
public final class LoopbackPage implements AutoCloseable {
    private static final String BEARER = "Bearer ";
    private static final int BACKLOG = 32;

    /** Of the JDK's server; they count for the whole process, and are read when its first server is made. */
    private static final Map<String, String> LIMITS = Map.of(
            "jdk.httpserver.maxConnections", "32",
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "30",
            "sun.net.httpserver.maxReqHeaders", "50",
            "sun.net.httpserver.maxReqHeaderSize", "16384",
            "sun.net.httpserver.maxIdleConnections", "8");

    /**
     * What is answered.
     *
     * @param type the media type
     */
    public record Answer(String type, String text) {}

    private final HttpServer server;
    private final ExecutorService threads;
    private final String path;
    private final byte[] token;
    private final Function<String, Answer> page;

    private LoopbackPage(
            HttpServer server, ExecutorService threads, String path, String token, Function<String, Answer> page) {
        this.server = server;
        this.threads = threads;
        this.path = path;
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.page = page;
    }

    /**
     * Opens it, until it is closed.
     *
     * @param at a loopback address and a port; 0: any that is free
     * @param path where the page is: {@code /metrics}
     * @param token what a request has to bring as {@code Authorization: Bearer TOKEN}
     * @param page makes the answer to a request, from its {@code Accept} header; called by several threads
     * @throws LabException if the address is not a loopback address, or the port can't be had
     */
    public static LoopbackPage open(InetSocketAddress at, String path, String token, Function<String, Answer> page)
            throws LabException {
        if (at.isUnresolved() || !HostPolicy.isLoopback(at.getAddress())) {
            throw new LabException(at.getHostString() + " is not a loopback address: a page of Fettle's is for this"
                    + " machine alone (127.0.0.1); from another, use ssh -L");
        }
        LIMITS.forEach((name, limit) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, limit);
            }
        });
        try {
            HttpServer server = HttpServer.create(at, BACKLOG);
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            var made = new LoopbackPage(server, threads, path, token, page);
            server.setExecutor(threads);
            server.createContext("/", made::answer);
            server.start();
            return made;
        } catch (IOException e) {
            throw new LabException(
                    "cannot listen on " + at.getAddress().getHostAddress() + ":" + at.getPort() + ": " + e.getMessage(),
                    e);
        }
    }

    /** Where it is. */
    public URI url() {
        InetSocketAddress at = server.getAddress();
        InetAddress address = at.getAddress();
        String host = address.getAddress().length == 4 ? address.getHostAddress() : "[::1]";
        return URI.create("http://" + host + ":" + at.getPort() + path);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isForHere(exchange.getRequestHeaders().getFirst("Host"))) {
                send(exchange, 421, plain("this page is at " + url()));
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                send(exchange, 405, plain("only GET is answered"));
            } else if (!isKnown(exchange.getRequestHeaders().get("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                send(exchange, 401, plain("send the token: Authorization: Bearer TOKEN"));
            } else if (!exchange.getRequestURI().getPath().equals(path)) {
                send(exchange, 404, plain("this page is at " + path));
            } else {
                send(exchange, 200, page.apply(header(exchange, "Accept")));
            }
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    /** Whether a request came by a name that no other machine's page can give to this one. */
    static boolean isForHere(@Nullable String host) {
        try {
            String name =
                    Optional.ofNullable(new URI("http://" + host).getHost()).orElse("");
            return name.equals("localhost") || name.equals("[::1]") || name.matches("^127(?:\\.[0-9]{1,3}){3}$");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Takes as long whatever is sent. */
    private boolean isKnown(@Nullable List<String> sent) {
        return sent != null
                && sent.size() == 1
                && sent.getFirst().startsWith(BEARER)
                && MessageDigest.isEqual(
                        sent.getFirst().substring(BEARER.length()).getBytes(StandardCharsets.UTF_8), token);
    }

    private static Answer plain(String text) {
        return new Answer("text/plain; charset=utf-8", text + "\n");
    }

    private static void send(HttpExchange exchange, int status, Answer answer) throws IOException {
        byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", answer.type());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            threads.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
