package dev.fettle.lab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages for who has a token, on this machine alone. */
class LoopbackServerTest {
    private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);
    private static final Access BEARER = new Access.Bearer("secret");
    private static final Access.Link LINK =
            new Access.Link("look0", "act00", "lookcookie", "actcookie", "second", "/place/");

    private static LoopbackServer server(Access access) throws LabException {
        return LoopbackServer.open(ANY, access, LoopbackServerTest::said);
    }

    private static Answer said(Request r) {
        return r.path().equals("/page")
                ? Answer.of("text/plain", "seen " + r.header("accept") + (r.mayAct() ? " acting " : "") + r.body())
                : Answer.plain(404, "nothing here");
    }

    /** All that is answered to these bytes. */
    private static String answer(LoopbackServer of, String request) throws IOException {
        URI at = of.url("/");
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
        "GET /page, rebound.example@127.0.0.1, Bearer secret, 421",
        "GET /page, 127.0.0.1:80:80, Bearer secret, 421",
        "GET /page, 127.8.0.1:99, Bearer secret, 421",
        "GET /page, 192.168.0.1, Bearer secret, 421",
        "GET /page, '', Bearer secret, 421",
        "POST /page, localhost, Bearer secret, 405",
        "PUT /page, localhost, Bearer secret, 405",
        "GET /, localhost, Bearer secret, 404",
        "GET /page/../../etc/passwd, localhost, Bearer secret, 404",
    })
    void whoGetsItWithAToken(String line, String host, String authorization, int status) throws Exception {
        try (LoopbackServer page = server(BEARER)) {
            String said =
                    answer(page, request(line, "Host: " + host, "Authorization: " + authorization, "Accept: text/x"));
            assertThat(said).startsWith("HTTP/1.1 " + status + " ");
            assertThat(said.contains("seen text/x")).isEqualTo(status == 200);
            assertThat(said.toLowerCase(Locale.ROOT)).doesNotContain("access-control", "secret");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /place/page, fettle=lookcookie, X: y, 200",
        "GET /place/page, fettle=actcookie, X: y, 200",
        "GET /place/page, other=1; fettle=lookcookie, X: y, 200",
        "GET /place/page, fettle=lookcookie, Origin: http://localhost:7, 200",
        "GET /place/page, fettle=lookcookie, Sec-Fetch-Site: same-origin, 200",
        "GET /place/page, fettle=lookcookie, Sec-Fetch-Site: same-site, 403",
        "GET /place/page, fettle=lookcookie, Sec-Fetch-Site: cross-site, 403",
        "GET /place/page, fettle=lookcookie, Origin: http://localhost:8, 403",
        "GET /place/page, fettle=lookcookie, Origin: http://127.0.0.1:7, 403",
        "GET /place/page, fettle=lookcookie, Origin: https://localhost:7, 403",
        "GET /place/page, fettle=lookcookie, Origin: null, 403",
        "GET /place/page, fettle=look0, X: y, 401",
        "GET /place/page, fettle=, X: y, 401",
        "GET /place/page, fettle2=lookcookie, X: y, 401",
        "GET /place/page?token=look0, x=y, X: y, 401",
        "GET /page, fettle=lookcookie, X: y, 401",
        "GET /other/page, fettle=lookcookie, X: y, 401",
        "GET /, fettle=lookcookie, X: y, 401",
        "GET /?token=look1, x=y, X: y, 401",
        "GET /?token=, x=y, X: y, 401",
        "GET /?token=%C3, x=y, X: y, 401",
        "GET /?token, x=y, X: y, 401",
        "GET /place/none, fettle=lookcookie, X: y, 404",
        "PUT /place/page, fettle=actcookie, Origin: http://localhost:7, 405",
        "DELETE /place/page, fettle=actcookie, Origin: http://localhost:7, 405",
        "OPTIONS /place/page, fettle=actcookie, Origin: http://localhost:7, 405",
    })
    void whoGetsItWithALink(String line, String cookie, String header, int status) throws Exception {
        try (LoopbackServer page = server(LINK)) {
            String said = answer(page, request(line, "Host: localhost:7", "Cookie: " + cookie, header));
            assertThat(said).startsWith("HTTP/1.1 " + status + " ");
            assertThat(said.contains("seen")).isEqualTo(status == 200);
            assertThat(said.toLowerCase(Locale.ROOT)).doesNotContain("access-control", "set-cookie", "second");
            assertThat(said).contains("no-store", "nosniff", "X-frame-options: DENY");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "actcookie, second, http://localhost:7, 200",
        "lookcookie, second, http://localhost:7, 403",
        "actcookie, other, http://localhost:7, 403",
        "actcookie, '', http://localhost:7, 403",
        "actcookie, second, http://localhost:8, 403",
        "none, second, http://localhost:7, 401",
    })
    void whoMayAct(String cookie, String secret, String origin, int status) throws Exception {
        try (LoopbackServer page = server(LINK)) {
            String said = answer(
                    page,
                    request(
                                    "POST /place/page",
                                    "Host: localhost:7",
                                    "Cookie: fettle=" + cookie,
                                    "Fettle-Secret: " + secret,
                                    "Origin: " + origin,
                                    "Content-Length: 4")
                            + "note");
            assertThat(said).startsWith("HTTP/1.1 " + status + " ");
            assertThat(said.contains("note")).isEqualTo(status == 200);
        }
    }

    @Test
    void anActWithoutAnOriginIsRefused() throws Exception {
        try (LoopbackServer page = server(LINK)) {
            String request = "Host: localhost:7\nCookie: fettle=actcookie\nFettle-Secret: second\nContent-Length: 0";
            assertThat(answer(page, request("POST /place/page", request))).startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @CsvSource({"look0, lookcookie", "act00, actcookie"})
    void aTokenIsExchangedForACookieAndLeft(String token, String cookie) throws Exception {
        try (LoopbackServer page = server(LINK)) {
            String said =
                    answer(page, request("GET /?token=" + token, "Host: localhost:7", "Sec-Fetch-Site: cross-site"));
            assertThat(said)
                    .startsWith("HTTP/1.1 200 ")
                    .contains("fettle=" + cookie + "; Path=/place/; HttpOnly; SameSite=Strict", "0;url=/place/\"")
                    .doesNotContain(token);
        }
    }

    @Test
    void newTokensAreLongAndAllDifferent() throws Exception {
        var all = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            Access.Link l = Access.Link.random();
            all.addAll(List.of(l.look(), l.act(), l.lookCookie(), l.actCookie(), l.secret()));
            assertThat(l.place()).matches("/[0-9a-f]{16}/");
        }
        assertThat(all).doesNotHaveDuplicates().allMatch(t -> t.matches("[0-9a-f]{32}"));
    }

    @Test
    void twoTokensAreNone() throws Exception {
        try (LoopbackServer page = server(BEARER)) {
            String twice = "Authorization: Bearer secret\nAuthorization: Bearer secret";
            assertThat(answer(page, request("GET /page", "Host: localhost", twice)))
                    .startsWith("HTTP/1.1 401 ");
            assertThat(answer(page, request("GET /page", "Host: localhost\nHost: localhost", twice)))
                    .startsWith("HTTP/1.1 4");
        }
    }

    /** Who connects and is silent, or sends without end, does not keep out who knows the token. */
    @Test
    void whoIsSilentKeepsNobodyOut() throws Exception {
        try (LoopbackServer page = server(BEARER)) {
            var silent = new ArrayList<Socket>();
            try {
                for (int i = 0; i < 20; i++) {
                    var socket = new Socket("127.0.0.1", page.url("/").getPort());
                    socket.getOutputStream().write("GET /page HTTP/1.1\r\nX: y".getBytes(StandardCharsets.US_ASCII));
                    silent.add(socket);
                }
                assertThat(answer(page, request("GET /page", "Host: localhost", "Authorization: Bearer secret")))
                        .startsWith("HTTP/1.1 200 ");
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void whatCantBeAnsweredIsSaid() throws Exception {
        try (LoopbackServer page = LoopbackServer.open(ANY, BEARER, r -> {
            throw new IllegalStateException("broken\u001b[31m");
        })) {
            assertThat(answer(page, request("GET /page", "Host: localhost", "Authorization: Bearer secret")))
                    .startsWith("HTTP/1.1 500 ")
                    .contains("broken")
                    .doesNotContain("\u001b");
        }
    }

    @Test
    void tooLargeABodyIsRefused() throws Exception {
        try (LoopbackServer page = server(LINK)) {
            String head = "Host: localhost:7\nCookie: fettle=actcookie\nFettle-Secret: second\n"
                    + "Origin: http://localhost:7\nContent-Length: 5000";
            assertThat(answer(page, request("POST /place/page", head) + "x".repeat(5000)))
                    .startsWith("HTTP/1.1 413 ");
        }
    }

    /** Events 1 to n, at once; then it waits for ever. */
    private static Events counting(long n, String data) {
        return (seen, atMost) -> {
            if (Math.max(seen, 0) < n) {
                return Optional.of(new Events.Event(Math.max(seen, 0) + 1, "n", data));
            }
            Thread.sleep(Duration.ofHours(1));
            return Optional.empty();
        };
    }

    @Test
    void whoComesAgainGetsWhatItLacks() throws Exception {
        var seen = new StringBuilder();
        LoopbackServer page = LoopbackServer.open(ANY, BEARER, r -> new Answer.Stream(counting(3, "a\nb")));
        try (page) {
            for (String last : List.of("Last-Event-ID: 1", "Last-Event-ID: what")) {
                try (var socket = new Socket("127.0.0.1", page.url("/").getPort())) {
                    socket.setSoTimeout(20_000);
                    socket.getOutputStream()
                            .write(request("GET /", "Host: localhost", "Authorization: Bearer secret", last)
                                    .replace("\n", "\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                    var one = new StringBuilder();
                    var buffer = new byte[1000];
                    while (one.indexOf("id: 3") < 0) {
                        one.append(new String(buffer, 0, socket.getInputStream().read(buffer), StandardCharsets.UTF_8));
                    }
                    seen.append('[').append(one).append(']');
                }
            }
        }
        assertThat(seen.toString()
                        .replaceAll("(?s)[^\\[\\]]*?id: (\\d)\nevent: n\ndata: a\ndata: b\n\n[^\\[\\]i]*", "$1"))
                .isEqualTo("[23][123]");
        for (int i = 0; i < 200 && page.following() > 0; i++) {
            Thread.sleep(100);
        }
        assertThat(page.following()).as("nobody is left waiting").isZero();
    }

    /** Who takes nothing of what is sent is dropped, while others are answered. */
    @Test
    void whoStallsIsDropped() throws Exception {
        String large = "x".repeat(1_000_000);
        var begun = new CountDownLatch(1);
        Events endless = (seen, atMost) -> {
            begun.countDown();
            return Optional.of(new Events.Event(seen + 1, "n", large));
        };
        Site site = r -> r.path().equals("/page") ? said(r) : new Answer.Stream(endless);
        try (LoopbackServer page = LoopbackServer.open(ANY, BEARER, site);
                var stalled = new Socket("127.0.0.1", page.url("/").getPort())) {
            stalled.getOutputStream()
                    .write(request("GET /", "Host: localhost", "Authorization: Bearer secret")
                            .replace("\n", "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(page.following()).isEqualTo(1);
            assertThat(answer(page, request("GET /page", "Host: localhost", "Authorization: Bearer secret")))
                    .startsWith("HTTP/1.1 200 ");
            long patience = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (page.following() > 0 && System.nanoTime() < patience) {
                Thread.sleep(50);
            }
            assertThat(page.following()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::"})
    void otherAddressesAreRefused(String host) {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(
                        () -> LoopbackServer.open(new InetSocketAddress(host, 0), BEARER, LoopbackServerTest::said));
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (LoopbackServer page = server(BEARER)) {
            int port = page.url("/").getPort();
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> LoopbackServer.open(
                            new InetSocketAddress("127.0.0.1", port), BEARER, LoopbackServerTest::said))
                    .withMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void afterItIsClosedNothingListens() throws Exception {
        int port;
        try (LoopbackServer page = server(BEARER)) {
            port = page.url("/").getPort();
        }
        assertThat(Map.of("port", port))
                .allSatisfy((name, p) -> assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> new Socket("127.0.0.1", p).close()));
    }
}
