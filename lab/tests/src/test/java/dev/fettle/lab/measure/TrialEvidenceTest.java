package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.process.Guest;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.watch.host.Proc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialEvidenceTest {
    @TempDir
    Path folder;

    /** What is stolen from this machine is not stolen from a server on another; and here nobody pinned it. */
    @Test
    void whichCpusAServerHasThatIsOnlyAUrlIsNotKnown() throws Exception {
        LabEnvironment env = Fixtures.unloaded(folder);
        var elsewhere = new RunningTarget(new InetSocketAddress("192.0.2.1", 80), Optional.empty(), 0);
        assertThat(TrialEvidence.serverCpus(env, elsewhere)).isEmpty();
        var here = new RunningTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80), Optional.empty(), 0);
        assertThat(TrialEvidence.serverCpus(env, here)).isEmpty();
    }

    /** Here another program listens on the same port: its queue, and what is dropped here, is not that of a server elsewhere. */
    @Test
    void theAcceptQueueOfAServerOnAnotherMachineIsNotLookedForHere() throws Exception {
        LabEnvironment env = Fixtures.unloaded(folder);
        Aggregates host = Aggregates.NOTHING.with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(3));
        try (var local = new ServerSocket(0, 37, InetAddress.getLoopbackAddress())) {
            int port = local.getLocalPort();
            var here = new RunningTarget(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Optional.empty(), 0);
            assertThat(here.queueLimit(env.proc())).hasValue(37);
            assertThat(TrialEvidence.known(TrialEvidence.about(env, here), host)
                            .get(Aggregate.LISTEN_OVERFLOWS)
                            .optional())
                    .hasValue(3);
            var elsewhere = new RunningTarget(new InetSocketAddress("192.0.2.1", port), Optional.empty(), 0);
            assertThat(elsewhere.queueLimit(env.proc())).isEmpty();
            assertThat(elsewhere.queue(env.proc())).isEmpty();
            assertThat(TrialEvidence.known(TrialEvidence.about(env, elsewhere), host)
                            .get(Aggregate.LISTEN_OVERFLOWS)
                            .optional())
                    .isEmpty();
        }
    }

    /** A container's server listens in its own network: the same port here is another's. */
    @Test
    void theAcceptQueueOfAProcessWithItsOwnNetworkIsNotLookedForHere() throws Exception {
        Files.createDirectories(folder.resolve("proc/7/ns"));
        Files.createDirectories(folder.resolve("proc/self/ns"));
        Files.createSymbolicLink(folder.resolve("proc/self/ns/net"), Path.of("net:[1]"));
        Files.createSymbolicLink(folder.resolve("proc/7/ns/net"), Path.of("net:[2]"));
        var proc = new Proc(folder.resolve("proc"));
        var target =
                RunningTarget.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80), new Guest(proc, 7, 4711));
        assertThat(target.queue(proc)).isEmpty();
        Files.delete(folder.resolve("proc/7/ns/net"));
        assertThat(target.queue(proc)).as("not known").isEmpty();
        Files.createSymbolicLink(folder.resolve("proc/7/ns/net"), Path.of("net:[1]"));
        assertThat(target.queue(proc)).isPresent();
    }
}
