package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.insight.audit.Preflight;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.lab.machine.OwnKey;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.process.SelfPin;
import dev.fettle.load.JitCompilers;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.read.PlanReader;
import dev.fettle.report.Environment;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The environment of the command: this machine and Fettle's own folder. */
public final class Machine {
    private static final String CALM = "FETTLE_CALM";

    /** Read before {@link #pinSelf} leaves Fettle itself fewer of them. */
    private static final CpuLayout ALLOWED = CpuLayout.of(new Proc().allowedCpus("self"));

    private final Proc proc = new Proc();
    private final CpuLayout cpus = ALLOWED;

    CpuLayout cpus() {
        return cpus;
    }

    Proc proc() {
        return proc;
    }

    Map<String, String> facts() {
        return HostFacts.read(proc, cpus);
    }

    /** This machine, as reports have it. */
    public Environment environment() {
        return HostFacts.environment(facts());
    }

    /** A reader that knows this machine's limits. */
    public PlanReader planReader() {
        int somaxconn = proc.somaxconn();
        return new PlanReader(cpus.server().size(), somaxconn, OwnFiles.CONFIGURATION, openConnections());
    }

    /** How many connections an open load may open on this machine if nobody says. */
    public int openConnections() {
        return LimitCheck.openConnections(proc);
    }

    /** Whether there is one CPU only, which target and generator share. */
    public boolean hasOneCpu() {
        return cpus.server().equals(cpus.generator());
    }

    /** Fettle's own folder: the launcher says where it is. */
    public static Path home() {
        return Path.of(Optional.ofNullable(System.getProperty("fettle.home")).orElse("."))
                .toAbsolutePath()
                .normalize();
    }

    /** This user's folder for what has to outlive Fettle. */
    public static Path state() {
        return OwnKey.state(System.getenv());
    }

    public LabEnvironment lab(Workspace workspace, Set<String> ownHosts) {
        var lab = new LabEnvironment(home(), workspace, Jdks.system(), cpus, proc, ownHosts, Clock.SYSTEM, state());
        return waitsForCalm(System.getenv(CALM)) ? lab : lab.atOnce();
    }

    /** Whether trials wait until other processes leave the CPUs alone; {@code FETTLE_CALM=off} says that they don't. */
    static boolean waitsForCalm(@Nullable String calm) {
        return !"off".equals(calm);
    }

    /**
     * Ends a run that can't be valid on this machine before a server or a load is started; otherwise passes on the
     * warnings.
     *
     * @param found problems with this machine's limits
     */
    public static void allow(Preflight.Found found, Consumer<String> warning) {
        LimitCheck.refused(found).ifPresent(why -> {
            throw new CliException(
                    ExitCodes.NO_VALID_RESULT, "this run can't be valid, so nothing was started: " + why);
        });
        found.warnings().forEach(warning);
    }

    /** Gives an open load's engine precedence over this JVM's compilers, with which it shares the generator's CPUs. */
    public static void favour(Arrivals arrivals) {
        if (arrivals instanceof Arrivals.Open) {
            JitCompilers.giveWay();
        }
    }

    /**
     * Keeps Fettle itself off the target's CPUs; returns a note if that fails. Not in a JVM that does other things, too, and says so
     * with the system property {@code fettle.shared}.
     */
    Optional<String> pinSelf() throws LabException, InterruptedException {
        if (Boolean.getBoolean("fettle.shared")) {
            return Optional.empty();
        }
        return SelfPin.pin(cpus.generator());
    }
}
