package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.watch.host.Proc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SurroundingsTest {
    private static Aggregates foreign(double share) {
        return Aggregates.NOTHING.withOthers(OptionalFigure.of(share), OptionalFigure.of(0.04));
    }

    @Test
    void aServerOfThisMachineIsFoundByItsPort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var around =
                    Surroundings.of(new Proc(), (InetSocketAddress) socket.getLocalSocketAddress(), Optional.empty());
            assertThat(around.known(foreign(0.4)).get(Aggregate.FOREIGN_CPU).optional())
                    .hasValue(0.4);
            assertThat(around.known(foreign(0.4)).get(Aggregate.SERVER_STEAL).optional())
                    .hasValue(0.04);
            assertThat(around.note(foreign(0.4)).orElseThrow())
                    .contains("the server (process " + ProcessHandle.current().pid() + ") used 40 % of the CPUs");
            assertThat(around.note(foreign(0.05))).isEmpty();
            assertThat(around.cpus().server())
                    .as("both are this process")
                    .isEqualTo(around.cpus().generator());
            assertThat(around.cpus().server()).isNotEmpty();
        }
    }

    @Test
    void whoseWorkItIsIsNotGuessedWhereTheServerIsNotFound() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var around = Surroundings.of(
                new Proc(), new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Optional.empty());
        assertThat(around.known(foreign(0.4)).get(Aggregate.FOREIGN_CPU).optional())
                .isEmpty();
        assertThat(around.known(foreign(0.4)).get(Aggregate.SERVER_STEAL).optional())
                .isEmpty();
        assertThat(around.cpus().server()).isEmpty();
        assertThat(around.note(foreign(0.4)).orElseThrow()).contains("the server among them", "not known", "--pid");
    }

    @Test
    void ofAServerElsewhereOnlyTheGeneratorsMachineIsSeen() {
        var around = Surroundings.of(new Proc(), new InetSocketAddress("192.0.2.1", 80), Optional.empty());
        assertThat(around.known(foreign(0.4)).get(Aggregate.FOREIGN_CPU).optional())
                .hasValue(0.4);
        assertThat(around.known(foreign(0.4)).get(Aggregate.SERVER_STEAL).optional())
                .isEmpty();
        assertThat(around.note(foreign(0.4)).orElseThrow())
                .isEqualTo("processes other than Fettle used 40 % of the CPUs of this machine");
    }
}
