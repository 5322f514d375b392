package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent in a JVM that gets little of a CPU. */
@Timeout(60)
class SlowAgentTest {
    @TempDir
    Path folder;

    @Test
    void anAnswerThatTakesSecondsIsWaitedFor() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread agent = Thread.ofVirtual().start(() -> answer(listener));
            Files.writeString(folder.resolve("agent.control"), listener.getLocalPort() + " " + "0".repeat(32) + "\n");
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8123);
            try (var running = new RunningTarget(address, Optional.empty(), 0)) {
                new ServerAgent(Fixtures.unloaded(folder))
                        .describe(running, ServerKind.TOMCAT, Setting.of("threads.max", "24"), folder);
                assertThat(running.notes()).isEmpty();
                assertThat(running.effective()).containsEntry("threads.max", "24");
            }
            agent.join();
        }
    }

    private static void answer(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(in.readLine()).isEqualTo("0".repeat(32));
            boolean first = true;
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                if (first) {
                    Thread.sleep(ControlProbe.ANSWER_MILLIS + 200);
                }
                first = false;
                String answer = question.startsWith("about ") ? "{\"server\":\"tomcat\"}" : "{\"threads.max\":\"24\"}";
                socket.getOutputStream().write(("ok " + answer + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
