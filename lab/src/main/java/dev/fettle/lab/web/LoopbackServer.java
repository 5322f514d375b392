package dev.fettle.lab.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.HostPolicy;
import dev.fettle.model.text.OneLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * Pages on a loopback address, for those whom an {@link Access} lets in. Every process of the machine can connect, and so can a page in a
 * browser that names this machine by a name of its own: see {@link Guard}. Requests are short, few at a time, and bounded in time, so that
 * nobody who connects and stays silent keeps others out for long; who does not take what is sent is dropped. Until it is closed, its
 * thread keeps this process alive; a browser does not.
 */
public final class LoopbackServer implements AutoCloseable {
    /** The header with which an act brings the secret of its page. */
    public static final String SECRET = "Fettle-Secret";

    private static final int BACKLOG = 32;
    private static final int MOST_OF_A_BODY = 4096;
    private static final int MOST_STREAMS = 16;

    /** A stream ends by itself after this, before the JDK's server ends it; the browser goes on where it was. */
    private static final Duration ONE_STREAM = Duration.ofSeconds(25);

    /** After this long without an event, a comment shows whether the browser is still there. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** Who takes longer for one event is dropped. */
    private static final Duration ONE_EVENT = Duration.ofSeconds(5);

    /** Of the JDK's server; they count for the whole process, and are read when its first server is made. */
    private static final Map<String, String> LIMITS = Map.of(
            "jdk.httpserver.maxConnections", "48",
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "30",
            "sun.net.httpserver.maxReqHeaders", "50",
            "sun.net.httpserver.maxReqHeaderSize", "16384",
            "sun.net.httpserver.maxIdleConnections", "8");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore streams = new Semaphore(MOST_STREAMS);
    private final Set<Writing> writing = ConcurrentHashMap.newKeySet();
    private final Access access;
    private final Site site;
    private final Guard guard;

    /** A thread that is sending an event, and since when. */
    private record Writing(Thread thread, long since) {}

    private LoopbackServer(HttpServer server, Access access, Site site) {
        this.server = server;
        this.access = access;
        this.site = site;
        this.guard = new Guard(access, url("/"));
    }

    /**
     * Opens it, until it is closed.
     *
     * @param at a loopback address and a port; 0: any that is free
     * @throws LabException if the address is not a loopback address, or the port can't be had
     */
    public static LoopbackServer open(InetSocketAddress at, Access access, Site site) throws LabException {
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
            var made = new LoopbackServer(HttpServer.create(at, BACKLOG), access, site);
            made.server.setExecutor(made.threads);
            made.server.createContext("/", made::answer);
            made.server.start();
            made.threads.execute(made::dropTheStalled);
            return made;
        } catch (IOException e) {
            throw new LabException(
                    "cannot listen on " + at.getAddress().getHostAddress() + ":" + at.getPort() + ": " + e.getMessage(),
                    e);
        }
    }

    /** Where a path of it is. */
    public URI url(String path) {
        InetSocketAddress at = server.getAddress();
        InetAddress address = at.getAddress();
        String host = address.getAddress().length == 4 ? address.getHostAddress() : "[::1]";
        return URI.create("http://" + host + ":" + at.getPort() + path);
    }

    /**
     * The link that lets a browser in.
     *
     * @param acting whether it may act, too
     * @throws IllegalStateException if nobody is let in by a link
     */
    public URI link(boolean acting) {
        if (access instanceof Access.Link l) {
            return url("/?" + Guard.TOKEN + "=" + (acting ? l.act() : l.look()));
        }
        throw new IllegalStateException("nobody is let in by a link");
    }

    /** How many pages follow events now. */
    public int following() {
        return MOST_STREAMS - streams.availablePermits();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getRequestHeaders();
            URI uri = exchange.getRequestURI();
            String path = Optional.ofNullable(uri.getPath()).orElse("");
            switch (guard.decide(exchange.getRequestMethod(), path, uri.getRawQuery(), headers)) {
                case Guard.Decision.Refused(Answer.Whole whole) -> send(exchange, whole);
                case Guard.Decision.In in -> {
                    boolean post = exchange.getRequestMethod().equals("POST");
                    byte[] body = post ? exchange.getRequestBody().readNBytes(MOST_OF_A_BODY + 1) : new byte[0];
                    if (body.length > MOST_OF_A_BODY) {
                        send(exchange, Answer.plain(413, "at most " + MOST_OF_A_BODY + " bytes are taken"));
                        return;
                    }
                    var request = new Request(
                            post,
                            in.path(),
                            Guard.query(uri.getRawQuery()),
                            harmless(headers),
                            new String(body, StandardCharsets.UTF_8),
                            in.secret());
                    switch (answered(request)) {
                        case Answer.Whole whole -> send(exchange, whole);
                        case Answer.Stream stream -> stream(exchange, stream.events());
                    }
                }
            }
        }
    }

    /** What can't be answered is said: a connection that closes without a word looks as if nobody were there. */
    private Answer answered(Request request) {
        try {
            return site.answer(request);
        } catch (RuntimeException e) {
            return Answer.plain(500, "cannot be answered: " + OneLine.of(String.valueOf(e.getMessage())));
        }
    }

    /** What is no secret. */
    private static Map<String, String> harmless(Headers headers) {
        var all = new LinkedHashMap<String, String>();
        headers.forEach((name, values) -> all.putIfAbsent(name.toLowerCase(Locale.ROOT), values.getFirst()));
        Set.of("cookie", "authorization", SECRET.toLowerCase(Locale.ROOT)).forEach(all::remove);
        return all;
    }

    /** The headers of every answer: it is kept by nobody, shown in no other page, and guessed to be nothing else. */
    private static void guarded(HttpExchange exchange, String type) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
    }

    private static void send(HttpExchange exchange, Answer.Whole answer) throws IOException {
        guarded(exchange, answer.type());
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = answer.body();
        String takes = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept-Encoding"))
                .orElse("");
        if (body.length > 1024 && takes.contains("gzip")) {
            body = zipped(body);
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        }
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static byte[] zipped(byte[] body) throws IOException {
        var to = new ByteArrayOutputStream(body.length / 2);
        try (var zip = new GZIPOutputStream(to)) {
            zip.write(body);
        }
        return to.toByteArray();
    }

    private void stream(HttpExchange exchange, Events events) throws IOException {
        if (!streams.tryAcquire()) {
            send(exchange, Answer.plain(503, "too many pages follow already", Map.of("Retry-After", "5")));
            return;
        }
        try {
            guarded(exchange, "text/event-stream; charset=utf-8");
            long last = lastEvent(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(200, 0);
            write(exchange, "retry: 1000\n\n");
            long end = System.nanoTime() + ONE_STREAM.toNanos();
            for (long left = ONE_STREAM.toNanos(); left > 0; left = end - System.nanoTime()) {
                Duration wait = Duration.ofNanos(Math.min(left, SILENCE.toNanos()));
                Optional<Events.Event> event = events.after(last, wait);
                write(exchange, event.map(LoopbackServer::text).orElse(":\n\n"));
                last = event.map(Events.Event::id).orElse(last);
            }
        } catch (InterruptedException e) {
            // dropped, or all is over
        } finally {
            streams.release();
        }
    }

    private static String text(Events.Event e) {
        var text = new StringBuilder("id: " + e.id() + "\nevent: " + e.name() + "\n");
        e.data().lines().forEach(l -> text.append("data: ").append(l).append('\n'));
        return text.append('\n').toString();
    }

    private static long lastEvent(Headers headers) {
        try {
            return Long.parseLong(
                    Optional.ofNullable(headers.getFirst("Last-Event-ID")).orElse(Long.toString(Events.NONE)));
        } catch (NumberFormatException e) {
            return Events.NONE;
        }
    }

    private void write(HttpExchange exchange, String text) throws IOException {
        var now = new Writing(Thread.currentThread(), System.nanoTime());
        writing.add(now);
        try {
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        } finally {
            writing.remove(now);
        }
    }

    /** Interrupts who has been sending for too long, which closes that connection. */
    private void dropTheStalled() {
        try {
            while (true) {
                Thread.sleep(Duration.ofSeconds(1));
                long bound = System.nanoTime() - ONE_EVENT.toNanos();
                writing.stream()
                        .filter(w -> w.since() - bound < 0)
                        .forEach(w -> w.thread().interrupt());
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public void close() {
        threads.shutdownNow(); // first: the server waits for what is being answered
        server.stop(0);
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
