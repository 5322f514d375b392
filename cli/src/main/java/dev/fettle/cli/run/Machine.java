package dev.fettle.cli.run;

import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.process.SelfPin;
import dev.fettle.load.JitCompilers;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.read.PlanReader;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The world around the command: this machine and Fettle's own folder. */
public final class Machine {
    private static final String CALM = "FETTLE_CALM";

    private final Proc proc = new Proc();
    private final CpuLayout cpus = CpuLayout.of(proc.allowedCpus("self"));

    CpuLayout cpus() {
        return cpus;
    }

    Proc proc() {
        return proc;
    }

    Map<String, String> facts() {
        return HostFacts.read(proc, cpus);
    }

    /** A reader that knows this machine's limits. */
    public PlanReader planReader() {
        int somaxconn = proc.somaxconn();
        return new PlanReader(cpus.server().size(), somaxconn, OwnFiles.CONFIGURATION);
    }

    /** Fettle's own folder: the launcher says where it is. */
    public static Path home() {
        return Path.of(Optional.ofNullable(System.getProperty("fettle.home")).orElse("."))
                .toAbsolutePath()
                .normalize();
    }

    public LabEnvironment lab(Workspace workspace, Set<String> ownHosts) {
        var lab = new LabEnvironment(home(), workspace, Jdks.system(), cpus, proc, ownHosts, InstantSource.system());
        return waitsForCalm(System.getenv(CALM)) ? lab : lab.atOnce();
    }

    /** Whether trials wait until other processes leave the CPUs alone; {@code FETTLE_CALM=off} says that they don't. */
    static boolean waitsForCalm(@Nullable String calm) {
        return !"off".equals(calm);
    }

    /** Lets the engine of an open load come before this JVM's compilers, with which it shares the generator's CPUs. */
    public static void favour(Arrivals arrivals) {
        if (arrivals instanceof Arrivals.Open) {
            JitCompilers.giveWay();
        }
    }

    /** Keeps Fettle itself off the target's CPUs; the note says why if that fails. */
    Optional<String> pinSelf() throws LabException, InterruptedException {
        return SelfPin.pin(cpus.generator());
    }
}
