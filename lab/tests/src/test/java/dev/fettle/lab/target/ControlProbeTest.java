package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ControlProbeTest {
    private static final String TOKEN = "0123456789abcdef".repeat(2);

    /** Among very many connections without the token, this one may be the oldest before its token arrives. */
    @Test
    void oneThatIsClosedBeforeItsFirstAnswerIsTriedAgain() throws Exception {
        try (var listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            var asked = CompletableFuture.supplyAsync(() -> {
                try {
                    for (int dropped = 0; dropped < 3; dropped++) {
                        listener.accept().close();
                    }
                    try (Socket server = listener.accept()) {
                        var in = new BufferedReader(
                                new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
                        String said = in.readLine() + " " + in.readLine();
                        answer(server, 3);
                        return said;
                    }
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            try (ControlProbe probe = ControlProbe.connect(new ControlAddress(listener.getLocalPort(), TOKEN))) {
                assertThat(probe.ask("stats").path("busyWorkers").asInt()).isEqualTo(3);
                assertThat(asked.join()).isEqualTo(TOKEN + " stats");
                assertThat(probe.sample())
                        .as("an answer was there: the end is the end")
                        .isEmpty();
            }
        }
    }

    @Test
    void theTokenIsInNoMessage() throws Exception {
        assertThat(new ControlAddress(1, TOKEN).toString()).doesNotContain(TOKEN);
    }

    @Test
    void anAnswerThatComesTooLateIsNotTakenForTheNextOne() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var accepted = CompletableFuture.supplyAsync(() -> {
                try {
                    return listener.accept();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            try (ControlProbe probe = ControlProbe.connect(new ControlAddress(listener.getLocalPort(), TOKEN));
                    Socket server = accepted.join()) {
                var in = new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
                assertThat(in.readLine()).isEqualTo(TOKEN);
                assertThat(probe.sample()).isEmpty(); // nobody answers in time
                assertThat(in.readLine()).isEqualTo("stats");
                answer(server, 1);
                answer(server, 2); // is there before it is asked for, as nobody waits long for it
                assertThat(probe.sample().orElseThrow().busy().optional()).hasValue(2);
                assertThat(in.readLine()).isEqualTo("stats");
            }
        }
    }

    /** Otherwise the workers of a warm JVM would not be counted any more, however long it lives. */
    @Test
    void aConnectionThatIsLostIsOpenedAnewByTheNextQuestion() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var served = CompletableFuture.runAsync(() -> {
                try {
                    for (int busy = 1; busy <= 2; busy++) {
                        try (Socket server = listener.accept()) {
                            var in = new BufferedReader(
                                    new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
                            in.readLine(); // the token
                            in.readLine();
                            answer(server, busy);
                        }
                    }
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            try (ControlProbe probe = ControlProbe.connect(new ControlAddress(listener.getLocalPort(), TOKEN))) {
                assertThat(probe.ask("stats").path("busyWorkers").asInt()).isEqualTo(1);
                assertThat(probe.sample()).isEmpty();
                assertThat(probe.ask("stats").path("busyWorkers").asInt()).isEqualTo(2);
                served.join();
            }
        }
    }

    private static void answer(Socket server, int busy) throws java.io.IOException {
        server.getOutputStream().write(("ok {\"busyWorkers\":" + busy + "}\n").getBytes(StandardCharsets.UTF_8));
    }
}
