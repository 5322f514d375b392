package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 with Jetty, over TLS and in the clear. With Tomcat: {@link Http2TomcatTest}. */
class Http2ServersTest {

    private static final String BODY = "hello from a real server";
    /** What Jetty takes at once on a connection. */
    private static final int STREAMS = 16;

    private static final AtomicInteger SERVED = new AtomicInteger();
    private static final Server JETTY = new Server();
    private static ServerConnector clear = new ServerConnector(JETTY);
    private static ServerConnector secure = clear;
    private static ServerConnector old = clear;

    @BeforeAll
    static void startJetty() throws Exception {
        HttpConfiguration plain = new HttpConfiguration();
        plain.setResponseHeaderSize(100_000);
        HTTP2CServerConnectionFactory h2c = new HTTP2CServerConnectionFactory(plain);
        h2c.setMaxConcurrentStreams(STREAMS);
        clear = new ServerConnector(JETTY, 1, 1, new HttpConnectionFactory(plain), h2c);

        HttpConfiguration secured = new HttpConfiguration();
        SecureRequestCustomizer customizer = new SecureRequestCustomizer();
        customizer.setSniHostCheck(false);
        secured.addCustomizer(customizer);
        HTTP2ServerConnectionFactory h2 = new HTTP2ServerConnectionFactory(secured);
        h2.setMaxConcurrentStreams(STREAMS);
        HttpConnectionFactory http1 = new HttpConnectionFactory(secured);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        secure = new ServerConnector(JETTY, 1, 1, ssl("alpn"), alpn, h2, http1);
        old = new ServerConnector(JETTY, 1, 1, ssl(http1.getProtocol()), new HttpConnectionFactory(secured));
        for (ServerConnector connector : List.of(clear, secure, old)) {
            connector.setHost("127.0.0.1");
            JETTY.addConnector(connector);
        }
        JETTY.setHandler(new Answer());
        JETTY.start();
    }

    private static SslConnectionFactory ssl(String next) throws Exception {
        SslContextFactory.Server keys = new SslContextFactory.Server();
        keys.setKeyStore(Certificates.GOOD.keys());
        keys.setKeyStorePassword("changeit");
        return new SslConnectionFactory(keys, next);
    }

    @AfterAll
    static void stopJetty() throws Exception {
        JETTY.stop();
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void inTheClear(TransportKind kind) throws Exception {
        counts(spec(clear, "/hello").wire(h2(8).withTransport(kind)));
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void overTls(TransportKind kind) throws Exception {
        counts(spec(secure, "/hello").wire(h2(8).with(trusting()).withTransport(kind)));
    }

    private static void counts(LoadSpecBuilder spec) throws Exception {
        int before = SERVED.get();
        Window window = run(spec.connections(3)
                .threads(2)
                .maxRequests(3000)
                .expect(Expectation.status(200).withBodyLength(BODY.length()).withBodyContaining(BODY)));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(3000);
        assertThat(SERVED.get() - before).isEqualTo(3000);
        assertThat(window.connect().getTotalCount()).isBetween(1L, 3L);
        assertThat(window.firstByte().getTotalCount()).isEqualTo(3000);
    }

    @Test
    void theServersBoundOnStreamsHoldsAndIsNoted() throws Exception {
        LoadSpec spec = spec(clear, "/hello").wire(h2(100)).maxRequests(2000).build();
        try (LoadRun run = LoadEngine.start(spec)) {
            assertThat(run.awaitDone(Duration.ofSeconds(60))).isTrue();
            Window window = run.takeWindow();
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(2000);
            assertThat(run.notes())
                    .contains("the server takes 16 streams at once on a connection, not the 100 asked for");
        }
    }

    @Test
    void openModel() throws Exception {
        Window window = run(spec(secure, "/hello")
                .wire(h2(4).with(trusting()))
                .connections(4)
                .maxRequests(500)
                .arrivals(Arrivals.Open.constant(2000)));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(500);
    }

    @Test
    void aConnectionForEachRequest() throws Exception {
        Window window = run(spec(secure, "/hello")
                .wire(h2(1).with(trusting()))
                .connections(2)
                .keepAlive(false)
                .maxRequests(30));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(30);
        assertThat(window.connect().getTotalCount()).isEqualTo(30);
    }

    /** Bodies over what the server takes at once, so that it has to open its window again and again. */
    @Test
    void bodiesGoOutAsFarAsTheServersWindowsAllow() throws Exception {
        byte[] body = new byte[1_000_000];
        Window window = run(LoadSpec.builder(
                        address(secure),
                        RequestTemplate.builder("POST", "/count")
                                .header("Content-Type", "application/octet-stream")
                                .body(body)
                                .build())
                .wire(h2(3).with(trusting()))
                .maxRequests(9)
                .maxDuration(Duration.ofSeconds(60))
                .expect(Expectation.status(200).withBodyLength(7).withBodyContaining("1000000")));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(9);
        assertThat(window.bytesWritten()).isGreaterThan(9_000_000);
    }

    @Test
    void largeBodiesComeWhole() throws Exception {
        Window window = run(spec(secure, "/large")
                .wire(h2(5).with(trusting()))
                .maxRequests(8)
                .expect(Expectation.status(200).withBodyLength(1_000_000)));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(8);
    }

    @Test
    void headHasALengthAndNoBody() throws Exception {
        Window window = run(LoadSpec.builder(
                        address(clear),
                        RequestTemplate.builder("HEAD", "/hello").build())
                .wire(h2(2))
                .maxRequests(10)
                .expect(Expectation.status(200).withBodyLength(BODY.length())));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(10);
    }

    @Test
    void statusIsHeldAgainstWhatIsExpected() throws Exception {
        Window window = run(spec(clear, "/missing").wire(h2(4)).maxRequests(40));
        assertThat(window.errors()).containsOnlyKeys(ErrorKind.STATUS);
        assertThat(window.errors().get(ErrorKind.STATUS).example()).isEqualTo("status 404, expected 2xx");
        assertThat(window.failed()).isEqualTo(40);
    }

    @Test
    void aServerWithoutHttp2() throws Exception {
        Window tls = run(spec(old, "/hello").wire(h2(2).with(trusting())).maxRequests(2));
        assertThat(tls.errors()).containsOnlyKeys(ErrorKind.TLS);
        assertThat(tls.errors().get(ErrorKind.TLS).example()).contains("does not offer HTTP/2");
        try (ScriptedServer server = new ScriptedServer(
                (number, peer) -> peer.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))) {
            Window plain = run(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                    .wire(h2(2))
                    .maxRequests(2));
            assertThat(plain.errors()).containsOnlyKeys(ErrorKind.MALFORMED);
            assertThat(plain.errors().get(ErrorKind.MALFORMED).example())
                    .isEqualTo("while connecting: the server answers in HTTP/1.x: it speaks no HTTP/2 on this port");
        }
    }

    /** Two clients that know nothing of each other see the same. */
    @Test
    void agreesWithTheJdksClient() throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            for (String path : List.of("/hello", "/large", "/headers", "/missing")) {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + clear.getLocalPort() + path))
                        .build();
                HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
                Window window = run(spec(clear, path)
                        .wire(h2(3))
                        .maxRequests(10)
                        .expect(Expectation.status(response.statusCode()).withBodyLength(response.body().length)));
                assertThat(window.errors()).isEmpty();
                assertThat(window.responses()).isEqualTo(10);
            }
        }
    }

    private static Wire h2(int streams) {
        return Wire.PLAIN.withProtocol(Protocol.HTTP_2).withInFlight(streams);
    }

    private static Tls trusting() throws Exception {
        return new Tls(Optional.of(Certificates.GOOD.pem().toString()), false, true);
    }

    private static Window run(LoadSpecBuilder spec) throws InterruptedException {
        return FaultsTest.run(spec);
    }

    private static InetSocketAddress address(ServerConnector connector) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    }

    private static LoadSpecBuilder spec(ServerConnector connector, String path) {
        return LoadSpec.builder(address(connector), RequestTemplate.get(path)).maxDuration(Duration.ofSeconds(60));
    }

    private static final class Answer extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            switch (Request.getPathInContext(request)) {
                case "/hello" -> {
                    SERVED.incrementAndGet();
                    response.getHeaders().put("Content-Length", BODY.length());
                    Content.Sink.write(response, true, BODY, callback);
                }
                case "/large" -> Content.Sink.write(response, true, "x".repeat(1_000_000), callback);
                case "/headers" -> {
                    for (int i = 0; i < 300; i++) {
                        response.getHeaders().add("X-Some-" + i, "v".repeat(10 + i));
                    }
                    Content.Sink.write(response, true, BODY, callback);
                }
                case "/count" -> {
                    long count = Content.Source.asByteBuffer(request).remaining();
                    Content.Sink.write(response, true, Long.toString(count), callback);
                }
                default -> Response.writeError(request, response, callback, 404);
            }
            return true;
        }
    }
}
