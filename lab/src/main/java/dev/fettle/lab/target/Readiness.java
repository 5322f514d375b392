package dev.fettle.lab.target;

import dev.fettle.lab.machine.DirectHttp;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Sends a target the same request as the load, over TLS if the load uses it, and checks status and body before any load starts. */
public final class Readiness {
    /** EADDRNOTAVAIL: no local port is free on this machine, so the target was not asked. */
    private static final String NO_PORT = "Cannot assign requested address";

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration WRONG_BOUND = Duration.ofSeconds(3);

    /** An answer that goes on longer than the load would wait for it is given so much more, for opening a connection. */
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** So much of a body is read; the rest is only counted. */
    private static final int LOOKED_AT = 16 * 1024 * 1024;

    private Readiness() {}

    /** Whether a connect is accepted. */
    public static boolean listens(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Asks for the status of a URL. Its body, which may never end, is left alone.
     *
     * @throws IOException if there is no answer within that time
     */
    public static int status(HttpClient client, URI url, Duration within) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(url).timeout(within).build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) { // closing it ends the exchange
            return answer.statusCode();
        }
    }

    /**
     * Waits for the right answer.
     *
     * @throws TrialFailure WRONG_ANSWER if it keeps giving another answer or its certificate is refused, NEVER_READY if it
     *     never answers, DIED if it ends
     */
    public static void await(RunningTarget target, Load load) throws TrialFailure, InterruptedException {
        awaitOver(target, target.over(load));
    }

    private static void awaitOver(RunningTarget target, Load load) throws TrialFailure, InterruptedException {
        long begin = System.nanoTime();
        long firstWrong = 0;
        String last = "no answer yet";
        try (HttpClient client = client(target, load)) {
            while (true) {
                if (!target.alive()) {
                    throw new TrialFailure(Kind.DID_NOT_START, target.ended("before it gave the right answer"));
                }
                try {
                    if (load.wire().protocol().isWebSocket()) {
                        open(client, request(target, load));
                        return;
                    }
                    HttpRequest request = request(target, load);
                    Answer answer = ask(
                            client, request, request.timeout().orElse(CONNECT).plus(CONNECT));
                    long length = isHead(load) ? answer.announced() : answer.length();
                    Optional<String> wrong = judge(answer.status(), answer.body(), length, load);
                    if (wrong.isEmpty()) {
                        return;
                    }
                    last = wrong.get();
                    firstWrong = firstWrong == 0 ? System.nanoTime() : firstWrong;
                } catch (IOException e) {
                    Optional<String> refusal = TlsSetup.refusal(e);
                    if (refusal.isPresent()) { // waiting won't change the certificate
                        client.shutdownNow();
                        throw new TrialFailure(Kind.WRONG_ANSWER, refusal.get());
                    }
                    last = words(e);
                }
                long now = System.nanoTime();
                if (firstWrong != 0 && now - firstWrong > WRONG_BOUND.toNanos()) {
                    client.shutdownNow();
                    throw new TrialFailure(
                            Kind.WRONG_ANSWER,
                            load.request().method() + " " + load.request().path() + ": " + last);
                }
                if (now - begin > BOUND.toNanos()) {
                    client.shutdownNow();
                    throw new TrialFailure(
                            last.contains(NO_PORT) ? Kind.LAB : Kind.NEVER_READY,
                            load.request().method() + " " + load.request().path() + " gave no answer for "
                                    + BOUND.toSeconds() + " s: " + last);
                }
                Thread.sleep(50);
            }
        }
    }

    /**
     * A whole answer.
     *
     * @param body its beginning, if it is very long
     * @param length of the body
     * @param announced the length that the head says, or 0
     */
    record Answer(int status, byte[] body, long length, long announced) {}

    /** Takes a body, of which only the beginning is kept. */
    private static final class Body implements Consumer<Optional<byte[]>> {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private long length;

        @Override
        public void accept(Optional<byte[]> part) {
            byte[] bytes = part.orElse(new byte[0]);
            kept.write(bytes, 0, Math.min(bytes.length, LOOKED_AT - kept.size()));
            length += bytes.length;
        }
    }

    /**
     * Sends a request.
     *
     * @param within the time for the whole answer; a request's own time limit ends with the head
     */
    static Answer ask(HttpClient client, HttpRequest request, Duration within)
            throws IOException, InterruptedException {
        var body = new Body();
        var asked = client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArrayConsumer(body));
        try {
            HttpResponse<Void> answer = asked.get(within.toNanos(), TimeUnit.NANOSECONDS);
            long announced = answer.headers().firstValueAsLong("Content-Length").orElse(0);
            return new Answer(answer.statusCode(), body.kept.toByteArray(), body.length, announced);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("the answer had not ended after " + within.toSeconds() + " s");
        } catch (ExecutionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw why instanceof IOException io ? io : new IOException(String.valueOf(why.getMessage()), why);
        } finally {
            asked.cancel(true); // else the client, when it is closed, waits for the end of the body
        }
    }

    /** Why there was no answer: the client's refused connection has no message. */
    static String words(IOException e) {
        String what =
                e instanceof ConnectException ? "no connection" : e.getClass().getSimpleName();
        return what + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }

    /** Opens a WebSocket and closes it again. */
    private static void open(HttpClient client, HttpRequest like) throws IOException, InterruptedException {
        var url = URI.create(like.uri().toString().replaceFirst("^http", "ws"));
        var builder = client.newWebSocketBuilder().connectTimeout(Duration.ofSeconds(5));
        var protocols = new ArrayList<String>();
        like.headers().map().forEach((name, values) -> {
            if (name.equalsIgnoreCase("Sec-WebSocket-Protocol")) {
                protocols.addAll(values);
            } else {
                values.forEach(v -> builder.header(name, v));
            }
        });
        if (!protocols.isEmpty()) {
            builder.subprotocols(
                    protocols.getFirst(), protocols.subList(1, protocols.size()).toArray(String[]::new));
        }
        try {
            builder.buildAsync(url, new WebSocket.Listener() {})
                    .get(10, TimeUnit.SECONDS)
                    .abort();
        } catch (ExecutionException e) {
            Throwable why = e.getCause();
            throw why instanceof WebSocketHandshakeException refused
                    ? new IOException("no WebSocket there: status "
                            + refused.getResponse().statusCode())
                    : new IOException(String.valueOf(why == null ? e.getMessage() : why.getMessage()), e);
        } catch (TimeoutException e) {
            throw new IOException("no WebSocket within 10 s", e);
        }
    }

    /** A client that speaks with a target as its load does. */
    static HttpClient client(RunningTarget target, Load load) throws TrialFailure {
        // without TLS, HTTP/2 needs a server that supports the upgrade; with TLS the handshake decides
        boolean h2 =
                load.wire().protocol() == Protocol.HTTP_2 && load.wire().tls().isPresent();
        var builder = DirectHttp.client(Duration.ofSeconds(5))
                .version(h2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        try {
            load.wire()
                    .tls()
                    .map(t -> TlsSetup.context(t, target.address().getHostString()))
                    .ifPresent(builder::sslContext);
        } catch (IllegalArgumentException e) {
            throw new TrialFailure(Kind.LAB, String.valueOf(e.getMessage()));
        }
        return builder.build();
    }

    private static HttpRequest request(RunningTarget target, Load load) {
        URI uri = uri(target, load, load.request().path());
        var body = load.request()
                .body()
                .map(HttpRequest.BodyPublishers::ofString)
                .orElseGet(HttpRequest.BodyPublishers::noBody);
        var builder = HttpRequest.newBuilder(uri)
                .method(load.request().method(), body)
                .timeout(load.timeout().compareTo(Duration.ofSeconds(5)) > 0 ? load.timeout() : Duration.ofSeconds(5));
        load.request().headers().forEach((name, value) -> {
            if (!name.equalsIgnoreCase("host")) { // the client sets it itself
                builder.header(name, value);
            }
        });
        return builder.build();
    }

    /** The URL of a path of a target, as its load asks for it. */
    static URI uri(RunningTarget target, Load load, String path) {
        // a certificate is issued for a name
        boolean secure = load.wire().tls().isPresent();
        return URI.create((secure ? "https://" + named(target.address()) : plain(target.address())) + path);
    }

    /** The beginning of the URLs of an address that is not asked over TLS. */
    public static String plain(InetSocketAddress address) {
        return "http://" + host(address);
    }

    private static String host(InetSocketAddress address) {
        return authority(address.getAddress().getHostAddress(), address.getPort());
    }

    private static String named(InetSocketAddress address) {
        return authority(address.getHostString(), address.getPort());
    }

    private static String authority(String host, int port) {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Steps are checked as users reach them; before that, the target only has to answer the first one successfully. */
    private static Optional<String> wrongBeforeUsers(int status, Load load) {
        Set<Integer> wanted = load.scenario()
                .flatMap(Scenario::opening)
                .map(Scenario.Step::statuses)
                .orElse(Set.of());
        boolean right = wanted.isEmpty() ? status < 400 || !opens(load) && status < 500 : wanted.contains(status);
        return right ? Optional.empty() : Optional.of("status " + status);
    }

    /** Whether the request is a scenario's first step. */
    private static boolean opens(Load load) {
        return load.scenario().flatMap(Scenario::opening).isPresent();
    }

    /**
     * What is wrong with an answer; empty if nothing. An empty body is wrong unless the plan expects one.
     *
     * @param announced the length that the head says: an answer to HEAD has but that
     */
    static Optional<String> wrong(int status, byte[] body, long announced, Load load) {
        return judge(status, body, isHead(load) ? announced : body.length, load);
    }

    private static boolean isHead(Load load) {
        return load.request().method().equals("HEAD");
    }

    /** @param body its beginning, if it is very long */
    private static Optional<String> judge(int status, byte[] body, long length, Load load) {
        Load.Expect expect = load.expect();
        boolean head = isHead(load);
        if (load.scenario().isPresent()) {
            return wrongBeforeUsers(status, load);
        }
        if (status != expect.status()) {
            return Optional.of("status " + status + " instead of " + expect.status());
        }
        if (expect.length().isPresent() && expect.length().getAsInt() != length) {
            return Optional.of("a body of " + length + " bytes instead of "
                    + expect.length().getAsInt());
        }
        if (expect.contains().isPresent()
                && !new String(body, StandardCharsets.UTF_8)
                        .contains(expect.contains().get())) {
            return Optional.of("the body does not contain '" + expect.contains().get() + "'");
        }
        boolean mayBeEmpty = expect.length().isPresent() || status == 204 || status == 304 || head || status >= 300;
        if (body.length == 0 && !mayBeEmpty) {
            return Optional.of("an empty body; if that is right, say 'expect: {length: 0}'");
        }
        return Optional.empty();
    }
}
