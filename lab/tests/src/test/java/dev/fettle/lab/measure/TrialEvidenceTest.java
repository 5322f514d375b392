package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.target.RunningTarget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
}
