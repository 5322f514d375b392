package dev.fettle.lab.machine;

import dev.fettle.model.trial.ProfileWish;
import dev.fettle.watch.host.Proc;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * The lab's environment.
 *
 * @param home Fettle's own folder, with the targets' jars
 * @param cpus which CPUs target and generator get
 * @param ownHosts hosts other than loopback that the user declared their own
 * @param clock the time of day, for the journal, and all other time
 * @param state this user's folder for what has to outlive Fettle, wherever it is started
 * @param calm the longest wait before a trial for other programs to leave the CPUs alone; zero: no wait
 * @param profile what to record while it is measured of the first pair of a duel or comparison, usually nothing; and of a diagnosis,
 *     where Fettle launched its target, usually the CPU time; what explains a gate's answer is recorded in any case
 * @param secondOpinion whether to record what a diagnosis measures, and ask JDK Mission Control about it
 * @param dumps which processes may be asked for a thread dump
 * @param disk what has to be free for a trial
 */
@RecordBuilder
public record LabEnvironment(
        Path home,
        Workspace workspace,
        Jdks jdks,
        CpuLayout cpus,
        Proc proc,
        Set<String> ownHosts,
        Clock clock,
        Path state,
        Duration calm,
        ProfileWish profile,
        boolean secondOpinion,
        DumpAllowance dumps,
        DiskSpace disk)
        implements LabEnvironmentBuilder.With {
    public LabEnvironment {
        ownHosts = Set.copyOf(ownHosts);
    }

    /** An environment that waits for calm for up to {@link Calm#LONGEST}, and profiles nothing. */
    public LabEnvironment(
            Path home,
            Workspace workspace,
            Jdks jdks,
            CpuLayout cpus,
            Proc proc,
            Set<String> ownHosts,
            Clock clock,
            Path state) {
        this(
                home,
                workspace,
                jdks,
                cpus,
                proc,
                ownHosts,
                clock,
                state,
                Calm.LONGEST,
                ProfileWish.NONE,
                false,
                DumpAllowance.usual(),
                DiskSpace.system());
    }

    /** A copy whose trials begin at once, whatever other processes do; disturbance is still measured and judged. */
    public LabEnvironment atOnce() {
        return withCalm(Duration.ZERO);
    }
}
