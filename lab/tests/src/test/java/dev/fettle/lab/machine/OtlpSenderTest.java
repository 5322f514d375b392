package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Figures for a receiver that takes them, refuses them, says nothing or is not there. */
@Timeout(120)
class OtlpSenderTest {
    private static final OtlpSender.Body BODY = new OtlpSender.Body("{\"a\":1}", 7);

    private static OtlpSender.Sent sent(URI to) {
        var sender = OtlpSender.start(to, Map.of("Authorization", "Bearer x"), () -> BODY);
        sender.close(); // sends a last time
        return sender.sent();
    }

    private static OtlpSender.Sent answeredBy(int status, String answer, List<String> got) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/metrics", e -> {
            got.add(e.getRequestHeaders().getFirst("Content-Type"));
            got.add(e.getRequestHeaders().getFirst("Authorization"));
            got.add(new String(e.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            e.getResponseHeaders().set("Location", "/v1/metrics");
            e.sendResponseHeaders(status, answer.length());
            e.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
            e.close();
        });
        server.start();
        try {
            return sent(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whatIsAcceptedIsSentOnce() throws Exception {
        List<String> got = new CopyOnWriteArrayList<>();
        assertThat(answeredBy(200, "{}", got)).isEqualTo(new OtlpSender.Sent(1, 0, 0, Optional.empty()));
        assertThat(got).containsExactly("application/json", "Bearer x", BODY.json());
    }

    @Test
    void figuresThatAreRefusedAreCounted() throws Exception {
        OtlpSender.Sent some = answeredBy(
                200,
                "{\"partialSuccess\":{\"rejectedDataPoints\":\"3\",\"errorMessage\":\"too old\"}}",
                new CopyOnWriteArrayList<>());
        assertThat(some.sent()).isOne();
        assertThat(some.points()).isEqualTo(3);
        assertThat(some.why().orElse("")).contains("too old");
        assertThat(answeredBy(200, "no JSON", new CopyOnWriteArrayList<>()).sent())
                .isOne();
    }

    /** Neither is a redirect followed: it might lead elsewhere. */
    @Test
    void whatIsNotAcceptedIsDropped() throws Exception {
        for (int status : new int[] {307, 400, 401, 503}) {
            List<String> got = new CopyOnWriteArrayList<>();
            OtlpSender.Sent none = answeredBy(status, "no", got);
            assertThat(none.sent()).isZero();
            assertThat(none.dropped()).isOne();
            assertThat(none.points()).isEqualTo(7);
            assertThat(got).hasSize(3);
        }
    }

    @Test
    void aReceiverThatIsGoneOrSilentKeepsNobody() throws Exception {
        try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            OtlpSender.Sent none = sent(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/v1/metrics"));
            assertThat(none.sent()).isZero();
            assertThat(none.dropped()).isOne();
        }
        assertThat(sent(URI.create("http://127.0.0.1:" + Ports.freePort() + "/v1/metrics"))
                        .dropped())
                .isOne();
    }
}
