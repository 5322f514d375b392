package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.lab.Fixtures;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that say which value an own knob has. */
class OwnReadBackTest {
    @TempDir
    Path folder;

    private final RunningTarget running =
            new RunningTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8123), Optional.empty(), 0);

    private void read(String... command) throws Exception {
        new OwnReadBack(running, Optional.empty()).read(List.of(Fixtures.own(new OwnKnob.Output(List.of(command)))));
    }

    private static RunningTarget answering(HttpServer server) {
        return new RunningTarget(
                new InetSocketAddress(
                        server.getAddress().getAddress(), server.getAddress().getPort()),
                Optional.empty(),
                0);
    }

    /** As the load asks it: its address has brackets in a URL. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void anAnswerIsTheValueWhateverTheAddress(String host) throws Exception {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(host, 0), 9);
        } catch (IOException e) {
            assumeTrue(host.equals("127.0.0.1"), "there is no IPv6 here");
            throw e;
        }
        server.createContext("/size", exchange -> {
            byte[] body = "{\"pool\": {\"size\": 12}}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try (RunningTarget target = answering(server)) {
            for (Optional<Load> load : List.of(Optional.<Load>empty(), Optional.of(Fixtures.load(1, "x")))) {
                new OwnReadBack(target, load).read(List.of(Fixtures.own(new OwnKnob.Document("/size", "/pool/size"))));
                assertThat(target.notes()).isEmpty();
                assertThat(target.effective()).containsEntry("own.x", "12");
                target.changed(Map.of("own.x", ""), Setting.DEFAULT);
            }
            new OwnReadBack(target, Optional.empty()).read(List.of(Fixtures.own(new OwnKnob.Document("/none", ""))));
            assertThat(target.notes()).containsExactly("own.x not read back: GET /none answers 404");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void theOutputIsTheValue() throws Exception {
        read("sh", "-c", "echo a {port}; echo b >&2");
        assertThat(running.effective()).containsEntry("own.x", "a 8123\nb");
    }

    @Test
    void aCommandRunsWhereFettleDoes() throws Exception {
        read("pwd");
        assertThat(running.effective())
                .containsEntry("own.x", Path.of("").toAbsolutePath().toString());
    }

    /** A pipe holds 64 KiB. */
    @Test
    void oneThatPrintsMuchEnds() throws Exception {
        read("sh", "-c", "head -c 200000 /dev/zero | tr '\\0' ' '; echo 7");
        assertThat(running.notes()).isEmpty();
        assertThat(running.effective()).containsEntry("own.x", "7");
    }

    @Test
    void whatFailsSaysWhy() throws Exception {
        read("sh", "-c", "echo there is no such pool; exit 3");
        assertThat(running.effective()).isEmpty();
        assertThat(running.notes()).containsExactly("own.x not read back: sh ended with 3: there is no such pool");
    }

    @Test
    void nothingIsLeftOfOneThatHangs() throws Exception {
        Path started = folder.resolve("started");
        read("sh", "-c", "sleep 1000 & echo $! > " + started + "; wait");
        assertThat(running.notes()).containsExactly("own.x not read back: sh did not end within 5 s");
        long below = Long.parseLong(Files.readString(started).strip());
        ProcessHandle.of(below)
                .ifPresent(p -> p.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }
}
