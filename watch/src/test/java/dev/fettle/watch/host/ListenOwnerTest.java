package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenOwnerTest {
    private final ListenOwner owner = new ListenOwner();

    @Test
    void aPortThatThisProcessHoldsIsNotThatOfOneWhichItStarted() throws Exception {
        Process other = new ProcessBuilder("sleep", "60").start();
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(owner.mayBe(ProcessHandle.current().pid(), socket.getLocalPort()))
                    .isTrue();
            assertThat(owner.mayBe(other.pid(), socket.getLocalPort())).isFalse();
            assertThat(owner.isOfAnother(other.pid(), socket.getLocalPort())).isTrue();
            assertThat(owner.isOfAnother(ProcessHandle.current().pid(), socket.getLocalPort()))
                    .isFalse();
            long parent = ProcessHandle.current().parent().orElseThrow().pid();
            assertThat(owner.isOfAnother(parent, socket.getLocalPort()))
                    .as("a program's child listens for it")
                    .isFalse();
        } finally {
            other.destroyForcibly();
        }
    }

    /** A program may be started by another, which does not listen: a build tool, a script. */
    @Test
    void whoServesForAProcessIsItOrOneThatItStarted() throws Exception {
        long self = ProcessHandle.current().pid();
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        Process other = new ProcessBuilder("sleep", "60").start();
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
            assertThat(owner.serving(self, port)).hasValue(self);
            assertThat(owner.serving(parent, port)).hasValue(self);
            assertThat(owner.serving(other.pid(), port)).isEmpty();
        } finally {
            other.destroyForcibly();
        }
        assertThat(owner.serving(self, port)).isEmpty();
    }

    @Test
    void theListeningPortsOfAProcessAreFound() throws Exception {
        long self = ProcessHandle.current().pid();
        Process other = new ProcessBuilder("sleep", "60").start();
        try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var two = new ServerSocket(0);
                var connected = new Socket(one.getInetAddress(), one.getLocalPort())) {
            assertThat(owner.ports(self))
                    .contains(one.getLocalPort(), two.getLocalPort())
                    .doesNotContain(connected.getLocalPort());
            assertThat(owner.ports(other.pid())).isEmpty();
            assertThat(owner.ports(Long.MAX_VALUE)).isEmpty();
        } finally {
            other.destroyForcibly();
        }
    }

    /** Another process may listen on the same port of another address. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.2, 127.0.0.2, true",
        "127.0.0.2, 127.0.0.1, false",
        "127.0.0.2, ::1, false",
        "0.0.0.0, 127.0.0.1, true",
        "0.0.0.0, ::1, false",
        "::1, ::1, true",
        "::1, 127.0.0.1, false",
        "::, 127.0.0.1, true",
        "::, ::1, true"
    })
    void connectionsAreTakenAtTheAddressesThatAreListenedOn(String on, String to, boolean taken) throws Exception {
        long self = ProcessHandle.current().pid();
        // a channel of the one family; a ServerSocket's is IPv6 wherever there is that
        var family = on.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        int port;
        try (var socket = ServerSocketChannel.open(family)) {
            try {
                socket.bind(new InetSocketAddress(InetAddress.getByName(on), 0));
            } catch (IOException e) {
                assumeTrue(family == StandardProtocolFamily.INET, "there is no IPv6 here");
                throw e;
            }
            port = ((InetSocketAddress) socket.getLocalAddress()).getPort();
            assertThat(owner.takes(self, new InetSocketAddress(to, port))).isEqualTo(taken);
            assertThat(owner.addresses(self, port)).containsExactly(InetAddress.getByName(on));
        }
        assertThat(owner.takes(self, new InetSocketAddress(to, port)))
                .as("of a port that nobody listens on nothing is known")
                .isTrue();
        assertThat(owner.takes(Long.MAX_VALUE, new InetSocketAddress(to, port))).isTrue();
    }

    /** As a server does that was told an IPv4 address: Java listens there with a socket of the other family. */
    @Test
    void anAddressThatIsMappedIntoTheOtherFamilyIsTheSame() throws Exception {
        long self = ProcessHandle.current().pid();
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            assertThat(owner.takes(self, new InetSocketAddress("127.0.0.2", socket.getLocalPort())))
                    .isTrue();
            assertThat(owner.takes(self, new InetSocketAddress("127.0.0.1", socket.getLocalPort())))
                    .isFalse();
        }
    }

    /** A port for management has fewer connections than the server's, or before the load as few, but a shorter queue. */
    @Test
    void theServersPortIsTheBusiestOneOrElseTheOneWithTheLongestQueue() throws Exception {
        long self = ProcessHandle.current().pid();
        try (var managing = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                var serving = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            var ports = new TreeSet<>(List.of(managing.getLocalPort(), serving.getLocalPort()));
            assertThat(owner.busiest(self, ports)).contains(serving.getLocalPort());
            try (var own = new Socket(managing.getInetAddress(), managing.getLocalPort())) {
                assertThat(own.isConnected()).isTrue();
                assertThat(owner.busiest(self, ports))
                        .as("who asks is no client")
                        .contains(serving.getLocalPort());
            }
            Process client = new ProcessBuilder(
                            "bash",
                            "-c",
                            "exec 3<>/dev/tcp/127.0.0.1/$0; echo connected; read -r",
                            Integer.toString(managing.getLocalPort()))
                    .start();
            try {
                assertThat(client.inputReader().readLine()).isEqualTo("connected");
                assertThat(owner.busiest(self, ports)).contains(managing.getLocalPort());
            } finally {
                client.destroy();
            }
            assertThat(owner.busiest(self, new TreeSet<>())).isEmpty();
        }
    }

    @Test
    void whoListensIsFoundByThePort() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
            assertThat(owner.owners(port))
                    .containsExactly(ProcessHandle.current().pid());
        }
        assertThat(owner.owners(port)).isEmpty();
    }

    @Test
    void whatIsNotKnownIsNotSaidToBeAnothers() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(owner.isOfAnother(ProcessHandle.current().pid(), port)).isFalse();
        assertThat(owner.isOfAnother(Long.MAX_VALUE, port)).isFalse();
        assertThat(owner.mayBe(ProcessHandle.current().pid(), port)).isTrue();
        assertThat(owner.mayBe(Long.MAX_VALUE, port)).isTrue();
    }
}
