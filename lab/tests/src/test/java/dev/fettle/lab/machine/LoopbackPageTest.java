package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A page for who knows its token, on this machine alone. */
class LoopbackPageTest {
    private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

    private static LoopbackPage page() throws LabException {
        return LoopbackPage.open(
                ANY, "/page", "secret", accept -> new LoopbackPage.Answer("text/plain", "seen " + accept));
    }

    /** All that is answered to these bytes. */
    private static String answer(URI at, String request) throws IOException {
        try (var socket = new Socket(at.getHost(), at.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String request(String line, String... headers) {
        return line + " HTTP/1.1\nConnection: close\n" + String.join("\n", headers) + "\n\n";
    }

    @ParameterizedTest
    @CsvSource({
        "GET /page, localhost:80, Bearer secret, 200",
        "GET /page, 127.0.0.1, Bearer secret, 200",
        "GET /page, 127.8.0.1:99, Bearer secret, 200",
        "GET /page, [::1]:99, Bearer secret, 200",
        "GET /page?x=1, localhost, Bearer secret, 200",
        "GET /page, localhost, Bearer Secret, 401",
        "GET /page, localhost, Bearer secret2, 401",
        "GET /page, localhost, Bearer, 401",
        "GET /page, localhost, Basic secret, 401",
        "GET /page, localhost, '', 401",
        "GET /page, rebound.example, Bearer secret, 421",
        "GET /page, localhost.rebound.example, Bearer secret, 421",
        "GET /page, 127.0.0.1.rebound.example, Bearer secret, 421",
        "GET /page, rebound.example@127.0.0.1, Bearer secret, 200",
        "GET /page, 192.168.0.1, Bearer secret, 421",
        "GET /page, '', Bearer secret, 421",
        "POST /page, localhost, Bearer secret, 405",
        "PUT /page, localhost, Bearer secret, 405",
        "GET /, localhost, Bearer secret, 404",
        "GET /page/../../etc/passwd, localhost, Bearer secret, 404",
    })
    void whoGetsIt(String line, String host, String authorization, int status) throws Exception {
        try (LoopbackPage page = page()) {
            String said = answer(
                    page.url(), request(line, "Host: " + host, "Authorization: " + authorization, "Accept: text/x"));
            assertThat(said).startsWith("HTTP/1.1 " + status + " ");
            assertThat(said.contains("seen text/x")).isEqualTo(status == 200);
            assertThat(said.toLowerCase(java.util.Locale.ROOT)).doesNotContain("access-control", "secret");
        }
    }

    @Test
    void twoTokensAreNone() throws Exception {
        try (LoopbackPage page = page()) {
            assertThat(answer(
                            page.url(),
                            request(
                                    "GET /page",
                                    "Host: localhost",
                                    "Authorization: Bearer secret",
                                    "Authorization: Bearer secret")))
                    .startsWith("HTTP/1.1 401 ");
        }
    }

    /** Who connects and is silent, or sends without end, does not keep out who knows the token. */
    @Test
    void whoIsSilentKeepsNobodyOut() throws Exception {
        try (LoopbackPage page = page()) {
            var silent = new ArrayList<Socket>();
            try {
                for (int i = 0; i < 20; i++) {
                    var socket = new Socket(page.url().getHost(), page.url().getPort());
                    socket.getOutputStream().write("GET /page HTTP/1.1\r\nX: y".getBytes(StandardCharsets.US_ASCII));
                    silent.add(socket);
                }
                assertThat(answer(page.url(), request("GET /page", "Host: localhost", "Authorization: Bearer secret")))
                        .startsWith("HTTP/1.1 200 ");
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::"})
    void otherAddressesAreRefused(String host) {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> LoopbackPage.open(
                        new InetSocketAddress(host, 0), "/page", "secret", a -> new LoopbackPage.Answer("", "")));
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (LoopbackPage page = page()) {
            int port = page.url().getPort();
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> LoopbackPage.open(
                            new InetSocketAddress("127.0.0.1", port), "/", "t", a -> new LoopbackPage.Answer("", "")))
                    .withMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void afterItIsClosedNothingListens() throws Exception {
        URI at;
        try (LoopbackPage page = page()) {
            at = page.url();
        }
        assertThat(List.of(at))
                .allSatisfy(u -> assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> new Socket(u.getHost(), u.getPort()).close()));
    }
}
