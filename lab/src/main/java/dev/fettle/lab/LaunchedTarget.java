package dev.fettle.lab;

import dev.fettle.model.Constraints;
import dev.fettle.model.Load;
import dev.fettle.model.Plan;
import dev.fettle.model.TrialSpec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A plan's target, with the knobs that the plan holds, launched once for many probes. */
final class LaunchedTarget implements ProbeTarget, AutoCloseable {
    private final RunningTarget running;
    private final LabEnvironment env;
    private final CompilerThreads compilers;

    /** Something that somebody else has started. */
    record Url(InetSocketAddress address) implements ProbeTarget {
        @Override
        public Set<Integer> generatorCpus() {
            return Set.of();
        }

        @Override
        public void tend() {}
    }

    private LaunchedTarget(RunningTarget running, LabEnvironment env) {
        this.running = running;
        this.env = env;
        this.compilers = new CompilerThreads(env.proc(), running.process.map(Child::jvmPid));
    }

    /** Launches it, waits for the right answer, and reads back what was set. */
    static LaunchedTarget launch(Plan plan, Load load, LabEnvironment env, Path folder, Consumer<String> note)
            throws LabException, InterruptedException {
        List<String> broken = Constraints.check(
                plan.target(),
                plan.hold(),
                env.cpus().server().size(),
                env.proc().somaxconn());
        if (!broken.isEmpty()) {
            throw new LabException("impossible setting: " + String.join("; ", broken));
        }
        var launcher = new TargetLauncher(env, Artifacts.of(env, note), new Calibration(folder), note);
        var spec = new TrialSpec(TrialSpec.Phase.BASELINE, "", Map.of(), 0, plan.target(), plan.hold(), load);
        RunningTarget up = null;
        boolean ready = false;
        try {
            up = launcher.launch(spec, folder);
            Readiness.await(up, load);
            new Effective(env.proc()).readBack(up, plan.target(), plan.hold());
            ready = true;
            return new LaunchedTarget(up, env);
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        } finally {
            if (up != null && !ready) {
                up.close();
            }
        }
    }

    @Override
    public InetSocketAddress address() {
        return running.address;
    }

    @Override
    public Set<Integer> generatorCpus() {
        return env.cpus().generator();
    }

    @Override
    public void tend() throws LabException, InterruptedException {
        compilers.keepOn(env.cpus().generator());
        if (!running.alive()) {
            throw new LabException(running.ended("under load"));
        }
    }

    @Override
    public void close() {
        running.close();
    }
}
