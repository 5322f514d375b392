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
            try (ControlProbe probe = ControlProbe.connect(listener.getLocalPort());
                    Socket server = accepted.join()) {
                var in = new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
                assertThat(probe.sample()).isEmpty(); // nobody answers in time
                assertThat(in.readLine()).isEqualTo("stats");
                answer(server, 1);
                answer(server, 2); // is there before it is asked for, as nobody waits long for it
                assertThat(probe.sample().orElseThrow().busy()).hasValue(2);
                assertThat(in.readLine()).isEqualTo("stats");
            }
        }
    }

    private static void answer(Socket server, int busy) throws java.io.IOException {
        server.getOutputStream().write(("ok {\"busyWorkers\":" + busy + "}\n").getBytes(StandardCharsets.UTF_8));
    }
}
