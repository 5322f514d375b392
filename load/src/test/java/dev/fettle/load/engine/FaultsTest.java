package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers which are not there, or answer nobody. What they do to single answers is in {@link HostileServersTest}. */
class FaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aGreetingBeforeTheRequestIsMalformed() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.hang(), "SSH-2.0-OpenSSH_9.6\r\n")) {
            Window window = run(spec(server.address()).maxRequests(3));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.MALFORMED);
            assertThat(window.errors().get(ErrorKind.MALFORMED).example()).contains("SSH-2.0");
            assertThat(window.failed()).isEqualTo(3);
        }
    }

    @Test
    void aRefusedPortIsRefusedAsOftenAsAsked() throws Exception {
        try (RefusedAddress nobody = new RefusedAddress()) {
            for (boolean keepAlive : new boolean[] {true, false}) {
                Window window =
                        run(spec(nobody.get()).maxRequests(12).connections(3).keepAlive(keepAlive));
                assertThat(window.errors()).containsOnlyKeys(ErrorKind.REFUSED);
                assertThat(window.failed()).isEqualTo(12);
                assertThat(window.responses()).isZero();
            }
        }
    }

    @Test
    void aDeadServerMakesNoBusyLoop() throws Exception {
        try (RefusedAddress nobody = new RefusedAddress()) {
            Window window = run(spec(nobody.get()).connections(4).maxDuration(Duration.ofSeconds(2)));
            // 10, 20, 40 … 500 ms: about nine tries a connection in two seconds
            assertThat(window.failed()).isBetween(4L, 60L);
        }
    }

    @Test
    void aFullBacklogIsAConnectTimeout() throws Exception {
        List<SocketChannel> fill = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
            for (int i = 0; i < 8; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(address);
                fill.add(channel);
            }
            Window window = run(spec(address).maxRequests(2).connectTimeout(Duration.ofMillis(300)));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.CONNECT_TIMEOUT);
            assertThat(window.failed()).isEqualTo(2);
            assertThat(window.connect().getTotalCount()).isZero();
        } finally {
            for (SocketChannel channel : fill) {
                channel.close();
            }
        }
    }

    @Test
    void theFirstBodyOfAConnectionIsLookedAtAndThenOneInAThousand() throws Exception {
        // every answer has a wrong body
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.write(ScriptedServer.OK))) {
            Window window = run(spec(server.address())
                    .expect(Expectation.SUCCESS.withBodyContaining("goodbye"))
                    .maxRequests(2001));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.BODY);
            assertThat(window.failed()).isEqualTo(3);
            assertThat(window.statuses()).containsEntry(200, 2001L);
        }
    }

    @Test
    void aServerWhichResetsEveryConnectionIsNotHammered() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.reset())) {
            Window window = run(spec(server.address()).maxRequests(6));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.RESET);
            assertThat(window.failed()).isEqualTo(6);
            assertThat(server.requests()).isEqualTo(6);
        }
    }

    static LoadSpecBuilder spec(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.get("/"))
                .expect(Expectation.status(200).withBodyLength(5))
                .maxDuration(PATIENCE);
    }

    static Window run(LoadSpecBuilder spec) throws InterruptedException {
        try (LoadRun run = LoadEngine.start(spec.build())) {
            assertThat(run.awaitDone(PATIENCE.multipliedBy(2))).isTrue();
            assertThat(run.notes()).singleElement().asString().startsWith("transport: ");
            return run.takeWindow();
        }
    }
}
