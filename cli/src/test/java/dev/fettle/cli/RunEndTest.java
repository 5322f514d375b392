package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a run where its page can't be written, as on a full disk. */
class RunEndTest {
    @TempDir
    Path folder;

    @Test
    void theResultIsShownAllTheSame() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", x -> {
            x.sendResponseHeaders(200, 2);
            x.getResponseBody().write(new byte[] {'o', 'k'});
            x.close();
        });
        server.start();
        try {
            Path plan = Files.writeString(
                    folder.resolve("p.yaml"), """
                    name: mine
                    target: {url: "http://127.0.0.1:%d"}
                    load: {connections: 2, think: 5ms, warm-up: 500ms, measure: 500ms}
                    sweep: {grid: {load.connections: [1, 2]}, repeats: 1}
                    """.formatted(server.getAddress().getPort()));
            Path ws = folder.resolve("ws");
            Files.createDirectories(ws.resolve("runs").resolve("mine-1").resolve("report.html")); // in its place
            Ended e = Ended.of("sweep", plan.toString(), "--dir", ws.toString());
            assertThat(e.code).isEqualTo(1);
            assertThat(e.err).contains("cannot write the report: ");
            assertThat(e.out).contains("By connections", "run mine-1 ").doesNotContain("Report: ");
        } finally {
            server.stop(0);
        }
    }
}
