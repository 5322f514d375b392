package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.Wire;
import dev.fettle.load.transport.tls.TlsSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine against TLS servers on sockets: what is trusted, what is refused and why, which sessions are resumed. */
class TlsTest {

    private static final ScriptedServer.Script ANSWERS = (number, peer) -> peer.write(ScriptedServer.OK);

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void everyRequestIsAnsweredOnce(String version) throws Exception {
        try (ScriptedServer server = server(Certificates.GOOD, only(version), ANSWERS)) {
            Window window = run(spec(server, trusting())
                    .serverName("localhost")
                    .connections(10)
                    .threads(2)
                    .maxRequests(1000)
                    .expect(Expectation.status(200).withBodyLength(5).withBodyContaining("hello")));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(1000);
            assertThat(server.requests()).isEqualTo(1000);
            assertThat(server.connections()).isLessThanOrEqualTo(10);
            // one whose handshake was not over when the last request was given out is not waited for
            assertThat(window.connect().getTotalCount()).isBetween(1L, 10L);
            // records, not plain text
            assertThat(window.bytesRead()).isGreaterThan(1000L * ScriptedServer.OK.length());
        }
    }

    @Test
    void anAddressIsHeldAgainstTheCertificateToo() throws Exception {
        try (ScriptedServer server = server(Certificates.GOOD, any -> {}, ANSWERS)) {
            assertThat(run(spec(server, trusting()).serverName("127.0.0.1")).responses())
                    .isEqualTo(5);
            assertThat(error(spec(server, trusting()).serverName("127.0.0.2")))
                    .contains("not for '127.0.0.2' but for localhost, 127.0.0.1");
        }
    }

    @Test
    void unknownAuthority() throws Exception {
        try (ScriptedServer server = server(Certificates.GOOD, any -> {}, ANSWERS)) {
            String text = error(spec(server, new Tls(Optional.empty(), false, true)));
            assertThat(text).contains("CN=GOOD", "is not trusted by the JDK", "--cacert FILE", "--insecure");
            assertThat(error(spec(
                            server,
                            new Tls(Optional.of(Certificates.ELSEWHERE.pem().toString()), false, true))))
                    .contains("is not trusted by " + Certificates.ELSEWHERE.pem());
        }
    }

    @Test
    void anotherName() throws Exception {
        try (ScriptedServer server = server(Certificates.ELSEWHERE, any -> {}, ANSWERS)) {
            Tls tls = new Tls(Optional.of(Certificates.ELSEWHERE.pem().toString()), false, true);
            assertThat(error(spec(server, tls))).contains("not for 'localhost' but for elsewhere.example");
        }
    }

    @Test
    void expired() throws Exception {
        try (ScriptedServer server = server(Certificates.EXPIRED, any -> {}, ANSWERS)) {
            Tls tls = new Tls(Optional.of(Certificates.EXPIRED.pem().toString()), false, true);
            assertThat(error(spec(server, tls))).contains("expired on 20", "--insecure");
        }
    }

    @ParameterizedTest
    @CsvSource({"GOOD", "ELSEWHERE", "EXPIRED"})
    void insecureTakesAny(Certificates certificate) throws Exception {
        try (ScriptedServer server = server(certificate, any -> {}, ANSWERS)) {
            assertThat(run(spec(server, new Tls(Optional.empty(), true, true))).responses())
                    .isEqualTo(5);
        }
    }

    @Test
    void plainServer() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer(ANSWERS, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(error(spec(server, trusting()).serverName("localhost")))
                    .contains("no TLS there", "'HTTP/1.1 400 Bad");
        }
    }

    @Test
    void serverThatNeverFinishesTheHandshake() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {}, "\25\3\3\0")) {
            Window window = run(spec(server, trusting())
                    .serverName("localhost")
                    .maxRequests(2)
                    .connectTimeout(Duration.ofMillis(50)));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.CONNECT_TIMEOUT);
        }
    }

    @Test
    void serverThatHangsUp() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try (Socket socket = server.accept()) {
                        socket.getInputStream().read(new byte[5000]);
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            LoadSpecBuilder spec = LoadSpec.builder(
                            new InetSocketAddress(server.getInetAddress(), server.getLocalPort()),
                            RequestTemplate.get("/"))
                    .wire(Wire.PLAIN.with(trusting()))
                    .maxRequests(5);
            assertThat(error(spec)).contains("closed during the TLS handshake; perhaps it speaks no TLS");
        }
    }

    /** A response that only the close ends is not complete if a record was cut; without close_notify alone it is. */
    @ParameterizedTest
    @CsvSource({"0, ''", "3, CLOSED_EARLY", "9, CLOSED_EARLY"})
    void serverThatClosesWithinARecord(int bytesOfARecord, String kind) throws Exception {
        byte[] record = {23, 3, 3, 0, 64, 1, 2, 3, 4};
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(Certificates.GOOD.keyManagers(), null, null);
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try (Socket raw = server.accept()) {
                        SSLSocket secure = (SSLSocket)
                                context.getSocketFactory().createSocket(raw, "localhost", raw.getPort(), false);
                        secure.setUseClientMode(false);
                        secure.getInputStream().read(new byte[5000]);
                        secure.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nhel".getBytes(US_ASCII));
                        raw.getOutputStream().write(record, 0, bytesOfARecord);
                        raw.shutdownOutput();
                        raw.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        if (server.isClosed()) {
                            return;
                        }
                    }
                }
            });
            Window window = run(LoadSpec.builder(
                            new InetSocketAddress(server.getInetAddress(), server.getLocalPort()),
                            RequestTemplate.get("/"))
                    .wire(Wire.PLAIN.with(trusting()))
                    .maxRequests(3));
            if (kind.isEmpty()) {
                assertThat(window.errors()).isEmpty();
                assertThat(window.responses()).isEqualTo(3);
            } else {
                assertThat(window.errors()).containsOnlyKeys(ErrorKind.valueOf(kind));
                assertThat(window.errors().get(ErrorKind.CLOSED_EARLY).example())
                        .startsWith("the server closed within a TLS record, after 3 body bytes");
                assertThat(window.failed()).isEqualTo(3);
            }
        }
    }

    @Test
    void alert() throws Exception {
        try (ScriptedServer server = server(Certificates.GOOD, p -> p.setNeedClientAuth(true), ANSWERS)) {
            assertThat(error(spec(server, trusting()).serverName("localhost"))).contains("alert certificate_required");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumedOnlyIfWanted(String version) throws Exception {
        long certificate = Certificates.GOOD.certificate().getEncoded().length;
        try (ScriptedServer server = server(Certificates.GOOD, only(version), ANSWERS)) {
            long one = handshakes(server, 1, false);
            // session tickets differ by a few bytes
            assertThat(handshakes(server, 5, false)).isCloseTo(5 * one, Offset.offset(200L));
            // a resumed session needs no certificate
            assertThat(handshakes(server, 5, true)).isLessThan(one + 4 * (one - certificate));
        }
    }

    /** Bytes read over so many connections with one request each. */
    private static long handshakes(ScriptedServer server, int connections, boolean resume) throws Exception {
        Tls tls = new Tls(Optional.of(Certificates.GOOD.pem().toString()), false, resume);
        Window window = run(spec(server, tls).keepAlive(false).maxRequests(connections));
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(connections);
        assertThat(window.connect().getTotalCount()).isEqualTo(connections);
        return window.bytesRead();
    }

    @Test
    void authoritiesThatCannotBeRead(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("missing.pem");
        assertThatThrownBy(() -> setup("localhost", missing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot read the certificates to trust from " + missing + ": no such file");
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        assertThatThrownBy(() -> setup("localhost", empty)).hasMessageContaining("has no certificate in it");
        Path other = Files.writeString(folder.resolve("other.pem"), "-----BEGIN CERTIFICATE-----\nno\n-----END");
        assertThatThrownBy(() -> setup("localhost", other)).hasMessageContaining("no PEM file of certificates");
        assertThatThrownBy(() -> setup("no_such name", Certificates.GOOD.pem()))
                .hasMessageContaining("'no_such name' is no host name which TLS can send");
    }

    private static void setup(String name, Path authorities) {
        TlsSetup.of(new Tls(Optional.of(authorities.toString()), false, true), name, Protocol.HTTP_1_1, 443);
    }

    private static Tls trusting() throws GeneralSecurityException, IOException {
        return new Tls(Optional.of(Certificates.GOOD.pem().toString()), false, true);
    }

    /** The text of the errors of a run which are all of TLS. */
    private static String error(LoadSpecBuilder spec) throws InterruptedException {
        Window window = run(spec);
        assertThat(window.errors()).containsOnlyKeys(ErrorKind.TLS);
        assertThat(window.failed()).isEqualTo(5);
        return window.errors().get(ErrorKind.TLS).example();
    }

    private static LoadSpecBuilder spec(ScriptedServer server, Tls tls) {
        return LoadSpec.builder(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(),
                                server.address().getPort()),
                        RequestTemplate.get("/"))
                .wire(Wire.PLAIN.with(tls))
                .maxRequests(5)
                .maxDuration(Duration.ofSeconds(60));
    }

    private static Consumer<SSLParameters> only(String version) {
        return parameters -> parameters.setProtocols(new String[] {version});
    }

    private static ScriptedServer server(
            Certificates certificate, Consumer<SSLParameters> how, ScriptedServer.Script script) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(certificate.keyManagers(), null, null);
        SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        how.accept(parameters);
        listener.setSSLParameters(parameters);
        return new ScriptedServer(script, "", listener);
    }
}
