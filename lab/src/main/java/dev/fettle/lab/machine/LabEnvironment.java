package dev.fettle.lab.machine;

import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/**
 * The lab's environment.
 *
 * @param home Fettle's own folder, with the targets' jars
 * @param cpus which CPUs target and generator get
 * @param ownHosts hosts other than loopback that the user declared their own
 * @param clock the time of day, for the journal
 */
public record LabEnvironment(
        Path home,
        Workspace workspace,
        Jdks jdks,
        CpuLayout cpus,
        Proc proc,
        Set<String> ownHosts,
        InstantSource clock) {
    public LabEnvironment {
        ownHosts = Set.copyOf(ownHosts);
    }
}
