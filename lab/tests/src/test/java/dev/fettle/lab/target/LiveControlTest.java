package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveControlTest {
    private static final String TOKEN = "0".repeat(32);

    /** The agent, in an older JVM with nothing of Fettle beside it, takes whole numbers only. */
    @ParameterizedTest
    @CsvSource({
        "lowresources.memory, 300m, 314572800",
        "lowresources.memory, 314572800, 314572800",
        "keepalive.timeout, 2500, 2500",
        "connections.max, -1, -1",
        "threads.max, 30, 30"
    })
    void numbersAreSentPlain(String knob, String canonical, String sent) throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var asked = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = listener.accept()) {
                    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                    String question = in.readLine() + " " + in.readLine();
                    socket.getOutputStream().write("ok {}\n".getBytes(StandardCharsets.UTF_8));
                    return question;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (var control = new LiveControl(
                    new ControlAddress(listener.getLocalPort(), TOKEN), OptionalInt.of(8080), Set.of(knob))) {
                control.set(knob, canonical);
            }
            assertThat(asked.join()).isEqualTo(TOKEN + " set 8080 " + knob + "=" + sent);
        }
    }
}
