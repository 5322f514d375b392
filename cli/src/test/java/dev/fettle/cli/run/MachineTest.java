package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.process.SelfPin;
import dev.fettle.watch.host.Proc;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("pins all of this JVM for a moment")
class MachineTest {
    /** What comes after a run is to find the server's CPUs, too. */
    @Test
    void theCpusAreThoseFromBeforeFettlePinnedItself() throws Exception {
        var before = new Machine().cpus();
        Set<Integer> all = new TreeSet<>(new Proc().allowedCpus("self"));
        Assumptions.assumeTrue(all.size() > 1);
        try {
            assertThat(SelfPin.pin(Set.of(all.iterator().next()))).isEmpty();
            assertThat(new Proc().allowedCpus("self")).hasSize(1);
            assertThat(new Machine().cpus()).isEqualTo(before);
        } finally {
            SelfPin.pin(all);
        }
        assertThat(new Proc().allowedCpus("self")).isEqualTo(all);
    }
}
