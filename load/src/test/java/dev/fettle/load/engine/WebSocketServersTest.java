package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static dev.fettle.load.engine.WebSocketTest.opening;
import static dev.fettle.load.engine.WebSocketTest.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Echo load on Tomcat, in the clear and over TLS, which counts what it receives. */
@ResourceLock("the MBeans of Tomcat, one set a JVM")
class WebSocketServersTest {

    private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");
    private static final Tomcat TOMCAT = Tomcats.empty();
    private static final Connector CLEAR = new Connector();
    private static final Connector SECURE = new Connector();

    private static final AtomicInteger RUNS = new AtomicInteger();
    /** By query. */
    private static final Map<String, Integer> OPENED = new ConcurrentHashMap<>();

    private static final AtomicInteger TEXTS = new AtomicInteger();
    private static final AtomicInteger BINARIES = new AtomicInteger();

    @TempDir
    private static Path base;

    @BeforeAll
    static void start() throws Exception {
        TOMCAT_LOG.setLevel(Level.SEVERE);
        TOMCAT.setBaseDir(base.toString());
        TOMCAT.setHostname("127.0.0.1");
        CLEAR.setPort(0);
        Tomcats.secure(SECURE);
        TOMCAT.setConnector(CLEAR);
        TOMCAT.setConnector(SECURE);
        Context context = TOMCAT.addContext("", base.toString());
        context.addServletContainerInitializer(new WsSci(), null);
        context.addServletContainerInitializer(
                (classes, servlets) -> {
                    var container = (ServerContainer) servlets.getAttribute(ServerContainer.class.getName());
                    try {
                        container.addEndpoint(ServerEndpointConfig.Builder.create(Echo.class, "/echo")
                                .subprotocols(List.of("v1"))
                                .build());
                    } catch (jakarta.websocket.DeploymentException e) {
                        throw new IllegalStateException(e);
                    }
                },
                null);
        Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet");
        context.addServletMappingDecoded("/", "default");
        TOMCAT.start();
    }

    @AfterAll
    static void stop() throws Exception {
        TOMCAT.stop();
        TOMCAT.destroy();
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void inTheClear(TransportKind kind) throws Exception {
        counts(CLEAR, text(1).withTransport(kind), TEXTS);
        counts(CLEAR, text(8).withTransport(kind), TEXTS);
        counts(CLEAR, text(8).withProtocol(Protocol.WEB_SOCKET_BINARY).withTransport(kind), BINARIES);
    }

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void overTls(TransportKind kind) throws Exception {
        Tls trusting = new Tls(Optional.of(Certificates.GOOD.pem().toString()), false, true);
        counts(SECURE, text(4).with(trusting).withTransport(kind), TEXTS);
    }

    private static void counts(Connector connector, Wire wire, AtomicInteger server) throws Exception {
        int before = server.get();
        String query = "run=" + RUNS.incrementAndGet();
        byte[] message = "na\u00efve \u20ac".getBytes(UTF_8);
        Window window = run(LoadSpec.builder(address(connector), opening("/echo?" + query, message))
                .wire(wire)
                .connections(6)
                .threads(2)
                .maxRequests(2000)
                .maxDuration(Duration.ofSeconds(60))
                .expect(Expectation.ECHO));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(2000);
        assertThat(server.get() - before).as("what the server counts").isEqualTo(2000);
        // one that is opened when all is sent is not needed, and the server may not have seen it yet
        assertThat(OPENED.get(query)).isBetween(1, 6);
    }

    /** Beyond Tomcat's buffer of 8 KB it answers in fragments. */
    @Test
    void largeMessages() throws Exception {
        byte[] message = "0123456789abcdef".repeat(3000).getBytes(UTF_8);
        Window window = run(LoadSpec.builder(address(CLEAR), opening("/echo", message))
                .wire(text(3))
                .connections(2)
                .maxRequests(60)
                .maxDuration(Duration.ofSeconds(60))
                .expect(Expectation.ECHO));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(60);
        assertThat(window.bytesWritten()).isGreaterThan(60L * message.length);
    }

    @Test
    void aMessageThatIsTooBigForTheServerIsToldInItsWords() throws Exception {
        Window window = run(LoadSpec.builder(address(CLEAR), opening("/echo", new byte[100_000]))
                .wire(text(1))
                .maxRequests(1)
                .maxDuration(Duration.ofSeconds(60)));
        assertThat(window.errors()).containsOnlyKeys(ErrorKind.CLOSED_EARLY);
        assertThat(window.errors().get(ErrorKind.CLOSED_EARLY).example())
                .contains("the server closed the WebSocket: 1009 (message too big), '");
    }

    @Test
    void aPathWithoutWebSocketIsAStatus() throws Exception {
        Window window = run(LoadSpec.builder(address(CLEAR), opening("/other", new byte[0]))
                .wire(text(1))
                .maxRequests(2)
                .maxDuration(Duration.ofSeconds(60)));
        assertThat(window.errors()).containsOnlyKeys(ErrorKind.STATUS);
        assertThat(window.errors().get(ErrorKind.STATUS).example())
                .isEqualTo("while connecting: status 404, expected 101: the server opens no WebSocket there");
    }

    /** Two clients that know nothing of each other get the same, and agree on the subprotocol. */
    @Test
    void agreesWithTheJdksClient() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocket.Listener listener = new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                answer.complete(data.toString());
                return WebSocket.Listener.super.onText(socket, data, last);
            }
        };
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket = client.newWebSocketBuilder()
                    .subprotocols("v1")
                    .buildAsync(URI.create("ws://127.0.0.1:" + CLEAR.getLocalPort() + "/echo"), listener)
                    .get(30, TimeUnit.SECONDS);
            socket.sendText("hello", true).get(30, TimeUnit.SECONDS);
            assertThat(socket.getSubprotocol()).isEqualTo("v1");
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(30, TimeUnit.SECONDS);
        }
        RequestTemplate offering = RequestTemplate.builder("GET", "/echo")
                .header("Sec-WebSocket-Protocol", "v1")
                .body("hello".getBytes(UTF_8))
                .build();
        Window window = run(LoadSpec.builder(address(CLEAR), offering)
                .wire(text(1))
                .maxRequests(3)
                .expect(Expectation.SUCCESS.withBodyLength(5).withBodyContaining(answer.get(30, TimeUnit.SECONDS))));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(3);
    }

    private static InetSocketAddress address(Connector connector) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    }

    /** Sends back what comes, and counts it. */
    public static final class Echo extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            OPENED.merge(String.valueOf(session.getQueryString()), 1, Integer::sum);
            session.setMaxTextMessageBufferSize(65_536);
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>) text -> {
                TEXTS.incrementAndGet();
                try {
                    session.getBasicRemote().sendText(text);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            session.addMessageHandler(byte[].class, (MessageHandler.Whole<byte[]>) bytes -> {
                BINARIES.incrementAndGet();
                try {
                    session.getBasicRemote().sendBinary(java.nio.ByteBuffer.wrap(bytes));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
