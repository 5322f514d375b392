package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.cli.terminal.ExitCodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code fettle bench} of servers that are there, and give no right answer: that is a result. */
class BenchFailuresTest {
    @TempDir
    Path folder;

    private Ended bench(String... arguments) {
        var all = new ArrayList<>(List.of("bench"));
        all.addAll(List.of(arguments));
        if (!all.contains("-n")) {
            all.addAll(List.of("--warm-up", "500ms")); // in which the connections are opened
        }
        all.addAll(List.of("--html", folder.resolve("page.html").toString()));
        return Ended.of(all);
    }

    private void isTold(Ended e, int code) {
        assertThat(e.code).as(e.out + e.err).isEqualTo(code);
        assertThat(e.out).contains("Complete requests  0", "VOID");
        assertThat(e.err).doesNotContain("cannot load");
        assertThat(folder.resolve("page.html")).isNotEmptyFile();
    }

    @Test
    void messagesThatAreAllWrong() throws Exception {
        try (var server = new EchoServer("you said: ")) {
            isTold(bench(server.url(), "-c", "2", "-d", "1s", "--expect-echo"), ExitCodes.NO_VALID_RESULT);
            isTold(
                    bench(server.url(), "-c", "2", "-d", "1s", "--expect-echo", "--fail-if", "errors>1%"),
                    ExitCodes.CONDITION_MET);
            Ended e = bench(server.url(), "-c", "2", "-n", "40", "--warm-up", "0s", "--expect-echo", "--json");
            JsonNode tree = new ObjectMapper().readTree(e.out);
            assertThat(tree.path("responses").asLong()).isZero();
            assertThat(tree.at("/errors/BODY").asLong()
                            + tree.at("/errors/body").asLong())
                    .as(e.out)
                    .isEqualTo(40);
        }
    }

    @Test
    @Timeout(120)
    void aServerThatResetsEveryConnection() throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!listener.isClosed()) {
                    try (var socket = listener.accept()) {
                        socket.getInputStream().read();
                        socket.setSoLinger(true, 0);
                    } catch (IOException e) {
                        // the next one
                    }
                }
            });
            isTold(bench("http://127.0.0.1:" + listener.getLocalPort() + "/", "-c", "2", "-d", "1s"), 4);
        }
    }

    /** The kernel accepts; nobody reads. */
    @Test
    @Timeout(120)
    void aServerThatHangs() throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + listener.getLocalPort() + "/";
            isTold(bench(url, "-c", "2", "-d", "1s"), 4);
            isTold(bench(url, "-c", "2", "-d", "1s", "--timeout", "200ms"), 4);
        }
    }
}
