package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.watch.host.Proc;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortsTest {
    /** What was given is free, is not given again, and no client gets it meanwhile. */
    @Test
    void aPortIsForOneServerAndForNoClient() throws Exception {
        int clients = Ports.clientsFrom(new Proc());
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            int port = Ports.freePort();
            assertThat(given.add(port)).as("%d is given once", port).isTrue();
            // this machine's clients may have all ports, or nearly
            assertThat(port).isLessThan(clients > 30_000 ? clients : 65_536);
        }
        for (int port : given.stream().limit(20).toList()) {
            try (var server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(server.getLocalPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void aPortInUseIsNotGiven() throws Exception {
        assumeTrue(Ports.clientsFrom(new Proc()) > 30_000);
        // each on its own: a process that is just being started has this JVM's open sockets, too, until it closes them
        for (String address : new String[] {"127.0.0.1", "127.0.0.2", "0.0.0.0"}) {
            int port = Ports.freePort();
            try (var server = new ServerSocket(port, 1, InetAddress.getByName(address))) {
                assertThat(server.isBound()).isTrue();
                assertThat(Ports.isFree(port)).as(address).isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'32768\t60999' | 32768", "'1024 65535' | 1024", "'' | 0", "nonsense | 0"})
    void clientsPortsBeginWhereTheKernelSays(String range, int from, @TempDir Path proc) throws Exception {
        Path file = proc.resolve("sys/net/ipv4/ip_local_port_range");
        assertThat(Ports.clientsFrom(new Proc(proc))).as("unknown").isZero();
        Files.createDirectories(file.getParent());
        Files.writeString(file, range + "\n");
        assertThat(Ports.clientsFrom(new Proc(proc))).isEqualTo(from);
    }
}
